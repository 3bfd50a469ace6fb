"""How long the service takes to open a table with a long past against one with none."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from msgspec import Struct

from bench.figure import Figure
from bench.ground import Ground
from bench.sides.script import refereed_matches
from bench.sides.served import ROOT
from bench.sides.tables import ServedTable
from companion.demo.playing import set_up
from companion.referee.model.edition import FAST_AND_FURIOUS

MARK = 1.5
MILLISECOND = 1e6


class Start(Struct, frozen=True):
    """One start in a new process, in milliseconds."""

    whole: float
    """From the call of Python until the table is open."""
    opening: float
    """The opening of the table alone, when all is imported."""


def figures(ground: Ground) -> Iterator[Figure]:
    """Start at the tables in turn, each time in a new process."""
    empty, past, unfinished = ground.fresh(), ground.past(), ground.past()
    with closing(ServedTable(empty)):
        pass
    play_half_a_match(unfinished, ground.size(500, 50))
    folders = [empty, past, unfinished]
    starts: dict[Path, list[Start]] = {folder: [] for folder in folders}
    for _ in range(ground.size(15, 1)):
        folders.reverse()
        for folder in folders:
            starts[folder].append(_start(folder))
    yield from _compared("start with 1,000 past matches", starts[past], starts[empty], MARK)
    yield from _compared("start in the middle of a match", starts[unfinished], starts[empty], None)


def _compared(
    name: str, ours: list[Start], other: list[Start], mark: float | None
) -> Iterator[Figure]:
    pairs = list(zip(ours, other, strict=True))
    whole = [(one.whole, floor.whole) for one, floor in pairs]
    yield Figure.of_pairs(name, whole, "ms", mark)
    opening = [(one.opening, floor.opening) for one, floor in pairs]
    yield Figure.of_pairs(f"{name}: the table alone", opening, "ms", mark)


def play_half_a_match(folder: Path, steps: int) -> None:
    """Leave a table in the middle of a refereed match."""
    with closing(ServedTable(folder)) as table:
        set_up(table, FAST_AND_FURIOUS, "refereed")
        start = table.now
        table.carry_out_many(step.begun_at(start) for step in islice(refereed_matches(0), steps))


def _start(folder: Path) -> Start:
    began = time.perf_counter_ns()
    with subprocess.Popen(
        [sys.executable, "-m", "bench.sides.one_start", str(folder.resolve())],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        opening = int(child.stdout.readline())
        whole = time.perf_counter_ns() - began
    assert child.returncode == 0, "the table was closed cleanly"
    return Start(whole / MILLISECOND, opening / MILLISECOND)
