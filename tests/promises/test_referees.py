"""Three referees with three tablets cannot overwrite each other without being told."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from msgspec import Struct

from companion.referee import commands as c
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal
from tests.kit.fixtures import MEMORY
from tests.kit.night import ANA, BEN, CLEO, PATIENCE, Night

SEATS = (ANA, BEN, CLEO)
REFEREES = st.sampled_from(("tablet", "phone", "laptop"))
EXAMPLES = int(os.environ.get("REFEREES", "25"))


def name_of(seat: int) -> Callable[[Table], object]:
    def seen(table: Table) -> object:
        found = table.game.seat(seat)
        return None if found is None else (found.player, found.name)

    return seen


def hand_of(seat: int) -> Callable[[Table], object]:
    def seen(table: Table) -> object:
        round_ = table.game.match.round if table.game.match is not None else None
        return None if round_ is None else round_.left.get(seat)

    return seen


def scores(table: Table) -> object:
    return None if table.game.match is None else table.game.match.rounds


def setup(table: Table) -> object:
    return table.game.setup


def last_step(table: Table) -> object:
    return table.past


class Wish(Struct, frozen=True):
    """A command, and how to see the one thing that it changes."""

    command: c.Command
    about: Callable[[Table], object]


def wishes() -> st.SearchStrategy[Wish]:
    seats, points = st.sampled_from(SEATS), st.integers(0, 60)
    names = st.sampled_from(("Ana", "Ben", "Cleo", "Dan", "Eve"))
    return st.one_of(
        st.builds(lambda seat, name: Wish(c.Rename(seat, name), name_of(seat)), seats, names),
        st.builds(lambda a, b: Wish(c.Swap(a, b), name_of(a)), seats, seats),
        st.builds(lambda s, n: Wish(c.EnterPoints(s, n), hand_of(s)), seats, points),
        st.builds(lambda seat: Wish(c.ClearHand(seat), hand_of(seat)), seats),
        st.builds(
            lambda way: Wish(c.SetUp(scoring=way), setup),
            st.sampled_from(("classic", "alternative")),
        ),
        st.just(Wish(c.ScoreRound(), scores)),
        st.just(Wish(c.Undo(), last_step)),
        st.just(Wish(c.Redo(), last_step)),
    )


class ThreeReferees(RuleBasedStateMachine):
    """Each acts on what their own screen shows, which may be old."""

    def __init__(self) -> None:
        super().__init__()
        place = MEMORY if os.access(MEMORY, os.W_OK) else None
        self._folder = Path(tempfile.mkdtemp(dir=place, prefix="table-"))
        self._night = Night(self._folder).open()
        self._screens: dict[str, Table] = {}
        self._ids = itertools.count()

    @initialize()
    def begin(self) -> None:
        self._night.deal()
        self._screens = dict.fromkeys(("tablet", "phone", "laptop"), self._night.table)

    @rule(who=REFEREES)
    def look(self, who: str) -> None:
        self._screens[who] = self._night.table

    @rule(who=REFEREES, wish=wishes())
    def act(self, who: str, wish: Wish) -> None:
        """It counts only if the one thing that it changes still is what this screen shows."""
        seen, before = self._screens[who], self._night.table
        outcome = self._send(wish.command, seen.version)
        if outcome is None:
            assert wish.about(seen) == wish.about(before), "somebody was overwritten silently"
            self._screens[who] = self._night.table
        else:
            assert self._night.table.game == before.game, "it was refused and yet changed something"

    @rule(who=REFEREES, wish=wishes())
    def look_again_and_repeat(self, who: str, wish: Wish) -> None:
        """Whoever is told that their screen is old looks again, and then is never told so."""
        self.look(who)
        assert self._send(wish.command, self._screens[who].version) != "stale"
        self.look(who)

    @rule(seat=st.sampled_from(SEATS))
    def go_out(self, seat: int) -> None:
        self._send(c.GoOut(seat), None)

    @precondition(lambda self: self._night.table.game.match is not None)
    @rule()
    def deal(self) -> None:
        self._send(c.Deal(), None)

    @rule()
    def restart(self) -> None:
        self._night.reopen()

    @invariant()
    def nobody_met_a_mistake(self) -> None:
        assert self._night.worker.status().bugs == 0

    def teardown(self) -> None:
        self._night.close()
        shutil.rmtree(self._folder)

    def _send(self, command: c.Command, version: int | None) -> str | None:
        try:
            self._night.worker.ask(command, f"wish-{next(self._ids):06}", version, PATIENCE)
        except Refusal as refusal:
            return refusal.sentence.code
        return None


TestThreeReferees = ThreeReferees.TestCase
TestThreeReferees.settings = settings(
    max_examples=EXAMPLES, stateful_step_count=30, deadline=None, print_blob=True
)
