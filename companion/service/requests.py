"""Requests: commands on their way to the worker, and the one queue in which they wait for it."""

from __future__ import annotations

import queue
import threading
from concurrent.futures import Future

from msgspec import Struct

from companion.common.refusals import service_refusal
from companion.referee.commands import Command
from companion.referee.sentences import Refusal
from companion.service.envelope import CommandAnswer

BATCH = 64
"""So many requests share one transaction at most."""
MOST_WAITING = 1_000
"""Beyond this, screens are asked to try again; buttons are always heard."""


class Request(Struct, frozen=True, eq=False):
    """A command, when it came, and the future that waits for its answer."""

    command: Command
    at: int
    id: str | None = None
    version: int | None = None
    answer: Future[CommandAnswer] | None = None
    sent: Command | None = None
    """The command as it was sent, where a door has dated it."""

    def tell(self, outcome: CommandAnswer | Refusal) -> None:
        """Give the outcome to the sender, if that one still waits for it."""
        waiting = self.answer
        if waiting is None or waiting.done() or not waiting.set_running_or_notify_cancel():
            return
        if isinstance(outcome, Refusal):
            waiting.set_exception(outcome)
        else:
            waiting.set_result(outcome)


class RequestQueue:
    """Any thread puts in, the worker takes out."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._gate = threading.Lock()
        self._closed = False

    def __len__(self) -> int:
        return self._queue.qsize()

    def put(self, request: Request) -> Refusal | None:
        """Queue a request, or say why not; only one that somebody waits for can be turned away."""
        with self._gate:
            if self._closed:
                return service_refusal("stopping")
            if request.answer is not None and len(self) >= MOST_WAITING:
                return service_refusal("busy", waiting=len(self))
            self._queue.put(request)
            return None

    def close(self) -> bool:
        """Let nothing more in; tells whether it was open."""
        with self._gate:
            was_open, self._closed = not self._closed, True
            if was_open:
                self._queue.put(None)
            return was_open

    def take(self, patience: float) -> tuple[list[Request], bool]:
        """Wait for requests, and tell whether there may be more of them after these."""
        requests: list[Request] = []
        try:
            request = self._queue.get(timeout=patience)
            while request is not None:
                requests.append(request)
                if len(requests) == BATCH:
                    return requests, True
                request = self._queue.get_nowait()
        except queue.Empty:
            return requests, True
        return requests, False
