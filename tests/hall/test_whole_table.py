"""A whole table in a hall: what it played comes from its journal, and it sits as the hall asks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from companion.hall.contract import CONTRACT, Ack, Orders
from companion.hall.outbox import Outbox
from companion.hall.whole_table import WholeTable
from companion.past.past import Past
from companion.referee import commands as c
from companion.view import view
from tests.kit.night import ANA, BEN, Night

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
    assert outbox.after(NOTHING) == []
    night.do(c.CloseMatch())
    (result,) = outbox.after(NOTHING)
    assert result.body.ending == "abandoned"
    assert {one.name: one.points for one in result.body.players} == {"Ana": 0, "Ben": 60, "Cleo": 0}
    assert result.body.adds_up()
    assert outbox.follows(Ack(CONTRACT, result.sequence, result.seal))
    assert outbox.after(Ack(CONTRACT, result.sequence, result.seal)) == []


def test_a_match_that_is_undone_and_played_on_comes_again_with_a_higher_sequence(night, past):
    outbox = Outbox(past)
    night.deal().score_round(points=300)
    (first,) = outbox.after(NOTHING)
    assert first.body.ending == "finished"
    night.do(c.Undo())
    assert outbox.after(NOTHING) == []
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
    results = Outbox(past).after(NOTHING)
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
