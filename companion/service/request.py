"""A request: one command on its way through the worker, and who waits for its answer."""

from __future__ import annotations

from concurrent.futures import Future

from msgspec import Struct

from companion.referee.commands import Command
from companion.referee.sentences import Refusal
from companion.service.envelope import CommandAnswer


class Request(Struct, frozen=True, eq=False):
    """A command, when it came, and the future of whoever asked."""

    command: Command
    at: int
    id: str | None = None
    version: int | None = None
    answer: Future[CommandAnswer] | None = None
    sent: Command | None = None
    """The command as it was sent, where a door has dated it."""

    def tell(self, outcome: CommandAnswer | Refusal) -> None:
        """Give the outcome to whoever still waits for it."""
        waiting = self.answer
        if waiting is None or waiting.done() or not waiting.set_running_or_notify_cancel():
            return
        if isinstance(outcome, Refusal):
            waiting.set_exception(outcome)
        else:
            waiting.set_result(outcome)
