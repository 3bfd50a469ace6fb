"""Tables of several sizes, closed whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.situations.running import RunningTable

Seat = Callable[..., RunningTable]


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Seat]:
    """Open a table for so many people."""
    opened: list[RunningTable] = []

    def open_(players: int, *, buttonless: tuple[int, ...] = ()) -> RunningTable:
        folder = tmp_path / str(len(opened))
        opened.append(RunningTable(folder, players, buttonless=buttonless))
        return opened[-1]

    yield open_
    for table in opened:
        table.close()
