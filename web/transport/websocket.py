"""WebSockets with limits: how large a message is, how fast frames come, and how much may wait.

The libraries underneath keep every message in either direction, however long and however many.
"""

from __future__ import annotations

import queue
import socket
import threading
import time
import zlib
from collections.abc import Generator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import msgspec
import simple_websocket
from wsproto import ConnectionType, WSConnection
from wsproto.events import AcceptConnection, Event, Message, TextMessage
from wsproto.extensions import PerMessageDeflate
from wsproto.frame_protocol import CloseReason, FrameDecoder, FrameProtocol
from wsproto.utilities import ProtocolError

from web.transport.frames import MESSAGE_SIZE, WINDOW_BITS, Packing
from web.transport.limits import HOLDER, Allowance, Holder
from web.transport.logs import traffic_log

UNREAD = 1024 * 1024
"""So many bytes may wait for a client; what comes then is left out, and later it is shown all."""
AT_ONCE, A_SECOND = 200, 100
"""What somebody may send, on all lines together, as frames and messages are counted."""
TIMES_AS_MUCH = (10, 2, 1)
"""For the referee, for a player with several phones, and for a stranger."""
LOOK = 0.1
HEARD_LATER = 3.0
"""Seconds; a client that sends faster is heard later, and one much faster is cut off."""
SMALL_TALK = "40"
"""Socket.IO's hello, and the answer to a ping, which is shorter still."""
MESSAGE = 5
KILOBYTE = 1024
PACKET_TYPES = frozenset("0123456b")

log = traffic_log("companion.web.traffic")


class TooMuch(OSError):
    """A client sends faster than it can be heard, and is let go."""


class Json:
    """JSON in the shape that Socket.IO asks for; what is encoded already goes out as it is."""

    @staticmethod
    def dumps(value: Any, **_style: Any) -> str:
        """Write a value, a struct or raw JSON as text."""
        return msgspec.json.encode(value).decode()

    @staticmethod
    def loads(text: str | bytes, **_style: Any) -> Any:
        """Read JSON; anything else, also a hole too deep to climb out of, is a ValueError."""
        try:
            return msgspec.json.decode(text)
        except RecursionError:
            raise ValueError("too deep") from None


class UnreadMessages(queue.Queue[Any]):
    """Messages that wait for a client to read them."""

    def __init__(self) -> None:
        super().__init__()
        self.left_out = False
        """Whether a message was left out, so that the client has to be told everything anew."""
        self.line: Server | None = None
        self._bytes = 0

    def overtake(self, frame: bytes) -> bool:
        """Send a frame at once, without a detour over the writing thread, if nothing waits."""
        return self.line is not None and self.empty() and self.line.send_now(frame)

    def put(self, item: Any, block: bool = True, timeout: float | None = None) -> None:
        """Add a message unless too much waits; the mark at the end (None) always is added."""
        if item is not None and self._bytes >= UNREAD:
            self.left_out = True
            return
        super().put(item, block, timeout)

    def _put(self, item: Any) -> None:
        super()._put(item)
        self._bytes += _size(item)

    def _get(self) -> Any:
        item = super()._get()
        self._bytes -= _size(item)
        return item

    def join(self) -> None:
        """Return at once: a client that never fetches its last message would keep a thread."""


def _size(item: Any) -> int:
    return len(item.data) if isinstance(getattr(item, "data", None), (str, bytes)) else 1


class Deflate(PerMessageDeflate):
    """Compresses what goes out; what comes in is never unpacked beyond what may be sent."""

    def frame_inbound_payload_data(
        self, proto: FrameDecoder | FrameProtocol, data: bytes
    ) -> bytes | CloseReason:
        """Unpack a part of a message; a few bytes could become megabytes."""
        if not self._inbound_compressed or not self._inbound_is_compressible:
            return data
        assert self._decompressor is not None
        try:
            unpacked = self._decompressor.decompress(bytes(data), MESSAGE_SIZE + 1)
        except zlib.error:
            return CloseReason.INVALID_FRAME_PAYLOAD_DATA
        return CloseReason.MESSAGE_TOO_BIG if len(unpacked) > MESSAGE_SIZE else unpacked


class ScreenProtocol(WSConnection):
    """One screen's side of the protocol, whose messages are packed together with everybody's."""

    packing = Packing()
    heard = 0.0
    """How much was received: a frame counts for one, a message with something in it and every
    kilobyte for more."""

    def receive_data(self, data: bytes | None) -> None:
        """Take bytes as they arrive."""
        self.heard += len(data or b"") / KILOBYTE
        super().receive_data(data)

    def events(self) -> Generator[Event, None, None]:
        """Tell what the bytes mean, and count it."""
        for event in super().events():
            says = isinstance(event, Message) and len(event.data) > len(SMALL_TALK)
            self.heard += MESSAGE if says else 1
            yield event

    def send(self, event: Event) -> bytes:
        """Give the bytes for an event."""
        if isinstance(event, AcceptConnection):
            self._deflate = Deflate(server_no_context_takeover=True)
            event = replace(event, extensions=[self._deflate])
        elif isinstance(event, TextMessage) and self.connection is not None:
            deflate = self._deflate
            wide = deflate.enabled() and deflate.server_max_window_bits == WINDOW_BITS
            return self.packing.frame(event.data, wide)
        return super().send(event)


class Server(simple_websocket.Server):  # type: ignore[misc]
    """One client's WebSocket."""

    pace = Allowance(AT_ONCE, A_SECOND)

    def handshake(self) -> None:
        """Open the connection."""
        self.ws = ScreenProtocol(ConnectionType.SERVER)
        self._sending = threading.Lock()
        super().handshake()

    def _thread(self) -> None:
        """Receive until the end, and then let every thread know that no more will come."""
        try:
            super()._thread()
        except Exception as nonsense:
            log.info("A client was not understood: %r", nonsense)
        finally:
            self.connected = False
            self.event.set()
            with suppress(OSError):
                self.sock.shutdown(socket.SHUT_RDWR)

    def _handle_events(self) -> bool:
        """Act on what was received, and read nothing more for as long as it was too much."""
        keep: bool = super()._handle_events()
        holder: Holder = self.environ[HOLDER]
        cost = self.ws.heard / TIMES_AS_MUCH[holder.rank]
        self.ws.heard = 0.0
        rest = self.pace.charge(holder.name, cost)
        if rest > HEARD_LATER:
            raise TooMuch
        until = time.monotonic() + rest
        while self.connected and time.monotonic() < until:
            time.sleep(min(rest, LOOK))
        return keep

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

    def __call__(self, environ: dict[str, Any], _start_response: Any) -> Any:
        """Take the connection over for as long as it lasts."""
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
        return message


def hang_up(environ: dict[str, Any]) -> None:
    """Shut a connection down, which ends every thread that waits on it."""
    connection = environ.get("gunicorn.socket")
    if connection is not None:
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
