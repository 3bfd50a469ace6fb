"""What the hall hears is checked: a wrong sum, another contract, words that nobody can read."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from companion.hall.commands import (
    ChangePlaces,
    DrawRound,
    PlanEvening,
    RenamePerson,
    SignUp,
    WriteResult,
)
from companion.hall.contract import (
    CONTRACT,
    Here,
    SentMatch,
    SentPlayer,
    SentResult,
    SentRound,
    TableState,
    said,
    topic,
    understood,
)
from companion.hall.evening import Plan
from companion.hall.intake import Intake
from companion.hall.keeper import HallKeeper
from companion.hall.refusals import HallRefusal
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


def test_who_did_not_win_is_not_believed_to_have_won(keeper):
    keeper.do(DrawRound(1))
    for number, winners in enumerate([(0, 1, 2), (1,), (7,), ()], 1):
        before = (number - 1, f"seal {number - 1}") if number > 1 else (0, "")
        lie = replace(match(number), winners=winners)
        keeper.take([(1, SentResult(CONTRACT, number, f"seal {number}", *before, lie))])
    assert [one.adds_up for one in keeper.evening.results.values()] == [False] * 4
    assert keeper.evening.waiting() == (1,)


def test_who_won_and_was_overtaken_when_they_played_on_has_won():
    rounds = (SentRound(0, {1: 500, 2: 0}), SentRound(1, {0: 300, 2: 400}))
    players = (SentPlayer("Ana", 500), SentPlayer("Ben", 700), SentPlayer("Cleo", 0))
    played = SentMatch(1, "finished", "classic", players, (0,), rounds)
    assert played.adds_up()
    assert not replace(played, winners=(2,)).adds_up()


def test_the_lowest_of_those_who_were_there_wins_by_the_other_scoring():
    """Ben left with less than all others, and Dan began with what the highest had then."""
    rounds = (
        SentRound(0, {1: 20, 2: 90}),
        SentRound(2, {0: 30, 3: 40}),
        SentRound(0, {2: 450, 3: 10}),
    )
    tallies = {"Ana": 30, "Ben": 20, "Cleo": 540}
    players = (*map(SentPlayer, tallies, tallies.values()), SentPlayer("Dan", 140, 90, 1))
    played = SentMatch(1, "finished", "alternative", players, (0,), rounds)
    assert played.adds_up()
    assert not replace(played, winners=(3,)).adds_up()


def test_nobody_plays_twice_in_one_match(keeper):
    keeper.do(DrawRound(1))
    keeper.take([(1, sent(match(1, ("Ana", "Ben", "Cleo", "ana"))))])
    (result,) = keeper.evening.results.values()
    assert not result.adds_up
    assert keeper.evening.waiting() == (1,)


@pytest.mark.parametrize("points", [10**30, -(10**30)])
def test_more_points_than_anybody_can_have_are_no_result(points):
    lie = replace(match(1), players=(SentPlayer("Ana", points),))
    assert understood(said(sent(lie)), SentResult) is None


def test_a_table_that_speaks_nonsense_of_how_it_stands_is_noticed_at_the_desk(keeper):
    intake = Intake(Home(host="localhost"), keeper)
    intake._heard(topic(1, "here"), said(Here(CONTRACT)), False)
    intake._heard(topic(1, "state"), b'{"phase":1}', False)
    assert intake.seen[1].foreign
    intake._heard(topic(1, "state"), said(TableState("play")), False)
    assert not intake.seen[1].foreign
    intake.close()


def test_a_name_that_a_table_brings_into_a_free_evening_is_one_that_the_desk_would_take(keeper):
    keeper.do(PlanEvening(Plan(format="free")))
    names = ("\u202eEmil\u0007", "Zo\u00eb", "Zoe\u0308 ", "\u200b", "X" * 64)
    keeper.take([(1, sent(match(1, names)))])
    assert [one.name for one in keeper.evening.people.values()][3:] == ["Emil", "Zo\u00eb"]


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
    keeper.do(RenamePerson(1, "Anabel"))
    with pytest.raises(HallRefusal, match="already"):
        keeper.do(RenamePerson(2, "anabel"))
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
