"""`python -m bench.sides.crowd PORT COUNT`: so many light screens that only listen.

They speak just enough WebSocket and Socket.IO to stay, so that they cost the machine little.
"""

from __future__ import annotations

import base64
import selectors
import socket
import sys
import zlib
from collections import Counter

HELLO = (
    "GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\n"
    "Host: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)
KEY = base64.b64encode(bytes(16)).decode()
VIEW, PRESS = b'42["vi', b'42["pr'
JOIN, JOINED, PING, PONG = b"40", b"40", b"2", b"3"
COMPRESSED = 0x40
NO_MASK = bytes(4)


class Watcher:
    """One light screen."""

    def __init__(self, port: int) -> None:
        self.joined = False
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.sendall(HELLO.format(port=port, key=KEY).encode())
        self.received = 0
        self.events: Counter[bytes] = Counter()
        self._unread = b""
        while b"\r\n\r\n" not in self._unread:
            self._unread += self.socket.recv(4096)
        head, _, self._unread = self._unread.partition(b"\r\n\r\n")
        assert b" 101 " in head, head
        self._inflate = zlib.decompressobj(-15) if b"permessage-deflate" in head else None
        self._send(JOIN)

    def read(self) -> None:
        """Read what has come, and answer pings."""
        arrived = self.socket.recv(65536)
        assert arrived, "The server hung up."
        self.received += len(arrived)
        self._unread += arrived
        while (message := self._next()) is not None:
            if message == PING:
                self._send(PONG)
            self.joined = self.joined or message.startswith(JOINED)
            self.events[message[:6]] += 1

    def _next(self) -> bytes | None:
        """Take the next whole message, of which the servers here never make two frames."""
        if len(self._unread) < 2:
            return None
        size, start = self._unread[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            size = int.from_bytes(self._unread[2:start], "big")
        if len(self._unread) < start + size:
            return None
        message = self._unread[start : start + size]
        if self._inflate is not None and self._unread[0] & COMPRESSED:
            message = self._inflate.decompress(message + b"\0\0\xff\xff")
        self._unread = self._unread[start + size :]
        return message

    def _send(self, text: bytes) -> None:
        self.socket.sendall(bytes([0x81, 0x80 | len(text)]) + NO_MASK + text)


def main(port: int, count: int) -> None:
    """Connect, say so, and listen until standard input is closed; then tell what has come."""
    selector = selectors.DefaultSelector()
    watchers: list[Watcher] = []
    told = False
    selector.register(sys.stdin, selectors.EVENT_READ)
    while True:
        if len(watchers) < count:
            watchers.append(Watcher(port))
            selector.register(watchers[-1].socket, selectors.EVENT_READ, watchers[-1])
        elif not told and all(watcher.joined for watcher in watchers):
            told = True
            print("here", flush=True)
            for watcher in watchers:
                watcher.received = 0
                watcher.events.clear()
        for key, _ in selector.select(0 if len(watchers) < count else 0.1):
            if key.data is None:
                events = sum((watcher.events for watcher in watchers), Counter())
                received = sum(watcher.received for watcher in watchers)
                print(received, events[VIEW], events[PRESS])
                return
            key.data.read()


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
