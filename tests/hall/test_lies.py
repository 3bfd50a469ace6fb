"""What the hall hears is checked: a wrong sum, another contract, words that nobody can read."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.hall.contract import CONTRACT, Here, SentResult, said, topic, understood
from companion.hall.decisions import (
    ChangePlaces,
    DrawRound,
    HallRefusal,
    PlanEvening,
    Rename,
    SignUp,
    WriteResult,
)
from companion.hall.evening import Plan
from companion.hall.intake import Intake
from companion.hall.keeper import HallKeeper
from companion.settings.broker import Home
from tests.hall.halls import match
from tests.kit.command_line import companion


@pytest.fixture
def keeper(tmp_path: Path):
    keeper = HallKeeper(tmp_path)
    keeper.do(SignUp(("Ana", "Ben", "Cleo")))
    keeper.join(1, "table-1", "-")
    yield keeper
    keeper.close()


def sent(body, sequence: int = 1) -> SentResult:
    return SentResult(CONTRACT, sequence, f"seal {sequence}", 0, "", body)


def test_a_result_that_does_not_add_up_is_shown_and_not_believed(keeper):
    keeper.do(DrawRound(1))
    honest = match(1)
    lie = replace(honest, players=(replace(honest.players[0], points=499), *honest.players[1:]))
    keeper.take([(1, sent(lie))])
    (result,) = keeper.evening.results.values()
    assert not result.adds_up
    assert keeper.evening.waiting() == (1,)
    keeper.do(WriteResult(1, 1, {1: 50, 2: 0, 3: 0}, "counted again"))
    assert keeper.evening.waiting() == ()


def test_who_is_not_on_the_list_is_told_apart_and_signed_up_only_in_a_free_evening(keeper):
    keeper.do(DrawRound(1))
    keeper.take([(1, sent(match(1, ("Ana", "Ben", "Zoe"))))])
    (result,) = keeper.evening.results.values()
    assert [place.name for place in result.places] == ["", "", "Zoe"]
    assert result.round == 0
    keeper.do(PlanEvening(Plan(format="free")))
    following = SentResult(CONTRACT, 2, "seal 2", 1, "seal 1", match(2, ("Ana", "Ben", "Zoe")))
    keeper.take([(1, following)])
    assert keeper.evening.people[4].name == "Zoe"


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\x00", id="no text"),
        pytest.param(b"[" * 100_000, id="a deep well"),
        pytest.param(b'{"contract":2,"here":true}', id="another contract"),
        pytest.param(b'{"contract":1,"here":"yes"}', id="another shape"),
    ],
)
def test_what_nobody_can_read_is_no_message(payload):
    assert understood(payload, Here) is None


def test_a_table_of_another_contract_is_noticed_at_the_desk(keeper):
    intake = Intake(Home(host="localhost"), keeper)
    intake._heard(topic(1, "here"), b'{"contract":2,"here":true}', False)
    assert intake.seen[1].foreign
    intake._heard(topic(1, "here"), said(Here(CONTRACT)), False)
    assert not intake.seen[1].foreign
    intake.close()


def test_names_are_not_in_the_events_and_come_back_with_them(tmp_path):
    keeper = HallKeeper(tmp_path)
    keeper.do(SignUp(("Ana", "Ben")))
    keeper.do(Rename(1, "Anabel"))
    with pytest.raises(HallRefusal, match="already"):
        keeper.do(Rename(2, "anabel"))
    for row in keeper._journal.rows():
        assert "Anabel" not in str(msgspec.to_builtins(row.body))
    keeper.close()
    again = HallKeeper(tmp_path)
    assert again.evening == keeper.evening
    assert again.evening.people[1].name == "Anabel"
    again.close()


def test_two_people_change_places_until_their_tables_have_finished(keeper):
    keeper.do(SignUp(("Dan", "Eva", "Finn")))
    keeper.do(DrawRound(1))
    (one, *_), (other, *_) = (seating.people for seating in keeper.evening.round.tables)
    keeper.do(ChangePlaces(one, other))
    first, second = keeper.evening.round.tables
    assert other in first.people
    assert one in second.people
    keeper.do(WriteResult(1, first.table, dict.fromkeys(first.people, 1)))
    with pytest.raises(HallRefusal, match="results already"):
        keeper.do(ChangePlaces(one, other))


@pytest.mark.usefixtures("keeper")
def test_the_hall_is_backed_up_like_a_table(tmp_path):
    assert companion("backup", "--data", tmp_path).exit_code == 0
