"""An evening at the table, told in a test: people do things, time passes, the referee rules."""

from __future__ import annotations

from typing import Any, Literal, cast

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply import apply
from companion.referee.cards import Card
from companion.referee.deadlines import next_deadline
from companion.referee.decide import decide
from companion.referee.draft import Now
from companion.referee.house import HouseRules
from companion.referee.presses import MILLISECOND, SECOND, Timing
from companion.referee.rulings import Ruling
from companion.referee.sentences import Refusal
from companion.referee.table import Match, Race, Round, Table

ANA, BEN, CLEO, DAN = 1, 2, 3, 4
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jo")
WIRED = 5_000
"""The uncertainty of a good wired button, in nanoseconds."""


class Evening:
    """Two to ten people at one table; seat n has button n."""

    def __init__(self, players: int = 3, *, timing: Timing | None = None, **setup: Any) -> None:
        self.table = Table() if timing is None else Table(timing=timing)
        self.now = 1_000 * SECOND
        self.events: list[e.Event] = []
        house = HouseRules(**setup.pop("house", {}))
        for seat in range(1, players + 1):
            self.do(c.Sit(NAMES[seat - 1], seat, seat))
        self.do(c.SetUp(**setup, house=house))

    def start(self, dealer: int = ANA) -> Evening:
        """Start the match with this dealer, and deal."""
        self.do(c.StartMatch())
        self.do(c.ChooseDealer(dealer))
        self.do(c.Deal())
        self.wait(SECOND)
        return self

    def refereed(self, first: str = "red-5", dealer: int = ANA) -> Evening:
        """Start a refereed round; the seat to the dealer's left is on turn."""
        self.start(dealer)
        self.do(c.TurnUp(Card(first)))
        return self

    def do(self, command: c.Command, after: int = 100 * MILLISECOND) -> tuple[e.Event, ...]:
        """Let something be done a moment later, ruling first what was due before it."""
        self.wait(after)
        return self._decide(command)

    def wait(self, duration: int) -> None:
        """Let time pass; the referee rules what comes due, as the worker would have it."""
        end = self.now + duration
        while (due := next_deadline(self.table)) is not None and due <= end:
            before = self.table
            self.now = max(self.now, due)
            self._decide(c.PassTime())
            assert self.table is not before, "a deadline that changes nothing would never pass"
        self.now = end

    def refused(self, command: c.Command) -> Refusal:
        """Expect a refusal, and that it changed nothing."""
        before = self.table
        with pytest.raises(Refusal) as refusal:
            self.do(command, after=0)
        assert self.table is before
        return refusal.value

    def press(self, seat: int, at: int | None = None, *, uncertainty: int = WIRED) -> int:
        """Push the seat's button down; without a time, now."""
        at = self.now if at is None else at
        self._decide(c.Press(seat, at, uncertainty))
        return at

    def let_go(self, seat: int, pressed_at: int, at: int | None = None) -> None:
        """Let the button go again."""
        self._decide(c.Release(seat, self.now if at is None else at, pressed_at))

    def tap(self, seat: int, at: int | None = None, *, uncertainty: int = WIRED) -> int:
        """Press and let go 80 ms later."""
        at = self.press(seat, at, uncertainty=uncertainty)
        self.let_go(seat, at, at + 80 * MILLISECOND)
        return at

    def hold(self, seat: int, duration: int = SECOND) -> int:
        """Hold the button down for so long."""
        at = self.press(seat)
        self.wait(duration)
        self.let_go(seat, at)
        return at

    def play(self, *cards: str) -> None:
        """Let whoever is on turn play each of these; a wild may carry its colour after a space."""
        for text in cards:
            card, _, colour = text.partition(" ")
            named = cast(Literal["red"], colour) if colour else None
            self.do(c.Play(Card(card), colour=named))

    def hands(self, **counts: int) -> None:
        """Set the hand counts by name, so that a situation can start in the middle."""
        seats = {NAMES.index(name.capitalize()) + 1: count for name, count in counts.items()}
        self.do(c.Correct(hands=seats))

    def _decide(self, command: c.Command) -> tuple[e.Event, ...]:
        events = decide(self.table, command, Now(self.now, luck=12_345))
        for event in events:
            self.table = apply(self.table, event)
        self.events.extend(events)
        return events

    @property
    def match(self) -> Match:
        """The match that is on."""
        assert self.table.game.match is not None
        return self.table.game.match

    @property
    def round(self) -> Round:
        """The round that is on."""
        assert self.match.round is not None
        return self.match.round

    @property
    def race(self) -> Race:
        """The latest race."""
        assert self.round.race is not None
        return self.round.race

    @property
    def ruling(self) -> Ruling:
        """The latest ruling."""
        return self.match.rulings[-1]

    @property
    def said(self) -> str:
        """What the latest ruling says."""
        return self.ruling.sentence.text

    def owed(self, seat: int) -> int:
        """What a seat has to draw."""
        return sum(debt.cards for debt in self.round.debts if debt.seat == seat)

    def rules(self, rule: str) -> list[Ruling]:
        """All rulings so far by this rule."""
        return [ruling for ruling in self.match.rulings if ruling.rule == rule]
