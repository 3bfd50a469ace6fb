"""The plug is pulled: a real program is killed in mid-round and mid-race, again and again."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from companion.chain import Row
from companion.checking import verify
from companion.journal import Journal
from companion.opening import open_journal
from companion.referee import commands as c
from tests.service.night import Night

ROOT = Path(__file__).parents[2]
KILLS = int(os.environ.get("KILLS", "12"))

PLAYER = """
import itertools, sys, time
from pathlib import Path
from tests.service.night import ANA, BEN, CLEO, FAST, Night
from companion.referee import commands as c
from companion.referee.sentences import Refusal

night = Night(Path(sys.argv[1]), **FAST).open()
run = sys.argv[2]
count = itertools.count()

def do(command):
    name = f"{run}-{next(count):06}"
    answer = night.do(command, again=name)
    print(name, answer.version, flush=True)

if not night.table.game.seats:
    for seat, name in ((ANA, "Ana"), (BEN, "Ben"), (CLEO, "Cleo")):
        do(c.Sit(name, seat, seat))
if night.table.game.match is None:
    do(c.StartMatch())
steps = [
    c.ChooseDealer(ANA), c.Deal(), c.DeclareRace(ANA), c.Call(BEN), c.PickLast((CLEO,)),
    c.GoOut(BEN), c.EnterPoints(ANA, 12), c.EnterPoints(CLEO, 34), c.ScoreRound(), c.PlayOn(),
    c.Undo(), c.Redo(),
]
for step in itertools.cycle(steps):
    night.press(BEN)
    try:
        do(step)
    except Refusal:
        time.sleep(0.002)
"""


class Acknowledged:
    """What the killed program has told about: each command with the version it led to."""

    def __init__(self) -> None:
        self.versions: dict[str, int] = {}

    def read(self, lines: str) -> None:
        for line in lines.splitlines():
            match line.split():
                case [name, version]:
                    self.versions[name] = int(version)
                case _:
                    pass


def rows_of(journal: Path) -> list[Row]:
    opened = Journal(journal)
    try:
        return list(opened.rows())
    finally:
        opened.close()


def run_and_kill(folder: Path, name: str, answers: int, pause: float) -> str:
    """Start the program, read so many of its answers, and kill it a moment later."""
    program = subprocess.Popen(
        [sys.executable, "-c", PLAYER, str(folder), name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert program.stdout is not None
    said = "".join(program.stdout.readline() for _ in range(answers))
    time.sleep(pause)
    program.send_signal(signal.SIGKILL)
    said += program.stdout.read()
    program.stdout.close()
    assert program.wait() == -signal.SIGKILL
    # The very last line may be torn: it was cut in the middle, so nobody has read it.
    return said if said.endswith("\n") else said.rpartition("\n")[0]


@pytest.mark.timeout(600)
def test_whatever_was_answered_survives_the_kill(tmp_path: Path) -> None:
    dice = random.Random(KILLS)
    acknowledged = Acknowledged()
    folder = tmp_path / "table"
    before: list[Row] = []
    for number in range(KILLS):
        answers, pause = dice.randint(1, 60), dice.uniform(0, 0.02)
        acknowledged.read(run_and_kill(folder, f"run{number:03}", answers, pause))

        rows = rows_of(folder / "journal.db")
        assert rows[: len(before)] == before, "what was written once stays"
        last = {row.command: row.version for row in rows if row.command is not None}
        lost = [name for name, at in acknowledged.versions.items() if last.get(name) != at]
        assert lost == []
        assert verify(folder).problems == ()
        before = rows

    with Night(folder).open() as night:
        assert night.worker.status().damage is None
        known = dict(list(acknowledged.versions.items())[-50:])
        for name, version in known.items():
            receipt = night.worker._journal.receipt(name)
            assert receipt is not None
            assert receipt.last == version
        assert len(acknowledged.versions) >= 10 * KILLS
        night.settle()
        night.close()
        live = night.last_seen
    replayed = open_journal(folder)
    replayed.journal.close()
    assert replayed.table.version == live.version
    assert replayed.table.game == live.game


def test_a_killed_table_is_ready_again_quickly(tmp_path: Path) -> None:
    run_and_kill(tmp_path, "run", 100, 0)
    began = time.perf_counter()
    with Night(tmp_path).open() as night:
        took = time.perf_counter() - began
        assert night.table.game.match is not None
        night.do(c.Rename(1, "Anna"))
    assert took < 5
