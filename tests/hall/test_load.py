"""A hundred tables come back to the hall at once, each with an evening of results."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.hall.halls import HallProcess, LightTable
from tests.hall.test_exactly_once import arrived, matches_of
from tests.kit.waiting import until

TABLES, BACKLOG = 100, 50


@pytest.mark.slow
def test_the_backlog_of_a_hundred_tables_is_in_the_hall_within_ten_seconds(tmp_path: Path):
    with HallProcess(tmp_path / "hall", TABLES).start() as hall:
        tables = [LightTable(number) for number in range(1, TABLES + 1)]
        for table in tables:
            for _ in range(BACKLOG):
                table.play()
        began = time.monotonic()
        links = [hall.link(table) for table in tables]
        until(
            lambda: all(arrived(link, table) for link, table in zip(links, tables, strict=True)),
            patience=60,
        )
        took = time.monotonic() - began
        print(f"{TABLES * BACKLOG} results of {TABLES} tables in {took:.1f} s")
        for link in links:
            link._closing.set()
        assert len(matches_of(hall.stop())) == TABLES * BACKLOG
        assert took < 10
