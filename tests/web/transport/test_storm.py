"""Bad traffic, all of it at once, while the referee goes on refereeing.

A share of it runs with every test; the soak sends the whole. The figures are printed.
"""

from __future__ import annotations

import json
import os
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bench.ground import play_past
from tests.kit.served import PATIENCE, Served, envelope, resident
from tests.web.live_line import LiveLine

PACKETS = int(os.environ.get("BAD_PACKETS", "1000"))
WHOLE = PACKETS >= 50_000
MATCHES = 1000 if WHOLE else 60
MOST_MEMORY = 64 * 1024
"""Kilobytes that the process may grow by, whatever is thrown at it."""
NAMED = ("version", "seats", "names", "history", "undo", "redo", "steps")
"""What the referee's own renaming changes in the view."""


class Referee:
    """Somebody who does not notice the storm, through both doors in turn."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.line = LiveLine(served, served.cookie, timeout=PATIENCE)
        self.took: list[float] = []
        self.events = 0
        self.broken = 0

    def act(self) -> None:
        wish = envelope("rename", seat=1, name=f"Ana {len(self.took)}")
        began = time.monotonic()
        if len(self.took) % 2:
            answer: Any = self.line.call("command", wish)
        else:
            answer = self.served.post("/api/commands", wish).json
        self.took.append(time.monotonic() - began)
        self.events += len(answer["events"])


def raging(served: Served) -> subprocess.Popen[str]:
    order = [sys.executable, "-m", "tests.web.transport.storm", str(served.port), str(PACKETS)]
    return subprocess.Popen(
        [*order, served.cookie or ""], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    """A table with a long past."""
    play_past(tmp_path / "data", MATCHES)
    served = Served(tmp_path)
    served.pair()
    yield served
    served.stop()


def test_the_referee_goes_on_through_a_storm_of_bad_traffic(served):
    small = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 2048),)
    never_reads = LiveLine(served, None, sockopt=small)
    before, (serving,) = served.table, served.children()
    memory_before, lines_before = resident(serving), len(served.lines)
    memory, began = memory_before, time.monotonic()
    referee = Referee(served)
    with raging(served) as storm:
        try:
            while storm.poll() is None:
                referee.act()
                memory = max(memory, resident(serving))
                time.sleep(0.02)
            told = json.loads(storm.stdout.read() if storm.stdout else "")
        finally:
            storm.kill()
    took = time.monotonic() - began
    referee.act()
    after, lines = served.table, len(served.lines) - lines_before
    usual, worst = statistics.median(referee.took), max(referee.took)
    print(
        f"figures: storm: {sum(told['sent'].values())} bad packets and bodies, {told['held']} "
        f"connections and one that never reads, in {took:.1f} s: the referee acted "
        f"{len(referee.took)} times, usually in {usual * 1000:.0f} ms, at worst in "
        f"{worst * 1000:.0f} ms; memory {memory_before // 1024} MB, at most "
        f"{memory // 1024} MB; {lines} log lines"
    )
    assert sum(told["sent"].values()) >= PACKETS
    assert told["wrong"] == []
    assert served.children() == [serving]
    assert after["version"] == before["version"] + referee.events
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed <= set(NAMED)
    assert len(after["seats"]) == len(before["seats"])
    assert memory - memory_before < MOST_MEMORY
    assert lines <= took + 2, served.lines[-20:]
    assert usual < (1.0 if WHOLE else 4.0)
    if WHOLE:
        assert worst < 1.0
    for line in (never_reads, referee.line):
        line.socket.shutdown()
