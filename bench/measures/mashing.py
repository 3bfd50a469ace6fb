"""Ten people mash their buttons while twenty screens watch: what goes to each screen."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

from bench.figure import Figure
from bench.ground import Ground
from bench.measures.press import play_up_to_a_round
from bench.sides.served import ROOT, ours_with_hand, processor_time

PEOPLE = 10
SCREENS = 20
MARK = 35.0
VIEWS = 20.5
"""A second; twenty, and the first of a second may come with the last of the one before."""
SECONDS = 8
KILO = 1000


def figures(ground: Ground) -> Iterator[Figure]:
    """Let them mash, and count the bytes and the views that arrive at the screens."""
    folder = ground.fresh()
    play_up_to_a_round(folder, PEOPLE)
    seconds = ground.size(SECONDS, 1)
    screens = ground.size(SCREENS, 2)
    with ours_with_hand(folder, SCREENS + 8, PEOPLE) as table:
        crowd = [sys.executable, "-m", "bench.sides.crowd", str(table.port), str(screens)]
        with subprocess.Popen(
            crowd, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as watchers:
            assert watchers.stdout is not None
            assert watchers.stdin is not None
            watchers.stdout.readline()
            busy = processor_time(table.pids())
            began = time.monotonic()
            table.press(seconds)
            time.sleep(max(0.0, began + seconds - time.monotonic()))
            took = time.monotonic() - began
            busy = processor_time(table.pids()) - busy
            watchers.stdin.close()
            received, views, presses = map(int, watchers.stdout.read().split())
    each = took * screens
    yield Figure(name="sent to a screen", ours=received / each / KILO, unit="kB/s", mark=MARK)
    yield Figure(name="views of a screen", ours=views / each, unit="a second", mark=VIEWS)
    yield Figure(name="presses that flash on a screen", ours=presses / each, unit="a second")
    yield Figure(name="processor", ours=100 * busy / took, unit="% of one")
