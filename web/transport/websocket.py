"""WebSockets with limits: how large a message is, how fast they come, and how many may wait.

The libraries underneath keep every message in either direction, however long and however many.
"""

from __future__ import annotations

import queue
import socket
import threading
import time
from contextlib import suppress
from typing import Any

import simple_websocket
from wsproto import ConnectionType
from wsproto.utilities import ProtocolError

from web.transport.frames import MESSAGE_SIZE, Connection
from web.transport.limits import Allowance
from web.transport.logs import traffic_log

MESSAGES_WAITING = 64
MESSAGES_UNREAD = 256
"""So many may wait for a client; what comes then is left out, and later a fresh view is sent."""
AT_ONCE, A_SECOND = 40, 20
"""Messages of one client; who sends faster is heard later, and let go when too many wait."""
PACKET_TYPES = frozenset("0123456b")
ROLE = "companion.role"
"""Under this name the guard leaves who opened a connection."""

log = traffic_log("companion.web.traffic")


class TooMuch(OSError):
    """A client sends faster than it can be heard, and is let go."""


class Inbox(list[Any]):
    """Messages that wait to be read."""

    def append(self, message: Any) -> None:
        """Take one more message, unless too many wait already."""
        if len(self) >= MESSAGES_WAITING:
            raise TooMuch
        super().append(message)


class Outbox(queue.Queue[Any]):
    """Messages that wait for a client to read them."""

    def __init__(self) -> None:
        super().__init__()
        self.left_out = False
        """Whether a message was left out, so that the client has to be told everything anew."""
        self.line: Server | None = None

    def overtake(self, frame: bytes) -> bool:
        """Send a frame at once, without a detour over the writing thread, if nothing waits."""
        return self.line is not None and self.empty() and self.line.send_now(frame)

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Add a message unless too many wait; the mark at the end (None) always is."""
        if item is not None and self.qsize() >= MESSAGES_UNREAD:
            self.left_out = True
            return
        super().put(item, block, timeout)

    def join(self) -> None:
        """Wait for nobody: a client that never fetches its last message would keep a thread."""


class Server(simple_websocket.Server):  # type: ignore[misc]
    """One client's WebSocket."""

    def handshake(self) -> None:
        """Open the connection; before this, nothing can have been received."""
        self.input_buffer = Inbox()
        self.ws = Connection(ConnectionType.SERVER)
        self._sending = threading.Lock()
        super().handshake()

    def _thread(self) -> None:
        """Receive until the end; whatever that was, nobody may wait for more after it."""
        try:
            super()._thread()
        except Exception as nonsense:
            log.info("A client was not understood: %r", nonsense)
        finally:
            self.connected = False
            self.event.set()
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def send(self, data: str | bytes) -> None:
        """Send one message, however long that takes."""
        with self._sending:
            super().send(data)

    def send_now(self, frame: bytes) -> bool:
        """Send a small frame unless that would have to wait; tells whether it went out."""
        if not self.connected or not self._sending.acquire(blocking=False):
            return False
        try:
            sent = self.sock.send(frame, socket.MSG_DONTWAIT)
            if sent < len(frame):
                # What follows would be read as the rest of this frame.
                self.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return False
        finally:
            self._sending.release()
        return True


class WebSocket:
    """The WebSocket of one request, in the shape that Engine.IO asks for."""

    def __init__(self, talk: Any, _server: Any = None) -> None:
        self.talk = talk
        self.outbox: Any = talk.__self__.queue
        self.ws: Any = None
        self._pace: Allowance | None = Allowance(AT_ONCE, A_SECOND)

    def __call__(self, environ: dict[str, Any], _start_response: Any) -> Any:
        """Take the connection over for as long as it lasts."""
        if environ.get(ROLE) == "referee":
            self._pace = None
        try:
            self.ws = Server(environ, max_message_size=MESSAGE_SIZE)
        except simple_websocket.ConnectionError:
            raise StopIteration from None
        if not self.talk.__self__.connected:
            # One that polled so far is not ready to be told anything here.
            self.outbox.line = self.ws
        try:
            self.talk(self)
        finally:
            self.outbox.line = None
            hang_up(environ)
        raise StopIteration

    def close(self) -> None:
        """Say goodbye, where somebody still listens."""
        if self.ws.connected:
            with suppress(OSError, simple_websocket.ConnectionClosed, ProtocolError):
                self.ws.close()

    def send(self, message: str | bytes) -> None:
        """Send one message."""
        try:
            self.ws.send(message)
        except (simple_websocket.ConnectionClosed, ProtocolError):
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
        while self._pace and (wait := self._pace.take("")):
            time.sleep(wait)
        return message


def hang_up(environ: dict[str, Any]) -> None:
    """Shut a connection down, which ends every thread that waits on it."""
    connection = environ.get("gunicorn.socket")
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
