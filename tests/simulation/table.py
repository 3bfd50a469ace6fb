"""The real referee, driven as the worker drives it: things happen, time passes, rulings come."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from functools import cache

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.commands import Way
from companion.referee.deadlines import next_deadline
from companion.referee.decide import drafted
from companion.referee.draft import Now
from companion.referee.model.cards import Card
from companion.referee.model.presses import SECOND, Timing
from companion.referee.model.questions import Question
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import Match, Round, Table
from companion.referee.sentences import Refusal

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jo")
OPENED = 1_000 * SECOND
Thing = c.Command | Callable[["Playground"], None]
"""A command, or something that somebody does after a look at the table."""


class Playground:
    """One table with a heap of things that are going to happen to it."""

    def __init__(
        self, table: Table, now: int = OPENED, luck: int = 0, tells_time_late: int = 0
    ) -> None:
        """So much later than something falls due, the table is told that time has passed."""
        self.table = table
        self.now = now
        self.luck = luck
        self._late = tells_time_late
        self.asked: list[Question] = []
        """Every question that was ever shown."""
        self.refused: list[tuple[int, c.Command, str]] = []
        self.told: list[tuple[int, c.Command]] = []
        self.on_question: Callable[[Question], None] | None = None
        self.on_events: Callable[[tuple[e.Event, ...]], None] | None = None
        self._heap: list[tuple[int, int, Thing]] = []
        self._order = 0

    def plan(self, at: int, thing: Thing) -> None:
        """Let something happen then, after everything else that was planned for that moment."""
        self._order += 1
        heapq.heappush(self._heap, (max(at, self.now), self._order, thing))

    def run(self, until: int) -> None:
        """Let time pass, with all that is planned and all that falls due."""
        while True:
            due = next_deadline(self.table)
            due = None if due is None else due + self._late
            planned = self._heap[0][0] if self._heap else None
            if due is not None and due <= until and (planned is None or due <= planned):
                self._pass_time(due)
            elif planned is not None and planned <= until:
                at, _, thing = heapq.heappop(self._heap)
                self.now = max(self.now, at)
                if callable(thing):
                    thing(self)
                else:
                    self.tell(thing)
            else:
                break
        self.now = max(self.now, until)

    def tell(self, command: c.Command) -> bool:
        """Bring a command before the referee; tell whether it was accepted."""
        self.told.append((self.now, command))
        try:
            draft = drafted(self.table, command, Now(self.now, self.luck))
        except Refusal as refusal:
            self.refused.append((self.now, command, refusal.sentence.code))
            return False
        self.table = draft.table
        if draft.events:
            self._look_at(tuple(draft.events))
        return True

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

    def in_force(self, rule: str) -> list[Ruling]:
        """The rulings by this rule that nothing has replaced."""
        return [
            ruling
            for ruling in self.match.rulings
            if ruling.rule == rule and ruling.overruled is None
        ]

    def _pass_time(self, due: int) -> None:
        before = self.table
        self.now = max(self.now, due)
        self.tell(c.PassTime())
        if self.table is before or next_deadline(self.table) == due:
            raise AssertionError(f"what was due at {due} stays due after its time was told")

    def _look_at(self, events: tuple[e.Event, ...]) -> None:
        for event in events:
            if isinstance(event, e.QuestionAsked):
                self.asked.append(event.question)
                if self.on_question is not None:
                    self.on_question(event.question)
        if self.on_events is not None:
            self.on_events(events)


@cache
def dealt(players: int, edition: str, way: Way, first: Card, timing: Timing) -> Table:
    """A table where a round has just been dealt; seat n has button n, and seat 1 dealt."""
    ground = Playground(Table(timing=timing))
    opening: list[c.Command] = [
        *(c.Sit(NAMES[seat - 1], seat, seat) for seat in range(1, players + 1)),
        c.SetUp(edition=edition, way=way),
        c.StartMatch(),
        c.ChooseDealer(1),
        c.Deal(),
    ]
    if way == "refereed":
        opening.append(c.TurnUp(first))
    for command in opening:
        if not ground.tell(command):
            raise AssertionError(f"the table refused {command}: {ground.refused[-1][2]}")
    return ground.table
