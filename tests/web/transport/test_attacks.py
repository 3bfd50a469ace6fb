"""Attacks that once worked, each as it was made: it costs its sender, and nobody else.

The referee, a guest and the board are at other addresses than the attacker, as in a real room.
`make bench` runs the same attacks for longer and prints how much later the referee acts.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from functools import partial

import pytest
import websocket

from bench.ground import play_past
from tests.kit.served import Served, eventually, resident
from tests.web.live_line import LiveLine
from tests.web.transport.attacks import ATTACKS, raging

AT_ONCE = 2.0
"""Seconds, on a busy machine; with each of these attacks it once took ten, every time."""
SECONDS = 30
MATCHES = 60
PLACES = 12
BOARD = "127.0.0.9"
MOST_MEMORY = 64 * 1024
"""Kilobytes."""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table with few places, so that they are soon taken, and with a past."""
    folder = tmp_path_factory.mktemp("attacked")
    play_past(folder / "data", MATCHES)
    served = Served(folder, f"[server]\nclients = {PLACES}\n")
    served.pair()
    LiveLine(served, None, source=BOARD).close()
    yield served
    served.stop()


@pytest.mark.parametrize("kind", ATTACKS)
def test_an_attack_costs_its_sender_only(table: Served, kind: str) -> None:
    (serving,) = table.children()
    before = resident(serving)
    with raging(kind, table.port, SECONDS):
        took = []
        for number in range(5):
            began = time.monotonic()
            assert table.do("rename", seat=1, name=f"Ana {number}").status == 200
            assert table.get("/api/session", Cookie=None).status == 200
            LiveLine(table, None, source=BOARD).close()
            took.append(time.monotonic() - began)
        # The machine may be busy with something else now and then; an attack rages all the time.
        assert statistics.median(took) < AT_ONCE, took
        assert resident(serving) - before < MOST_MEMORY


def let_in(table: Served, source: str) -> LiveLine | None:
    try:
        return LiveLine(table, None, source=source)
    except websocket.WebSocketBadStatusException:
        return None


def test_the_board_comes_back_to_a_table_full_of_strangers(table: Served) -> None:
    """It was there before them; each of them has an address of its own and one place."""
    sources = [f"127.0.1.{number}" for number in range(1, PLACES + 1)]
    crowd = [eventually(partial(let_in, table, source)) for source in sources]
    with pytest.raises(websocket.WebSocketBadStatusException):
        LiveLine(table, None, source="127.0.1.200")
    board = LiveLine(table, None, source=BOARD)
    referee = LiveLine(table, table.cookie)
    assert "view" in board.call("catch_up", {})
    for line in (board, referee, *crowd):
        line.tear()
