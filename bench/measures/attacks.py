"""How much later the referee acts while somebody attacks, beside a quiet table at the same time.

Both tables have a long past and are on the same machine, so that what the attack costs the machine
itself is on both sides. Each attack is one that once kept people waiting or out.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from statistics import median

from bench.figure import Figure
from bench.ground import Ground
from tests.kit.served import Served, Started, envelope, resident
from tests.web.live_line import LiveLine
from tests.web.transport.attacks import ATTACKS, raging

USUALLY, AT_WORST = 250.0, 1000.0
"""Milliseconds that the referee may act later."""
MEMORY = 224.0
"""Megabytes, from which on the unit of the table slows it down."""
NOTICED = 0.01
PAUSE = 0.02
SECONDS = 120


class Referee:
    """Acts at a table, through both doors in turn."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self._line = LiveLine(served, served.cookie)
        self._acts = 0

    def act(self) -> float:
        """Rename somebody, and tell how many milliseconds that took."""
        self._acts += 1
        wish = envelope("rename", seat=1, name=f"Ana {self._acts}")
        began = time.monotonic()
        if self._acts % 2:
            self._line.call("command", wish)
        else:
            self._served.post("/api/commands", wish)
        return (time.monotonic() - began) * 1000

    def close(self) -> None:
        """Leave the table."""
        self._line.close()


def figures(ground: Ground) -> Iterator[Figure]:
    """Run each attack in turn."""
    past = ground.past(2_000)
    acts = ground.size(150, 2)
    with ExitStack() as stack:
        attacked, quiet = (stack.enter_context(_table(ground.fresh(), past)) for _ in range(2))
        memory = 0.0
        for kind in ATTACKS:
            later = []
            with (
                raging(kind, attacked.port, SECONDS),
                closing(Referee(attacked)) as one,
                closing(Referee(quiet)) as other,
            ):
                for _ in range(acts):
                    later.append(one.act() - other.act())
                    memory = max(memory, _memory(attacked))
                    time.sleep(PAUSE)
            name = kind.replace("_", " ")
            yield _within(f"{name}: the referee acts later by", median(later), USUALLY, "ms")
            yield _within(f"{name}: at worst by", max(later), AT_WORST, "ms")
        yield _within("memory of the attacked table", memory, MEMORY, "MB")


@contextmanager
def _table(folder: Path, past: Path) -> Iterator[Served]:
    shutil.copytree(past, folder / "data")
    served = Started(folder)
    try:
        served.pair()
        yield served
    finally:
        served.stop()


def _memory(served: Served) -> float:
    """Count the megabytes of the process that watches and of the one that serves."""
    return sum(map(resident, (served.process.pid, *served.children()))) / 1000


def _within(name: str, ours: float, limit: float, unit: str) -> Figure:
    ours = max(NOTICED, ours)
    return Figure(name=name, ours=ours, other=limit, ratio=ours / limit, unit=unit, mark=1.0)
