"""What goes wrong in a hall: old backups, copies, wrong clocks, other versions, and lies."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.hall.contract import CONTRACT, Ack, SentResult, said
from companion.hall.events import ResultTaken
from companion.hall.keeper import HallKeeper
from companion.hall.table.link import TableLink
from companion.hall.table.membership import join, read_membership
from companion.journal.chain import read_seal
from companion.journal.file import reader
from companion.keeping import backups
from companion.keeping.restore import restore
from companion.referee.model.presses import SECOND
from tests.hall.halls import LightTable, TableProcess, match
from tests.hall.life import AGAIN, QUICK
from tests.hall.served_hall import ServedHall, publish, started
from tests.kit.served import PATIENCE, eventually

HOUR, DECADE = 3_600, 10 * 365 * 24 * 3_600
MINUTES = 30


@pytest.fixture
def hall(served_hall: ServedHall) -> ServedHall:
    return served_hall


@pytest.fixture
def table(hall: ServedHall, tmp_path: Path) -> Iterator[TableProcess]:
    """Table 1, which has joined and does not play yet."""
    joined(hall, tmp_path / "one", 1)
    with TableProcess(1, tmp_path / "one") as table:
        yield table


def joined(hall: ServedHall, folder: Path, number: int) -> Path:
    join(folder, f"127.0.0.1:{hall.port}", hall.desk()["table_code"], number)
    return folder


def test_a_table_restored_from_an_old_backup_is_told_at_the_desk_and_never_merged(hall, table):
    table.start()
    eventually(lambda: hall.results())
    table.kill()
    copy = backups.make(table.folder, "daily")
    table.start()
    then = len(hall.results())
    eventually(lambda: len(hall.results()) > then + 2)
    table.kill()
    table.start("silent")
    table.hears("arrived")
    table.kill()
    before = hall.results()
    restore(table.folder, copy)
    table.start()
    eventually(lambda: hall.table(1)["behind"])
    version = table.version()
    eventually(lambda: table.version() > version + 20)
    assert hall.results() == before
    assert hall.table(1)["behind"]


def test_two_tables_that_are_copies_of_one_are_told_and_not_mixed(hall, table, tmp_path):
    table.start()
    eventually(lambda: hall.results())
    table.kill()
    shutil.copytree(table.folder, tmp_path / "copy")
    with TableProcess(1, tmp_path / "copy") as copy:
        table.start()
        copy.start()
        eventually(lambda: hall.table(1)["twins"])
    table.kill()
    hall.stop()
    keeper = HallKeeper(hall.folder / "hall")
    events = [row.event() for row in keeper._journal.rows()]
    keeper.close()
    taken = [(one.result.sequence, one.seal) for one in events if isinstance(one, ResultTaken)]
    assert len(taken) == len(set(taken))
    assert holds(table.folder, taken) or holds(tmp_path / "copy", taken)


def holds(folder: Path, taken: list[tuple[int, str]]) -> bool:
    """Whether a table's journal has everything that the hall took."""
    with closing(reader(folder / "journal.db")) as journal:
        seals = [(sequence, read_seal(journal, sequence)) for sequence, _ in taken]
    return [(sequence, seal.hex()) for sequence, seal in seals if seal is not None] == taken


def test_a_restart_is_no_second_table(hall, table):
    for _ in range(3):
        table.start()
        table.hears("open")
        eventually(lambda: hall.table(1)["here"])
        table.kill()
        eventually(lambda: not hall.table(1)["here"])
    assert not hall.table(1)["twins"]


def test_a_table_that_went_with_the_broker_is_not_said_to_be_there(hall, table):
    """No last will comes from a broker that is gone too."""
    table.start()
    eventually(lambda: hall.table(1)["here"])
    table.kill()
    hall.kill_broker()
    eventually(lambda: not hall.table(1)["here"])
    eventually(lambda: hall.desk()["broker"] is None)
    assert not hall.table(1)["here"]


@pytest.mark.timeout(300)
def test_tables_whose_clocks_are_wrong_by_hours_and_years_take_part(hall, wall, tmp_path):
    steps = (HOUR, -HOUR, DECADE, -DECADE)
    programs = []
    for number, step in enumerate(steps, 1):
        folder = joined(hall, tmp_path / f"table-{number}", number)
        words = ["tests.hall.life", "table", str(folder), "playing"]
        surroundings = {"LD_PRELOAD": str(wall), "WALL_STEP": str(step)}
        programs.append(started(words, surroundings))
    try:
        numbers = {1, 2, 3, 4}
        eventually(lambda: {table for table, _ in hall.results()} == numbers, patience=240)
    finally:
        for program in programs:
            program.kill()
            program.communicate(timeout=PATIENCE)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("step", [DECADE, -DECADE], ids=("ten years ahead", "ten years behind"))
