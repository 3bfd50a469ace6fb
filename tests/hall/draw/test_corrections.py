"""A correction: the table's own result stays, and only those sit elsewhere whom it concerns."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.hall.commands import StrikeResult, WriteResult
from companion.hall.contract import CONTRACT, SentMatch, SentPlayer, SentResult, SentRound
from companion.hall.decisions import decide
from companion.hall.draw.drawing import draw
from companion.hall.evening import DrawnRound, Evening, Format, HallTable, RoundClock
from companion.hall.events import ClockSet, ResultTaken, ResultWritten, RoundDrawn, apply
from companion.hall.refusals import HallRefusal
from companion.hall.results import take_result
from companion.hall.standing import meetings, standing
from tests.hall.draw.test_draws import evening_of, played, seated


def done(evening: Evening, command: WriteResult | StrikeResult) -> Evening:
    for event in decide(evening, command):
        evening = apply(evening, event)
    return evening


def upside_down(evening: Evening, number: int, table: int, *, redraw: bool = True) -> WriteResult:
    """Write that those of a table came in the other order."""
    drawn = evening.rounds[number - 1]
    seating = next(one for one in drawn.tables if one.table == table)
    points = {one: 10 * one for one in seating.people}
    return WriteResult(number, table, points, "written down the wrong way round", redraw)


def tables_of(drawn: DrawnRound | None) -> Mapping[int, frozenset[int]]:
    assert drawn is not None
    return {one.table: frozenset(one.people) for one in drawn.tables}


def two_rounds(people: int, kind: Format, seed: int = 1) -> Evening:
    evening = evening_of(people, kind, seed=seed)
    evening = played(evening, draw(evening, seed))
    return apply(evening, RoundDrawn(draw(evening, seed)))


def test_a_correction_counts_as_the_table_has_counted():
    """A table that played for few points is not judged as if it had played for many."""
    evening = two_rounds(4, "swiss")
    (one,) = evening.counted().values()
    evening = apply(evening, ResultWritten(replace(one, scoring="alternative")))
    evening = done(evening, upside_down(evening, 1, 1, redraw=False))
    least = min(one.person for one in one.places)
    assert standing(evening)[0].person == least


def test_a_correction_cites_the_table_and_its_sequence_and_needs_a_reason():
    table = HallTable(1, "table one", "")
    evening = replace(evening_of(4), tables={1: table})
    evening = apply(evening, RoundDrawn(draw(evening, 1)))
    players = tuple(SentPlayer(f"P{one}", 90 if one == 1 else 0) for one in range(1, 5))
    rounds = (SentRound(0, {1: 30, 2: 30, 3: 30}),)
    sent = SentResult(
        CONTRACT, 77, "seal", 0, "", SentMatch(1, "finished", "classic", players, (0,), rounds)
    )
    for event in take_result(evening, table, sent):
        evening = apply(evening, event)
    with pytest.raises(HallRefusal, match="why"):
        done(evening, WriteResult(1, 1, {1: 0, 2: 90, 3: 0, 4: 0}))
    (event,) = decide(evening, WriteResult(1, 1, {1: 0, 2: 90, 3: 0, 4: 0}, "P2 went out"))
    assert isinstance(event, ResultWritten)
    assert (event.result.table, event.result.sequence) == (1, 77)
    corrected = apply(evening, event)
    assert standing(corrected)[0].person == 2
    assert corrected.results == evening.results
    assert standing(done(corrected, StrikeResult(1, 1)))[0].person == 1


def test_what_a_table_writes_on_paper_needs_no_reason():
    evening = apply(evening_of(4), RoundDrawn(draw(evening_of(4), 1)))
    assert done(evening, WriteResult(1, 1, {1: 5, 2: 0, 3: 0, 4: 0})).waiting() == ()


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(["swiss", "progressive", "knockout"]),
    st.integers(8, 40),
    st.integers(0, 99),
    st.integers(1, 2),
)
def test_only_the_tables_change_at_which_people_of_the_corrected_one_sit(kind, people, seed, table):
    evening = two_rounds(people, kind, seed)
    first = next(one for one in evening.rounds[0].tables if one.table == table)
    after = done(evening, upside_down(evening, 1, table))
    before, now = tables_of(evening.round), tables_of(after.round)
    concerned = {at for at in before if (before[at] | now[at]) & set(first.people)}
    assert before.keys() == now.keys()
    assert {at for at in before if before[at] != now[at]} <= concerned
    assert after.round is not None
    assert evening.round is not None
    if kind != "knockout":
        assert seated(after.round) == seated(evening.round)
    assert [len(one) for one in before.values()] == [len(one) for one in now.values()]
    assert done(evening, upside_down(evening, 1, table)) == after


def test_in_a_knockout_whoever_should_have_gone_on_takes_the_seat():
    evening = two_rounds(16, "knockout")
    first = sorted(evening.rounds[0].tables[0].people)
    after = done(evening, upside_down(evening, 1, evening.rounds[0].tables[0].table))
    assert after.round is not None
    assert set(first[:2]).isdisjoint(seated(after.round))
    assert set(first[2:]) <= set(seated(after.round))


def test_in_the_progressive_way_winner_and_last_change_places():
    evening = two_rounds(12, "progressive")
    middle = evening.rounds[0].tables[1]
    best, last = min(middle.people), max(middle.people)
    after = done(evening, upside_down(evening, 1, middle.table))
    tables = tables_of(after.round)
    assert last in tables[1]
    assert best in tables[3]


def test_the_draw_stays_where_the_desk_does_not_ask_for_another_one():
    evening = two_rounds(16, "swiss")
    after = done(evening, upside_down(evening, 1, 1, redraw=False))
    assert after.rounds == evening.rounds


def test_a_table_that_has_its_result_keeps_its_people():
    evening = two_rounds(16, "knockout")
    assert evening.round is not None
    one = evening.round.tables[0]
    points = dict.fromkeys(one.people, 10)
    evening = done(evening, WriteResult(2, one.table, points))
    for seating in evening.rounds[0].tables:
        after = done(evening, upside_down(evening, 1, seating.table))
        assert after.round is not None
        assert after.round.tables[0] == one


def test_nobody_sits_out_a_second_time_because_of_a_correction():
    evening = evening_of(5, "swiss")
    for _ in range(4):
        evening = played(evening, draw(evening, 1))
    evening = apply(evening, RoundDrawn(draw(evening, 1)))
    for number in range(1, 5):
        after = done(evening, upside_down(evening, number, 1))
        assert sorted(one for drawn in after.rounds for one in drawn.byes) == [1, 2, 3, 4, 5]


def test_after_a_correction_nobody_meets_again_where_that_can_be_helped():
    evening = two_rounds(40, "swiss")
    for table in range(1, 6):
        evening = done(evening, upside_down(evening, 1, table))
    assert max(meetings(evening).values()) == 1


def test_other_tables_are_told_nothing_new_and_the_clock_goes_on():
    evening = two_rounds(32, "knockout")
    evening = apply(evening, ClockSet(RoundClock(2, ends=1000)))
    after = done(evening, upside_down(evening, 1, 1))
    assert evening.round is not None
    assert after.round is not None
    same = [one for one in after.round.tables if one in evening.round.tables]
    assert 0 < len(same) < len(after.round.tables)
    assert after.clock == RoundClock(2, ends=1000)
    moved = [one.since for one in after.round.tables if one not in same]
    assert set(moved) == {after.version}


@pytest.mark.parametrize(
    ("clock", "now", "counts"),
    [
        pytest.param(RoundClock(1, ends=1000), 2000, True, id="time was up"),
        pytest.param(RoundClock(1, ends=1000), 500, False, id="ended before its time"),
        pytest.param(RoundClock(1, left=1000), 2000, False, id="the clock stands"),
        pytest.param(None, 2000, False, id="there is no clock"),
    ],
)
def test_a_match_that_time_has_ended_counts_as_it_stands(clock, now, counts):
    table = HallTable(1, "table one", "")
    evening = replace(evening_of(3), tables={1: table})
    evening = apply(evening, RoundDrawn(draw(evening, 1)))
    if clock is not None:
        evening = apply(evening, ClockSet(clock))
    players = (SentPlayer("P1", 0), SentPlayer("P2", 70), SentPlayer("P3", 0))
    body = SentMatch(1, "abandoned", "classic", players, (), (SentRound(1, {0: 30, 2: 40}),))
    for event in take_result(evening, table, SentResult(CONTRACT, 5, "s", 0, "", body), now):
        assert isinstance(event, ResultTaken)
        evening = apply(evening, event)
    assert (evening.waiting() == ()) is counts
    assert (standing(evening)[0].person == 2) is counts
