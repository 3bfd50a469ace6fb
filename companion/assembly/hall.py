"""A table's place in a hall: joined, left, and told beside an open table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.hall.table.membership import join, leave, read_membership
from companion.referee.events import Event
from companion.referee.model.table import Table

if TYPE_CHECKING:
    from companion.assembly.running import Running
    from companion.hall.table.link import HallStatus, TableLink


class HallPlace:
    """Keeps the link to the hall while there is one; the table opens and plays without."""

    def __init__(self, running: Running, folder: Path) -> None:
        self._running = running
        self._folder = folder
        self._lock = threading.Lock()
        self._link: TableLink | None = None
        self._leave: Callable[[], None] = lambda: None
        self.changed: Callable[[], None] = lambda: None
        """Called when something is to be shown anew, on any thread."""

    def open(self) -> None:
        """Begin to speak to the hall, if the table belongs to one."""
        with self._lock:
            self._close()
            membership = read_membership(self._folder)
            if membership is None:
                return
            # Imported late: most tables belong to no hall.
            from companion.care.power import power
            from companion.hall.table.link import TableLink
            from companion.hall.table.outbox import CHANGING
            from companion.hall.table.whole_table import WholeTable

            running = self._running
            worker = running.worker
            side = WholeTable(running.past, lambda: worker.table, running.view_of, worker.ask)
            link = TableLink(
                membership,
                self._folder,
                side,
                changed=lambda: self.changed(),
                now=worker.now,
                time_up=side.time_up,
                broken=lambda: tuple(sorted(worker.table.aside))[:20],
                power=power,
            )

            def look(_table: Table, events: Sequence[Event]) -> None:
                if any(isinstance(event, CHANGING) for event in events):
                    link.look()

            self._leave = worker.subscribe(look)
            self._link = link
            link.start()

    def join(self, address: str, code: str, number: int | None = None) -> None:
        """Join a hall, or raise why not."""
        join(self._folder, address, code, number)
        self.open()
        self.changed()

    def leave(self) -> None:
        """Belong to no hall any more."""
        leave(self._folder)
        self.open()
        self.changed()

    def status(self) -> HallStatus | None:
        """Tell how it stands with the hall."""
        link = self._link
        return None if link is None else link.hall_status()

    def close(self) -> None:
        """Say good-bye to the hall."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        link, self._link = self._link, None
        if link is not None:
            self._leave()
            link.close()


def open_hall(running: Running, folder: Path) -> None:
    """Tell the hall of this table until it closes; the table opens whether that works or not."""
    running.hall = HallPlace(running, folder)
    running.hall.open()
    running.close_first(running.hall.close)
