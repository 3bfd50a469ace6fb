"""A real Mosquitto for each test that wants one, gone when the test is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.home.broker import Broker, Ear
from tests.kit.night import Night

QUICK = {"timing": {"settle_ms": 20, "race_limit_ms": 60_000}}
"""A catch is ruled soon, and nobody misses a race on a slow machine."""


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    with Broker(tmp_path / "broker").start() as broker:
        yield broker


@pytest.fixture
def ear(broker: Broker) -> Iterator[Ear]:
    with Ear(broker) as ear:
        yield ear


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with Night(tmp_path / "table").open() as night:
        yield night


@pytest.fixture
def quick_night(tmp_path: Path) -> Iterator[Night]:
    with Night(tmp_path / "table", **QUICK).open() as night:
        yield night
