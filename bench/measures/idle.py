"""How often a table wakes up at which nothing happens and which no screen watches."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

from bench.figure import Figure
from bench.ground import CannotMeasure, Ground
from bench.measures.press import play_up_to_a_round
from bench.sides.served import ours
from hardware.contact.edges import SECOND
from hardware.contact.listener import CALM

MARK = 3.0
SPAN = 10
SWITCHES = re.compile(r"^voluntary_ctxt_switches:\s+(\d+)", re.MULTILINE)


def figures(ground: Ground) -> Iterator[Figure]:
    """Open a table in the middle of a round, leave it alone, and count."""
    if not Path("/proc/self/task").exists():
        raise CannotMeasure("This system does not count how often a thread wakes up.")
    folder = ground.fresh()
    play_up_to_a_round(folder)
    with ours(folder) as table:
        time.sleep(ground.size(CALM // SECOND + 5, 1))
        before = _switches(table.pids())
        time.sleep(ground.size(SPAN, 1))
        woken = (_switches(table.pids()) - before) / ground.size(SPAN, 1)
    yield Figure(name="wakeups without a screen", ours=woken, unit="a second", mark=MARK)


def _switches(pids: list[int]) -> int:
    """How often the threads of these processes have gone to sleep, and so have woken up."""
    tasks = [task for pid in pids for task in Path(f"/proc/{pid}/task").iterdir()]
    found = (SWITCHES.search((task / "status").read_text()) for task in tasks)
    return sum(int(one[1]) for one in found if one)
