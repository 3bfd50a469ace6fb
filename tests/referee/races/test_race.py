"""R12: Street Races, judged from the times of hands and from nothing else."""

from __future__ import annotations

import itertools

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening

MS = MILLISECOND


@pytest.mark.rule("R12")
def test_the_last_hand_draws_and_the_margin_is_said() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, dan=310, cleo=322)
    table.wait(SECOND)
    assert table.said == "Cleo draws 4, by 12.0 ms."
    assert [table.owed(seat) for seat in (ANA, BEN, CLEO, DAN)] == [0, 0, 4, 0]
    assert [place.seat for place in table.finish.places] == [BEN, DAN, CLEO]
    assert table.finish.margin == 12 * MS
    assert table.ruling.evidence == table.finish
    assert table.ruling.outcome == "last"


@pytest.mark.rule("R12")
def test_times_are_shown_from_the_first_hand_on() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    start = table.slaps(ben=300, dan=439, cleo=580)
    table.wait(SECOND)
    assert table.finish.start == table.race.anchor == start + 300 * MS
    assert [place.after for place in table.finish.places] == [0, 139 * MS, 280 * MS]


@pytest.mark.rule("R12")
def test_a_long_margin_is_said_in_whole_milliseconds() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=1400)
    table.wait(SECOND)
    assert table.said == "Cleo draws 4, by 1300 ms."


@pytest.mark.rule("R12")
def test_a_race_is_ruled_a_moment_after_the_hand_that_completes_it() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, dan=310, cleo=322)
    table.wait(299 * MS)
    assert (table.race.state, table.race.due) == ("running", table.now + MS)
    table.wait(MS)
    assert table.race.state == "ruled"


@pytest.mark.rule("R12")
def test_loose_slaps_wait_a_little_longer_after_the_tap_for_the_real_ones() -> None:
    table = Evening().start()
    table.tap(BEN)
    table.wait(600 * MS)
    table.tap(CLEO)
    table.wait(200 * MS)
    table.do(c.DeclareRace(ANA), after=0)
    table.wait(500 * MS)
    assert table.race.state == "running", "these two may have been calls"
    table.slaps(cleo=0, ben=40)
    table.wait(SECOND)
    assert table.said == "Ben draws 4, by 40.0 ms."


@pytest.mark.rule("R12")
def test_loose_slaps_are_ruled_when_nothing_better_follows() -> None:
    table = Evening().start()
    table.tap(BEN)
    table.wait(600 * MS)
    table.tap(CLEO)
    table.wait(200 * MS)
    table.do(c.DeclareRace(ANA), after=0)
    table.wait(1200 * MS)
    assert table.said == "Cleo draws 4, by 600 ms."


def ruling_when_declared(after_last: int | None) -> tuple[object, ...]:
    """Ben slaps, Cleo 50 ms after him; the race is named before, between or after them."""
    table = Evening().start()
    table.wait(2 * SECOND)
    if after_last is None:
        table.do(c.DeclareRace(ANA), after=0)
    table.slaps(ben=300)
    if after_last == 0:
        table.do(c.DeclareRace(ANA), after=10 * MS)
    table.slaps(cleo=50 if after_last != 0 else 40)
    if after_last:
        table.do(c.DeclareRace(ANA), after=after_last)
    table.wait(2 * SECOND)
    return table.said, table.finish.margin, table.finish.last, table.owed(CLEO)


def test_naming_it_before_between_or_long_after_the_slaps_gives_the_same_ruling() -> None:
    whens = [None, 0, SECOND, 3 * SECOND, 9 * SECOND, 29 * SECOND]
    rulings = {ruling_when_declared(when) for when in whens}
    assert rulings == {("Cleo draws 4, by 50.0 ms.", 50 * MS, (CLEO,), 4)}


def test_hands_of_more_than_half_a_minute_ago_belong_to_no_race_that_is_named_now() -> None:
    table = Evening().start()
    table.slaps(ben=300, cleo=350)
    table.do(c.DeclareRace(ANA), after=31 * SECOND)
    assert (table.race.state, table.race.slaps) == ("running", ())


def test_the_order_in_which_presses_are_delivered_changes_nothing() -> None:
    rulings = set()
    for order in itertools.permutations([(BEN, 310), (CLEO, 300), (DAN, 302)]):
        table = Evening(4).start()
        start = table.now
        table.now += 500 * MS
        for seat, after in order:
            table.press(seat, start + after * MS)
        table.wait(2 * SECOND)
        rulings.add((table.said, table.finish.last, table.owed(BEN)))
    assert rulings == {("Ben draws 4, by 8.0 ms.", (BEN,), 4)}


