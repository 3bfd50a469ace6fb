"""A night on a fresh folder, closed whatever happens; and the folder of one that is over.

The conftest of a room imports what its tests want of these.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.night import FAST, Night, play_a_while

MEMORY = Path("/dev/shm")


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


@pytest.fixture
def quick_folder(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one, for tests that do not ask what a disk keeps."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="table-") as folder:
        yield Path(folder)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an evening that is over; no test changes it."""
    folder = tmp_path_factory.mktemp("played")
    with Night(folder) as night:
        play_a_while(night)
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """The same in a folder of its own."""
    shutil.copytree(played, tmp_path / "table")
    return tmp_path / "table"


@pytest.fixture(scope="module")
def wall(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library that puts the wall's clock forward or back under a program that does not know."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    library = tmp_path_factory.mktemp("wall") / "wall.so"
    source = Path(__file__).with_name("wall.c")
    flags = ["-shared", "-fPIC", "-O2", "-Wall", "-Werror"]
    subprocess.run(["gcc", *flags, "-o", library, source, "-ldl"], check=True)
    return library
