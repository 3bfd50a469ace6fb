"""A whole table in a hall: what it played comes from its journal, and it sits as the hall asks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.hall.contract import (
    CLOCK,
    CONTRACT,
    LARGEST,
    Ack,
    Orders,
    SentClock,
    SentMatch,
    SentPlayer,
    SentResult,
    SentRound,
    SentRuling,
    said,
    topic,
    with_names,
)
from companion.hall.table.link import TableLink
from companion.hall.table.membership import Membership
from companion.hall.table.outbox import Outbox, fitting
from companion.hall.table.whole_table import WholeTable
from companion.past.past import Past
from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from companion.view import view
from tests.hall.halls import LightTable
from tests.kit.night import ANA, BEN, CLEO, Night

NOTHING = Ack(CONTRACT, 0, "")


@pytest.fixture
def night(tmp_path: Path) -> Iterator[Night]:
    with Night(tmp_path / "table").open() as night:
        yield night


@pytest.fixture
def past(night: Night) -> Iterator[Past]:
    past = Past(night.folder / "journal.db")
    yield past
    past.close()


def test_a_match_is_a_result_once_it_is_won_or_closed(night, past):
    outbox = Outbox(past)
    night.deal().score_round()
    assert not list(outbox.after(NOTHING))
    night.do(c.CloseMatch())
    (result,) = outbox.after(NOTHING)
    assert result.body.ending == "abandoned"
    assert {one.name: one.points for one in result.body.players} == {"Ana": 0, "Ben": 60, "Cleo": 0}
    assert result.body.adds_up()
    assert outbox.follows(Ack(CONTRACT, result.sequence, result.seal))
    assert not list(outbox.after(Ack(CONTRACT, result.sequence, result.seal)))


def test_a_match_that_is_undone_and_played_on_comes_again_with_a_higher_sequence(night, past):
    outbox = Outbox(past)
    night.deal().score_round(points=300)
    (first,) = outbox.after(NOTHING)
    assert first.body.ending == "finished"
    night.do(c.Undo())
    assert not list(outbox.after(NOTHING))
    night.do(c.Redo())
    (second,) = outbox.after(Ack(CONTRACT, first.sequence, first.seal))
    assert second.sequence > first.sequence
    assert (second.before, second.before_seal) == (first.sequence, first.seal)
    assert second.body == first.body


def test_results_follow_each_other_without_a_gap(night, past):
    night.deal().score_round(points=300)
    for _ in range(2):
        night.do(c.Rematch())
        night.do(c.ChooseDealer(ANA))
        night.do(c.Deal())
        night.score_round(points=300)
    results = list(Outbox(past).after(NOTHING))
    assert [one.body.match for one in results] == [1, 2, 3]
    for one, following in pairwise(results):
        assert (following.before, following.before_seal) == (one.sequence, one.seal)


def test_a_journal_that_lacks_what_the_hall_has_is_noticed(night, past):
    outbox = Outbox(past)
    assert outbox.follows(NOTHING)
    assert not outbox.follows(Ack(CONTRACT, 99_999, "00"))
    assert not outbox.follows(Ack(CONTRACT, 1, "another seal"))


def test_the_table_sits_down_as_the_hall_asks_but_only_between_matches(night, past):
    side = WholeTable(past, lambda: night.table, view, night.do)
    orders = Orders(CONTRACT, 1, 1, ("Dan", "Ben", "Eva"), scoring="alternative")
    night.deal()
    assert not side.follow(orders)
    night.do(c.CloseMatch())
    assert side.follow(orders)
    assert sorted(seat.name for seat in night.table.game.seats) == ["Ben", "Dan", "Eva"]
    assert [seat.button for seat in night.table.game.seats] == [1, 2, 3]
    assert night.table.game.seat(BEN).name == "Ben"
    assert night.table.game.setup.scoring == "alternative"
    assert side.state(0).phase == "seating"


def test_when_time_is_up_the_dealt_round_is_finished_and_then_the_match_ends(night, past):
    side = WholeTable(past, lambda: night.table, view, night.do)
    orders = Orders(CONTRACT, 1, 1, ("Ana", "Ben", "Cleo"))
    night.deal()
    assert not side.time_up(orders)
    night.score_round()
    assert not side.time_up(replace(orders, seats=("Dan", "Ben", "Eva")))
    assert side.time_up(orders)
    assert night.table.game.match is None
    (result,) = Outbox(past).after(NOTHING)
    assert result.body.ending == "abandoned"
    assert len(result.body.rounds) == 1


@pytest.mark.parametrize(
    ("clock", "after", "retained", "ended"),
    [
        pytest.param(SentClock(CONTRACT, 1, ends=61_000, now=1_000), 61, False, 1, id="time is up"),
        pytest.param(SentClock(CONTRACT, 1, ends=61_000, now=1_000), 58, False, 0, id="not yet"),
        pytest.param(SentClock(CONTRACT, 1, left=5_000, now=1_000), 99, False, 0, id="paused"),
        pytest.param(
            SentClock(CONTRACT, 2, ends=61_000, now=1_000), 99, False, 0, id="another round"
        ),
        pytest.param(
            SentClock(CONTRACT, 1, ends=61_000, now=1_000),
            99,
            True,
            0,
            id="the hall's time is unknown",
        ),
    ],
)
def test_the_table_goes_by_the_time_of_the_hall(tmp_path, clock, after, retained, ended):
    """Whatever its own wall says; and an undo afterwards is not ended a second time."""
    moment, asked = [0], list[int]()

    def time_up(orders: Orders) -> bool:
        asked.append(orders.round)
        return True

    member = Membership(1, "table one", "localhost", 1, "secret")
    link = TableLink(
        member,
        tmp_path,
        LightTable(1),
        now=lambda: moment[0],
        time_up=time_up,
    )
    orders = Orders(CONTRACT, 1, 1, ("Ana", "Ben", "Cleo"))
    link._heard(topic(1, "orders"), said(orders), True)
    link._heard(CLOCK, said(clock), retained)
    for seconds in (0, after, after + 1):
        moment[0] = seconds * SECOND
        link._end_in_time(orders)
    link.close()
    assert len(asked) == ended


def test_a_match_tells_its_rulings_and_its_races_without_a_name(night, past):
    night.deal().slap(BEN, CLEO)
    night.settle()
    night.score_round(points=300)
    (result,) = Outbox(past).after(NOTHING)
    rulings = [ruling for line in result.body.rounds for ruling in line.rulings]
    assert "R12" in {ruling.rule for ruling in rulings}
    told = said(replace(result, body=replace(result.body, players=())))
    assert not [name for name in (b"Ana", b"Ben", b"Cleo") if name in told]
    races = [one for one in result.body.best if one.kind == "race"]
    assert len(races) == 1
    afters = [hand.after or 0 for hand in races[0].hands]
    assert afters == sorted(afters)
    (fastest,) = (one for one in result.body.best if one.kind == "hand")
    assert fastest.people == (races[0].hands[0].at,)
    assert fastest.size == afters[1] - afters[0]
    names = [one.name for one in result.body.players]
    shown = [with_names(ruling.parts, names) for ruling in rulings]
    assert "Cleo" in str(shown)


def test_the_state_tells_the_last_ruling_in_no_language(night, past):
    table = WholeTable(past, lambda: night.table, view, lambda _: None)
    night.deal()
    assert table.state(0).ruling is None
    night.slap(BEN, CLEO)
    night.settle()
    ruling = table.state(0).ruling
    assert ruling is not None
    assert ruling.rule == "R12"
    assert "Cleo" in ruling.parts.values()


def test_a_result_with_too_many_rulings_is_told_with_fewer_so_that_the_broker_takes_it():
    ruling = SentRuling("R12", "race_last", {"why": "x" * 200, "also": "y" * 200})
    rounds = tuple(SentRound(0, {1: 10}, (ruling,) * 40) for _ in range(30))
    players = (SentPlayer("Ana", 300), SentPlayer("Ben", 0))
    body = SentMatch(1, "finished", "classic", players, (0,), rounds)
    sent = fitting(SentResult(CONTRACT, 1, "seal", 0, "", body))
    assert len(said(sent)) <= LARGEST
    assert [(line.out, line.left) for line in sent.body.rounds] == [(0, {1: 10})] * 30
    assert sent.body.rounds[-1].rulings == rounds[-1].rulings
