"""Renewals: what the one who writes the journal does to it as a whole, between two batches."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future

from companion.common.refusals import service_refusal
from companion.journal.journal import Journal
from companion.referee.events import Event
from companion.referee.model.table import Table
from companion.referee.sentences import Refusal

Renewed = tuple[Table, tuple[Event, ...]]
"""The table as the renewed journal has it, and its latest events."""
Renewal = Callable[[Journal, Table], Renewed]


class NotNow(Exception):
    """The journal is as it was, and it can be tried again."""


class Renewals:
    """Those that wait; any thread adds one, the worker carries them out."""

    def __init__(self) -> None:
        self.waiting: deque[tuple[Renewal, Future[None]]] = deque()

    def add(self, renewal: Renewal) -> Future[None]:
        """Let one wait for its turn."""
        done: Future[None] = Future()
        self.waiting.append((renewal, done))
        return done

    def carry_out(self, journal: Journal, table: Table, trouble: str | None) -> Iterator[Renewed]:
        """Do what waits, unless nothing can be saved now; trouble is reported to the caller.

        The caller goes through this and takes on what each brings; only then is it done. What is
        raised here leaves it open what the journal is now.
        """
        while self.waiting:
            renewal, done = self.waiting.popleft()
            if not done.set_running_or_notify_cancel():
                continue
            try:
                if trouble is not None:
                    raise service_refusal("not_saved", trouble=trouble)
                renewed = renewal(journal, table)
            except (Refusal, NotNow) as why:
                done.set_exception(why)
                continue
            except Exception as why:
                done.set_exception(why)
                raise
            table = renewed[0]
            yield renewed
            done.set_result(None)
