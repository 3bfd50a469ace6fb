"""The live door by hand, packet by packet, so that a test can do what no library would."""

from __future__ import annotations

import json
import socket
import struct
import time
from typing import Any

import websocket

from tests.kit.served import PATIENCE, Client, Reply

VIEW = '42["view",'
GONE = (OSError, websocket.WebSocketException)


class LiveLine:
    """A WebSocket that has said hello to Socket.IO and is on its own from here on."""

    def __init__(
        self,
        served: Client,
        cookie: str | None,
        headers: dict[str, str] | None = None,
        *,
        sockopt: tuple[tuple[int, int, int], ...] = (),
        timeout: float = PATIENCE,
        source: str = "127.0.0.1",
    ) -> None:
        address = f"ws://127.0.0.1:{served.port}/socket.io/?EIO=4&transport=websocket"
        more = dict(headers or {})
        host = more.pop("Host", None)
        origin = more.pop("Origin", None)
        sent = [f"{name}: {value}" for name, value in more.items()]
        sent += [f"Cookie: {cookie}"] if cookie else []
        self.socket: Any = websocket.create_connection(
            address,
            header=sent,
            host=host,
            origin=origin,
            suppress_origin=origin is None,
            timeout=timeout,
            enable_multithread=False,
            skip_utf8_validation=True,
            socket=connected(served.port, sockopt, timeout, source),
        )
        assert str(self.socket.recv()).startswith("0{")
        self.socket.send("40")
        assert str(self.socket.recv()).startswith("40{")
        self._asked = 0
        self.view: Any = None
        """The latest view, read only when it is asked for."""

    def receive(self) -> tuple[str, Any]:
        """The next event or answer, as its name and what it says; a view stays as it came."""
        while True:
            message = self.socket.recv()
            if message == "2":
                self.socket.send("3")
            elif message.startswith(VIEW):
                self.view = message[len(VIEW) : -1]
                return "view", self.view
            elif message.startswith("42"):
                name, value = json.loads(message[2:])
                return name, value
            elif message.startswith("43"):
                number, _, said = message[2:].partition("[")
                return f"answer {number}", json.loads(f"[{said}")[0]
            elif not message:
                raise ConnectionError("the line is closed")

    def call(self, event: str, value: Any) -> Any:
        """Send a message and wait for its answer; views that come in between are left aside."""
        self._asked += 1
        self.socket.send(f"42{self._asked}{json.dumps([event, value])}")
        while True:
            name, said = self.receive()
            if name == f"answer {self._asked}":
                return said

    def table_at(self, version: int, seconds: float = PATIENCE) -> Any:
        """Wait until a view of at least this version was shown."""
        deadline = time.monotonic() + seconds
        while self.view is None or json.loads(self.view)["table"]["version"] < version:
            assert time.monotonic() < deadline, "the view did not come"
            self.receive()
        return json.loads(self.view)["table"]

    def close(self) -> None:
        self.socket.close(timeout=1)

    def tear(self) -> None:
        """Break the connection off as a lost network does, without a word."""
        raw = self.socket.sock
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.shutdown()


def connected(
    port: int, options: tuple[tuple[int, int, int], ...], timeout: float, source: str
) -> socket.socket:
    """A connection from one of the many addresses that this machine has for itself."""
    line = socket.socket()
    line.settimeout(timeout)
    for option in options:
        line.setsockopt(*option)
    try:
        line.bind((source, 0))
        line.connect(("127.0.0.1", port))
    except OSError:
        line.close()
        raise
    return line


class Polling:
    """A Socket.IO session by long polling."""

    def __init__(self, served: Client, cookie: str | None) -> None:
        self._served = served
        self._cookie = cookie
        path = "/socket.io/?EIO=4&transport=polling"
        opened = served.get(path, Cookie=cookie)
        assert opened.status == 200, opened
        self.path = f"{path}&sid={json.loads(opened.body[1:])['sid']}"
        assert self.post("40").status == 200

    def post(self, packet: str | bytes, headers: dict[str, str] | None = None) -> Reply:
        body = packet if isinstance(packet, bytes) else packet.encode()
        sent: dict[str, str | None] = {"Cookie": self._cookie, "Content_Type": "text/plain"}
        return self._served.request("POST", self.path, body, **{**sent, **(headers or {})})
