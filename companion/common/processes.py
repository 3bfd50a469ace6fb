"""Programs that an earlier life of this one has started, and that outlived it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")


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