def test_a_hall_whose_clock_is_wrong_takes_results_and_tells_how_long_the_round_goes_on(
    step, wall, tmp_path
):
    surroundings = {"LD_PRELOAD": str(wall), "WALL_STEP": str(step)}
    hall = ServedHall(tmp_path / "hall", surroundings=surroundings)
    hall.pair()
    link, table = light(hall, tmp_path / "one")
    table.play()
    link.look()
    eventually(lambda: hall.results() == [(1, 1)])
    hall.command("sign_up", people=["Ana", "Ben", "Cleo"])
    hall.command("draw_round", seed=1)
    hall.command("set_clock", what="start", minutes=MINUTES)
    eventually(lambda: minutes_left(link) is not None)
    left = minutes_left(link)
    link.close()
    hall.stop()
    assert left is not None
    assert MINUTES - 5 < left <= MINUTES + 0.1


def light(hall: ServedHall, folder: Path, number: int = 1) -> tuple[TableLink, LightTable]:
    """A light table that has joined, with its line to the hall."""
    member = read_membership(joined(hall, folder, number))
    assert member is not None
    table = LightTable(number)
    link = TableLink(member, folder, table, pace=QUICK, again=AGAIN)
    link.start()
    return link, table


def minutes_left(link: TableLink) -> float | None:
    ends = link.hall_status().ends
    return None if ends is None else (ends - time.monotonic_ns()) / SECOND / 60


def test_a_table_of_another_contract_is_told_at_the_desk_and_nothing_breaks(hall, table, tmp_path):
    other = joined(hall, tmp_path / "other", 2)
    publish(other, "hall/2/here", '{"contract":2,"here":true,"mood":"good"}')
    eventually(lambda: hall.table(2)["foreign"])
    publish(other, "hall/2/result", '{"contract":2,"what":"who knows"}')
    table.start()
    eventually(lambda: [one for one, _ in hall.results()] and hall.table(1)["here"])
    assert {one for one, _ in hall.results()} == {1}
    assert hall.table(2)["foreign"]
    assert not hall.table(1)["foreign"]


def test_a_hall_of_another_contract_is_told_at_the_table_and_nothing_breaks(hall, tmp_path):
    link, table = light(hall, tmp_path / "one")
    eventually(lambda: link.hall_status().connected and link._ack is not None)
    link._heard("hall/1/orders", b'{"contract":2,"play":"chess"}', False)
    assert link.hall_status().foreign
    table.play()
    link.look()
    eventually(lambda: hall.results() == [(1, 1)])
    eventually(lambda: not link.hall_status().foreign)
    link.close()


def test_a_result_that_does_not_add_up_is_shown_as_such_and_does_not_count(hall, tmp_path):
    hall.command("sign_up", people=["Ana", "Ben", "Cleo"])
    hall.command("draw_round", seed=1)
    folder = joined(hall, tmp_path / "liar", 1)
    honest = match(1)
    lie = replace(honest, players=(replace(honest.players[0], points=499), *honest.players[1:]))
    publish(folder, "hall/1/result", result(lie))
    shown = eventually(lambda: hall.desk()["results"])
    assert [(one["adds_up"], one["counts"]) for one in shown] == [(False, False)]
    assert hall.evening()["waiting"] == [1]


def test_a_table_that_speaks_for_another_is_not_heard(hall, table, tmp_path):
    folder = joined(hall, tmp_path / "liar", 2)
    for topic in ("hall/1/result", "hall/1/here", "hall/1/ack", "hall/2/ack", "hall/all/clock"):
        publish(folder, topic, result(match(1)))
    # Its own words come after the forged ones, so those would have been heard by now.
    publish(folder, "hall/2/result", result(match(7)))
    eventually(lambda: hall.results() == [(2, 7)])
    assert not hall.table(1)["foreign"]
    table.start()
    eventually(lambda: hall.table(1)["here"] and (1, 1) in hall.results())


def result(body: Any) -> str:
    """A first result, as a table writes it."""
    return said(SentResult(CONTRACT, 1, "seal", 0, Ack(CONTRACT, 0, "").seal, body)).decode()
