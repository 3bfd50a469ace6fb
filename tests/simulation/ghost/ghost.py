"""The ghost: it keeps its own truth beside a table, and compares the two after every step."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from companion.referee import commands as c
from companion.referee.sentences import Refusal
from companion.view import View, view
from tests.simulation.ghost.compare import differences
from tests.simulation.ghost.door import Door
from tests.simulation.ghost.expects import known
from tests.simulation.ghost.expects.oracle import Oracle
from tests.simulation.ghost.expects.score import Reckoning
from tests.simulation.ghost.temper import Temper
from tests.simulation.ghost.truth import MILLISECOND, Match, Refused, Round, Slap, Truth

TABLET_DOUBT = 50 * MILLISECOND
"""How far off a touch on the tablet may be."""


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
        self._busy = False
        """Whether hands are on their way, of which the table can know only some."""
        self._restless = 0
        """Until when hands were on buttons, or people muddled what they had done."""
        self._reckoning = Reckoning()
        self._coming: list[tuple[int, int, c.Command]] = []
        self._count = 0
        self._trace: deque[str] = deque(maxlen=60)

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

    @property
    def view(self) -> View:
        """What a screen shows now."""
        return view(self.door.table)

    def chance(self, probability: float) -> bool:
        """Let luck decide."""
        return self.luck.random() < probability

    def now(self) -> int:
        """Tell the table's time."""
        return self.door.now()

    def say(self, command: c.Command) -> Refused | None:
        """Say something to the table and see that it answers as it must."""
        before, at = self.door.table, self.now()
        press = isinstance(command, c.Undo) and self.offers_a_press()
        refusal: Refusal | None = None
        try:
            self.door.send(command)
        except Refusal as refused:
            refusal = refused
        light_at = self.light_at() if isinstance(command, c.SlapOff) else 0
        expected = self.oracle.expect(command, at, light_at, press=press)
        outcome = f" -> {refusal.sentence.code}" if refusal is not None else ""
        self._trace.append(f"{at / 1e9:.6f} {command}{outcome}")
        self._check_answer(refusal, expected)
        if refusal is not None and self.door.table is not before:
            self.fail(["a refusal has changed the table"])
        # A real worker rules at once whatever a command has made due.
        self._pass_to(self.now())
        self.check()
        return expected

    def foresee(self, command: c.Command) -> Refused | None:
        """Think what would come of a command, without saying it."""
        kept, past, future = self.oracle.truth, [*self.oracle.past], [*self.oracle.future]
        night = kept.night.copy()
        self.oracle.truth = kept.copy()
        try:
            return self.oracle.expect(command, self.now())
        finally:
            self.oracle.truth, self.oracle.past, self.oracle.future = kept, past, future
            kept.night = night

    def push(self, seat: int, at: int, held: int, doubt: int = 2_000, late: int = 0) -> Slap:
        """Let a hand come down on a seat's button at some moment from now on, and up again."""
        button = self.truth.seats[seat].button
        assert button is not None
        self._will(at + late, c.PushButton(button, at, doubt))
        self._will(at + held + late, c.Release(button, at + held, at))
        self._note_press(seat, at, at + held)
        return Slap(at, doubt)

    def touch(self, seat: int, at: int) -> Slap:
        """Let somebody press for a seat on a screen: the tablet, or a phone in step with it."""
        self._note_press(seat, at, at)
        if self.chance(0.5):
            self._will(at, c.PressSeat(seat))
            return Slap(at, TABLET_DOUBT)
        doubt = self.luck.randrange(20 * MILLISECOND)
        self._will(at + self.luck.randrange(200 * MILLISECOND), c.PhonePress(seat, at, doubt))
        return Slap(at, doubt)

    def wait(self, nanoseconds: int) -> None:
        """Let time pass, with the hands that come down in it."""
        until = self.now() + nanoseconds
        while self._coming and self._coming[0][0] <= until:
            arrival, _, command = heapq.heappop(self._coming)
            self._pass_to(max(arrival, self.now()))
            self.say(command)
        self._pass_to(until)

    def hush(self, nanoseconds: int) -> None:
        """Wait until no hand was on a button for so long."""
        self.wait(max(0, self._restless + nanoseconds - self.now()))

    def unsettle(self) -> None:
        """People have muddled something; hands keep off until that is forgotten."""
        self._restless = max(self._restless, self.now())

    @contextmanager
    def busy_hands(self) -> Iterator[None]:
        """Look away from what presses do until all of them have come and been judged."""
        self._busy = True
        yield
        self._busy = False
        self.check()

    def restart(self) -> None:
        """Stop the table and start it anew, while all hands are off the buttons."""
        self.hush(300 * MILLISECOND)
        self.door.restart()
        self._trace.append(f"{self.now() / 1e9:.6f} restart")
        self.truth.night.aside = {}
        self.unsettle()
        self._pass_to(self.now())
        self.check()

    def check(self) -> None:
        """Compare the referee's view with the truth."""
        self.steps += 1
        shown = self.view
        self.oracle.handles = [(debt.number, debt.ruling) for debt in shown.debts]
        self.oracle.questions = {question.number: question.kind for question in shown.questions}
        if not self._compares:
            return
        expected = known.fields(self.truth, self._reckoning, self.now(), busy=self._busy)
        found = differences(shown, expected)
        if not self._busy and (shown.undo is not None) != bool(self.oracle.past):
            found.append(f"undo: the table offers {shown.undo!r}")
        if not self._busy and (shown.redo is not None) != bool(self.oracle.future):
            found.append(f"redo: the table offers {shown.redo!r}")
        if found:
            self.fail(found)

    def fail(self, found: list[str]) -> None:
        """Say in what the two differ, after which commands."""
        raise Disagreement("\n".join([*found, "after", "  " + self.story()]))

    def story(self) -> str:
        """Tell the last commands, and which of them were refused."""
        return "\n  ".join(self._trace)

    def light_at(self) -> int:
        """When the light of a slap-off comes, which is drawn by lot at the table."""
        race = self.view.race
        return race.slap_off.light_at if race is not None and race.slap_off is not None else 0

    def offers_a_press(self) -> bool:
        """Whether undo would take back a press alone; then somebody has pressed since the step."""
        undo = self.view.undo
        if undo is None or undo.code != "step_press":
            return False
        since = self.oracle.past[-1].at if self.oracle.past else 0
        if max(self.truth.night.pressed.values(), default=0) <= since:
            self.fail(["the table would take back a press, but nobody has pressed since"])
        return True

    def _note_press(self, seat: int, at: int, until: int) -> None:
        self.truth.night.pressed[seat] = at
        self._restless = max(self._restless, until)

    def _will(self, at: int, command: c.Command) -> None:
        self._count += 1
        heapq.heappush(self._coming, (at, self._count, command))

    def _pass_to(self, at: int) -> None:
        before = self.door.table
        self.door.wait_until(at)
        if self.door.table is not before:
            self.check()

    def _check_answer(self, refusal: Refusal | None, expected: Refused | None) -> None:
        if (refusal is None) != (expected is None):
            told = str(refusal) if refusal is not None else "it was taken"
            known_ = f"refuse it by {expected.rule}" if expected is not None else "take it"
            self.fail([f"the table should {known_}, but: {told}"])
        if refusal is None or expected is None:
            return
        if (refusal.rule, refusal.insist) != (expected.rule, expected.insist):
            told = f"refused by {refusal.rule}, to insist upon: {refusal.insist}"
            known_ = f"it should be by {expected.rule}, to insist upon: {expected.insist}"
            self.fail([f"{told}; {known_}"])
