"""A table's way back into the hall: restored, gone and come again, or under another number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.hall.table.membership import join, leave
from companion.keeping import backups
from companion.keeping.restore import restore
from tests.hall.halls import TableProcess
from tests.hall.served_hall import ServedHall
from tests.hall.table.test_place import play_a_match
from tests.kit.served import Served, eventually


@pytest.fixture
def hall(served_hall: ServedHall) -> ServedHall:
    """A hall in which every match counts."""
    plan = served_hall.evening()["plan"]
    assert served_hall.command("plan_evening", plan={**plan, "format": "free"}).status == 200
    return served_hall


@pytest.fixture
def table(hall: ServedHall, tmp_path: Path) -> Iterator[TableProcess]:
    """Table 1, which has joined and does not play yet."""
    enter(hall, tmp_path / "one", 1)
    with TableProcess(1, tmp_path / "one") as table:
        yield table


def enter(hall: ServedHall, folder: Path, number: int | None = None) -> None:
    join(folder, f"127.0.0.1:{hall.port}", hall.desk()["table_code"], number)


def play(hall: ServedHall, table: TableProcess, matches: int) -> None:
    """Let a table play so many matches more, and end only when the hall has every one of them."""
    before = len(hall.results())
    table.start()
    eventually(lambda: len(hall.results()) >= before + matches)
    table.kill()
    settle(table)


def settle(table: TableProcess) -> None:
    """Let a table say all that it has, and play nothing."""
    table.start("silent")
    table.hears("arrived")
    table.kill()


def counted(hall: ServedHall) -> list[Any]:
    return [one["match"] for one in hall.desk()["results"] if one["counts"]]


def won(hall: ServedHall) -> int:
    """How many matches Ana has won, who wins every one."""
    first = hall.evening()["standing"][0]
    assert all(score["place"] == 1 for score in first["scores"])
    return len(first["scores"])


@pytest.mark.parametrize(
    "leaves", [pytest.param(False, id="joins"), pytest.param(True, id="leaves")]
)
def test_a_restored_table_is_taken_out_joins_again_and_nothing_is_lost_or_twice(
    hall, table, leaves
):
    play(hall, table, 2)
    copy, old = backups.make(table.folder, "daily"), sorted(counted(hall))
    play(hall, table, 2)
    lost = sorted(set(counted(hall)) - set(old))
    assert len(lost) >= 2
    restore(table.folder, copy)
    table.start("silent")
    eventually(lambda: hall.table(1)["behind"])
    table.kill()
    assert hall.command("remove_table", table=1).status == 200
    if leaves:
        leave(table.folder)
    enter(hall, table.folder)
    settle(table)
    assert not hall.table(1)["behind"]
    assert sorted(counted(hall)) == [*old, *lost]
    play(hall, table, len(lost))
    times = Counter(counted(hall))
    assert all(times[match] == 1 for match in old), times
    assert all(times[match] == 2 for match in lost), "what was lost at the table stays in the hall"
    assert won(hall) == times.total() == len(hall.results())


def test_a_match_that_was_closed_only_after_the_table_was_restored_counts_once(hall, tmp_path):
    """The hall had it as it was won, and the table tells it by another event."""
    place = {"address": f"127.0.0.1:{hall.port}", "code": hall.desk()["table_code"]}
    table = Served(tmp_path / "one")
    table.pair()
    for name in ("Ana", "Ben", "Cleo"):
        table.do("sit", name=name)
    assert table.post("/api/hall", place).status == 200
    play_a_match(table)
    eventually(lambda: counted(hall) == [1])
    copy = backups.make(table.folder / "data", "asked")
    table.do("close_match")
    play_a_match(table)
    eventually(lambda: sorted(counted(hall)) == [1, 2])
    table.stop()
    restore(table.folder / "data", copy)
    table = Served(tmp_path / "one")
    table.pair()
    eventually(lambda: hall.table(1)["behind"])
    assert hall.command("remove_table", table=1).status == 200
    assert table.post("/api/hall/leave", {}).status == 200
    table.do("close_match")
    play_a_match(table)
    assert table.post("/api/hall", place).status == 200
    eventually(lambda: len(counted(hall)) >= 3)
    table.stop()
    assert sorted(counted(hall)) == [1, 2, 2]
    assert len(hall.results()) == 3


def test_a_table_that_leaves_and_joins_again_counts_once(hall, table):
    play(hall, table, 2)
    before = sorted(counted(hall))
    leave(table.folder)
    enter(hall, table.folder)
    settle(table)
    assert sorted(counted(hall)) == before
    assert won(hall) == len(before)


def test_a_table_under_another_number_keeps_its_results(hall, table):
    play(hall, table, 2)
    before = hall.results()
    enter(hall, table.folder, 7)
    settle(table)
    assert [one["table"] for one in hall.desk()["tables"]] == [7]
    assert hall.results() == before
    assert won(hall) == len(before)


def test_a_number_that_another_table_had_before_counts_for_both(hall, table, tmp_path):
    play(hall, table, 1)
    hall.command("remove_table", table=1)
    enter(hall, tmp_path / "other", 1)
    with TableProcess(1, tmp_path / "other") as other:
        play(hall, other, 1)
    assert won(hall) == len(hall.results())
    for score in hall.evening()["standing"][0]["scores"]:
        shown = hall.get(f"/api/match/{score['event']}/{score['table']}")
        assert shown.status == 200, shown
