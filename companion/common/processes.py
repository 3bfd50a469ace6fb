"""Programs that this one has started, or an earlier life of it, and that outlived it."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
PATIENCE = 8.0
"""Seconds that programs have to close; what they keep is safe either way."""


def started_with(words: list[str]) -> list[int]:
    """Find programs whose command line ends with these words, without those that they forked."""
    wanted = [word.encode() for word in words]
    parents: dict[int, int] = {}
    for place in PROC.glob("[0-9]*"):
        with suppress(OSError, ValueError):
            line = (place / "cmdline").read_bytes().rstrip(b"\0").split(b"\0")
            if line[-len(wanted) :] == wanted:
                # What follows the name, which may itself hold anything in its brackets.
                fields = (place / "stat").read_text().rpartition(")")[2].split()
                parents[int(place.name)] = int(fields[1])
    return [number for number, parent in parents.items() if parent not in parents]


def close_all(programs: Sequence[int]) -> None:
    """Ask programs, held by `pidfd_open`, to close; those that do not are ended."""
    _tell_all(programs, signal.SIGTERM)
    until = time.monotonic() + PATIENCE
    late = [one for one in programs if not _has_ended(one, until - time.monotonic())]
    _tell_all(late, signal.SIGKILL)
    for program in programs:
        os.close(program)


def _has_ended(program: int, patience: float) -> bool:
    return bool(select.select([program], [], [], max(0.0, patience))[0])


def _tell_all(programs: Sequence[int], what: signal.Signals) -> None:
    for program in programs:
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(program, what)
