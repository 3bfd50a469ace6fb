"""A night at a real table: the whole service on a folder, opened, closed and opened again."""

from __future__ import annotations

import resource
import sqlite3
import subprocess
import sys
import uuid
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from companion.assembly.running import Running, open_worker
from companion.journal.opening import JOURNAL, SNAPSHOT
from companion.past.facts import MatchFacts
from companion.past.highlights import Highlights
from companion.past.past import Past
from companion.past.replay import replayed
from companion.referee import commands as c
from companion.referee.events import Event
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND
from companion.referee.model.table import Race, Round, Table
from companion.referee.sentences import Refusal
from companion.service.envelope import CommandAnswer
from companion.service.worker import Worker
from companion.settings.configuration import Settings, examine
from companion.settings.edition_file import load_editions
from tests.kit.waiting import PATIENCE as PATIENCE
from tests.kit.waiting import MachineClock
from tests.kit.waiting import until as until

ANA, BEN, CLEO = 1, 2, 3


def settings_for(folder: Path, **sections: object) -> Settings:
    settings, mistakes = examine({"data": {"folder": str(folder)}, **sections})
    assert mistakes == []
    return settings


class Night:
    """Three people at one table; seat n has button n."""

    def __init__(self, folder: Path, **sections: object) -> None:
        self.folder = folder
        self.settings = settings_for(folder, **sections)
        self.running: Running | None = None
        self.clock = MachineClock()
        self.last_seen = Table()
        """The table as it was when it was last closed."""

    def open(self) -> Night:
        editions = load_editions(self.folder)
        self.running = open_worker(self.settings, editions, self.clock.ticks)
        return self

    def close(self) -> None:
        if self.running is not None:
            self.running.close()
            self.last_seen = self.running.worker.table
            self.running = None

    def reopen(self) -> Night:
        self.close()
        return self.open()

    def __enter__(self) -> Night:
        return self if self.running is not None else self.open()

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def worker(self) -> Worker:
        assert self.running is not None
        return self.running.worker

    @property
    def past(self) -> Past:
        assert self.running is not None
        return self.running.past

    @property
    def table(self) -> Table:
        return self.worker.table

    @property
    def round(self) -> Round:
        match = self.table.game.match
        assert match is not None
        assert match.round is not None
        return match.round

    @property
    def journal(self) -> Path:
        return self.folder / JOURNAL

    @property
    def snapshot(self) -> Path:
        return self.folder / SNAPSHOT

    def do(
        self, command: c.Command, *, again: str | None = None, version: int | None = None
    ) -> CommandAnswer:
        return self.worker.ask(command, again or str(uuid.uuid4()), version, PATIENCE)

    def refused(self, command: c.Command, **how: object) -> str:
        """Tell with which code a command is refused."""
        try:
            self.do(command, **how)  # type: ignore[arg-type]
        except Refusal as refusal:
            return refusal.sentence.code
        raise AssertionError(f"{command} was not refused")

    def seat_three(self) -> Night:
        for seat, name in ((ANA, "Ana"), (BEN, "Ben"), (CLEO, "Cleo")):
            self.do(c.Sit(name, seat, seat))
        return self

    def deal(self, way: c.Way = "free") -> Night:
        """Seat everyone and deal the first round."""
        self.seat_three()
        self.do(c.SetUp(way=way))
        self.do(c.StartMatch())
        self.do(c.ChooseDealer(ANA))
        self.do(c.Deal())
        return self

    def score_round(self, out: int = BEN, points: int = 30) -> Night:
        self.do(c.GoOut(out))
        for seat in {ANA, BEN, CLEO} - {out}:
            self.do(c.EnterPoints(seat, points))
        self.do(c.ScoreRound())
        return self

    def press(self, button: int, at: int | None = None) -> int:
        """Push a wired button, and tell when."""
        at = self.clock.ticks() if at is None else at
        self.worker.hand_over(c.PushButton(button, at, 1_000))
        return at

    def tap(self, button: int) -> int:
        """Push a button and let it go."""
        at = self.press(button)
        self.worker.hand_over(c.Release(button, at + 50_000_000, at))
        return at

    def pressed_at(self, seat: int) -> list[int]:
        """Tell when the table has heard a seat's button in the rounds that it remembers."""
        runs = [run for known in self.table.evidence for run in known.presses.get(seat, ())]
        return [press.at for run in runs for press in run]

    @property
    def race(self) -> Race:
        """The latest race of the round."""
        return self.round.races[-1]

    def slap(self, *order: int, apart: int = 30, layer: int = ANA) -> Race:
        """Let hands slap so many milliseconds apart, then name the layer; wait for the ruling."""
        self.clock.put_forward(12_000)
        before = len(self.round.races)
        first = self.clock.ticks() - (len(order) * apart + 20) * MILLISECOND
        for place, seat in enumerate(order):
            at = self.press(seat, first + place * apart * MILLISECOND)
            self.worker.hand_over(c.Release(seat, at + MILLISECOND, at))
        self.do(c.DeclareRace(layer))
        until(lambda: len(self.round.races) > before and self.race.ruling is not None)
        return self.race

    def settle(self) -> None:
        """Wait until everything handed over so far is on disk or refused."""
        self.refused(c.Stand(10))


