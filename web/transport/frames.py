"""Frames: what goes out to many screens is packed once for all of them.

A server's WebSocket frame is the same for everybody, as long as none of it refers to an earlier
message; so the work of one push hardly grows with the number of screens.
"""

from __future__ import annotations

import threading
import zlib
from collections import OrderedDict

import msgspec

WORTH_COMPRESSING = 512
"""Bytes; a press is far smaller, and is not held up for it."""
WINDOW_BITS = 15
TEXT, COMPRESSED = 0x81, 0xC1
KEPT = 16
EVENT = "42"
"""How such an event begins on the wire."""
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
