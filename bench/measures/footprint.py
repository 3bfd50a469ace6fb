"""What the table takes of the machine, against a bare Flask-SocketIO app under the same server."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from bench.figure import Figure
from bench.ground import Ground
from bench.sides.served import Side, bare, ours
from companion.settings.configuration import ServerSettings

MARK = 1.5
READY = 1.4
SETTLE = 0.5
"""Seconds after the first answer, by which all that starts has started."""
ROLLUP = "/proc/{}/smaps_rollup"
FIELD = re.compile(r"^(Rss|Pss): +(\d+) kB", re.MULTILINE)
KILO = 1000


class Footprint(Struct, frozen=True):
    """One start of a server."""

    ready: float
    """Milliseconds from the call until the page is answered."""
    resident: float
    """Megabytes of all its processes together."""
    shared: float
    """The same, with what they share counted once."""


def figures(ground: Ground) -> Iterator[Figure]:
    """Start both in turn."""
    folder = ground.fresh()
    clients = ServerSettings().clients
    starts = [(_start(ours(folder)), _start(bare(clients))) for _ in range(ground.size(16, 1))]
    # The first start makes the data folder and fills the machine's caches.
    starts = starts[1:] or starts
    ready = [(one.ready, other.ready) for one, other in starts]
    yield Figure.of_pairs("from the call to the first page", ready, "ms", READY)
    if not Path(ROLLUP.format("self")).exists():
        return
    resident = [(one.resident, other.resident) for one, other in starts]
    yield Figure.of_pairs("resident memory of all processes", resident, "MB", MARK)
    shared = [(one.shared, other.shared) for one, other in starts]
    yield Figure.of_pairs("the same, shared pages once", shared, "MB", MARK)


def _start(side: Side) -> Footprint:
    with side:
        time.sleep(SETTLE)
        return Footprint(side.ready_after * KILO, *memory(side.pids()))


def memory(pids: list[int]) -> tuple[float, float]:
    """Tell the megabytes of processes: resident, and with what they share counted once."""
    resident = shared = 0.0
    for pid in pids:
        found = dict(FIELD.findall(_read(pid)))
        resident += int(found.get("Rss", 0)) / KILO
        shared += int(found.get("Pss", 0)) / KILO
    return resident, shared


def _read(pid: int) -> str:
    path = Path(ROLLUP.format(pid))
    return path.read_text() if path.exists() else ""
