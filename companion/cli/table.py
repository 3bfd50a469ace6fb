"""The whole table: the worker with its buttons and lamps."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion.assembly.checkup import racing
from companion.assembly.running import Running, open_worker
from companion.cli.options import TablePlan
from companion.journal.file import JournalError
from companion.service.worker import Worker
from companion.view import view
from hardware.board import Board
from hardware.checkup.bench import BoardCheckup, Pause
from hardware.pins.advice import explained
from hardware.pins.factories import NoPins
from hardware.usb.encoders import NoEvdev

log = logging.getLogger(__name__)


class CannotOpen(Exception):
    """The table cannot be opened, for the reason that the sentence gives."""

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def open_whole_table(plan: TablePlan, ticks: Callable[[], int] = time.monotonic_ns) -> Running:
    """Open the journal, start the worker, then let the buttons in."""
    try:
        running = open_worker(plan.settings, plan.editions, ticks)
    except JournalError as trouble:
        raise CannotOpen(trouble.sentence, trouble.exit_code) from trouble
    worker = running.worker
    try:
        pause = Pause(worker.hand_over)
        board = Board(plan.wiring, pause.hand_over)
    except (NoPins, NoEvdev) as missing:
        running.close()
        said = f"{explained(missing)} To play without buttons, add --simulate."
        raise CannotOpen(said, 2) from missing
    except BaseException:
        running.close()
        raise
    # Hands that land in a race always count, whatever somebody forgot to end before.
    worker.subscribe(lambda table, _events: pause.end() if racing(table) else None)
    lamps = LampPainter(worker, board)
    board.start()
    lamps.start()
    hands = board.hands

    def push(button: int, down: bool) -> None:
        assert hands is not None
        (hands.press if down else hands.release)(button)

    return Running(
        worker,
        plan.settings,
        checkup=BoardCheckup(board, pause),
        push=None if hands is None else push,
        forgetting=running.forgetting,
        closing=[lamps.close, board.stop, running.close],
    )


class LampPainter:
    """Lets the lamps follow the table, on a thread that may be a little behind."""

    def __init__(self, worker: Worker, board: Board) -> None:
        self._worker = worker
        self._board = board
        self._changed = threading.Event()
        self._closed = False
        self._leave = worker.subscribe(lambda _table, _events: self._changed.set())
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
                self._board.show(view(self._worker.table), self._worker.clock.offset)
            except Exception:
                log.exception("The lamps could not be set.")