def test_a_press_on_its_way_for_longer_than_the_ruling_waits_has_it_judged_again() -> None:
    table = Evening(4).start()
    start = table.hands_off(ANA, cleo=90, dan=130)
    table.do(c.DeclareRace(CLEO), after=SECOND)
    table.wait(12 * SECOND)
    assert table.said == "Ana never slapped and draws 4."
    table.press(ANA, start + 60 * MS)
    assert [r.outcome for r in table.rules("R12")][-1] == "last"
    assert table.owed(DAN) == 4
    assert table.owed(ANA) == 0
    overruled = [table.text(r.overruled) for r in table.rules("R12") if r.overruled is not None]
    assert overruled[-1] == "Judged again: another press by Ana came in."


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("gap_ms", "last"),
    [
        pytest.param(0, (BEN, CLEO), id="the same moment"),
        pytest.param(0.9, (BEN, CLEO), id="inside the tolerance of two switches"),
        pytest.param(1.2, (CLEO,), id="clear of it"),
        pytest.param(-1.2, (BEN,), id="clear of it the other way"),
    ],
)
def test_too_close_to_tell_is_a_dead_heat(gap_ms: float, last: tuple[int, ...]) -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, cleo=300 + gap_ms)
    table.wait(SECOND)
    assert table.finish.last == last
    assert table.race.state == ("ruled" if len(last) == 1 else "undecided")
    assert table.ruling.outcome == ("last" if len(last) == 1 else "dead_heat")
    assert sum(table.owed(seat) for seat in (BEN, CLEO)) == (4 if len(last) == 1 else 0)


@pytest.mark.rule("R12")
def test_uncertainty_of_either_press_widens_the_dead_heat() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    at = table.press(BEN, uncertainty=10 * MS)
    table.wait(10 * MS)
    table.press(CLEO, at + 10 * MS)
    table.wait(SECOND)
    assert table.finish.last == (BEN, CLEO)
    assert table.said == "Dead heat between Ben, Cleo: too close to call (± 11 ms)."
    assert table.finish.doubt == 10 * MS + 5_000 + MS


@pytest.mark.rule("R12")
def test_only_those_who_can_have_been_last_tie() -> None:
    table = Evening(4).start()
    table.slaps(ben=300, cleo=300.7, dan=301.4)
    table.wait(SECOND)
    assert table.finish.last == table.race.tied == (CLEO, DAN)


@pytest.mark.rule("R12")
def test_whoever_never_slapped_is_last_after_the_time_limit() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300)
    table.wait(10 * SECOND)
    assert table.race.state == "running", "ten seconds count from the later of tap and first hand"
    table.wait(300 * MS)
    assert table.said == "Cleo never slapped and draws 4."
    assert (table.owed(CLEO), table.ruling.outcome) == (4, "never_slapped")


@pytest.mark.rule("R12")
@pytest.mark.parametrize("house", ["pick", "all_draw"])
def test_several_who_never_slapped_share_last_place(house: str) -> None:
    table = Evening(4, house={"no_slap": house}).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=1200)
    table.wait(12 * SECOND)
    if house == "pick":
        assert table.said == "Cleo, Dan never slapped: the referee picks, or a slap-off decides."
        assert (table.race.outcome, table.race.tied) == ("nobody_slapped", (CLEO, DAN))
        table.do(c.PickLast((DAN,)))
        assert (table.owed(CLEO), table.owed(DAN)) == (0, 4)
    else:
        assert (table.owed(CLEO), table.owed(DAN)) == (4, 4)
        assert table.race.outcome == "never_slapped"
    assert table.ruling.house == ("no_slap",)


@pytest.mark.rule("R12")
def test_a_slap_after_the_time_limit_is_none() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=200, cleo=10_300)
    table.wait(SECOND)
    assert table.said == "Cleo never slapped and draws 4."


@pytest.mark.rule("R12")
def test_a_late_slap_is_a_slap_and_the_last_one() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=200, dan=230, cleo=7_000)
    table.wait(SECOND)
    assert table.said == "Cleo draws 4, by 6770 ms."


@pytest.mark.rule("R12")
def test_between_two_the_only_slapper_is_last_at_once() -> None:
    table = Evening(2).start()
    table.do(c.DeclareRace(ANA))
    assert table.said == "Ben is the only one to slap and draws 4."
    assert table.ruling.outcome == "last"


@pytest.mark.rule("R12")
def test_hands_that_come_one_by_one_are_the_slaps_of_a_race_that_was_named() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(dan=200, ben=2_500, cleo=5_000)
    table.wait(SECOND)
    assert [place.seat for place in table.finish.places] == [DAN, BEN, CLEO]
    assert table.owed(CLEO) == 4


def test_a_hand_that_rests_on_the_button_is_no_fault_and_slaps_once() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    downs: dict[int, int] = {}
    for seat in (BEN, CLEO, DAN):
        table.wait(30 * MS)
        downs[seat] = table.press(seat)
    table.wait(8 * SECOND)
    for seat, at in downs.items():
        table.let_go(seat, at)
    assert table.in_force == ["last"]
    assert table.owed(DAN) == 4


def test_a_press_of_the_layer_changes_nothing() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ana=100, ben=200, cleo=210, dan=220)
    table.wait(SECOND)
    assert [place.seat for place in table.finish.places] == [BEN, CLEO, DAN]


def test_no_ruling_is_given_twice_however_often_time_passes() -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(SECOND)
    given = [event for event in table.events if isinstance(event, e.RulingGiven)]
    for _ in range(5):
        table.do(c.PassTime(), after=9 * SECOND)
    assert [event for event in table.events if isinstance(event, e.RulingGiven)] == given


def test_express_has_no_race_to_declare() -> None:
    table = Evening(4, edition="express").start()
    assert str(table.refused(c.DeclareRace(ANA))) == "Express has no Street Race."
    table.hands_off(ANA)
    table.wait(SECOND)
    assert table.round.races == ()
    assert set(table.round.calls.called) == {BEN, CLEO, DAN}
