"""An evening in a hall to be measured: whole tables, light ones, people and a screen."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random

from bench.sides.drawn import Page
from bench.sides.served import Side
from companion.demo.light_table import LightTable
from companion.hall.table.link import TableLink
from companion.hall.table.membership import join
from tests.hall.served_hall import ServedHall
from tests.kit.served import free_port
from tests.kit.waiting import until

PATIENCE = 240.0
STEP = 0.05
"""Seconds after which the next light table plays a round."""
SHOWN = """
window.drawn = [];
const asked = window.fetch;
window.fetch = async (...words) => {
  const answer = await asked(...words);
  if (!String(words[0]).endsWith("/api/evening") || answer.status !== 200) return answer;
  const { evening } = await answer.clone().json();
  const seatings = evening.rounds.at(-1)?.tables ?? [];
  const done = seatings.filter((one) => one.done).map((one) => one.table);
  requestAnimationFrame(() => {
    const after = new MessageChannel();
    after.port1.onmessage = () => window.drawn.push([performance.now(), done]);
    after.port2.postMessage(null);
  });
  return answer;
};
"""
"""Notes which tables of the round are done by when; the page draws what it was answered before the
next animation frame."""


class HallPage(Page):
    """The hall screen, watched for results."""

    watch, ready = SHOWN, ".hall-screen"

    def done(self) -> dict[int, int]:
        """Tell when each table of the round was first shown to be done, in nanoseconds."""
        found: dict[int, int] = {}
        for moment, tables in self._page.evaluate("window.drawn"):
            for table in tables:
                found.setdefault(table, self._began + int(moment * 1e6))
        return found


class MeasuredEvening:
    """A served hall with people, whole tables and light ones."""

    def __init__(self, folder: Path, tables: int, whole: int, stack: ExitStack) -> None:
        # Started from nothing: a forked one would share its parent's memory.
        self.hall = ServedHall(folder, surroundings={})
        stack.callback(self.hall.stop)
        self.hall.pair()
        self._chance = Random(1)
        names = [f"Person {number}" for number in range(4 * tables)]
        for at in range(0, len(names), 400):
            self.hall.command("sign_up", people=names[at : at + 400])
        address, code = f"127.0.0.1:{self.hall.port}", self.hall.desk()["table_code"]
        self.light: list[tuple[LightTable, TableLink]] = []
        for number in range(1, tables + 1):
            place = folder / f"table-{number}"
            member = join(place, address, code, number)
            if number <= whole:
                stack.enter_context(_whole(place, number))
            else:
                table = LightTable(number, 1)
                self.light.append((table, TableLink(member, place, table)))
        for _, link in self.light:
            link.start()
            stack.callback(link._closing.set)
        until(self._all_here, PATIENCE, "that all tables are here", look=0.2)

    def _all_here(self) -> bool:
        return all(one["here"] for one in self.hall.desk()["tables"])

    def play_round(self) -> dict[int, int]:
        """Draw and play a round; tell when each light table had its result, in nanoseconds."""
        assert self.hall.command("draw_round", seed=1, anyway=True).status == 200
        number = len(self.hall.evening()["rounds"])
        playing = list(self.light)
        for _, link in playing:
            until(partial(_has_round, link, number), PATIENCE, look=0.05)
        finished: dict[int, int] = {}
        while playing:
            at = self._chance.randrange(len(playing))
            table, link = playing[at]
            if table.step():
                finished[table.number] = time.monotonic_ns()
                del playing[at]
                link.look()
            time.sleep(STEP)
        return finished

    def pids(self) -> list[int]:
        """Tell all processes of the hall, with its broker."""
        found, waiting = [], [self.hall.process.pid]
        while waiting:
            pid = waiting.pop()
            found.append(pid)
            for children in Path(f"/proc/{pid}/task").glob("*/children"):
                waiting += [int(child) for child in children.read_text().split()]
        return found


def _has_round(link: TableLink, number: int) -> bool:
    return link.hall_status().round == number


@contextmanager
def _whole(folder: Path, number: int) -> Iterator[Side]:
    """Open a whole table that plays what its hall asks for."""
    port = free_port()
    words = ["hall", "show", "--data", str(folder), "--port", str(port), "--seed", str(number)]
    with Side([sys.executable, "-m", "companion", *words], port) as side:
        yield side
