"""Frames: what goes out to many screens is packed once for all of them.

A server's WebSocket frame is the same for everybody, as long as none of it refers to an earlier
message; so the work of one push hardly grows with the number of screens.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from collections.abc import Generator
from dataclasses import replace

import msgspec
from wsproto import WSConnection
from wsproto.events import AcceptConnection, Event, Message, TextMessage
from wsproto.extensions import PerMessageDeflate
from wsproto.frame_protocol import CloseReason, FrameDecoder, FrameProtocol

WORTH_COMPRESSING = 512
"""Bytes; a press is far smaller, and is not held up for it."""
WINDOW_BITS = 15
TEXT, COMPRESSED = 0x81, 0xC1
KEPT = 16
EVENT = "42"
"""How such an event begins on the wire."""
SMALL_TALK = "40"
"""Socket.IO's hello, and the answer to a ping, which is shorter still."""
MESSAGE = 5
KILOBYTE = 1024
MESSAGE_SIZE = 16 * 1024
"""Bytes that a screen may send at once."""


class Packing:
    """Packs messages; the latest are kept, for the next screen that is sent the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, bool], bytes] = OrderedDict()

    def frame(self, message: str, compressed: bool) -> bytes:
        """Give a message as one whole frame; while one thread packs it, the others wait for it."""
        key = message, compressed
        with self._lock:
            packed = self._kept.get(key)
            if packed is None:
                packed = self._kept[key] = pack(message, compressed)
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return packed


def packed_event(event: str, value: object) -> bytes:
    """Pack an event of Socket.IO's first namespace, as small ones go out past every queue."""
    return pack(EVENT + msgspec.json.encode([event, value]).decode())


def pack(message: str, compressed: bool = False) -> bytes:
    """Make a frame of a message, compressed for a screen that can read that."""
    body, first = message.encode(), TEXT
    if compressed and len(body) >= WORTH_COMPRESSING:
        deflate = zlib.compressobj(wbits=-WINDOW_BITS)
        body = (deflate.compress(body) + deflate.flush(zlib.Z_SYNC_FLUSH))[:-4]
        first = COMPRESSED
    if len(body) < 126:
        return bytes([first, len(body)]) + body
    if len(body) < 1 << 16:
        return bytes([first, 126]) + len(body).to_bytes(2, "big") + body
    return bytes([first, 127]) + len(body).to_bytes(8, "big") + body


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
