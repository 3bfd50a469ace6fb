"""A peek: looks at a request in the socket without taking it, until all of it is there.

So a thread never waits for a client that sends its request byte by byte, or only half of it.
"""

from __future__ import annotations

import re
import socket

from web.transport.frames import MESSAGE_SIZE

HEAD = 16 * 1024
"""The first line and all headers are at most this long."""
LOOKS = 100
"""No honest client sends these in so many pieces."""
REFUSED = b"HTTP/1.1 %s\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
TOO_LARGE = REFUSED % b"431 Request Header Fields Too Large"
NO_LENGTH = REFUSED % b"400 Bad Request"
LENGTH = re.compile(rb"^content-length\b[^\n]*", re.IGNORECASE | re.MULTILINE)
NUMBER = re.compile(rb"content-length:[ \t]*([0-9]{1,9})[ \t]*\r?", re.IGNORECASE)
CODING = re.compile(rb"^transfer-encoding\b", re.IGNORECASE | re.MULTILINE)
COOKIE = re.compile(rb"^cookie:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)
FORWARDED = re.compile(rb"^x-forwarded-for:([^\r\n]*)", re.IGNORECASE | re.MULTILINE)


class RequestPeek:
    """One request on its way in."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._seen = 0
        self._looks = 0
        self.path = ""
        self.cookies = ""
        self.forwarded = ""
        """The client for which a proxy says that it asks."""
        self.refused = b""
        """The answer to what cannot be a request of ours, however it goes on."""
        self.unfinished = False
        """Whether more may follow that will not be read."""

    def complete(self) -> bool:
        """Look whether it is all there; if not, sleep until more of it is."""
        try:
            seen = self._sock.recv(HEAD + MESSAGE_SIZE, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True
        self._looks += 1
        missing = self._missing(seen)
        if missing and len(seen) > self._seen and self._looks < LOOKS:
            self._seen = len(seen)
            self._wake_at(len(seen) + missing)
            return False
        if missing and self._looks >= LOOKS:
            self.refused = TOO_LARGE
        self._wake_at(1)
        return True

    def _missing(self, seen: bytes) -> int:
        """Count the bytes that must still come, as far as that can be known."""
        end = seen.find(b"\r\n\r\n")
        if end < 0:
            if len(seen) >= HEAD:
                self.refused = TOO_LARGE
                return 0
            return 1
        head = seen[: end + 2]
        self.path = head.split(b" ", 2)[1].decode("latin-1") if head.count(b" ") > 1 else ""
        self.cookies = _said(COOKIE, head)
        self.forwarded = _said(FORWARDED, head)
        body = self._length(head)
        self.unfinished = body > MESSAGE_SIZE or CODING.search(head) is not None
        return 0 if self.unfinished else max(0, end + 4 + body - len(seen))

    def _length(self, head: bytes) -> int:
        """Read how long the body is; one of doubtful length is refused before it gets a thread."""
        lengths = LENGTH.findall(head)
        number = NUMBER.fullmatch(lengths[0]) if len(lengths) == 1 else None
        if lengths and number is None:
            self.refused = NO_LENGTH
        return int(number[1]) if number else 0

    def _wake_at(self, amount: int) -> None:
        """Let the poller report the socket once it holds so many bytes, or its end."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, amount)


def _said(header: re.Pattern[bytes], head: bytes) -> str:
    match = header.search(head)
    return match[1].decode("latin-1") if match else ""
