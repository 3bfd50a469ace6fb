"""What a command writes, beside what it wrote before pages were small."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from bench.figure import Figure
from bench.ground import CannotMeasure, Ground
from bench.sides.script import refereed_matches
from bench.sides.tables import ServedTable
from companion.demo.playing import seat, set_up
from companion.referee.model.edition import FAST_AND_FURIOUS

MARK = 0.5
PLAYERS = 4
BEFORE = {"wchar": 13.48, "write_bytes": 17.46}
"""Kilobytes a command at commit bd87890, by the same commands: handed over, and on the disk."""
NAMES = {"wchar": "a command hands to the system", "write_bytes": "a command has on the disk"}
OWN = Path("/proc/self/io")
KILO = 1000


def figures(ground: Ground) -> Iterator[Figure]:
    """Play a refereed match of four, and count what it writes."""
    if not OWN.exists():
        raise CannotMeasure("This system does not count what a process writes.")
    steps = ground.size(1_500, 20)
    with closing(ServedTable(ground.fresh())) as table:
        seat(table, PLAYERS)
        set_up(table, FAST_AND_FURIOUS, "refereed")
        start, before = table.now, _written()
        for step in islice(refereed_matches(0), steps):
            table.carry_out(step.begun_at(start))
        after = _written()
    for name, other in BEFORE.items():
        ours = (after[name] - before[name]) / steps / KILO
        if ours:
            yield Figure(
                name=NAMES[name], ours=ours, other=other, ratio=ours / other, unit="kB", mark=MARK
            )


def _written() -> dict[str, int]:
    lines = (line.split(": ") for line in OWN.read_text().splitlines())
    return {name: int(count) for name, count in lines}
