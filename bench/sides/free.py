"""Matches in free play: now and then a race or a catch, and the counting of hands, until one wins.

They need no look at the table in between, so a long past can be told to it without waiting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random

from companion.demo.steps import TimedCommand, reactions, taps
from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.edition import Edition
from companion.referee.model.presses import MILLISECOND, SECOND

MOST_LEFT = 8
RACES, CATCHES = 0.3, 0.3
"""How often a round has one."""


class FreeMatches:
    """Match after match of those who sit, each with the button of the seat's number."""

    def __init__(self, edition: Edition, seats: tuple[int, ...], seed: int) -> None:
        self._edition = edition
        self._seats = seats
        self._random = Random(seed)
        self._deck = [card for card, copies in edition.deck.items() for _ in range(copies)]
        self._now = 0

    def match(self) -> Iterator[TimedCommand]:
        """Play one match from its start until it is won and closed."""
        yield self._later(c.StartMatch())
        yield self._later(c.ChooseDealer(self._seats[0]))
        points: Counter[int] = Counter()
        while max(points.values(), default=0) < self._edition.target:
            yield from self._round(points)
        yield self._later(c.CloseMatch())

    def _later(self, command: c.Command, after: int = 2 * SECOND) -> TimedCommand:
        return self._at(self._now + after, command)

    def _at(self, moment: int, command: c.Command) -> TimedCommand:
        self._now = moment
        return TimedCommand(moment, command)

    def _round(self, points: Counter[int]) -> Iterator[TimedCommand]:
        yield self._later(c.Deal())
        out, layer, caught, *_ = self._random.sample(self._seats, len(self._seats))
        if self._random.random() < RACES:
            yield from self._race(layer, [seat for seat in self._seats if seat not in (layer, out)])
        if self._random.random() < CATCHES:
            yield self._later(c.Catch(caught, out))
        yield self._later(c.GoOut(out))
        self._random.shuffle(self._deck)
        at = 0
        for seat in self._seats:
            if seat != out:
                left = self._deck[at : at + self._random.randint(1, MOST_LEFT)]
                at += MOST_LEFT
                yield self._later(c.EnterHand(seat, dict(Counter(left))))
                points[out] += self._worth(left)
        yield self._later(c.ScoreRound())

    def _race(self, layer: int, slow: list[int]) -> Iterator[TimedCommand]:
        """The layer keeps hands off; the player who will go out slaps first and so owes nothing."""
        start = self._now + 30 * SECOND
        quickest = [seat for seat in self._seats if seat != layer and seat not in slow]
        slaps = [(seat, start + 200 * MILLISECOND) for seat in quickest]
        slaps += reactions(self._random, slow, start)
        yield from taps(slaps)
        yield self._at(start + 3 * SECOND, c.PassTime())

    def _worth(self, cards: list[Card]) -> int:
        return sum(self._edition.face(card).points for card in cards)
