"""What the past costs: lists, timelines, second looks and statistics of two thousand matches.

Each is asked of a table that was just opened, and then once more. Only the time on the processor
counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from statistics import median

from bench.figure import Figure
from bench.ground import Ground
from companion.journal.opening import JOURNAL
from companion.past.past import EVERY_MATCH, Past

FIRST, LATER = 200.0, 50.0
"""So many milliseconds the first answer after a start may take, and later ones."""
MEGABYTE = 1e6


def figures(ground: Ground) -> Iterator[Figure]:
    """Build the read model once, and ask for everything that people look at."""
    folder = ground.past(2_000)
    for file in folder.glob("past.db*"):
        file.unlink()
    with closing(Past(folder / JOURNAL)) as past:
        built = _spent(Past.briefs, past)
        middle = past.briefs()[len(past.briefs()) // 2].number
    yield Figure(name="the tables made anew from the journal", ours=built, unit="ms")
    size = sum(file.stat().st_size for file in folder.glob("past.db*")) / MEGABYTE
    journal = (folder / JOURNAL).stat().st_size / MEGABYTE
    yield Figure(
        name="their file, beside the journal",
        ours=size,
        other=journal,
        ratio=size / journal,
        unit="MB",
    )
    for name, question in _questions(middle).items():
        first, later = zip(*_asked(folder, question, ground.size(7, 1)), strict=True)
        yield _within(f"{name}, the first after a start", median(first), FIRST)
        yield _within(f"{name}, later", median(later), LATER)


def _questions(match: int) -> dict[str, Callable[[Past], object]]:
    return {
        "the list of matches": Past.briefs,
        "a timeline": lambda past: past.story(match),
        "a second look": lambda past: past.cases(match),
        "statistics": lambda past: past.statistics(EVERY_MATCH),
    }


def _asked(
    folder: Path, question: Callable[[Past], object], times: int
) -> Iterator[tuple[float, float]]:
    for _ in range(times):
        with closing(Past(folder / JOURNAL)) as past:
            yield _spent(question, past), _spent(question, past)


def _spent(question: Callable[[Past], object], past: Past) -> float:
    """Tell how many milliseconds an answer takes."""
    began = time.process_time_ns()
    question(past)
    return (time.process_time_ns() - began) / 1e6


def _within(name: str, spent: float, limit: float) -> Figure:
    return Figure(name=name, ours=spent, other=limit, ratio=spent / limit, unit="ms", mark=1.0)
