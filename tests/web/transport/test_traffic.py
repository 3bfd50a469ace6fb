"""Bad traffic cannot stop the game: garbage, floods, silence and clients that never read."""

from __future__ import annotations

import json
import socket
import time
from collections import deque
from typing import Any

import pytest
import websocket

from tests.kit.served import PATIENCE, Served, eventually, resident
from tests.web.live_line import GONE

LET_GO = (ConnectionError, websocket.WebSocketConnectionClosedException)
"""The other side has ended it; a call that only took too long is something else."""

AT_ONCE = 4.0
"""Seconds, on a busy machine; who waits for an idle connection to be dropped waits for five."""


def raw_socket(served: Served, **options: Any) -> Any:
    """A WebSocket that has said hello to Socket.IO and is on its own from here on."""
    address = f"ws://127.0.0.1:{served.port}/socket.io/?EIO=4&transport=websocket"
    headers = [f"Cookie: {served.cookie}"] if served.cookie else []
    client: Any = websocket.create_connection(address, header=headers, timeout=PATIENCE, **options)
    assert client.recv().startswith("0{")
    client.send("40")
    assert client.recv().startswith("40{")
    return client


def acts_at_once(served: Served) -> bool:
    began = time.monotonic()
    answer = served.do("set_up", scoring="classic")
    return answer.status == 200 and time.monotonic() - began < AT_ONCE


def test_a_message_without_end_is_cut_off(served):
    memory_before = resident(served.children()[0])
    client = raw_socket(served)
    client.settimeout(PATIENCE)
    chunk = b"x" * 65536
    client.send_frame(websocket.ABNF(fin=0, opcode=1, mask_value=1, data=b"42"))
    with pytest.raises(GONE):
        deque(
            client.send_frame(websocket.ABNF(fin=0, opcode=0, mask_value=1, data=chunk))
            for _ in range(400)
        )
    client.shutdown()
    assert acts_at_once(served)
    assert resident(served.children()[0]) - memory_before < 20_000


def test_a_client_that_never_reads_gets_a_fresh_view_when_it_wakes_up(served):
    served.do("sit", name="Ana")
    small = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
    sleeper = raw_socket(served, sockopt=small, enable_multithread=False)
    changes = 300
    for number in range(changes):
        assert served.do("rename", seat=1, name=f"Ana {number}").status == 200
        if number % 20 == 0:
            # Or it would be taken to be gone on a machine that needs ten seconds for this.
            sleeper.send("3")
    assert acts_at_once(served)
    current = served.table["version"]
    seen: list[int] = []
    sleeper.settimeout(PATIENCE)
    while not seen or seen[-1] < current:
        message = sleeper.recv()
        if message.startswith("42"):
            name, value = json.loads(message[2:])
            if name == "view":
                seen.append(value["table"]["version"])
        elif message == "2":
            sleeper.send("3")
    assert seen == sorted(seen)
    assert len(seen) < changes
    sleeper.shutdown()


def test_a_client_that_asks_and_never_listens_is_let_go(served):
    small = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
    client = raw_socket(served, sockopt=small)
    with pytest.raises(LET_GO):
        ask_on(client)
    client.shutdown()
    assert acts_at_once(served)


def test_a_tablet_that_vanishes_gives_its_place_back(tmp_path):
    served = Served(tmp_path, "[server]\nclients = 8\n")
    served.pair()
    vanished = [raw_socket(served) for _ in range(8)]
    assert served.get("/socket.io/?EIO=4&transport=polling").status == 503
    # They neither answer pings nor close: as after a lost network, nothing more comes of them.
    assert eventually(lambda: can_open(served), patience=2 * PATIENCE, look=0.3)
    assert acts_at_once(served)
    for client in vanished:
        client.shutdown()
    served.stop()


def ask_on(client: Any) -> None:
    """Ask and ask, for as long as anybody's patience lasts."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        client.send('42["catch_up",{}]')


def can_open(served: Served) -> bool:
    try:
        screen = served.screen()
    except Exception:
        return False
    screen.close()
    return True
