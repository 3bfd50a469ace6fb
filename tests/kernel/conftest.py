"""The emulated machines, each booted once however many tests look at what it played."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.kernel import plan
from tests.kernel.machine import Kind, play
from tests.kernel.packages import CannotRun

RACES = int(os.environ.get("KERNEL_RACES", "120"))
SEED = int(os.environ.get("KERNEL_SEED", "1"))


class Played(msgspec.Struct):
    """What was planned for a machine and what came of it."""

    acts: dict[str, plan.Act]
    results: dict[str, Any]


@pytest.fixture(scope="session")
def two_processors(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Give the machine with two processors, which stalls as real machines do."""
    acts = plan.two_processor_acts(RACES, SEED)
    return _played("two processors", acts, tmp_path_factory, seconds=400 + RACES)


@pytest.fixture(scope="session")
def repeatable_time(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Give a machine whose time depends on nothing outside of it."""
    acts = plan.repeatable_acts(max(20, min(RACES // 15, 200)), SEED)
    return _played("repeatable time", acts, tmp_path_factory, seconds=300 + RACES)


def _played(
    kind: Kind,
    acts: list[plan.Act],
    folders: pytest.TempPathFactory,
    seconds: float,
) -> Played:
    """Boot the machine, or take what another worker's has played."""
    folder = folders.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    kept = folder / f"{kind}.json"
    with _only_one(folder / f"{kind}.lock"):
        if not kept.exists():
            kept.write_bytes(msgspec.json.encode(_play(kind, acts, seconds)))
    results = msgspec.json.decode(kept.read_bytes())
    if isinstance(results, str):
        pytest.skip(f"not run on a real kernel: {results}")
    return Played(acts={act.name: act for act in acts}, results=results)


def _play(kind: Kind, acts: list[plan.Act], seconds: float) -> dict[str, Any] | str:
    try:
        return play(kind, [act.played() for act in acts], seconds, SEED)
    except CannotRun as reason:
        return str(reason)


@contextmanager
def _only_one(lock: Path) -> Iterator[None]:
    with lock.open("w") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        yield
