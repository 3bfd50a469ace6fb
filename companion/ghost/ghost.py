"""The ghost: it keeps its own truth beside a table, and compares the two after every step."""

from __future__ import annotations

import heapq
from collections import deque
from random import Random

from companion.ghost.compare import differences
from companion.ghost.door import Door
from companion.ghost.oracle import Oracle
from companion.ghost.score import Reckoning
from companion.ghost.temper import Temper
from companion.ghost.truth import Match, Refused, Round, Truth
from companion.referee import commands as c
from companion.referee.sentences import Refusal
from companion.view import view


class Disagreement(AssertionError):
    """The referee and the ghost differ; says in what, and how it came to it."""


class Ghost:
    """Speaks through the door, and knows what should come of it."""

    def __init__(self, door: Door, seed: int, temper: Temper, *, compares: bool = True) -> None:
        self.door = door
        self.luck = Random(seed)
        self.temper = temper
        self.oracle = Oracle(seed)
        self.steps = 0
        self._compares = compares
        self._reckoning = Reckoning()
        self._coming: list[tuple[int, int, c.Command]] = []
        self._busy: dict[int, int] = {}
        """Until when each button has a hand on it."""
        self._count = 0
        self._trace: deque[str] = deque(maxlen=40)

    @property
    def truth(self) -> Truth:
        """What the ghost knows."""
        return self.oracle.truth

    @property
    def match(self) -> Match:
        """The match, where there must be one."""
        assert self.truth.match is not None
        return self.truth.match

    @property
    def round(self) -> Round:
        """The round, where there must be one."""
        assert self.truth.round is not None
        return self.truth.round

    def chance(self, probability: float) -> bool:
        """Let luck decide."""
        return self.luck.random() < probability

    def now(self) -> int:
        """Tell the table's time."""
        return self.door.now()

    def say(self, command: c.Command) -> Refused | None:
        """Say something to the table and see that it answers as it must."""
        before, at = self.door.table, self.now()
        refusal: Refusal | None = None
        try:
            self.door.send(command)
        except Refusal as refused:
            refusal = refused
        race = self._table_race()
        expected = self.oracle.expect(command, at, race)
        outcome = f" -> {refusal.sentence.code}" if refusal is not None else ""
        self._trace.append(f"{at / 1e9:.6f} {command}{outcome}")
        self._check_answer(refusal, expected)
        if refusal is not None and self.door.table is not before:
            self.fail(["a refusal has changed the table"])
        # A real worker rules at once whatever a command has made due.
        self._pass_to(self.now())
        self.check()
        return expected

    def ruled_at(self) -> int:
        """When the table last ruled anything."""
        match = self.door.table.game.match
        return match.rulings[-1].at if match is not None and match.rulings else 0

    def foresee(self, command: c.Command) -> Refused | None:
        """Think what would come of a command, without saying it."""
        kept, past, future = self.oracle.truth, [*self.oracle.past], [*self.oracle.future]
        night = kept.night.copy()
        self.oracle.truth = kept.copy()
        try:
            return self.oracle.expect(command, self.now(), None)
        finally:
            self.oracle.truth, self.oracle.past, self.oracle.future = kept, past, future
            kept.night = night

    def push(self, seat: int, at: int, held: int, doubt: int = 2_000, late: int = 0) -> None:
        """Let a hand come down on a seat's button at some moment from now on, and up again."""
        button = self.truth.seats[seat].button
        if button is None:
            return
        at = max(at, self._busy.get(button, at))
        self._busy[button] = at + held + 20_000_000
        self._will(at + late, c.Press(button, at, doubt))
        self._will(at + held + late, c.Release(button, at + held, at))

    def wait(self, nanoseconds: int) -> None:
        """Let time pass, with the hands that come down in it."""
        until = self.now() + nanoseconds
        while self._coming and self._coming[0][0] <= until:
            arrival, _, command = heapq.heappop(self._coming)
            self._pass_to(max(arrival, self.now()))
            self.say(command)
        self._pass_to(until)

    def quiet(self) -> bool:
        """Whether no hand is on its way."""
        return not self._coming

    def restart(self) -> None:
        """Stop the table and start it anew; nobody sees what hands do meanwhile."""
        opening = self.door.restart()
        self._coming = [coming for coming in self._coming if coming[0] > self.now()]
        heapq.heapify(self._coming)
        self._trace.append(f"{self.now() / 1e9:.6f} restart")
        self.oracle.expect(opening, self.now())
        self.oracle.pass_time(self.now(), self.now())
        self.door.wait_until(self.now())
        self.check()

    def check(self) -> None:
        """Compare the referee's view with the truth."""
        self.steps += 1
        shown = view(self.door.table)
        self.oracle.handles = [(debt.number, debt.ruling) for debt in shown.debts]
        if not self._compares:
            return
        found = differences(shown, self.truth, self._reckoning)
        if (shown.undo is not None) != bool(self.oracle.past):
            found.append(f"undo: the table offers {shown.undo!r}")
        if (shown.redo is not None) != bool(self.oracle.future):
            found.append(f"redo: the table offers {shown.redo!r}")
        if found:
            self.fail(found)

    def fail(self, found: list[str]) -> None:
        """Say in what the two differ, after which commands."""
        raise Disagreement("\n".join([*found, "after", "  " + self.story()]))

    def story(self) -> str:
        """Tell the last commands, and which of them were refused."""
        return "\n  ".join(self._trace)

    def _will(self, at: int, command: c.Command) -> None:
        self._count += 1
        heapq.heappush(self._coming, (at, self._count, command))

    def _pass_to(self, at: int) -> None:
        before, since = self.door.table, self.now()
        self.door.wait_until(at)
        if self.oracle.pass_time(since, self.now()) or self.door.table is not before:
            self.check()

    def _table_race(self) -> int | None:
        """When the light of a slap-off comes, which is drawn by lot at the table."""
        match = self.door.table.game.match
        race = match.round.race if match is not None and match.round is not None else None
        return race.slap_off.light_at if race is not None and race.slap_off is not None else None

    def _check_answer(self, refusal: Refusal | None, expected: Refused | None) -> None:
        if (refusal is None) != (expected is None):
            told = refusal.sentence.text if refusal is not None else "it was taken"
            known = f"refuse it by {expected.rule}" if expected is not None else "take it"
            self.fail([f"the table should {known}, but: {told}"])
        if refusal is None or expected is None:
            return
        if (refusal.rule, refusal.insist) != (expected.rule, expected.insist):
            told = f"refused by {refusal.rule}, to insist upon: {refusal.insist}"
            known = f"it should be by {expected.rule}, to insist upon: {expected.insist}"
            self.fail([f"{told}; {known}"])
