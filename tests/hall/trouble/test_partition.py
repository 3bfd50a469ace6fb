"""Half of the tables are cut off for a while: they play on, the desk says so, and all arrives."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from companion.hall.table.membership import join
from tests.hall.halls import TableProcess
from tests.hall.served_hall import ServedHall
from tests.home.broker import PROGRAM
from tests.kit.network import Network
from tests.kit.served import eventually

SECONDS = float(os.environ.get("HALL_PARTITION", "0"))
"""For which half of the tables stays cut off, after the desk has noticed."""
SUBNETS = ("10.77.1", "10.77.2")
NAMED = f"[server]\nnames = {[f'{subnet}.1' for subnet in SUBNETS]}\n"


class Wired:
    """A hall in a network of its own, and two halves of its tables, each at the end of a wire."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.middle = stack.enter_context(Network())
        self.halves = [stack.enter_context(Network()) for _ in SUBNETS]
        self.wires = [
            half.connect(self.middle, subnet)
            for half, subnet in zip(self.halves, SUBNETS, strict=True)
        ]
        self.hall = ServedHall(folder / "hall", NAMED, host="0.0.0.0", network=self.middle)
        stack.callback(self.hall.stop)
        self.hall.pair()
        self.tables = [
            stack.enter_context(self._table(number, folder / f"table-{number}"))
            for number in (1, 2, 3, 4)
        ]

    def _table(self, number: int, folder: Path) -> TableProcess:
        """Join through the wire of its half, and begin to play there."""
        half = (number - 1) // 2
        address = f"{SUBNETS[half]}.1:{self.hall.port}"
        code = self.hall.desk()["table_code"]
        self.halves[half].run(lambda: join(folder, address, code, number))
        return TableProcess(number, folder).start(network=self.halves[half].name)

    def cut(self, half: int) -> None:
        self.middle.ip(f"link set {self.wires[half]} down")

    def mend(self, half: int) -> None:
        self.middle.ip(f"link set {self.wires[half]} up")


@pytest.fixture
def wired(tmp_path: Path) -> Iterator[Wired]:
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    with ExitStack() as stack:
        yield Wired(tmp_path, stack)


def test_half_of_the_tables_are_cut_off_and_everything_arrives_once(wired: Wired):
    hall, tables = wired.hall, wired.tables
    for table in tables:
        eventually(partial(has_results_of, hall, table.number))
    wired.cut(1)
    eventually(lambda: not hall.table(3)["here"] and not hall.table(4)["here"])
    assert hall.table(1)["here"]
    assert hall.table(2)["here"]
    before = hall.results()
    for table in tables:
        # Nobody waits for a hall: all of them play on, also those who cannot reach it.
        eventually(partial(plays_on, table, table.version() + 20))
    time.sleep(SECONDS)
    known = len([one for one in before if one[0] == 1])
    eventually(lambda: len([one for one in hall.results() if one[0] == 1]) > known)
    assert [one for one in hall.results() if one[0] > 2] == [one for one in before if one[0] > 2]
    wired.mend(1)
    eventually(lambda: hall.table(3)["here"] and hall.table(4)["here"])
    for table in tables:
        table.kill()
    for table, half in zip(tables, (0, 0, 1, 1), strict=True):
        table.start("silent", wired.halves[half].name)
    for table in tables:
        table.hears("arrived")
    played = sorted((table.number, one.body.match) for table in tables for one in table.played())
    assert hall.results() == played


def has_results_of(hall: ServedHall, number: int) -> bool:
    return any(table == number for table, _ in hall.results())


def plays_on(table: TableProcess, version: int) -> bool:
    return table.version() > version
