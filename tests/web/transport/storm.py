"""A storm of bad traffic, as a process of its own.

`python -m tests.web.transport.storm PORT PACKETS COOKIE` says how much it has sent
once it is over, or as soon as its input ends.
"""

from __future__ import annotations

import json
import random
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException

from tests.kit.served import Client
from tests.web.live_line import GONE, LiveLine, Polling
from tests.web.transport import nonsense
from tests.web.transport.attacks import ATTACKS

CONNECTIONS = 500
SEED = 20260
SHARES = {"packets": 0.5, "strangers": 0.05, "bodies": 0.25, "payloads": 0.15, "requests": 0.05}
BESIDE = ("control_frames", "unread_answers")
HELD = (
    b"",
    b"POST /api/commands HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le",
    b"POST /api/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\n{",
    b"POST /socket.io/ HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n",
    b"GET /api/schema HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 4,
    b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n",
)
"""Ways to hold a connection: silent, half done, sent ahead without reading, never hanging up."""


class Storm:
    """Everything bad at once, until each kind has sent its share."""

    def __init__(self, port: int, packets: int, cookie: str) -> None:
        self.table = Client(port)
        self.cookie = cookie
        self.packets = packets
        self.sent = dict.fromkeys(SHARES, 0)
        self.wrong: list[str] = []
        self.over = threading.Event()
        self.held: list[socket.socket] = []

    def rage(self) -> None:
        """Send it all."""
        kinds: dict[str, Callable[[random.Random], None]] = {
            "packets": lambda chance: self._packets(chance, "packets", self.cookie),
            "strangers": lambda chance: self._packets(chance, "strangers", None),
            "bodies": self._bodies,
            "payloads": self._payloads,
            "requests": self._request,
        }
        others: list[Callable[[], None]] = [partial(self._attack, kind) for kind in BESIDE]
        beside = [threading.Thread(target=attack, daemon=True) for attack in (self._crowd, *others)]
        senders = [
            threading.Thread(target=self._send, args=(kind, send), daemon=True)
            for kind, send in kinds.items()
        ]
        for thread in (*beside, *senders):
            thread.start()
        for thread in senders:
            thread.join()
        self.over.set()
        for thread in beside:
            thread.join()

    def _send(self, kind: str, send: Callable[[random.Random], None]) -> None:
        chance = random.Random(f"{SEED} {kind}")
        while self.sent[kind] < self.packets * SHARES[kind] and not self.over.is_set():
            with suppress(*GONE, HTTPException):
                send(chance)

    def _packets(self, chance: random.Random, kind: str, cookie: str | None) -> None:
        try:
            line = LiveLine(self.table, cookie, timeout=5)
        except GONE:
            time.sleep(0.05)
            raise
        try:
            for _ in range(150):
                packet = nonsense.packet(chance)
                line.socket.send(packet, 0x2 if isinstance(packet, bytes) else 0x1)
                self.sent[kind] += 1
        finally:
            line.socket.shutdown()

    def _bodies(self, chance: random.Random) -> None:
        connection = HTTPConnection("127.0.0.1", self.table.port, timeout=10)
        cookie = chance.choice(({"Cookie": self.cookie}, {}))
        headers = {"Content-Type": "application/json", **cookie}
        try:
            for _ in range(20):
                address, body = nonsense.http_body(chance)
                self.sent["bodies"] += 1
                connection.request("POST", address, body, headers)
                answer = connection.getresponse()
                said = answer.read()
                if not 400 <= answer.status < 500:
                    self.wrong.append(f"{address} {body[:200]!r}: {answer.status} {said[:200]!r}")
        finally:
            connection.close()

    def _payloads(self, chance: random.Random) -> None:
        polling = Polling(self.table, self.cookie)
        for _ in range(20):
            self.sent["payloads"] += 1
            if polling.post(nonsense.payload(chance)).status != 200:
                break
        # Without a goodbye it keeps a place until it has missed a ping.
        polling.post("1")

    def _request(self, chance: random.Random) -> None:
        with socket.create_connection(("127.0.0.1", self.table.port), timeout=5) as connection:
            self.sent["requests"] += 1
            connection.sendall(nonsense.request(chance))
            if chance.random() < 0.1:
                connection.recv(100)

    def _attack(self, kind: str) -> None:
        """One of the attacks that once worked, from an address of its own."""
        step = ATTACKS[kind](self.table.port)
        while not self.over.is_set():
            step()

    def _crowd(self) -> None:
        """Hundreds who hold a connection, say a byte now and then, and come back when dropped."""
        chance = random.Random(SEED)
        while not self.over.wait(0.05):
            while len(self.held) < CONNECTIONS and not self.over.is_set():
                with suppress(OSError):
                    self.held.append(self._hold(chance))
            for connection in chance.sample(self.held, 20):
                try:
                    connection.send(b"x")
                except OSError:
                    self.held.remove(connection)
                    connection.close()

    def _hold(self, chance: random.Random) -> socket.socket:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        connection.settimeout(5)
        connection.connect(("127.0.0.1", self.table.port))
        connection.sendall(chance.choice(HELD))
        return connection


def main() -> None:
    port, packets, cookie = sys.argv[1:]
    storm = Storm(int(port), int(packets), cookie)

    def until_told() -> None:
        sys.stdin.read()
        storm.over.set()

    threading.Thread(target=until_told, daemon=True).start()
    storm.rage()
    print(json.dumps({"sent": storm.sent, "wrong": storm.wrong[:5], "held": len(storm.held)}))


if __name__ == "__main__":
    main()
