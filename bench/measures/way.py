"""Which of our own modules a press, a correction and a question pass on their way.

A last slap goes from its simulated pin to a screen's socket, an edited round from one screen's
message to the screens, and a question about the statistics over HTTP and back.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from bench.figure import Figure
from bench.ground import Ground
from bench.measures.press import play_up_to_a_round
from bench.sides.served import Side
from bench.sides.traced import CODE
from tests.kit.served import PATIENCE, Client, Screen, envelope, free_port

MARK = 0.5
LAYER, RACERS = 1, (2, 3, 4, 5, 6)
APART = 0.1
"""Seconds for which a hand stays on its button, and after which the next one comes."""
BUTTONS = "buttons"
"""The thread that looks at every button ten times a second, also where nobody presses one."""
REFEREE = "companion/referee/"
BEFORE = {"last slap": (53, 333), "edited round": (50, 205), "statistics": (20, 216)}
"""Modules and changes of module, counted before the code was put into rooms."""


class Way(Struct, frozen=True):
    """What one of them has passed: every change of module, and every module."""

    changes: list[tuple[str, str]]
    modules: list[str]


def figures(ground: Ground) -> Iterator[Figure]:
    """Go each way at a few new tables; the least leaves out what a timer did in between."""
    folder = ground.fresh()
    play_up_to_a_round(folder)
    tables = [_passed(shutil.copytree(folder, ground.fresh())) for _ in range(ground.size(5, 1))]
    for name, (modules, changes) in BEFORE.items():
        ways = [ways[name] for ways in tables]
        passed = min(len(way.modules) for way in ways)
        changed = min(len(way.changes) for way in ways)
        around = min(len(_around_the_referee(way)) for way in ways)
        yield Figure.of_pairs(f"{name}: modules", [(passed, modules)], "", MARK)
        yield Figure.of_pairs(f"{name}: changes of module", [(changed, changes)], "", MARK)
        yield Figure(name=f"{name}: changes around the referee", ours=around, unit="")


def _around_the_referee(way: Way) -> list[tuple[str, str]]:
    """Leave out what the rules do among themselves, which is thinking and no passing on."""
    return [step for step in way.changes if not all(end.startswith(REFEREE) for end in step)]


def _passed(folder: Path) -> dict[str, Way]:
    port = free_port()
    with Side([sys.executable, "-m", "bench.sides.traced", str(folder), str(port)], port) as side:
        referee = TracedReferee(side)
        try:
            return {
                "last slap": referee.last_slap(),
                "edited round": referee.edited_round(),
                "statistics": referee.statistics(),
            }
        finally:
            referee.screen.close()


class TracedReferee:
    """A referee's screen at the traced table, and a hand at its buttons."""

    def __init__(self, side: Side) -> None:
        self._side = side
        self._client = Client(side.port)
        answer = self._client.post("/api/pair", {"code": CODE})
        self._client.cookie = answer.headers["set-cookie"].partition(";")[0]
        self.screen = Screen(f"http://127.0.0.1:{side.port}", {"Cookie": self._client.cookie})

    def last_slap(self) -> Way:
        """Let a race run until one hand is missing, and follow that one to the screen."""
        self._command("declare_race", layer=LAYER)
        *others, last = RACERS
        for button in others:
            self._tell(f"press {button}")
            time.sleep(APART)
            self._tell(f"release {button}")
            time.sleep(APART)
        self._leave_nothing_unread()
        self._tell("begin")
        self._tell(f"press {last}")
        self._await(lambda table: last in [slap["seat"] for slap in table["race"]["slaps"]])
        way = self._end()
        self._tell(f"release {last}")
        time.sleep(1)
        return way

    def edited_round(self) -> Way:
        """Change the points of the first round, and follow that to the screen."""
        (first, *_) = self._table()["match"]["rounds"]
        loser = next(player for player in first["hands"] if int(player) != first["out"])
        version = self._leave_nothing_unread()
        self._tell(f"begin {BUTTONS}")
        self._command("edit_round", round=1, points={loser: 47})
        self._await(lambda table: table["version"] > version)
        return self._end()

    def statistics(self) -> Way:
        """Ask for the statistics of all matches, which were asked for once before."""
        self._client.get("/api/statistics")
        time.sleep(APART)
        self._tell(f"begin {BUTTONS}")
        assert self._client.get("/api/statistics").status == 200
        return self._end()

    def _command(self, kind: str, **fields: Any) -> None:
        answer = self.screen.call("command", envelope(kind, **fields))
        assert "error" not in answer, answer

    def _table(self) -> Any:
        return self._client.get("/api/state").json["table"]

    def _leave_nothing_unread(self) -> int:
        """Wait until all is shown that happened so far, and tell the table's version."""
        version: int = self._table()["version"]
        time.sleep(2 * APART)
        while not self.screen.views.empty():
            self.screen.views.get()
        return version

    def _await(self, shown: Callable[[Any], bool]) -> None:
        while not shown(self.screen.views.get(timeout=PATIENCE)["table"]):
            pass

    def _tell(self, word: str) -> str:
        process = self._side.process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{word}\n")
        process.stdin.flush()
        return process.stdout.readline()

    def _end(self) -> Way:
        changes = [(one, other) for one, other in json.loads(self._tell("end"))]
        return Way(changes, sorted({module for change in changes for module in change}))
