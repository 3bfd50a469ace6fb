"""Somebody leaves after the draw: those who stay play on, and what they come to counts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.hall.commands import DrawRound, Leave, Return, SignUp, WriteResult
from companion.hall.contract import CONTRACT, Orders, SentResult, topic, understood
from companion.hall.evening import Result
from companion.hall.intake import messages_of
from companion.hall.keeper import HallKeeper
from companion.hall.refusals import HallRefusal
from companion.hall.standing import standing
from companion.hall.table.whole_table import WholeTable
from companion.past.past import Past
from companion.referee import commands as c
from companion.view import view
from tests.hall.halls import match
from tests.kit.night import Night
from web.hall.shapes import RankShown
from web.hall.shown import correction_shown

ANA, BEN, CLEO, DAN = 1, 2, 3, 4
NAMES = ("Ana", "Ben", "Cleo", "Dan")
STAYED = NAMES[:3]


@pytest.fixture
def keeper(tmp_path: Path) -> Iterator[HallKeeper]:
    """A round of four people at one table is drawn."""
    with closing(HallKeeper(tmp_path / "hall")) as keeper:
        keeper.do(SignUp(NAMES))
        keeper.join(1, "table-1", "-")
        keeper.do(DrawRound(1))
        yield keeper


def orders(keeper: HallKeeper) -> Orders:
    said = {one.topic: one.payload for one in messages_of(keeper.evening)}
    found = understood(said[topic(1, "orders")], Orders)
    assert found is not None
    return found


def send(keeper: HallKeeper, sequence: int, number: int, names: tuple[str, ...]) -> Result:
    table = keeper.evening.tables[1]
    before = table.sequence, table.seal
    body = match(number, names)
    keeper.take([(1, SentResult(CONTRACT, sequence, f"seal {sequence}", *before, body))])
    return keeper.evening.results[table.origin, number]


def test_the_table_hears_that_somebody_has_left_or_is_back(keeper):
    first = orders(keeper)
    keeper.do(Leave(DAN))
    then = orders(keeper)
    assert sorted(then.seats) == sorted(STAYED)
    assert then.revision > first.revision
    keeper.do(Return(DAN))
    assert sorted(orders(keeper).seats) == sorted(NAMES)
    assert orders(keeper).revision > then.revision


def test_what_those_who_stayed_have_played_counts(keeper):
    assert send(keeper, 1, 1, STAYED).round == 0, "Dan was expected then"
    keeper.do(Leave(DAN))
    assert send(keeper, 2, 2, STAYED).round == 1
    assert keeper.evening.waiting() == ()
    lines = {line.person: line for line in standing(keeper.evening)}
    assert set(lines) == {ANA, BEN, CLEO}
    keeper.do(Return(DAN))
    assert send(keeper, 3, 2, STAYED).round == 1, "an edited match stays in its round"


def test_what_was_played_before_somebody_left_counts_for_them_too(keeper):
    keeper.do(Leave(DAN))
    assert send(keeper, 1, 1, NAMES).round == 1
    assert DAN in {line.person for line in standing(keeper.evening)}


def test_the_desk_writes_a_result_without_whoever_has_left(keeper):
    points = {ANA: 90, BEN: 40, CLEO: 30}
    with pytest.raises(HallRefusal, match="people at that table"):
        keeper.do(WriteResult(1, 1, points))
    keeper.do(Leave(DAN))
    with pytest.raises(HallRefusal, match="people at that table"):
        keeper.do(WriteResult(1, 1, {}))
    with pytest.raises(HallRefusal, match="people at that table"):
        keeper.do(WriteResult(1, 1, {**points, 99: 5}))
    keeper.do(WriteResult(1, 1, points))
    assert [(one.person, one.points) for one in standing(keeper.evening)] == [
        (ANA, 4),
        (BEN, 2),
        (CLEO, 1),
    ]


def test_a_correction_tells_who_comes_into_the_standing_and_who_leaves_it(keeper):
    keeper.do(Leave(DAN))
    keeper.do(WriteResult(1, 1, {ANA: 90, BEN: 40, CLEO: 30}))
    without = keeper.evening
    keeper.do(WriteResult(1, 1, {ANA: 90, BEN: 40, CLEO: 30, DAN: 60}, "Dan had played"))
    change = correction_shown(without, keeper.evening, None)
    assert RankShown(DAN, (4, 2), (0, 2)) in change.ranks
    change = correction_shown(keeper.evening, without, None)
    assert RankShown(DAN, (2, 4), (2, 0)) in change.ranks


def test_a_match_that_is_closed_for_the_next_round_of_the_same_people_stays_in_its_own(keeper):
    assert send(keeper, 1, 1, NAMES).round == 1
    keeper.do(DrawRound(2))
    assert send(keeper, 2, 1, NAMES).round == 1
    assert keeper.evening.waiting() == (1,)
    assert send(keeper, 3, 2, NAMES).round == 2
    assert keeper.evening.waiting() == ()


def test_a_table_at_which_the_match_is_won_is_not_cleared_when_somebody_leaves(tmp_path):
    with (
        Night(tmp_path / "table").open() as night,
        closing(Past(tmp_path / "table" / "journal.db")) as past,
    ):
        side = WholeTable(past, lambda: night.table, view, night.do)
        assert side.follow(Orders(CONTRACT, 1, 1, STAYED))
        for command in (c.SetUp(way="free"), c.StartMatch(), c.ChooseDealer(1), c.Deal()):
            night.do(command)
        night.score_round(points=300)
        assert night.table.game.match is not None
        assert not side.follow(Orders(CONTRACT, 2, 1, STAYED[:2]))
        assert night.table.game.match is not None
        assert side.follow(Orders(CONTRACT, 3, 2, STAYED[:2]))
        assert [seat.name for seat in night.table.game.seats] == ["Ana", "Ben"]


def test_time_is_up_for_those_who_stayed_too(tmp_path):
    with (
        Night(tmp_path / "table").open() as night,
        closing(Past(tmp_path / "table" / "journal.db")) as past,
    ):
        side = WholeTable(past, lambda: night.table, view, night.do)
        night.deal().score_round()
        assert side.time_up(Orders(CONTRACT, 2, 1, STAYED[:2]))
        assert night.table.game.match is None
