"""An evening at the table, told in a test: people do things, time passes, the referee rules."""

from __future__ import annotations

from typing import Any, Literal, cast

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.apply import apply
from companion.referee.deadlines import next_deadline
from companion.referee.decide import decide
from companion.referee.draft import Now
from companion.referee.model.cards import Card
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.referee.model.questions import Question
from companion.referee.model.rulings import Finish, Ruling
from companion.referee.model.table import Match, Race, Round, Table, names_at
from companion.referee.sentences import Refusal, Sentence, spoken

ANA, BEN, CLEO, DAN, EVA, FINN = 1, 2, 3, 4, 5, 6
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jo")
WIRED = 5_000
"""The uncertainty of a good wired button, in nanoseconds."""


def seat_of(name: str) -> int:
    """Where somebody sits."""
    return NAMES.index(name.capitalize()) + 1


def stands(ruling: Ruling) -> bool:
    """Whether a ruling says something that nothing has replaced or taken back."""
    return ruling.overruled is None and ruling.outcome != "void"


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

    def restart(self, away: int) -> None:
        """Let the service be gone for so long, and open the table again."""
        self.wait(100 * MILLISECOND)
        since = self.now
        self.now += away
        self._decide(c.OpenTable(self.table.editions, self.table.timing, since))

    def refused(self, command: c.Command) -> Refusal:
        """Expect a refusal, and that it changed nothing."""
        before = self.table
        with pytest.raises(Refusal) as refusal:
            self.do(command, after=0)
        assert self.table is before
        refusal.value.names = names_at(self.table)
        return refusal.value

    def press(self, seat: int, at: int | None = None, *, uncertainty: int = WIRED) -> int:
        """Push the seat's button down; without a time, now."""
        at = self.now if at is None else at
        self._decide(c.PushButton(seat, at, uncertainty))
        return at

    def let_go(self, seat: int, pressed_at: int, at: int | None = None) -> None:
        """Let the button go again."""
        self._decide(c.Release(seat, self.now if at is None else at, pressed_at))

    def tap(self, seat: int, at: int | None = None, *, uncertainty: int = WIRED) -> int:
        """Press and let go 80 ms later."""
        at = self.press(seat, at, uncertainty=uncertainty)
        self.let_go(seat, at, at + 80 * MILLISECOND)
        return at

    def slaps(self, **after_ms: float) -> int:
        """Let each named hand come down so many milliseconds from now, in that order."""
        start = self.now
        for name, ms in sorted(after_ms.items(), key=lambda hand: hand[1]):
            at = start + int(ms * MILLISECOND)
            self.wait(max(0, at - self.now))
            self.tap(seat_of(name), at)
        return start

    def hands_off(self, layer: int, apart: int = 50 * MILLISECOND, **after_ms: float) -> int:
        """Let everybody but the layer slap, in the order of seats, those named at their own time.

        Tells when the first hand came down, which is now.
        """
        others = [seat for seat in self.round.seats if seat != layer]
        times = {NAMES[seat - 1]: n * apart / MILLISECOND for n, seat in enumerate(others)}
        named = {name.capitalize(): ms for name, ms in after_ms.items()}
        return self.slaps(**{**times, **named})

    def catch_by_presses(self, seat: int, apart: int = 600 * MILLISECOND) -> int:
        """Press twice, as who catches somebody in refereed play; tells the first moment."""
        at = self.tap(seat)
        self.wait(apart)
        self.tap(seat)
        return at

    def answer(self, key: str) -> None:
        """Give this answer to the only question that is open."""
        self.do(c.Answer(self.question.number, key))

    def play(self, *cards: str) -> None:
        """Let whoever is on turn play each of these; a wild may carry its colour after a space."""
        for text in cards:
            card, _, colour = text.partition(" ")
            named = cast(Literal["red"], colour) if colour else None
            self.do(c.Play(Card(card), colour=named))

    def hands(self, **counts: int) -> None:
        """Set the hand counts by name, so that a situation can start in the middle."""
        seats = {seat_of(name): count for name, count in counts.items()}
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
        return self.round.races[-1]

    @property
    def finish(self) -> Finish:
        """The finish of the latest race, which has been judged."""
        assert self.race.finish is not None
        return self.race.finish

    @property
    def question(self) -> Question:
        """The only question that is open."""
        (question,) = self.round.questions
        return question

    @property
    def ruling(self) -> Ruling:
        """The latest ruling."""
        return self.match.rulings[-1]

    @property
    def said(self) -> str:
        """What the latest ruling says."""
        return self.text(self.ruling.sentence)

    def text(self, sentence: Sentence) -> str:
        """What a sentence says, with the names at this table."""
        return spoken(sentence, names_at(self.table)).text

    @property
    def in_force(self) -> list[str]:
        """The outcomes of the rulings about hands that nothing has replaced, in their order."""
        return [r.outcome for r in (*self.rules("R12"), *self.rules("R13")) if stands(r)]

    def owed(self, seat: int) -> int:
        """What a seat has to draw."""
        return sum(debt.cards for debt in self.round.debts if debt.seat == seat)

    def rules(self, rule: str) -> list[Ruling]:
        """All rulings so far by this rule."""
        return [ruling for ruling in self.match.rulings if ruling.rule == rule]
