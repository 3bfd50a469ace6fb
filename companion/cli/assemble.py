"""Puts the whole table together: the worker, its buttons and lamps, the home, and downloads."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion.assembly.checkup import racing
from companion.assembly.downloads import Downloads, download_makers
from companion.assembly.hall import open_hall
from companion.assembly.home import open_home
from companion.assembly.running import Running, open_worker
from companion.cli.options import TablePlan
from companion.journal.file import JournalError
from hardware.board import Board
from hardware.checkup.bench import BoardCheckup
from hardware.pins.advice import explained
from hardware.pins.factories import NoPins
from hardware.usb.encoders import NoEvdev
from hardware.wiring.wiring import Wiring

log = logging.getLogger(__name__)


class CannotOpen(Exception):
    """The table cannot be opened, for the reason that the sentence gives."""

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def open_served_table(plan: TablePlan, config: Path | None) -> Running:
    """Open the whole table, tell home and hall of it, and offer its files for download."""
    running = open_whole_table(plan)
    open_home(running, plan.settings)
    open_hall(running, plan.settings.data.folder)
    running.downloads = Downloads(download_makers(config, plan.settings))
    return running


def open_whole_table(plan: TablePlan, ticks: Callable[[], int] = time.monotonic_ns) -> Running:
    """Open the journal, start the worker, then let the buttons in."""
    try:
        running = open_worker(plan.settings, plan.editions, ticks)
    except JournalError as trouble:
        raise CannotOpen(trouble.sentence, trouble.exit_code) from trouble
    try:
        _let_the_buttons_in(running, plan.wiring)
    except (NoPins, NoEvdev) as missing:
        running.close()
        sentence = f"{explained(missing)} To play without buttons, add --simulate."
        raise CannotOpen(sentence, 2) from missing
    except BaseException:
        running.close()
        raise
    return running


def _let_the_buttons_in(running: Running, wiring: Wiring) -> None:
    worker = running.worker
    board = Board(wiring, worker.hand_over, on_touch=worker.touched)
    lamps = LampPainter(running, board)
    running.close_first(board.stop)
    running.close_first(lamps.close)
    running.checkup = BoardCheckup(board, lambda: racing(worker.table))
    if board.hands is not None:
        running.push = board.hands.push
    board.start()
    lamps.start()


class LampPainter:
    """Lets the lamps follow the table, on a thread that may be a little behind."""

    def __init__(self, running: Running, board: Board) -> None:
        self._running = running
        self._board = board
        self._changed = threading.Event()
        self._closed = False
        self._leave = running.worker.wake(self._changed)
        self._thread = threading.Thread(target=self._run, name="lamps", daemon=True)

    def start(self) -> None:
        """Show the table as it is, and then every change."""
        self._changed.set()
        self._thread.start()

    def close(self) -> None:
        """Leave the lamps alone."""
        self._leave()
        self._closed = True
        self._changed.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        while self._changed.wait() and not self._closed:
            self._changed.clear()
            try:
                self._board.show(self._running.view(), self._running.worker.clock.offset)
            except Exception:
                log.exception("The lamps could not be set.")
