"""Subscribers: whoever wants to be told, kept so that one that fails harms nobody else."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Generic, ParamSpec

log = logging.getLogger(__name__)

P = ParamSpec("P")
Leave = Callable[[], None]
"""Takes a listener away again."""


class Subscribers(Generic[P]):
    """A list of callables that any thread may join and leave."""

    def __init__(self) -> None:
        # Replaced as a whole, never changed in place: telling goes over the list as it was.
        self._listeners: tuple[Callable[P, None], ...] = ()

    def join(self, listener: Callable[P, None]) -> Leave:
        """Add a listener."""
        self._listeners = (*self._listeners, listener)

        def leave() -> None:
            self._listeners = tuple(one for one in self._listeners if one is not listener)

        return leave

    def tell(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call them all; a failure is logged."""
        for listener in self._listeners:
            try:
                listener(*args, **kwargs)
            except Exception:
                log.exception("A listener failed.")
