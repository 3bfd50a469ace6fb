"""What a hall of a hundred tables takes, and what it costs a table to belong to one."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser

from bench.figure import Figure
from bench.ground import CannotMeasure, Ground
from bench.measures.footprint import memory
from bench.measures.press import play_up_to_a_round, press_in_turn
from bench.sides.drawn import chromium
from bench.sides.hall_evening import HallPage, MeasuredEvening
from bench.sides.served import ours, ours_with_hand, processor_time
from companion.hall.table.membership import CERTIFICATE, FILE
from tests.hall.halls import HallProcess, LightTable
from tests.home.broker import PROGRAM
from tests.kit.waiting import until

TABLES, WHOLE, RESULTS = 100, 5, 50
IN_TIME, ON_SCREEN, MEMORY, BESIDE = 10.0, 1000.0, 3.0, 1.05
SETTLE = 2.0
"""Seconds after which all that a round left to do is done."""
LONGEST = 120.0


def figures(ground: Ground) -> Iterator[Figure]:
    """Let a hundred tables come back at once, then play, then press at a table that has joined."""
    if PROGRAM is None:
        raise CannotMeasure("There is no Mosquitto here; on Debian: sudo apt install mosquitto")
    tables = ground.size(TABLES, 3)
    yield from _backlog(ground.fresh(), tables, ground.size(RESULTS, 3))
    with chromium() as browser:
        yield from _evening(ground, browser, tables, ground.size(WHOLE, 0))
        yield from _beside(ground, browser)


def _backlog(folder: Path, count: int, results: int) -> Iterator[Figure]:
    """Let all tables come at once with what they played while there was no hall."""
    with HallProcess(folder / "hall", count).start() as hall:
        tables = [LightTable(number) for number in range(1, count + 1)]
        for table in tables:
            for _ in range(results):
                table.play()
        began = time.monotonic()
        links = [hall.link(table) for table in tables]
        until(
            lambda: all(link._ack is not None and link._ack.sequence == results for link in links),
            patience=LONGEST,
            look=0.02,
        )
        took = time.monotonic() - began
        assert hall.process is not None
        worked = processor_time([hall.process.pid, hall.broker])
        for link in links:
            link._closing.set()
        assert len(hall.stop().results) == count * results
    name = f"{count} tables with {results} results each are in"
    yield Figure(name=name, ours=took, unit="s", mark=IN_TIME)
    yield Figure(name="processor of hall and broker for that", ours=worked, unit="s")


def _evening(ground: Ground, browser: Browser, tables: int, whole: int) -> Iterator[Figure]:
    """Let all tables play a round before a screen, and weigh the hall after it."""
    with ExitStack() as stack:
        evening = MeasuredEvening(ground.fresh(), tables, whole, stack)
        page = HallPage(browser, f"{evening.hall.address}/hall")
        finished = evening.play_round()
        until(lambda: finished.keys() <= page.done().keys(), LONGEST, look=0.2)
        shown = page.done()
        late = [(shown[table] - moment) / 1e6 for table, moment in finished.items()]
        page.close()
        yield Figure(
            name="a result on the hall screen", ours=median(late), unit="ms", mark=ON_SCREEN
        )
        yield Figure(name="the latest of them", ours=max(late), unit="ms")
        time.sleep(SETTLE)
        _, hall = memory(evening.pids())
    with ours(ground.fresh()) as table:
        time.sleep(SETTLE)
        _, alone = memory(table.pids())
    name = f"memory of the hall with {tables} tables"
    yield Figure.of_pairs(name, [(hall, alone)], "MB", MEMORY)


def _beside(ground: Ground, browser: Browser) -> Iterator[Figure]:
    """Press at a table that has joined a hall and at one that has not, in turn."""
    alone, joined = ground.fresh(), ground.fresh()
    play_up_to_a_round(alone)
    shutil.copytree(alone, joined)
    with HallProcess(ground.fresh() / "hall", 1).start() as hall:
        hall.member(1)
        for name in (FILE, CERTIFICATE):
            shutil.copy(hall.table_folder(1) / name, joined / name)
        sides = ours_with_hand(joined, 9), ours_with_hand(alone, 9)
        pairs = press_in_turn(browser, sides, 1, ground.size(150, 3))
    yield Figure.of_share("press to frame, joined beside alone", pairs, 0.5, "ms", BESIDE)
    yield Figure.of_share("the same: p95", pairs, 0.95, "ms")
