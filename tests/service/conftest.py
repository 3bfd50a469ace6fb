"""A night on a fresh folder, closed whatever happens."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.service.night import FAST, Night


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    night = Night(tmp_path)
    with night.open():
        yield night


@pytest.fixture
def quick_night(tmp_path: Path) -> Iterator[Night]:
    night = Night(tmp_path, **FAST)
    with night.open():
        yield night
