"""This machine's network: a browser breaks off what it loads when an address comes or goes."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path


def network_stays() -> AbstractContextManager[None]:
    """While this is held, no test on this machine adds or takes away an address."""
    return _holding(fcntl.LOCK_SH)


def network_changes() -> AbstractContextManager[None]:
    """Wait until no browser is at work, and keep browsers waiting meanwhile."""
    return _holding(fcntl.LOCK_EX)


@contextmanager
def _holding(kind: int) -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / "table-companion-network").open("w") as turn:
        fcntl.flock(turn, kind)
        yield
