"""What an event costs late in a journal against early in it.

A young and an old table are told the same refereed matches, step by step in turn, so that whatever
else the machine does hits both alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from pathlib import Path

from msgspec import Struct

from bench.figure import Figure
from bench.ground import PLAYERS, Ground
from bench.sides.script import refereed_matches
from bench.sides.tables import BareTable, ServedTable
from companion.demo.playing import AnyTable, seat, set_up
from companion.demo.steps import TimedCommand
from companion.journal.opening import open_journal
from companion.referee.commands import CloseMatch
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.model.presses import SECOND

EARLY = 100
"""The number of the event from which the young table is watched."""
MARK = 1.1
COUNTERS = Path("/proc/self/io")

Costs = tuple[float, float]
"""Of an event, at the old table and at the young one."""


class Plan(Struct, frozen=True):
    """What to watch, and how long: so many blocks of so many steps, each with costs of its own.

    The median over many short blocks leaves out the moments in which something else ran; only long
    ones hold the moments in which SQLite folds its log into the file.
    """

    blocks: int
    steps: int
    spent: Callable[[], int] = time.perf_counter_ns


def figures(ground: Ground) -> Iterator[Figure]:
    """Compare the two on disk, on disk for an evening, and without a disk."""
    past = ground.past()
    pairs = ground.size(12, 1)
    short = Plan(blocks=ground.size(15, 3), steps=5)
    on_disk = [_on_disk(ground.fresh(), past, seed, short) for seed in range(pairs)]
    yield _figure("event 100,000 against event 100", chain.from_iterable(on_disk), "µs/event")
    evening = Plan(blocks=ground.size(16, 1), steps=ground.size(200, 50))
    costs = _on_disk(ground.fresh(), past, pairs, evening)
    yield _figure("an evening from each of them on", costs, "µs/event")
    if COUNTERS.exists():
        writing = Plan(blocks=ground.size(6, 1), steps=evening.steps, spent=_written)
        costs = _on_disk(ground.fresh(), past, pairs, writing)
        yield _figure("what that evening writes", costs, "kB/event")
    # Without a disk there is nothing to wait for, so only the time on the processor counts.
    alone = Plan(blocks=ground.size(60, 3), steps=5, spent=time.thread_time_ns)
    in_memory = [_in_memory(past, seed, alone) for seed in range(pairs)]
    yield _figure("the referee alone", chain.from_iterable(in_memory), "µs/event")


def _on_disk(fresh: Path, past: Path, seed: int, plan: Plan) -> list[Costs]:
    """Play at two tables that were opened just now, so that SQLite's logs are equally short."""
    with closing(ServedTable(fresh)) as young, closing(ServedTable(past)) as old:
        return _costs(old, young, seed, plan)


def _in_memory(past: Path, seed: int, plan: Plan) -> list[Costs]:
    opened = open_journal(past)
    with closing(opened.journal) as journal:
        old = BareTable(opened.table, (journal.head.at or 0) + SECOND)
    return _costs(old, BareTable(), seed, plan)


def _costs(old: AnyTable, young: AnyTable, seed: int, plan: Plan) -> list[Costs]:
    """Bring the young table to its hundredth event, then tell what the next steps cost at both."""
    seat(young, PLAYERS)
    tables = (old, young)
    for table in tables:
        set_up(table, FAST_AND_FURIOUS, "refereed")
    starts = [table.now for table in tables]
    steps = refereed_matches(seed)
    while young.table.version < EARLY:
        step = next(steps)
        for table, start in zip(tables, starts, strict=True):
            table.carry_out(step.begun_at(start))
    costs: list[Costs] = []
    for _ in range(plan.blocks):
        versions = [table.table.version for table in tables]
        spent = [0, 0]
        for number, step in enumerate(islice(steps, plan.steps)):
            for which in (0, 1) if number % 2 else (1, 0):
                moved = step.begun_at(starts[which])
                before = plan.spent()
                tables[which].carry_out(moved)
                spent[which] += plan.spent() - before
        events = young.table.version - versions[1]
        assert events == old.table.version - versions[0], "the same has happened at both"
        costs.append((spent[0] / events / 1_000, spent[1] / events / 1_000))
    if old.table.game.match is not None:
        old.carry_out(TimedCommand(old.now + SECOND, CloseMatch()))
    return costs


def _written() -> int:
    """Tell how many bytes this program has written so far."""
    counts = dict(line.split(": ") for line in COUNTERS.read_text().splitlines())
    return int(counts["wchar"])


def _figure(name: str, costs: Iterable[Costs], unit: str) -> Figure:
    return Figure.of_pairs(name, costs, unit, MARK)
