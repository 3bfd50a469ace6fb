"""The demonstration of a hall: an evening that plays itself, with whole tables to look at."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import click

from companion.assembly.hall import open_hall
from companion.assembly.running import Running
from companion.cli.assemble import open_whole_table
from companion.cli.options import TablePlan
from companion.common.processes import close_all
from companion.demo.hall_evening import HallEvening
from companion.demo.live import LiveTable, StageClock
from companion.demo.people import LIVELY
from companion.demo.playing import play
from companion.demo.refereed import RefereedMatch, TableDisturbed
from companion.demo.steps import TimedCommand
from companion.hall.opening import Hall
from companion.referee import commands as c
from companion.referee.model.edition import PRINTED
from companion.referee.model.presses import SECOND
from companion.referee.sentences import Refusal

log = logging.getLogger(__name__)

WHOLE = 2
FIRST_PORT = 8101
HURRY = 3.0
"""So many times faster than a demo of one table: a round of the hall should not take all night."""
LOOK = 0.5


def demonstrate(tables: int, seed: int, first_port: int = FIRST_PORT) -> Callable[[Hall], None]:
    """Give what lets an evening play itself in an open hall."""

    def opened(hall: Hall) -> None:
        evening = HallEvening(hall, tables, WHOLE, seed)
        programs: list[int] = []

        def open_whole(folder: Path, number: int) -> None:
            port = first_port + number - 1
            words = ["hall", "show", "--data", str(folder), "--port", str(port)]
            words += ["--seed", str(seed + 1000 * number)]
            program = subprocess.Popen([sys.executable, "-m", "companion", *words])
            programs.append(os.pidfd_open(program.pid))
            hall.hosted[number] = port
            click.echo(f"  Table {number}:  http://localhost:{port}/board")

        def close() -> None:
            close_all(programs)
            evening.close()

        hall.closing.append(close)
        evening.start(open_whole)

    return opened


class HallTableShow:
    """A whole table of the demonstration: it plays whatever its hall asks for."""

    def __init__(self, plan: TablePlan, seed: int) -> None:
        self._plan = plan
        self._seed = seed

    def open_table(self) -> Running:
        """Open the table and its link; this runs in the serving process."""
        clock = StageClock()
        running = open_whole_table(self._plan, clock.ticks)
        table = LiveTable(clock, running, lambda seconds: time.sleep(seconds / HURRY))
        running.push = None
        open_hall(running, self._plan.settings.data.folder)
        threading.Thread(target=self._play, args=(table, running), name="show", daemon=True).start()
        return running

    def _play(self, table: LiveTable, running: Running) -> None:
        played = 0
        while True:
            time.sleep(LOOK)
            status = None if running.hall is None else running.hall.status()
            game = table.table.game
            wanted = () if status is None or status.done else status.seats
            seated = sorted(seat.name for seat in game.seats)
            if not wanted or game.match is not None or seated != sorted(wanted):
                continue
            played += 1
            try:
                self._match(table, self._seed + played)
            except (TableDisturbed, Refusal) as why:
                if isinstance(why, Refusal) and why.kind == "unavailable":
                    return
                log.exception("The match of the demonstration stopped.")

    def _match(self, table: LiveTable, seed: int) -> None:
        game = table.table.game
        edition = next(one for one in PRINTED if one.key == game.setup.edition)
        seats = tuple(seat.number for seat in game.seats)
        wishes: list[c.Command] = [c.AssignButton(seat, seat) for seat in seats]
        for wish in [*wishes, c.SetUp(way="refereed")]:
            table.carry_out(TimedCommand(table.now + SECOND, wish))
        play(table, RefereedMatch(edition, seats, seed, LIVELY).steps())
