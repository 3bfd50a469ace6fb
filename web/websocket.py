"""WebSockets with limits: the size of a message, and how many may wait to be read.

The library underneath keeps every message that arrives, however long and however many.
"""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

import simple_websocket

MESSAGE_SIZE = 16 * 1024
MESSAGES_WAITING = 64
PACKET_TYPES = frozenset("0123456b")


class TooMuch(OSError):
    """A client sends faster than it can be heard, and is let go."""


class Inbox(list[Any]):
    """Messages that wait to be read."""

    def append(self, message: Any) -> None:
        """Take one more message, unless too many wait already."""
        if len(self) >= MESSAGES_WAITING:
            raise TooMuch
        super().append(message)


class Server(simple_websocket.Server):  # type: ignore[misc]
    """One client's WebSocket."""

    def handshake(self) -> None:
        """Open the connection; before this, nothing can have been received."""
        self.input_buffer = Inbox()
        super().handshake()


class WebSocket:
    """The WebSocket of one request, in the shape that Engine.IO asks for."""

    def __init__(self, talk: Any, _server: Any = None) -> None:
        self.talk = talk
        self.ws: Any = None

    def __call__(self, environ: dict[str, Any], _start_response: Any) -> Any:
        """Take the connection over for as long as it lasts."""
        try:
            self.ws = Server(environ, max_message_size=MESSAGE_SIZE)
        except simple_websocket.ConnectionError:
            raise StopIteration from None
        try:
            self.talk(self)
        finally:
            hang_up(environ)
        raise StopIteration

    def close(self) -> None:
        """Say goodbye, where somebody still listens."""
        if self.ws.connected:
            with suppress(OSError, simple_websocket.ConnectionClosed):
                self.ws.close()

    def send(self, message: str | bytes) -> None:
        """Send one message."""
        try:
            self.ws.send(message)
        except simple_websocket.ConnectionClosed:
            raise OSError("the connection is closed") from None

    def wait(self) -> str | bytes | None:
        """Wait for a message; None means that the connection is over."""
        try:
            message: str | bytes | None = self.ws.receive()
        except simple_websocket.ConnectionClosed:
            return None
        if isinstance(message, str) and message[:1] not in PACKET_TYPES:
            return None
        if message is None or len(message) == 0:
            return None
        return message


def hang_up(environ: dict[str, Any]) -> None:
    """Shut a connection down, which ends every thread that waits on it."""
    connection = environ.get("gunicorn.socket")
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
