"""How soon a press is drawn in Chromium, against a bare Flask-SocketIO emit to a bare page."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from playwright.sync_api import Browser

from bench.figure import Figure
from bench.ground import Ground
from bench.sides.bare import SEATS
from bench.sides.drawn import Page, chromium
from bench.sides.free import FreeMatches
from bench.sides.pressed_ours import CODE
from bench.sides.served import ROOT, Side, bare_with_hand, ours_with_hand
from bench.sides.tables import ServedTable
from companion.demo.playing import seat, set_up
from companion.referee.commands import Deal
from companion.referee.model.edition import FAST_AND_FURIOUS

MARKS = {1: 1.2, 20: 0.8, 200: 1.3}
ROUNDS = 1
"""So many rounds are on the sheet of the match that is watched."""
QUIET = 0.3
"""Seconds between presses; the flash of one is over before the next on the same page."""
MILLISECOND = 1e6

Pairs = list[tuple[float, float]]


def figures(ground: Ground) -> Iterator[Figure]:
    """Press on both sides in turn, with few screens and with many."""
    folder = ground.fresh()
    play_up_to_a_round(folder)
    with chromium() as browser:
        for clients in (3,) if ground.tiny else MARKS:
            both = ours_with_hand(folder, clients + 8), bare_with_hand(clients + 8)
            pairs = press_in_turn(browser, both, clients, ground.size(100, 3))
            screens = "1 screen" if clients == 1 else f"{clients} screens"
            mark = MARKS.get(clients)
            yield Figure.of_share(f"press to frame, {screens}", pairs, 0.5, "ms", mark)
            yield Figure.of_share(f"press to frame, {screens}: p95", pairs, 0.95, "ms", mark)


def play_up_to_a_round(folder: Path, people: int = SEATS) -> None:
    """Leave a table in the middle of a match in free play, right after a deal."""
    with closing(ServedTable(folder)) as table:
        seats = seat(table, people)
        set_up(table, FAST_AND_FURIOUS, "free")
        start, deals = table.now, 0
        for step in FreeMatches(FAST_AND_FURIOUS, seats, seed=1).match():
            table.carry_out(step.begun_at(start))
            deals += isinstance(step.command, Deal)
            if deals > ROUNDS:
                return


def press_in_turn(browser: Browser, compared: tuple[Side, Side], clients: int, count: int) -> Pairs:
    """Measure presses of both sides in turn; the watched page comes last, so it is told last."""
    with ExitStack() as stack:
        sides = [stack.enter_context(side) for side in compared]
        for side in sides:
            stack.enter_context(_crowd(side.port, clients - 1))
        # The tablet's page; on a TV a call has the screen for a moment, and no press is seen there.
        tablets = [f"{side.address}?code={CODE}" for side in sides]
        pages = [stack.enter_context(closing(Page(browser, tablet))) for tablet in tablets]
        both = list(zip(sides, pages, strict=True))
        for side, page in both:
            _press(side, page, SEATS)
        pairs = []
        for number in range(count):
            at = number % SEATS + 1
            order = both if number % 2 else both[::-1]
            took = {side.port: _press(side, page, at) for side, page in order}
            pairs.append((took[sides[0].port], took[sides[1].port]))
    return pairs


def _press(side: Side, page: Page, at: int) -> float:
    pressed = side.press(at)
    time.sleep(QUIET)
    return (page.drawn() - pressed) / MILLISECOND


@contextmanager
def _crowd(port: int, count: int) -> Iterator[None]:
    """Let so many light screens watch, from a process of their own."""
    if count == 0:
        yield
        return
    with subprocess.Popen(
        [sys.executable, "-m", "bench.sides.crowd", str(port), str(count)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as watchers:
        assert watchers.stdout is not None
        assert watchers.stdin is not None
        if watchers.stdout.readline() != "here\n":
            raise RuntimeError("The light screens could not connect.")
        yield
        watchers.stdin.close()
        watchers.stdout.read()
