"""What it costs to forget a match or a name, with a long past and a week of backups of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from bench.figure import Figure
from bench.ground import CannotMeasure, Ground
from bench.sides.served import ROOT
from bench.sides.tables import ServedTable
from companion.demo.steps import TimedCommand
from companion.journal.opening import JOURNAL
from companion.keeping import backups
from companion.keeping.forgetting.plan import ForgetWish
from companion.past.past import Past
from companion.referee.commands import Stand
from companion.referee.model.presses import SECOND

ALONE, WITH_COPIES, MEMORY = 1.0, 5.0, 60.0
"""Seconds for the journal alone and with its backups, and megabytes, that are still good."""


def figures(ground: Ground) -> Iterator[Figure]:
    """Forget, each time in a new process; the ratio is the share of what is still good."""
    if not Path("/proc/self/status").exists():
        raise CannotMeasure("This system does not tell how much memory a program has needed.")
    past = ground.past(2_000)
    matches = ground.size(2_000, 3)
    size = (past / JOURNAL).stat().st_size / 1e6
    yield Figure(name=f"the journal of {matches:,} matches", ours=size, unit="MB")
    wishes = {
        "a match": ForgetWish(match=matches // 2 + 1),
        "a name": ForgetWish(name=_one_leaves(past)),
    }
    with closing(Past(past / JOURNAL)) as behind:
        behind.briefs()  # a table that is open has long followed its journal
    for what, wish in wishes.items():
        for copies, most in ((0, ALONE), (backups.KEPT["daily"], WITH_COPIES)):
            folder = ground.fresh()
            shutil.copytree(past, folder)
            _copy(folder, copies)
            spent, memory = _forget(folder, wish)
            where = f"with {copies} backups" if copies else "in the journal"
            yield _held_against(f"forgetting {what} {where}", spent, "s", most)
            yield _held_against(f"memory for {what} {where}", memory, "MB", MEMORY)
            shutil.rmtree(folder)


def _one_leaves(past: Path) -> str:
    with closing(ServedTable(past)) as table:
        seat = table.table.game.seats[-1]
        table.carry_out(TimedCommand(table.now + SECOND, Stand(seat.number)))
        return seat.name


def _held_against(name: str, ours: float, unit: str, most: float) -> Figure:
    return Figure(name=name, ours=ours, other=most, ratio=ours / most, unit=unit, mark=1.0)


def _copy(folder: Path, copies: int) -> None:
    place = folder / backups.FOLDER
    place.mkdir()
    for day in range(1, copies + 1):
        backups.copy(folder / JOURNAL, place / f"daily-2026-11-0{day}.db")


def _forget(folder: Path, wish: ForgetWish) -> tuple[float, float]:
    """Tell the seconds that it took, and the megabytes that it needed beyond an idle program."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "bench.sides.one_forgetting",
            str(folder),
            msgspec.json.encode(wish).decode(),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds, megabytes = done.stdout.split()
    return float(seconds), float(megabytes)
