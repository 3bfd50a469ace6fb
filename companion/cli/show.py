"""A show: ghosts play a match on a table that everyone can watch."""

from __future__ import annotations

import logging
import os
import signal
import threading

import click
import msgspec
from msgspec import Struct

from companion.assembly.running import Running
from companion.cli.assemble import open_whole_table
from companion.cli.options import TablePlan
from companion.ghost import opening
from companion.ghost.ghost import Disagreement
from companion.ghost.live_door import LiveDoor, StageClock
from companion.ghost.match import play_match
from companion.ghost.story import lines
from companion.ghost.temper import PLEASANT
from companion.journal.match_list import MatchRecord
from companion.referee.events import Event
from companion.referee.model.table import Table

log = logging.getLogger(__name__)


class Ending(Struct, frozen=True):
    """How a show ended."""

    sentence: str
    well: bool


class Show:
    """Opens the table in the serving process, and plays there on a thread of its own."""

    def __init__(self, plan: TablePlan, match: opening.Plan, seed: int, *, fast: bool) -> None:
        self._plan = plan
        self._match = match
        self._seed = seed
        self._fast = fast
        self._ending_out, self._ending_in = os.pipe()

    def open_table(self) -> Running:
        """Open the table and let the ghosts sit down; this runs in the serving process."""
        clock = StageClock()
        running = open_whole_table(self._plan, clock.ticks)
        door = LiveDoor(clock, running, watched=not self._fast)
        # Nobody else presses here: the ghosts would not know of it.
        running.push = None
        running.worker.subscribe(_tell)
        thread = threading.Thread(target=self._play, args=(door, running), name="show", daemon=True)
        thread.start()
        return running

    def ending(self) -> Ending | None:
        """Tell how the show ended, to the process that watches; None if it was cut short."""
        os.set_blocking(self._ending_out, False)
        try:
            said = os.read(self._ending_out, 65536)
        except BlockingIOError:
            return None
        return msgspec.json.decode(said, type=Ending) if said else None

    def _play(self, door: LiveDoor, running: Running) -> None:
        ending = self._played(door, running)
        click.echo(ending.sentence)
        os.write(self._ending_in, msgspec.json.encode(ending))
        if self._fast or not ending.well:
            os.kill(os.getppid(), signal.SIGTERM)
        else:
            click.echo("The page stays open; Ctrl-C closes the table.")

    def _played(self, door: LiveDoor, running: Running) -> Ending:
        try:
            ghost = play_match(
                self._seed, self._match.edition, plan=self._match, temper=PLEASANT, door=door
            )
        except Disagreement as found:
            return Ending(
                f"The show stopped: somebody else touched the table.\n{found}", well=False
            )
        except Exception:
            log.exception("The show has failed.")
            return Ending("The show has failed.", well=False)
        record = next(iter(running.past.matches()), None)
        return Ending(told(record, ghost.steps), well=True)


def _tell(_table: Table, events: tuple[Event, ...]) -> None:
    for line in lines(events):
        click.echo(line)


def told(record: MatchRecord | None, steps: int) -> str:
    """Tell how the match went, in a sentence."""
    if record is None:
        return "No match was played."
    sheet = record.sheet
    names = {player.player: player.name for player in sheet.players}
    winners = " and ".join(names[player] for player in sheet.winners) or "Nobody"
    totals = ", ".join(f"{player.name} {player.classic}" for player in sheet.players)
    return (
        f"{winners} won the match of {sheet.edition_name} in {len(sheet.rounds)} rounds, "
        f"after {steps} steps ({totals})."
    )
