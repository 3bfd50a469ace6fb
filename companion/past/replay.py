"""The one replay of the past: events through `apply`, and with them the facts of each match."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.past.facts import EventContext, MatchFacts, gathered
from companion.referee import events as e
from companion.referee.apply import apply
from companion.referee.model.table import Table

REMEMBERED = (e.StepTaken, e.DirectionTurned, e.RoundScored)
"""A ruling may be judged from the table before the latest of these."""


class BeforeTheBeginning(Exception):
    """Undo goes back to before the event that this replay began with."""


class Replay:
    """Follows events one by one, from the beginning of a match or of the journal.

    The one place that follows undo: the facts of a match go back with the game.
    """

    def __init__(self, table: Table | None = None) -> None:
        self.table = table or Table()
        self._facts = MatchFacts()
        self._past: list[MatchFacts] = []
        self._future: list[MatchFacts | None] = []
        """None stands for hands that were taken back, which changes nothing here."""
        self._earlier: dict[type, Table] = {}
        self._at_step = 0
        self._left: dict[int, MatchFacts | None] = {}
        """Matches that are no longer on; None where their beginning was taken back."""

    def follow(self, event: e.Event, version: int = 0, wall: str = "") -> None:
        """Take the next event, with its place in the journal and its wall-clock time."""
        before, facts = self.table, self._facts
        if isinstance(event, e.Undone) and not self._past:
            raise BeforeTheBeginning
        self.table = apply(before, event)
        match event:
            case e.StepTaken():
                # What it replaces may stay in the future: nothing asks for that again.
                self._past.append(facts)
                self._at_step = len(facts.rulings)
            case e.Undone():
                self._future.append(facts)
                self._facts = self._past.pop()
            case e.Redone():
                later = self._future.pop()
                if later is not None:
                    self._past.append(facts)
                    self._facts = later
            case e.MatchStarted(match=number, as_step=as_step):
                self._past, self._future = self._past[-1:] if as_step else [], []
                self._facts = MatchFacts(number, version, beginning(before), wall)
            case e.MatchClosed():
                self._facts = MatchFacts()
            case e.MatchForgotten():
                self._past, self._future = [], []
                self._facts = MatchFacts()
            case _:
                if isinstance(event, e.PressesDismissed):
                    self._future.append(None)
                if isinstance(event, e.AnswerWithdrawn) and event.step is not None:
                    del self._past[-1 - event.step]
                if facts.number:
                    moment = EventContext(before, self.table, wall, self._earlier, self._at_step)
                    self._facts = gathered(facts, event, moment)
        if isinstance(event, REMEMBERED):
            self._earlier[type(event)] = before
        self._leave(before, facts, version, wall)

    def _leave(self, before: Table, facts: MatchFacts, version: int, wall: str) -> None:
        """Note a match that is no longer on, or is on again."""
        old, new = before.game.match, self.table.game.match
        if old is new:
            return
        if new is not None:
            self._left.pop(new.number, None)
        if old is not None and (new is None or new.number != old.number):
            begun = old.number <= self.table.game.matches
            left = replace(facts, match=old, end=version, ended=wall) if begun else None
            self._left[old.number] = left

    def current(self) -> MatchFacts | None:
        """Give the facts of the match that is on."""
        match = self.table.game.match
        return None if match is None else replace(self._facts, match=match)

    def matches(self) -> dict[int, MatchFacts | None]:
        """Give the facts of all matches so far; None of those that never were."""
        current = self.current()
        return {**self._left, **({} if current is None else {current.number: current})}

    def taken(self) -> dict[int, MatchFacts | None]:
        """Give the same once: from now on only matches that are left later are told of."""
        matches, self._left = self.matches(), {}
        return matches


def replayed(events: Iterable[e.Event], table: Table | None = None) -> dict[int, MatchFacts | None]:
    """Gather the facts of these events."""
    replay = Replay(table)
    for event in events:
        replay.follow(event)
    return replay.matches()


def beginning(table: Table) -> Table:
    """Give of a table what a match begins with: without the past, and editions that it may have."""
    game = replace(table.game, match=None)
    return replace(table, game=game, past=None, future=None, evidence=(), editions=())
