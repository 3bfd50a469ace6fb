"""Frames: what goes out to many screens is packed once for all of them.

A server's WebSocket frame is the same for everybody, as long as none of it refers to an earlier
message; so the work of one push hardly grows with the number of screens.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict
from dataclasses import replace

from wsproto import WSConnection
from wsproto.events import AcceptConnection, Event, TextMessage
from wsproto.extensions import PerMessageDeflate
from wsproto.frame_protocol import CloseReason, FrameDecoder, FrameProtocol

WORTH_SQUEEZING = 512
"""Bytes; a press is far smaller, and is not held up for it."""
WINDOW_BITS = 15
TEXT, SQUEEZED = 0x81, 0xC1
KEPT = 16
MESSAGE_SIZE = 16 * 1024
"""Bytes that a screen may send at once."""


class Packing:
    """Packs messages; the latest are kept, for the next screen that is sent the same."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[tuple[str, bool], bytes] = OrderedDict()

    def frame(self, message: str, squeezed: bool) -> bytes:
        """Give a message as one whole frame; while one thread packs it, the others wait for it."""
        key = message, squeezed
        with self._lock:
            packed = self._kept.get(key)
            if packed is None:
                packed = self._kept[key] = pack(message, squeezed)
                if len(self._kept) > KEPT:
                    self._kept.popitem(last=False)
            return packed


def pack(message: str, squeezed: bool = False) -> bytes:
    """Make a frame of a message, squeezed for a screen that can read that."""
    body, first = message.encode(), TEXT
    if squeezed and len(body) >= WORTH_SQUEEZING:
        squeeze = zlib.compressobj(wbits=-WINDOW_BITS)
        body = (squeeze.compress(body) + squeeze.flush(zlib.Z_SYNC_FLUSH))[:-4]
        first = SQUEEZED
    if len(body) < 126:
        return bytes([first, len(body)]) + body
    if len(body) < 1 << 16:
        return bytes([first, 126]) + len(body).to_bytes(2, "big") + body
    return bytes([first, 127]) + len(body).to_bytes(8, "big") + body


class Deflate(PerMessageDeflate):
    """Squeezes what goes out; what comes in is never unpacked beyond what may be sent."""

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


class Connection(WSConnection):
    """One screen's side of the protocol, whose messages are packed together with everybody's."""

    packing = Packing()

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
