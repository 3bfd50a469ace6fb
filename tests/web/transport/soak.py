"""A table for an hour with people who come and go, and what that leaves behind in its process.

`make soak-connections MINUTES=60`: screens connect and drop all the time, in every way they do,
requests are asked and broken off, and the referee acts. After the first sixth of the time memory,
open files and threads must stay as they are.
"""

from __future__ import annotations

import random
import socket
import sys
import tempfile
import threading
import time
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple

from tests.kit.served import Client, Served, Started, resident
from tests.web.live_line import GONE, LiveLine, Polling

SEED = 20261
GUESTS = 12
LONGEST = 3.0
"""Seconds that a screen stays."""
BETWEEN_ACTS = 5.0
"""Seconds; each of them adds to the evening, which the table keeps in memory."""
MORE_MEMORY = 1.05
MORE_FILES, MORE_THREADS = 8, 16
"""How much more there may be at the end than after the first sixth: memory as a share of it."""
LINE = "{:>7} {:>9} {:>7} {:>8} {:>9} {:>8}"


class Sample(NamedTuple):
    """What the serving process takes at one moment."""

    minute: float
    kilobytes: int
    files: int
    threads: int


class Coming:
    """Guests from addresses of their own, each coming and going."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.over = threading.Event()
        self.visits = 0
        self.guests = [
            threading.Thread(target=self._guest, args=(number,), daemon=True)
            for number in range(GUESTS)
        ]
        for guest in self.guests:
            guest.start()

    def stop(self) -> None:
        self.over.set()
        for guest in self.guests:
            guest.join(timeout=30)

    def _guest(self, number: int) -> None:
        chance = random.Random(f"{SEED} {number}")
        while not self.over.is_set():
            visit = chance.choice((self._leave, self._tear, self._poll, self._break_off))
            with suppress(*GONE, HTTPException, AssertionError):
                visit(chance, f"127.0.0.{100 + number}")
            self.visits += 1

    def _leave(self, chance: random.Random, source: str) -> None:
        line = LiveLine(Client(self.port), None, source=source)
        self.over.wait(chance.random() * LONGEST)
        line.close()

    def _tear(self, chance: random.Random, source: str) -> None:
        line = LiveLine(Client(self.port), None, source=source)
        self.over.wait(chance.random() * LONGEST)
        line.tear()

    def _poll(self, _chance: random.Random, _source: str) -> None:
        Polling(Client(self.port), None)
        self.over.wait(LONGEST)

    def _break_off(self, chance: random.Random, source: str) -> None:
        path = chance.choice(("/", "/api/state", "/api/matches", "/api/statistics"))
        with socket.socket() as line:
            line.settimeout(10)
            line.bind((source, 0))
            line.connect(("127.0.0.1", self.port))
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n\r\n".encode())
            line.recv(chance.choice((1, 4096)))


def sample(began: float, pid: int) -> Sample:
    own = Path(f"/proc/{pid}")
    return Sample(
        (time.monotonic() - began) / 60,
        resident(pid),
        len(list((own / "fd").iterdir())),
        len(list((own / "task").iterdir())),
    )


def soak(served: Served, minutes: float) -> tuple[list[Sample], float]:
    """Let people come and go; give a sample every few seconds, and the referee's slowest act."""
    (serving,) = served.children()
    began, worst, acts = time.monotonic(), 0.0, 0
    samples = [sample(began, serving)]
    print(LINE.format("minute", "memory", "files", "threads", "visits", "acts"), flush=True)
    coming = Coming(served.port)
    shown = 0.0
    while samples[-1].minute < minutes:
        acted = time.monotonic()
        if acted >= began + acts * BETWEEN_ACTS:
            answer = served.do("undo") if acts % 2 else served.do("rename", seat=1, name="Anna")
            assert answer.status == 200, answer
            worst, acts = max(worst, time.monotonic() - acted), acts + 1
        samples.append(sample(began, serving))
        now = samples[-1]
        if now.minute >= shown:
            shown += minutes / 12
            print(
                LINE.format(
                    f"{now.minute:.1f}",
                    f"{now.kilobytes / 1000:.1f} MB",
                    now.files,
                    now.threads,
                    coming.visits,
                    acts,
                ),
                flush=True,
            )
        time.sleep(0.5)
    coming.stop()
    return samples, worst


def verdict(samples: list[Sample], minutes: float) -> list[str]:
    """Compare the last sixth with the second; what is not flat is told."""
    early = [one for one in samples if minutes / 6 <= one.minute < minutes / 3]
    late = [one for one in samples if one.minute >= minutes * 5 / 6]
    wrong = []
    if most(late, 1) > most(early, 1) * MORE_MEMORY:
        wrong.append(f"memory grew from {most(early, 1)} to {most(late, 1)} kB")
    if most(late, 2) > most(early, 2) + MORE_FILES:
        wrong.append(f"open files grew from {most(early, 2)} to {most(late, 2)}")
    if most(late, 3) > most(early, 3) + MORE_THREADS:
        wrong.append(f"threads grew from {most(early, 3)} to {most(late, 3)}")
    return wrong


def most(samples: list[Sample], field: int) -> int:
    return int(max(one[field] for one in samples))


def main() -> None:
    minutes = float(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        served = Started(Path(folder))
        try:
            served.pair()
            served.do("sit", name="Ana")
            samples, worst = soak(served, minutes)
        finally:
            served.stop()
    print(f"The referee's slowest act took {worst * 1000:.0f} ms.")
    wrong = verdict(samples, minutes)
    print("; ".join(wrong) if wrong else "Memory, files and threads stayed flat.")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
