"""A table that plays by itself until somebody pulls the plug, and tells what it was told.

Each line that it tells is what somebody at the table has seen: an answer, or the table itself.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

import companion.journal.journal
from companion.assembly.running import Running, open_worker
from companion.journal.file import connect
from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal, packed
from companion.service.envelope import CommandAnswer
from companion.settings.configuration import examine
from companion.settings.edition_file import load_editions

Say = Callable[[dict[str, Any]], None]

ANA, BEN, CLEO = 1, 2, 3
NOTHING = Path("/dev/null")
WRITERS = "WRITERS"
"""So many more screens write at the same time."""
BETWEEN_SLAPS = 0.1
"""Seconds: the referee may be in a hurry, but hands are hands."""
ROUND: tuple[c.Command, ...] = (
    c.ChooseDealer(ANA),
    c.Deal(),
    c.DeclareRace(ANA),
    c.Call(BEN),
    c.PickLast((CLEO,)),
    c.DeclareRace(BEN),
    c.GoOut(BEN),
    c.EnterPoints(ANA, 12),
    c.EnterHand(CLEO, {Card("red-5"): 1}),
    c.Undo(),
    c.Redo(),
    c.EnterPoints(CLEO, 34),
    c.ScoreRound(),
)


def digest(table: Table) -> str:
    """Sum up all that a screen could show of the game."""
    return hashlib.sha256(msgspec.json.encode(table.game, enc_hook=packed)).hexdigest()[:16]


def with_buttons(folder: Path) -> Running:
    """Open the whole table, with simulated buttons and lamps, as `companion run` does."""
    from companion.cli.assemble import open_whole_table
    from companion.cli.options import plan_of

    return open_whole_table(plan_of(NOTHING, folder, simulate=True))


def without_buttons(folder: Path) -> Running:
    """Open the table where no pins are simulated; presses are handed over."""
    settings, mistakes = examine({"data": {"folder": str(folder)}})
    assert not mistakes
    return open_worker(settings, load_editions(folder))


def forget_to_sync() -> None:
    """Become the control: SQLite as most programs use it, which does not wait for the disk."""

    def careless(path: Path) -> Any:
        connection = connect(path)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    vars(companion.journal.journal)["connect"] = careless


class Player:
    """Three people, their hands and their referee, who is in a hurry."""

    def __init__(self, running: Running, name: str, say: Say) -> None:
        self._running = running
        self._worker = running.worker
        self._name = name
        self._count = itertools.count()
        self._dice = random.Random(name)
        self._say = say
        self._rests_until = 0.0

    def play_on(self) -> None:
        """Play until the end, which comes from outside."""
        if not self._worker.table.game.seats:
            for seat, player in ((ANA, "Ana"), (BEN, "Ben"), (CLEO, "Cleo")):
                self._do(c.Sit(player, seat, seat))
        if self._worker.table.game.match is None:
            self._do(c.SetUp(way="free"))
            self._do(c.StartMatch())
        for number in range(int(os.environ.get(WRITERS, "0"))):
            threading.Thread(target=self._write_too, args=(number,), daemon=True).start()
        for step in itertools.cycle(ROUND):
            self._slap()
            self._do(step, *self._chatter())
            if next(self._count) % 8 == 0:
                self.tell_table()

    def _write_too(self, number: int) -> None:
        """Be one more screen that sends something all the while."""
        for count in itertools.count():
            self._do(c.Rename(CLEO, f"Cleo {number} {count}"))

    def tell_table(self, **more: Any) -> None:
        """Tell what the table looks like."""
        table = self._worker.table
        self._say({"version": table.version, "looks": digest(table), **more})

    def _chatter(self) -> list[c.Command]:
        """Give some commands at once, which then share one transaction."""
        name = f"Ana {next(self._count)}"
        return [c.Rename(ANA, f"{name} {n}") for n in range(self._dice.choice((0, 0, 1, 4)))]

    def _slap(self) -> None:
        if time.monotonic() < self._rests_until:
            return
        self._rests_until = time.monotonic() + BETWEEN_SLAPS
        button = self._dice.choice((BEN, CLEO))
        if self._running.push is not None:
            self._running.push(button, True)
            self._running.push(button, False)
        else:
            self._worker.hand_over(c.PushButton(button, time.monotonic_ns(), 1_000))

    def _do(self, *commands: c.Command) -> None:
        waiting: dict[str, Future[CommandAnswer]] = {}
        for command in commands:
            name = f"{self._name}-{next(self._count):06}"
            waiting[name] = self._worker.submit(command, name)
        for name, answer in waiting.items():
            with suppress(Refusal):
                self._say({"done": name, "version": answer.result(30).version})


def live(folder: Path, name: str, say: Say, *, buttons: bool = True) -> None:
    """Open the table of a folder, tell how it was found, and play on."""
    began = time.perf_counter()
    running = (with_buttons if buttons else without_buttons)(folder)
    took = time.perf_counter() - began
    player = Player(running, name, say)
    player.tell_table(damage=running.worker.status().damage, seconds=took)
    player.play_on()


def line(said: dict[str, Any]) -> bytes:
    """Write one line, short enough that a pipe never tears it."""
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"
