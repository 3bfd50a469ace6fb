"""What attackers did to the table, each as they did it, as a process of its own.

`python -m tests.web.transport.attacks KIND PORT SECONDS` says "raging" once it is under way, and
ends after so many seconds or with its input. Everything comes from an address of this machine.
"""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from tests.kit.served import Client
from tests.web.live_line import GONE, LiveLine, connected

SOURCE = "127.0.0.66"
SMALL = ((socket.SOL_SOCKET, socket.SO_RCVBUF, 2048),)
MANY, READERS, FLOODERS = 100, 90, 20
POLLS_A_SECOND = 10
FLOOD = 200
"""Frames that are sent at once."""
MASK = bytes(4)
PING, PONG = b"\x89\x80" + MASK, b"\x8a\x80" + MASK
BEGUN, EMPTY = b"\x01\x80" + MASK, b"\x00\x80" + MASK


def request(port: int, method: str, path: str, *headers: str) -> bytes:
    lines = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", *headers, "", ""]
    return "\r\n".join(lines).encode()


def held(port: int, said: bytes, count: int) -> Callable[[], None]:
    """Hold so many connections that have said this and read nothing; come back when dropped."""
    lines: list[socket.socket] = []

    def hold() -> None:
        gone, _, _ = select.select(lines, [], [], 0.05) if lines else ([], [], [])
        for line in [line for line in gone if _is_closed(line)]:
            lines.remove(line)
            line.close()
        for _ in range(min(10, count - len(lines))):
            with suppress(OSError):
                lines.append(connected(port, SMALL, 1, SOURCE))
                lines[-1].sendall(said)

    return hold


def _is_closed(line: socket.socket) -> bool:
    try:
        return not line.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return False
    except OSError:
        return True


def odd_lengths(port: int) -> Callable[[], None]:
    """A hundred requests whose body never comes, with a length that is hard to read."""
    said = request(port, "POST", "/api/pair", "Content-Length: 0000000000100")
    return held(port, said, MANY)


def slow_readers(port: int) -> Callable[[], None]:
    """A hundred who ask for something large and do not read it."""
    return held(port, request(port, "GET", "/api/matches.json") * 4, MANY)


def unread_answers(port: int) -> Callable[[], None]:
    """Ninety who ask for everything that was ever played and do not read it."""
    return held(port, request(port, "GET", "/api/matches"), READERS)


def abandoned_polls(port: int) -> Callable[[], None]:
    """Ten live sessions a second that are opened and never used."""
    opened = time.monotonic()
    count = 0

    def poll() -> None:
        nonlocal count
        time.sleep(max(0.0, opened + count / POLLS_A_SECOND - time.monotonic()))
        count += 1
        with suppress(OSError), connected(port, (), 2, SOURCE) as line:
            line.sendall(request(port, "GET", "/socket.io/?EIO=4&transport=polling"))
            line.recv(100)

    return poll


def control_frames(port: int) -> Callable[[], None]:
    """Twenty WebSockets full of pings, pongs and empty fragments."""
    lines: list[LiveLine] = []
    floods = (PING * FLOOD, PONG * FLOOD, BEGUN + EMPTY * FLOOD)

    def flood() -> None:
        if len(lines) < FLOODERS:
            with suppress(*GONE, AssertionError):
                lines.append(LiveLine(Client(port), None, timeout=2, source=SOURCE))
                lines[-1].socket.sock.setblocking(False)
        for number, line in enumerate(list(lines)):
            raw = line.socket.sock
            try:
                raw.send(floods[number % len(floods)])
                raw.recv(65536)
            except BlockingIOError:
                pass
            except OSError:
                lines.remove(line)
                raw.close()
        time.sleep(0.001)

    return flood


def endless_requests(port: int) -> Callable[[], None]:
    """Twenty who ask for something small again and again, as fast as they are answered."""
    lines: list[socket.socket] = []
    said = request(port, "GET", "/api/session")

    def ask() -> None:
        while len(lines) < FLOODERS:
            lines.append(connected(port, (), 2, SOURCE))
            lines[-1].sendall(said)
        answered, _, _ = select.select(lines, [], [], 0.05)
        for line in answered:
            try:
                over = not line.recv(65536)
                line.sendall(said)
            except OSError:
                over = True
            if over:
                lines.remove(line)
                line.close()

    return ask


ATTACKS = {
    attack.__name__: attack
    for attack in (
        odd_lengths,
        slow_readers,
        unread_answers,
        abandoned_polls,
        control_frames,
        endless_requests,
    )
}
UNDER_WAY = 1.5
"""Seconds after which an attack is in full swing."""


@contextmanager
def raging(kind: str, port: int, seconds: int) -> Iterator[None]:
    """Let an attack rage while something is tried."""
    order = [sys.executable, "-m", "tests.web.transport.attacks", kind, str(port), str(seconds)]
    with subprocess.Popen(order, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as rage:
        try:
            assert rage.stdout is not None
            assert rage.stdout.readline() == "raging\n"
            yield
        finally:
            rage.kill()


def main() -> None:
    kind, port, seconds = sys.argv[1:]
    attack = ATTACKS[kind](int(port))
    over = threading.Event()

    def until_told() -> None:
        sys.stdin.read()
        over.set()

    threading.Thread(target=until_told, daemon=True).start()
    began, told = time.monotonic(), False
    while not over.is_set() and time.monotonic() - began < float(seconds):
        attack()
        if not told and time.monotonic() - began > UNDER_WAY:
            told = True
            print("raging", flush=True)
    os._exit(0)


if __name__ == "__main__":
    main()
