"""What the worker tells without being asked: to whom, and what there is beside events."""

from __future__ import annotations

import logging
from collections.abc import Callable
from threading import Event as Flag
from typing import Generic, ParamSpec

from msgspec import Struct

from companion.journal.damage.lost import Lost
from companion.referee.model.presses import Source

log = logging.getLogger(__name__)

P = ParamSpec("P")
Leave = Callable[[], None]
"""Takes a listener away again."""


class PressNotice(Struct, frozen=True):
    """A push was seen: lamps and screens show it at once, but nothing is decided by it yet."""

    button: int | None
    seat: int | None
    at: int
    source: Source


class Status(Struct, frozen=True):
    """How the service is doing, which can be told without looking at the game."""

    version: int
    storage: str
    """`ok`, or a sentence about what cannot be saved."""
    damage: str | None
    """A sentence for the screen when the journal was found damaged."""
    bugs: int
    waiting: int
    lost: Lost | None = None
    """What happened to the journal when it is not at its place any more."""


class Subscribers(Generic[P]):
    """Callables that any thread may join and leave; one that fails harms no other."""

    def __init__(self) -> None:
        # Replaced as a whole, never changed in place: telling goes over the list as it was.
        self._listeners: tuple[Callable[P, None], ...] = ()

    def join(self, listener: Callable[P, None]) -> Leave:
        """Add a listener."""
        self._listeners = (*self._listeners, listener)

        def leave() -> None:
            self._listeners = tuple(one for one in self._listeners if one is not listener)

        return leave

    def wake(self, flag: Flag) -> Leave:
        """Set a flag each time, for a thread that looks for itself."""

        def listener(*_args: P.args, **_kwargs: P.kwargs) -> None:
            flag.set()

        return self.join(listener)

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call them all; a failure is logged."""
        for listener in self._listeners:
            try:
                listener(*args, **kwargs)
            except Exception:
                log.exception("A listener failed.")
