"""A served hall, a folder for hundreds of kills, and a clock on the wall that can be put."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.hall.served_hall import ServedHall
from tests.home.broker import PROGRAM
from tests.kit.fixtures import quick_folder as quick_folder
from tests.kit.fixtures import wall as wall


@pytest.fixture
def served_hall(tmp_path: Path) -> Iterator[ServedHall]:
    """A hall as people start it, with its own broker, and its organiser."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = ServedHall(tmp_path / "hall")
    hall.pair()
    yield hall
    hall.stop()
