"""What is told of a night: hands, shaves, rivals and catches, through all that may happen to it."""

from __future__ import annotations

import time

import pytest

from companion.matches import MatchRecord
from companion.moments import CatchMoment, Moments, RaceMoment, Slap
from companion.referee import commands as c
from companion.referee.presses import MILLISECOND
from companion.statistics import Hand, Rivals, Shave, sum_up
from companion.statistics import Night as Told
from tests.service.night import ANA, BEN, CLEO, FAST, Night, until

QUICK = {"timing": {**FAST["timing"], "race_limit_ms": 10_000, "look_back_tablet_ms": 50}}


@pytest.fixture
def quick(tmp_path):
    """A table on which races are short, and may follow each other closely."""
    with Night(tmp_path, **QUICK) as night:
        yield night


def told(night: Night) -> Told:
    return sum_up(night.past.matches(), night.past.moments())


def race(night: Night, *, order: tuple[int, int] = (CLEO, BEN), apart: int = 30) -> None:
    """Ana holds her button, the others slap in this order, so many milliseconds apart."""
    time.sleep(0.25)
    held = time.monotonic_ns() - 150 * MILLISECOND
    night.press(ANA, held)
    night.worker.hand_over(c.Release(ANA, held + 80 * MILLISECOND, held))
    for at, seat in enumerate(order):
        slap = held + 100 * MILLISECOND + at * apart * MILLISECOND
        night.press(seat, slap)
        night.worker.hand_over(c.Release(seat, slap + MILLISECOND, slap))
    until(lambda: _judged(night, night.worker.clock.shift(held)))


def _judged(night: Night, declared_at: int) -> bool:
    race = night.round.race
    return race is not None and race.declared_at == declared_at and race.state != "running"


def pay(night: Night) -> None:
    for debt in night.round.debts:
        night.do(c.Drawn(debt.number))


def test_a_race_is_told_with_its_hands_and_its_margin(quick):
    quick.deal()
    race(quick)
    night = told(quick)
    assert (night.races, night.dead_heats) == (1, 0)
    assert night.shave == Shave("Ben", "Cleo", 30 * MILLISECOND, 1, 1)
    assert night.hands == (
        Hand("Cleo", 1, first=1, last=0, behind=0, quickest=100 * MILLISECOND),
        Hand("Ben", 1, first=0, last=1, behind=30 * MILLISECOND, quickest=130 * MILLISECOND),
    )


def test_who_fights_for_the_last_place_again_and_again_are_rivals(quick):
    quick.deal()
    for order in ((CLEO, BEN), (BEN, CLEO), (CLEO, BEN)):
        race(quick, order=order)
        pay(quick)
    assert told(quick).rivals == (Rivals(("Ben", "Cleo"), 3, (2, 1)),)


def test_a_dead_heat_that_the_referee_decides_is_one_race(quick):
    quick.deal()
    race(quick, apart=0)
    assert quick.round.race.state == "undecided"
    assert told(quick).dead_heats == 1
    quick.do(c.PickLast((BEN,)))
    night = told(quick)
    assert (night.races, night.dead_heats, night.shave) == (1, 0, None)
    assert {hand.name: hand.last for hand in night.hands} == {"Ben": 1, "Cleo": 0}


@pytest.mark.parametrize(
    "away",
    [
        pytest.param(c.CancelRace(), id="cancelled"),
        pytest.param(c.Undo(), id="undone"),
    ],
)
def test_a_race_that_does_not_count_is_not_told(quick, away):
    quick.deal()
    race(quick)
    assert told(quick).races == 1
    quick.do(away)
    assert told(quick).races == 0


def test_an_overruled_race_is_not_told_and_a_redone_one_is(quick):
    quick.deal()
    race(quick)
    quick.do(c.Overrule(quick.round.race.ruling))
    assert told(quick).races == 0
    quick.do(c.Undo())
    assert told(quick).races == 1
    quick.do(c.Redo())
    assert told(quick).races == 0


def test_another_layer_changes_who_raced(quick):
    quick.deal()
    race(quick)
    quick.do(c.ChangeLayer(BEN))
    assert {hand.name for hand in told(quick).hands} == {"Ana", "Cleo"}


def test_catches_are_told_for_both_sides(quick):
    quick.deal()
    quick.do(c.Catch(BEN, by=ANA))
    until(lambda: quick.round.debts)
    pay(quick)
    quick.do(c.Call(CLEO))
    quick.do(c.Catch(CLEO, by=BEN))
    until(lambda: len(quick.past.moments()[1].catches) == 2)
    figures = {
        one.name: (one.caught, one.missed, one.forgot, one.saved) for one in told(quick).catches
    }
    assert figures == {"Ana": (1, 0, 0, 0), "Ben": (0, 1, 1, 0), "Cleo": (0, 0, 0, 1)}


def test_a_player_who_changed_places_keeps_the_own_moments(quick):
    quick.deal()
    race(quick)
    pay(quick)
    quick.score_round()
    quick.do(c.Swap(BEN, CLEO))
    quick.do(c.Deal())
    race(quick, order=(CLEO, BEN))
    hands = {hand.name: (hand.first, hand.last) for hand in told(quick).hands}
    assert hands == {"Cleo": (1, 1), "Ben": (1, 1)}


def test_figures_after_a_restart_are_the_same(quick):
    quick.deal()
    race(quick)
    pay(quick)
    quick.score_round(BEN, 400)
    before = told(quick)
    quick.do(c.Rematch())
    quick.do(c.ChooseDealer(ANA))
    quick.do(c.Deal())
    race(quick, apart=20)
    both = told(quick)
    assert (both.matches, both.races, both.rounds) == ((1, 2), 2, 1)
    assert both.shave is not None
    assert both.shave.match == 2
    quick.reopen()
    assert told(quick) == both
    first = [record for record in quick.past.matches() if record.number == 1]
    assert sum_up(first, quick.past.moments()) == before


def test_only_what_is_new_is_read_again(quick):
    quick.deal()
    race(quick)
    chronicle = quick.past._chronicle
    assert chronicle.moments() == chronicle.moments()
    assert chronicle._version == quick.table.version
    pay(quick)
    quick.score_round()
    chronicle.moments()
    assert chronicle._version == quick.table.version


def test_a_hand_that_never_came_is_nobodys_rival(quick):
    quick.deal()
    record: MatchRecord = quick.past.matches()[0]
    never = RaceMoment(5, 1, "hold", 9, 1, (Slap(2, 50), Slap(3, None)), (3,), None)
    alone = RaceMoment(6, 1, "tablet", 10, 1, (Slap(2, -40),), (2,), None)
    moments = Moments((never, never, alone), (CatchMoment(7, 1, 3, None, caught=True),))
    night = sum_up([record], {1: moments})
    assert (night.rivals, night.shave) == ((), None)
    assert [hand.name for hand in night.hands] == ["Ben", "Cleo"]
    cleo = night.hands[1]
    assert (cleo.races, cleo.last, cleo.behind, cleo.quickest) == (2, 2, None, None)
    assert night.catches[0].forgot == 1
