"""Press the one that is lit: swapped lamps are found, and a far button is told from a slow hand."""

from __future__ import annotations

import random

import pytest

from hardware.checkup.light_trial import PATIENCE, Lights, LightTrial
from hardware.contact.edges import MILLISECOND, SECOND


class Table:
    """People at seats, whose hands and whose buttons are as quick as they are."""

    def __init__(self, hands: tuple[int, ...], seats: tuple[int, ...] | None = None) -> None:
        self.hands, self.seats = hands, seats or (0,) * len(hands)
        self.now = 10 * SECOND
        self.lit: int | None = None
        self.moved = 0
        self.answers = 0
        self.where = {number: number for number in range(1, len(hands) + 1)}

    def light(self, button: int | None) -> int | None:
        self.lit = button
        self.now += SECOND
        return None if button is None else self.now

    def answer(self, trial: LightTrial) -> None:
        """Press the button at which the light is seen."""
        assert self.lit is not None
        seen = self.where[self.lit]
        person = (seen - 1 - self.moved) % len(self.hands)
        self.answers += 1
        jitter = (self.answers * 7 % 5 - 2) * MILLISECOND
        delay = (self.hands[person] + self.seats[seen - 1]) * MILLISECOND + jitter
        trial.press(seen, self.now + delay)

    def play(self, trial: LightTrial) -> None:
        while trial.seen().state == "lit":
            self.answer(trial)


def test_a_far_button_is_told_from_a_slow_hand():
    table = Table(hands=(300, 520, 310, 330), seats=(0, 0, 120, 0))
    trial = LightTrial((1, 2, 3, 4), table.light)
    table.play(trial)
    assert trial.seen().state == "move"
    assert all(seat.adds is None for seat in trial.seen().seats)
    table.moved = 1
    trial.go_on()
    table.play(trial)
    seen = trial.seen()
    assert (seen.state, seen.left, seen.swapped, seen.unseen) == ("done", 0, (), ())
    assert [seat.times for seat in seen.seats] == [10] * 4
    assert [round((seat.adds or 0) / MILLISECOND, -1) for seat in seen.seats] == [-30, -30, 90, -30]
    assert seen.noise is not None
    assert seen.noise < 20 * MILLISECOND


def tried(seats: int, chance: random.Random, far: int = 0) -> Lights:
    """Let people whose answers stray by 30 ms try all seats; the first adds this much."""
    now = 0
    lit: int | None = None

    def light(button: int | None) -> int | None:
        nonlocal now, lit
        lit = button
        now += SECOND
        return None if button is None else now

    people = [chance.gauss(290, 40) for _ in range(seats)]
    trial = LightTrial(range(1, seats + 1), light)
    for moved in range(2):
        while trial.seen().state == "lit":
            assert lit is not None
            reaction = max(150, chance.gauss(people[lit - 1 - moved], 30)) + far * (lit == 1)
            now += round(reaction * MILLISECOND)
            trial.press(lit, now)
        trial.go_on()
    return trial.seen()


@pytest.mark.parametrize("seats", [2, 4, 6, 10])
def test_what_is_said_to_mean_something_is_seldom_chance_at_any_size_of_table(seats):
    chance = random.Random(seats)
    alarms = found = 0
    for _ in range(100):
        seen = tried(seats, chance)
        assert seen.noise is not None
        alarms += any(abs(seat.adds or 0) > seen.noise for seat in seen.seats)
        seen = tried(seats, chance, far=150)
        assert seen.noise is not None
        found += (seen.seats[0].adds or 0) > seen.noise
    assert alarms <= 8
    assert found >= 90


def test_lamps_that_are_swapped_are_named():
    table = Table(hands=(300, 300, 300))
    table.where |= {1: 3, 3: 1}
    trial = LightTrial((1, 2, 3), table.light, times=1, rounds=1)
    table.play(trial)
    assert trial.seen().state == "swapped"
    assert sorted(trial.seen().swapped) == [(1, 3), (3, 1)]


def test_one_press_of_a_wrong_button_is_an_accident():
    table = Table(hands=(300, 300))
    trial = LightTrial((1, 2), table.light, times=1, rounds=1)
    assert table.lit is not None
    trial.press(3 - table.lit, table.now + 300 * MILLISECOND)
    table.play(trial)
    assert (trial.seen().state, trial.seen().swapped) == ("done", ())


def test_a_lamp_that_nobody_sees_is_named_and_the_others_go_on():
    table = Table(hands=(300, 300, 300))
    trial = LightTrial((1, 2, 3), table.light, times=2, rounds=1)
    while trial.seen().state == "lit":
        if table.lit == 2:
            trial.look(table.now + PATIENCE + 1)
        else:
            table.answer(trial)
    assert trial.seen().unseen == (2,)
    assert [seat.button for seat in trial.seen().seats] == [1, 3]


@pytest.mark.parametrize("early", [-500, 30])
def test_a_guess_does_not_count_and_the_light_comes_anew(early):
    table = Table(hands=(300, 300))
    trial = LightTrial((1, 2), table.light, times=1, rounds=1)
    first = table.lit
    assert first is not None
    trial.press(first, table.now + early * MILLISECOND)
    assert (table.lit, trial.seen().left) == (first, 2)
    table.play(trial)
    assert all(seat.reaction == 300 * MILLISECOND or seat.times == 1 for seat in trial.seen().seats)


def test_an_ended_trial_puts_the_lamps_out():
    table = Table(hands=(300, 300))
    trial = LightTrial((1, 2), table.light)
    trial.end()
    trial.press(1, table.now + SECOND)
    trial.go_on()
    assert (table.lit, trial.seen().state) == (None, "done")
