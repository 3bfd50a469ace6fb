"""A show: a match plays itself on a table that everyone can watch."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from random import Random

import click
import msgspec
from msgspec import Struct

from companion.assembly.running import Running
from companion.cli.assemble import open_whole_table
from companion.cli.options import TablePlan
from companion.demo.commentary import lines
from companion.demo.live import LiveTable, StageClock
from companion.demo.people import LIVELY
from companion.demo.playing import NAMES, play, seat, set_up
from companion.demo.refereed import RefereedMatch, TableDisturbed
from companion.past.records import MatchRecord
from companion.referee.events import Event
from companion.referee.model.edition import Edition
from companion.referee.model.table import Table, names_at
from companion.referee.sentences import Refusal

log = logging.getLogger(__name__)


class Ending(Struct, frozen=True):
    """How a show ended."""

    sentence: str
    well: bool


class Show:
    """Opens the table in the serving process, and plays there on a thread of its own."""

    def __init__(
        self, plan: TablePlan, edition: Edition, players: int, seed: int, *, fast: bool
    ) -> None:
        self._plan = plan
        self._edition = edition
        self._players = players
        self._seed = seed
        self._fast = fast
        self._ending_out, self._ending_in = os.pipe()

    def open_table(self) -> Running:
        """Open the table and let people sit down; this runs in the serving process."""
        clock = StageClock()
        running = open_whole_table(self._plan, clock.ticks)
        table = LiveTable(clock, running, None if self._fast else time.sleep)
        # No other button is pressed here: the players of the show would not know of it.
        running.push = None
        running.worker.subscribe(_tell)
        thread = threading.Thread(
            target=self._play, args=(table, running), name="show", daemon=True
        )
        thread.start()
        return running

    def ending(self) -> Ending | None:
        """Tell how the show ended, to the process that watches; None if it was cut short."""
        os.set_blocking(self._ending_out, False)
        try:
            output = os.read(self._ending_out, 65536)
        except BlockingIOError:
            return None
        return msgspec.json.decode(output, type=Ending) if output else None

    def _play(self, table: LiveTable, running: Running) -> None:
        ending = self._played(table, running)
        click.echo(ending.sentence)
        os.write(self._ending_in, msgspec.json.encode(ending))
        if self._fast or not ending.well:
            os.kill(os.getppid(), signal.SIGTERM)
        else:
            click.echo("The page stays open; Ctrl-C closes the table.")

    def _played(self, table: LiveTable, running: Running) -> Ending:
        try:
            steps = self._match(table)
        except (TableDisturbed, Refusal) as why:
            return Ending(f"The demo stopped: somebody else touched the table. {why}", well=False)
        except Exception:
            log.exception("The show has failed.")
            return Ending("The demo has failed.", well=False)
        record = next(iter(running.past.matches()), None)
        return Ending(told(record, steps), well=True)

    def _match(self, table: LiveTable) -> int:
        """Play the match, and tell in how many steps."""
        names = Random(self._seed).sample(NAMES, self._players)
        seats = seat(table, self._players, names)
        set_up(table, self._edition, "refereed")
        return len(play(table, RefereedMatch(self._edition, seats, self._seed, LIVELY).steps()))


def _tell(table: Table, events: tuple[Event, ...]) -> None:
    for line in lines(events, names_at(table)):
        click.echo(line)


def told(record: MatchRecord | None, steps: int) -> str:
    """Tell how the match went, in a sentence."""
    if record is None:
        return "No match was played."
    sheet = record.sheet
    names = {player.player: player.name for player in sheet.players}
    winners = " and ".join(names[player] for player in sheet.winners) or "Nobody"
    totals = ", ".join(f"{player.name} {player.classic}" for player in sheet.players)
    rounds = f"{len(sheet.rounds)} rounds" if len(sheet.rounds) > 1 else "one round"
    return (
        f"{winners} won the match of {sheet.edition_name} in {rounds}, "
        f"after {steps} steps ({totals})."
    )
