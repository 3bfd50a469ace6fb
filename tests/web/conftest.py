"""Tables that the tests of both doors are run against."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.served import Served


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One table for all situations of a module that leave nothing behind, seen by a watcher."""
    served = Served(tmp_path_factory.mktemp("shared"))
    yield served
    served.stop()


@pytest.fixture
def watcher(shared: Served) -> Served:
    shared.cookie = None
    return shared


@pytest.fixture(scope="module")
def session(shared: Served) -> str:
    shared.pair()
    assert shared.cookie
    return shared.cookie


@pytest.fixture
def referee(shared: Served, session: str) -> Served:
    """The shared table with the referee at the screen, for what is refused and leaves no trace."""
    shared.cookie = session
    return shared


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A table of its own, with the referee at the screen."""
    served = Served(tmp_path)
    served.pair()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def in_a_round(shared: Served) -> Served:
    """Ana, Ben and Cam at the shared table, each with a button, and cards dealt."""
    shared.pair()
    for name in ("Ana", "Ben", "Cam"):
        assert shared.do("sit", name=name).status == 200
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert shared.do(kind, **fields).status == 200
    return shared
