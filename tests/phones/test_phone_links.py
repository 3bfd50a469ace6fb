"""Ten thousand races with phones: the stated doubt is the real one, and no verdict is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import pytest

from companion.phones.phone_clock import Dated, PhoneClock
from companion.referee.evidence.races.finish import Field, judge
from companion.referee.model.presses import MILLISECOND, Press, Timing
from tests.phones.links import RACE, Phone, ms

RACES = 10_000
WIRED = 5_000
Dating = Callable[[Dated, PhoneClock, int], tuple[int, int]]


def by_the_exchange(dated: Dated, _clock: PhoneClock, _arrived: int) -> tuple[int, int]:
    return dated.at, dated.uncertainty


def by_the_middle_alone(dated: Dated, _clock: PhoneClock, _arrived: int) -> tuple[int, int]:
    """What a table would do that takes the middle of a round trip for the truth."""
    return dated.at, 0


def by_arrival(_dated: Dated, _clock: PhoneClock, arrived: int) -> tuple[int, int]:
    """What a table would do that takes a phone for a tablet."""
    return arrived, 50 * MILLISECOND


@dataclass
class Seen:
    """What many races came to."""

    presses: int = 0
    covered: int = 0
    believed: int = 0
    decided: int = 0
    wrong: list[int] = field(default_factory=list)
    doubts: list[int] = field(default_factory=list)


def run(races: int, dating: Dating) -> Seen:
    """Race so often, with two to five hands, some of them on buttons."""
    seen = Seen()
    for number in range(races):
        luck = Random(number)
        true: dict[int, int] = {}
        slaps: dict[int, Press] = {}
        at = RACE
        for seat in range(2, luck.randint(3, 6) + 1):
            at = true[seat] = at + luck.choice((luck.randint(0, ms(5)), luck.randint(0, ms(250))))
            if seat != 2 and luck.random() < 0.4:
                off = luck.randint(-WIRED, WIRED)
                slaps[seat] = Press(seat, at + off, WIRED)
                continue
            dated, clock, arrived = Phone(luck).press(at)
            assert dated.at <= arrived
            when, doubt = dating(dated, clock, arrived)
            slaps[seat] = Press(seat, when, doubt, "phone", when)
            seen.presses += 1
            seen.covered += abs(when - at) <= doubt
            seen.believed += dated.believed
            seen.doubts.append(doubt)
        racers = tuple(true)
        finish = judge(Field(1, racers, RACE, 0), slaps, Timing())
        seen.decided += len(finish.last) == 1
        if at > max(true[seat] for seat in finish.last):
            seen.wrong.append(number)
    return seen


def test_the_stated_doubt_covers_the_truth_and_no_race_is_decided_wrongly():
    seen = run(RACES, by_the_exchange)
    doubts = sorted(seen.doubts)
    print(
        f"{seen.presses} presses, {seen.covered} covered, {seen.believed} believed, "
        f"{seen.decided} decided, wrong {seen.wrong}, "
        f"doubt {doubts[len(doubts) // 2] / 1e6:.1f} ms in the middle, "
        f"{doubts[len(doubts) * 9 // 10] / 1e6:.1f} ms nine times of ten"
    )
    assert seen.wrong == []
    assert seen.covered == seen.presses
    assert seen.believed > 0.85 * seen.presses
    assert doubts[len(doubts) // 2] < 40 * MILLISECOND
    assert seen.decided > RACES / 3


@pytest.mark.parametrize("dating", [by_the_middle_alone, by_arrival])
def test_a_date_without_its_real_doubt_would_be_found_out(dating):
    seen = run(300, dating)
    assert seen.covered < 0.99 * seen.presses
    assert seen.wrong
