"""A table joins a hall from the tablet, plays what is drawn, and its result arrives."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from functools import partial

import pytest

from companion.common.processes import started_with
from companion.journal.folder_lock import LOCK
from tests.hall.served_hall import ServedHall
from tests.home.broker import PROGRAM
from tests.kit.served import Client, Served, eventually


@pytest.fixture
def hall(tmp_path) -> Iterator[ServedHall]:
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = ServedHall(tmp_path / "hall")
    hall.pair()
    yield hall
    hall.stop()


def test_a_table_joins_plays_what_the_hall_draws_and_its_result_arrives(hall, tmp_path):
    hall.command("sign_up", people=["Ana", "Ben", "Cleo"])
    table = Served(tmp_path / "table")
    place = {"address": f"127.0.0.1:{hall.port}", "code": hall.desk()["table_code"]}
    assert Client(table.port).post("/api/hall", place).status == 403
    table.pair()
    wrong = table.post("/api/hall", {**place, "code": "AAAA-AAAA"}).json
    assert wrong["error"] == "hall_not_joined"
    assert wrong["parts"] == {"why": "That is not this hall's code.", "why_code": "hall.wrong_code"}
    other = table.post("/api/hall", {**place, "address": f"127.0.0.1:{table.port}"}).json
    assert other["parts"]["why_code"] == "hall.no_address", "there is a table and no hall"
    assert table.state()["service"]["hall"] is None
    assert table.post("/api/hall", place).status == 200
    eventually(lambda: table.state()["service"]["hall"]["connected"])
    hall.command("draw_round", seed=1)
    eventually(lambda: len(table.table["seats"]) == 3)
    assert table.state()["service"]["hall"]["round"] == 1
    play_a_match(table)
    eventually(lambda: hall.evening()["waiting"] == [])
    eventually(lambda: table.state()["service"]["hall"]["done"])
    winner = hall.evening()["standing"][0]
    assert (winner["points"], winner["scored"]) == (4, 600)
    assert table.post("/api/hall/leave", {}).status == 200
    assert table.state()["service"]["hall"] is None
    eventually(lambda: not hall.desk()["tables"][0]["here"])
    table.stop()


def test_a_table_that_the_desk_has_taken_out_says_so_and_joins_again(hall, tmp_path):
    table = Served(tmp_path / "table")
    table.pair()
    place = {"address": f"127.0.0.1:{hall.port}", "code": hall.desk()["table_code"]}
    assert table.post("/api/hall", place).status == 200
    eventually(lambda: table.state()["service"]["hall"]["connected"])
    assert hall.command("remove_table", table=1).status == 200
    eventually(lambda: table.state()["service"]["hall"]["taken_out"])
    assert table.post("/api/hall/leave", {}).status == 200
    assert table.post("/api/hall", place).status == 200
    eventually(lambda: table.state()["service"]["hall"]["connected"])
    assert not table.state()["service"]["hall"]["taken_out"]
    table.stop()


def test_a_name_that_is_too_long_for_a_table_is_shortened_there_and_known_again(hall, tmp_path):
    long = ["Wilhelmine Hohenstein-Breitenbach", "Wilhelmine Hohenstein-Breitenau"]
    assert hall.command("sign_up", people=["Ana", *long]).status == 200
    table = Served(tmp_path / "table")
    table.pair()
    place = {"address": f"127.0.0.1:{hall.port}", "code": hall.desk()["table_code"]}
    assert table.post("/api/hall", place).status == 200
    hall.command("draw_round", seed=1)
    eventually(lambda: len(table.table["seats"]) == 3)
    play_a_match(table)
    eventually(lambda: hall.evening()["waiting"] == [])
    assert hall.desk()["results"][0]["strangers"] == []
    assert set(long) < set(hall.desk()["results"][0]["people"])
    table.stop()


def test_the_machine_of_the_hall_hosts_tables_too(tmp_path):
    """A club begins with one laptop: the table is there again, under its number, the next time."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    for _ in range(2):
        hall = ServedHall(tmp_path, tables=1)
        hall.pair()
        eventually(partial(all_here, hall))
        assert hall.desk()["hosted"] == {"1": hall.port + 11}
        guest = Client(hall.port + 11)
        assert guest.get("/api/state").json["service"]["hall"]["table"] == 1
        hall.stop()
        with pytest.raises(OSError, match="refused"):
            guest.get("/api/state")


def test_a_table_that_does_not_close_leaves_nothing_behind_it(tmp_path):
    """Neither itself nor the broker, whose port the next hall wants."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = ServedHall(tmp_path, tables=1)
    hall.pair()
    eventually(partial(all_here, hall))
    place = ["--data", str(tmp_path / "hall" / "tables" / "1"), "--port", str(hall.port + 11)]
    words = [*place, "--simulate", "--host", "127.0.0.1"]
    (table,) = started_with(words)
    os.kill(table, signal.SIGSTOP)
    hall.stop()
    assert not started_with(words)
    assert not started_with(["-c", str(tmp_path / "hall" / "broker" / "mosquitto.conf")])


def test_a_table_on_the_machine_of_the_hall_outlives_a_hall_that_is_killed(tmp_path):
    """The people at it notice nothing, and the next hall hears it and closes it."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = ServedHall(tmp_path, tables=1)
    hall.pair()
    eventually(partial(all_here, hall))
    held = tmp_path / "hall" / "tables" / "1" / LOCK
    table, killed = held.read_text(), hall.children()
    for process in killed:
        os.kill(process, signal.SIGKILL)
    eventually(lambda: hall.children() not in ([], killed))
    hall.pair()
    eventually(partial(all_here, hall))
    assert held.read_text() == table
    hall.stop()
    with pytest.raises(OSError, match="refused"):
        Client(hall.port + 11).get("/api/state")


def all_here(hall: ServedHall) -> bool:
    return [one["here"] for one in hall.desk()["tables"]] == [True]


def play_a_match(table: Served) -> None:
    """One round in free play is enough: the first seat goes out."""
    first, *others = [seat["number"] for seat in table.table["seats"]]
    steps = [("set_up", {"way": "free"}), ("start_match", {}), ("choose_dealer", {"seat": first})]
    steps += [("deal", {}), ("go_out", {"seat": first})]
    steps += [("enter_points", {"seat": seat, "points": 300}) for seat in others]
    for kind, fields in [*steps, ("score_round", {})]:
        answer = table.do(kind, **fields)
        assert answer.status == 200, answer
