"""The evidence: every press of a round in its place, however many there are and however late."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee.evidence.material import RUN, evidence_of, pressed, presses_between
from companion.referee.model.presses import MILLISECOND, SECOND, Press
from companion.referee.model.table import Evidence, Table
from tests.kit.evening import ANA, BEN, CLEO, Evening

MS = MILLISECOND


def of(table: Evening) -> Evidence:
    """What hands did in this round."""
    return evidence_of(table.table, table.round.began)


def all_presses(table: Evening, seat: int) -> list[Press]:
    """Every press of a seat, in the order in which they are kept."""
    return [press for run in of(table).presses.get(seat, ()) for press in run]


def tapping(seat: int = BEN, times: int = 2 * RUN + 10) -> tuple[Evening, int]:
    """Somebody taps the own button again and again; tells when the first tap came."""
    table = Evening(3).start()
    start = table.now
    for _ in range(times):
        table.wait(SECOND)
        table.tap(seat)
    return table, start + SECOND


def test_every_press_is_kept_however_many_there_are() -> None:
    table, start = tapping()
    kept = all_presses(table, BEN)
    assert [press.at for press in kept] == [start + n * SECOND for n in range(2 * RUN + 10)]
    assert [len(run) for run in of(table).presses[BEN]] == [RUN, RUN, 10]


def test_a_press_whose_news_comes_late_is_put_in_its_place() -> None:
    table, start = tapping()
    for after in (500, RUN * 1000 + 500, (2 * RUN + 3) * 1000 + 500):
        table.do(c.PhonePress(BEN, start + after * MS, 0), after=0)
    kept = [press.at for press in all_presses(table, BEN)]
    assert kept == sorted(kept)
    assert len(kept) == 2 * RUN + 13


def test_a_late_press_finds_its_place_in_a_run_that_is_full() -> None:
    table, start = tapping(times=RUN)
    table.do(c.PhonePress(BEN, start + 500 * MS, 0), after=0)
    kept = [press.at for press in all_presses(table, BEN)]
    assert kept == sorted(kept)
    table.wait(SECOND)
    table.tap(BEN)
    assert len(all_presses(table, BEN)) == RUN + 2


def test_a_press_that_is_let_go_much_later_is_found_again() -> None:
    table = Evening(3).start()
    at = table.press(BEN)
    for _ in range(RUN + 5):
        table.wait(SECOND)
        table.tap(BEN)
    table.let_go(BEN, at)
    first = all_presses(table, BEN)[0]
    assert (first.at, first.released_at) == (at, table.now)


def test_the_end_of_a_push_that_nobody_knows_changes_nothing() -> None:
    table = Evening(3).start()
    before = table.table
    table.let_go(BEN, table.now - SECOND)
    table.let_go(20, table.now - SECOND)
    assert table.table is before


def test_each_seat_has_its_own_place_so_that_nobody_pushes_others_out() -> None:
    table = Evening(3).start()
    at = table.tap(ANA)
    for _ in range(3 * RUN):
        table.wait(SECOND // 4)
        table.tap(BEN)
    assert pressed(of(table), ANA, at)
    assert presses_between(of(table), CLEO, 0, table.now) == []
    assert len(presses_between(of(table), BEN, table.now - 10 * SECOND, table.now)) == 41


def test_the_same_press_is_heard_once() -> None:
    table = Evening(3).start()
    at = table.press(BEN)
    before = table.table
    table.press(BEN, at)
    assert table.table is before


def test_presses_of_the_round_before_are_kept_as_long_as_undo_may_need_them() -> None:
    table = Evening(2).start()
    at = table.tap(BEN)
    for _ in range(2):
        began = table.round.began
        table.do(c.GoOut(ANA))
        table.do(c.EnterPoints(BEN, 1))
        table.do(c.ScoreRound())
        table.do(c.Deal())
    assert len(table.table.evidence) == 3
    assert not pressed(evidence_of(table.table, began), BEN, at)


def test_a_press_from_before_the_deal_belongs_to_no_round() -> None:
    table = Evening(3).start()
    before = table.table
    table.press(BEN, table.round.began - 1)
    assert table.table is before


def test_a_press_after_the_end_is_kept_and_says_nothing() -> None:
    table = Evening(3).start()
    table.do(c.GoOut(ANA))
    table.wait(SECOND)
    table.press(BEN)
    assert pressed(evidence_of(table.table, table.round.began), BEN, table.now)
    assert (table.round.calls.called, table.round.calls.pending) == ({}, {})
    assert table.refused(c.PressSeat(BEN)).sentence.code == "nothing_to_press"


def test_a_round_that_nobody_has_kept_evidence_of_has_no_presses() -> None:
    assert evidence_of(Table(), 5) == Evidence(5)