def facts_of(events: Iterable[Event], table: Table | None = None) -> MatchFacts:
    """The facts of the latest match of these events."""
    *_, facts = (facts for facts in replayed(events, table).values() if facts is not None)
    return facts


def highlights(past: Past) -> dict[int, Highlights]:
    """The highlights of every match, by its number."""
    return {brief.number: past.highlights(brief.number) for brief in past.briefs()}


def play_a_while(night: Night) -> None:
    """Two matches with a bit of everything, so that a journal has something to lose."""
    night.deal()
    night.score_round()
    night.do(c.Deal())
    night.tap(ANA)
    night.score_round(CLEO, 45)
    night.do(c.Undo())
    night.do(c.Redo())
    night.do(c.CloseMatch())
    night.do(c.SetUp(way="refereed"))
    night.do(c.StartMatch())
    night.do(c.ChooseDealer(BEN))
    night.do(c.Deal())
    night.do(c.TurnUp(Card("red-5")))
    night.do(c.Play(Card("red-7")))
    night.do(c.Draw())


CRASHING = """
import os, sys
from pathlib import Path
from tests.kit.night import Night
from companion.past.past import Past
from companion.referee import commands as c
night = Night(Path(sys.argv[1])).open().seat_three()
for n in range(20):
    night.do(c.Rename(1, f"Ana {n}"))
os.kill(os.getpid(), 9)
"""


def crash_on(folder: Path) -> None:
    """Let a table be killed that has just saved twenty taps."""
    root = Path(__file__).parents[2]
    subprocess.run([sys.executable, "-c", CRASHING, str(folder)], cwd=root, check=False)


@contextmanager
def full_disk(file: Path) -> Iterator[None]:
    """Let nothing grow beyond this file, as on a disk without room; the kernel refuses for real."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (file.stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def reader_of(journal: Path) -> Iterator[None]:
    """Read the journal all the while, so that its log cannot start anew in the room it has."""
    with closing(sqlite3.connect(journal, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        yield


FAST = {
    "timing": {
        "touch_ms": 20,
        "settle_ms": 20,
        "race_limit_ms": 1_000,
        "look_back_ms": 10_000,
        "bunch_ms": 200,
        "loose_wait_ms": 20,
        "stray_lead_ms": 50,
        "hammer_span_ms": 100,
        "restless_ms": 0,
    }
}
"""A quick table, so that a test need not wait for ten seconds.

It looks back for longer than a busy machine takes from one line of a test to the next; between two
races the clock is put forward.
"""
