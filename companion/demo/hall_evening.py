"""An evening in the hall that plays itself: light tables, and a desk that draws by itself."""

from __future__ import annotations

import logging
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random

from companion.demo.light_table import LightTable
from companion.demo.playing import NAMES
from companion.hall.commands import DrawRound, PlanEvening, SetClock, SignUp
from companion.hall.evening import Plan
from companion.hall.opening import Hall
from companion.hall.refusals import HallRefusal
from companion.hall.table.link import TableLink
from companion.hall.table.membership import Membership, keep_membership

log = logging.getLogger(__name__)

CLUBS = ("Chess club", "Library", "Café Orient", "")
ROUNDS = 4
MINUTES = 10
PACE = 5.0
"""Seconds after which every other light table has played a round."""
PAUSE = 2 * PACE
"""Seconds between two rounds of the hall, in which the standing can be read."""


class HallEvening:
    """Signs people up, lets tables join, and draws round after round."""

    def __init__(self, hall: Hall, tables: int, whole: int, seed: int, pace: float = PACE) -> None:
        self._hall = hall
        self._tables = tables
        self._whole = min(whole, tables)
        self._seed = seed
        self._pace = pace
        self._chance = Random(seed)
        self._closing = threading.Event()
        self._light: list[tuple[LightTable, TableLink]] = []
        self._scratch = tempfile.TemporaryDirectory(prefix="companion-hall-")
        self._thread = threading.Thread(target=self._run, name="evening", daemon=True)

    def start(
        self, open_whole: Callable[[Path, int], None] = lambda _folder, _number: None
    ) -> None:
        """Begin; `open_whole` opens a whole table that has joined in this folder."""
        for number in range(1, self._tables + 1):
            folder = Path(self._scratch.name) / f"table-{number}"
            member = self._joined(number, folder)
            if number <= self._whole:
                open_whole(folder, number)
            else:
                table = LightTable(number, self._seed)
                self._light.append((table, TableLink(member, folder, table)))
        for _, link in self._light:
            link.start()
        self._thread.start()

    def close(self) -> None:
        """End the evening."""
        self._closing.set()
        self._thread.join(timeout=2)
        for _, link in self._light:
            link.close()
        self._scratch.cleanup()

    def _joined(self, number: int, folder: Path) -> Membership:
        hall, identity = self._hall, f"demo-table-{number}"
        table, access = hall.join(number, identity)
        member = Membership(table.number, identity, "localhost", access.port, access.password)
        keep_membership(folder, member, access.certificate)
        return member

    def _run(self) -> None:
        keeper = self._hall.keeper
        keeper.do(
            PlanEvening(
                Plan("A demonstration", "swiss", ROUNDS, scoring="classic", edition="express")
            )
        )
        people = [f"{name}, {self._chance.choice(CLUBS)}" for name in self._names()]
        keeper.do(SignUp(tuple(people)))
        while not self._closing.is_set() and len(keeper.evening.rounds) < ROUNDS:
            try:
                keeper.do(DrawRound(self._chance.randrange(1_000_000)))
                keeper.do(SetClock("start", MINUTES))
            except HallRefusal:
                log.exception("The demonstration cannot go on.")
                return
            self._play()
            self._closing.wait(self._pace * PAUSE / PACE)

    def _play(self) -> None:
        """Let all light tables play until every result of the round is there."""
        while self._hall.keeper.evening.waiting() and not self._closing.is_set():
            for table, link in self._light:
                if self._chance.random() < 0.5 and table.step():
                    link.look()
            self._closing.wait(self._pace)

    def _names(self) -> list[str]:
        """Name one person less than there are places, so that a table of three is drawn."""
        count = 4 * self._tables - 1
        letters = [*"BDGHKLMNPRSTVW", *(f"{one}{two}" for one in "BCDGKMSTV" for two in "aeo")]
        every = [f"{name} {letter}." for letter in letters for name in NAMES][: count + len(NAMES)]
        return self._chance.sample(every, min(count, len(every)))
