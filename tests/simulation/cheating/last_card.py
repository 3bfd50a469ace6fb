"""One window for a catch twice: who should call calls honestly, or presses all the time instead."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

from companion.referee.commands import Way
from companion.referee.model.presses import SECOND, Timing
from tests.simulation.answers import Answers
from tests.simulation.cheating.cheats import SHORT
from tests.simulation.free import Tapper
from tests.simulation.people import PEOPLE, Touch, between, possible
from tests.simulation.playing import FIRST, play_round
from tests.simulation.referee import Recorder, press_buttons
from tests.simulation.table import OPENED, Playground, dealt
from tests.simulation.truth import TrueWindow, Truth

ALWAYS_CAUGHT = replace(PEOPLE, notices=1.0, mishears=1.0, too_late=0.0, startled=0.0)
"""Somebody always tries a catch, whether there was a call or not."""
FEW_CARDS = (2, 3)
LATER = 40 * SECOND
"""So long after the deal is played, because who calls all the time began to before it mattered."""
AFTER = 12 * SECOND
"""So long after the card it goes on."""
PATIENCE = 30 * SECOND


@cache
def window_world(seed: int, *, free: bool) -> Truth:
    """A round up to its first window in which somebody tries a catch in time."""
    way: Way = "free" if free else "refereed"
    for attempt in range(100):
        players = 3 + seed % 6
        truth = play_round(
            1000 * seed + attempt, players, "express", way, ALWAYS_CAUGHT, 0, FEW_CARDS
        )
        window = next((window for window in truth.windows if window.catch is not None), None)
        if window is not None:
            return _up_to(truth, window)
    raise AssertionError("nobody came to the last card in a hundred rounds")


def _up_to(truth: Truth, window: TrueWindow) -> Truth:
    """The round until this window is over, and all of it a while later."""
    ended = window.closed + SECOND
    return replace(
        truth,
        began=truth.began + LATER,
        turns=tuple(
            replace(turn, at=turn.at + LATER)
            for turn in truth.turns
            if turn.number <= window.turn + 1
        ),
        windows=(_later(window),),
        touches=tuple(
            replace(touch, at=touch.at + LATER, until=touch.until + LATER)
            for touch in truth.touches
            if touch.at < ended
        ),
        ended=ended + LATER,
    )


def _later(window: TrueWindow) -> TrueWindow:
    catch = window.catch
    return replace(
        window,
        laid=window.laid + LATER,
        closed=window.closed + LATER,
        call=None if window.call is None else window.call + LATER,
        catch=None if catch is None else replace(catch, at=catch.at + LATER),
    )


@cache
def caught_honest(seed: int, *, free: bool) -> bool:
    """Whether an honest player is caught: who mostly calls in time, and forgets now and then."""
    return _caught(window_world(seed, free=free))


def caught_calling(seed: int, period: float, *, free: bool) -> bool:
    """Whether somebody who presses all the time instead is caught there."""
    truth = window_world(seed, free=free)
    window = truth.windows[0]
    chance = Random(f"calling {seed} {period}")
    others = [touch for touch in truth.touches if touch.seat != window.seat]
    pressed: list[Touch] = []
    at = OPENED + between(chance, 0.0, period)
    while at < window.laid + AFTER:
        pressed.append(Touch(at, window.seat, at + SHORT))
        at += int(period * SECOND * chance.uniform(0.92, 1.08))
    return _caught(
        replace(
            truth,
            windows=(replace(window, call=None),),
            touches=tuple(possible([*others, *pressed])),
        )
    )


def _caught(truth: Truth) -> bool:
    chance = Random(f"last card {truth.seed}")
    ground = Playground(dealt(truth.players, truth.edition, truth.way, FIRST, Timing()))
    Answers(truth, chance, ground)
    press_buttons(ground, truth, chance)
    teller: Recorder | Tapper
    if truth.way == "refereed":
        teller = Recorder(truth, chance)
    else:
        teller = Tapper(truth, chance, taps_races=False)
    teller.plan(ground)
    ground.run(teller.done + PATIENCE)
    seat = truth.windows[0].seat
    return any(
        ruling.outcome == "caught" and ruling.draws[0].seat == seat
        for ruling in ground.in_force("R13")
    )
