"""Results come to the hall exactly once, whatever dies in between: broker, hall or table."""

from __future__ import annotations

import os
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from random import Random

from companion.hall.events import ResultTaken
from tests.hall.halls import HallProcess

KILLS = int(os.environ.get("HALL_KILLS", "200"))
CONTROL = 30
TABLES = (1, 2, 3)
LONGEST = 0.08
"""Seconds between two kills at most, in which a hall has sometimes just opened."""

Taken = list[tuple[int, int, str]]
"""Results as table, match and seal."""


def test_nothing_is_lost_and_nothing_comes_twice_under_kills(quick_folder: Path):
    with KilledEvening(quick_folder) as evening:
        evening.kill(KILLS, Random(16))
        evening.settle()
        taken, played = evening.taken(), evening.played()
    print(f"{dict(evening.killed)} kills, {len(played)} matches, {len(taken)} results taken")
    assert sum(evening.killed.values()) == KILLS
    # A match may come again after it was closed, with a later seal; the latest one counts.
    assert len(set(taken)) == len(taken)
    assert {(table, match): seal for table, match, seal in taken} == {
        (table, match): seal for table, match, seal in played
    }
    assert evening.matches() == {(table, match) for table, match, _ in played}


def test_tables_that_believe_the_broker_lose_results_under_the_same_kills(quick_folder: Path):
    """The control. Were nothing lost here, the test above would prove nothing."""
    with KilledEvening(quick_folder, "believing") as evening:
        evening.kill(CONTROL, Random(16))
        evening.settle()
        kept, played = evening.matches(), evening.played()
    print(f"the control: {len(kept)} of {len(played)} matches are in the hall")
    assert {(table, match) for table, match, _ in played} - kept


class KilledEvening:
    """Tables that play, a hall that takes their results, and somebody who kills all of them."""

    def __init__(self, folder: Path, how: str = "") -> None:
        self.hall = HallProcess(folder / "hall", len(TABLES))
        self.killed: Counter[str] = Counter()
        self._stack = ExitStack()
        self._stack.enter_context(self.hall)
        self.hall.start()
        self.tables = [
            self._stack.enter_context(self.hall.table(number, how).start()) for number in TABLES
        ]

    def kill(self, kills: int, chance: Random) -> None:
        for table in self.tables:
            table.hears("open")
        while sum(self.killed.values()) < kills:
            time.sleep(chance.uniform(0, LONGEST))
            match chance.randrange(3):
                case 0:
                    self.killed["broker"] += self.hall.kill_broker()
                case 1:
                    self.hall.kill()
                    self.killed["hall"] += 1
                    self.hall.begin()
                    if chance.random() < 0.5:
                        self.hall.wait_until_open()
                case _:
                    table = chance.choice(self.tables)
                    table.kill()
                    self.killed["table"] += 1
                    table.start()
                    if chance.random() < 0.5:
                        table.hears("open")

    def settle(self) -> None:
        """Let nobody play any more, and wait until every table says that all has arrived."""
        self.hall.kill()
        self.hall.start()
        for table in self.tables:
            table.kill()
            table.start("silent")
        for table in self.tables:
            table.hears("arrived")
            table.kill()
        self.evening = self.hall.stop()

    def taken(self) -> Taken:
        """What the hall's journal says, event by event."""
        keeper = self.hall.keeper()
        events = [row.event() for row in keeper._journal.rows()]
        keeper.close()
        return [
            (event.result.table, event.result.match, event.seal)
            for event in events
            if isinstance(event, ResultTaken)
        ]

    def played(self) -> Taken:
        """What the tables' own journals say."""
        return [
            (table.number, one.body.match, one.seal)
            for table in self.tables
            for one in table.played()
        ]

    def matches(self) -> set[tuple[int, int]]:
        """The matches that the hall has, each of which adds up."""
        assert all(one.adds_up for one in self.evening.results.values())
        return {(one.table, one.match) for one in self.evening.results.values()}

    def __enter__(self) -> KilledEvening:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()
