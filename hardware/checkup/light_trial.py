"""Press the one that is lit: finds swapped lamps, and what each seat adds to a hand's reaction.

Everybody answers their own light five times; then all move on by one seat and do it again. What
stays with the seat is its reach, its height, its switch and its light. A slow hand moves along.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import mean, median
from typing import Literal

from msgspec import Struct

from hardware.contact.edges import MILLISECOND, SECOND

TIMES, ROUNDS = 5, 2
QUICKEST = 80 * MILLISECOND
"""No hand is quicker than this; an earlier press was a guess."""
PATIENCE = 8 * SECOND
TRIES = 2
"""So often in a row the same wrong button, or none, is no accident."""
NOISE = 3
"""A place that differs by less than so many usual deviations of a place is like the others."""
STRAYING = 2.0
"""One answer strays twice as far as half of five lie from their own middle one."""
MIDDLE_STRAYING = 0.54
"""The middle one of five strays by so much of that."""

State = Literal["lit", "move", "swapped", "done"]


class SeatLight(Struct, frozen=True):
    """What one seat has shown, in nanoseconds."""

    button: int
    times: int
    reaction: int | None = None
    adds: int | None = None
    """How much later than at the average seat the same hand is here."""


class Lights(Struct, frozen=True):
    """How far the trial has come, and what it has found."""

    state: State
    round: int
    left: int
    lit: int | None
    swapped: tuple[tuple[int, int], ...]
    """Lamps that lit up at another button: the lamp's own button, and where it was seen."""
    unseen: tuple[int, ...]
    """Lamps that were not answered."""
    seats: tuple[SeatLight, ...]
    noise: int | None = None
    """Differences between seats that are smaller than this mean nothing."""


class LightTrial:
    """Lights one lamp after the other in random order and dates the answers.

    `light` lights one lamp alone after a moment of chance length, and tells when; or puts
    all out.
    """

    def __init__(
        self,
        buttons: Sequence[int],
        light: Callable[[int | None], int | None],
        *,
        times: int = TIMES,
        rounds: int = ROUNDS,
    ) -> None:
        self._buttons = tuple(buttons)
        self._light = light
        self._times, self._rounds = times, rounds
        self._chance = random.Random()
        self._round = 0
        self._reactions: list[dict[int, list[int]]] = []
        self._swapped: list[tuple[int, int]] = []
        self._unseen: list[int] = []
        self._missed: list[int | None] = []
        self._queue: list[int] = []
        self._light_at: int | None = None
        self.go_on()

    def go_on(self) -> None:
        """Begin, or go on once everybody has moved to the next seat."""
        if self._queue or self._round == self._rounds:
            return
        self._round += 1
        self._reactions.append({button: [] for button in self._buttons})
        for _ in range(self._times):
            self._queue += self._chance.sample(self._buttons, len(self._buttons))
        self._next()

    def press(self, button: int, at: int) -> None:
        """Take a press; one that is not awaited, or that was a guess, is not used."""
        if not self._queue or self._light_at is None:
            return
        if at - self._light_at < QUICKEST:
            self._next()
        elif button == self._queue[0]:
            self._reactions[-1][button].append(at - self._light_at)
            self._answered()
        else:
            self._missed_by(button)

    def look(self, now: int) -> None:
        """Go on after a long time without an answer."""
        if self._queue and self._light_at is not None and now - self._light_at > PATIENCE:
            self._missed_by(None)

    def end(self) -> None:
        """Put the lamps out."""
        self._queue.clear()
        self._round = self._rounds
        self._light(None)

    def _missed_by(self, pressed: int | None) -> None:
        """Try once more; a second time the same is no accident."""
        self._missed.append(pressed)
        if self._missed[-TRIES:] != [pressed] * TRIES:
            self._next()
            return
        lamp = self._queue[0]
        if pressed is None:
            self._unseen.append(lamp)
        else:
            self._swapped.append((lamp, pressed))
        self._queue = [other for other in self._queue if other != lamp]
        self._buttons = tuple(other for other in self._buttons if other != lamp)
        self._queue.insert(0, lamp)
        self._answered()

    def _answered(self) -> None:
        self._queue.pop(0)
        self._missed.clear()
        self._next()

    def _next(self) -> None:
        self._light_at = self._light(self._queue[0] if self._queue else None)

    def seen(self) -> Lights:
        """Tell what there is to know by now."""
        adds, noise = self._geometry()
        return Lights(
            state=self._state(),
            round=self._round,
            left=len(self._queue),
            lit=self._queue[0] if self._queue else None,
            swapped=tuple(self._swapped),
            unseen=tuple(self._unseen),
            seats=tuple(
                SeatLight(
                    button,
                    len(times := [t for one in self._reactions for t in one.get(button, [])]),
                    int(median(times)) if times else None,
                    adds.get(button),
                )
                for button in self._buttons
            ),
            noise=noise,
        )

    def _state(self) -> State:
        if self._queue:
            return "lit"
        if self._swapped:
            return "swapped"
        return "done" if self._round == self._rounds else "move"

    def _geometry(self) -> tuple[dict[int, int], int | None]:
        """Tell seats from people: a person who moved took their own quickness along.

        Round the table the steps from each seat to the next must add up to nothing; what they add
        up to instead was chance, and is shared out.
        """
        if self._queue or len(self._reactions) < ROUNDS or len(self._buttons) < 2:
            return {}, None
        before, after = self._reactions
        if not all(before.get(b) and after.get(b) for b in self._buttons):
            return {}, None
        seats = self._buttons
        steps = [
            median(after[there]) - median(before[here])
            for here, there in zip(seats, (*seats[1:], seats[0]), strict=True)
        ]
        places = [0.0]
        for step in steps[:-1]:
            places.append(places[-1] + step - mean(steps))
        deviations = [
            abs(time - median(one[b])) for one in self._reactions for b in seats for time in one[b]
        ]
        adds = {b: round(p - mean(places)) for b, p in zip(seats, places, strict=True)}
        # Of a difference of two middle ones round the table this much is left at each place.
        step = sqrt(2) * MIDDLE_STRAYING * STRAYING * median(deviations)
        place = step * sqrt((len(seats) ** 2 - 1) / (12 * len(seats)))
        return adds, round(NOISE * place)
