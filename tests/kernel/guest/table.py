"""The table's own hardware code on the machine's lines; every report goes out as a line of JSON."""

from __future__ import annotations

import json
import sys
import threading
import time
from typing import Any

import msgspec

from hardware.board import Board
from hardware.wiring.wiring import ButtonWiring, Wiring


def run(said: dict[str, Any]) -> None:
    """Run a board until the standard input ends."""
    wiring = Wiring(
        buttons=tuple(
            ButtonWiring(name=f"seat {n}", pin=pin) for n, pin in enumerate(said["pins"], start=1)
        ),
        factory=said["factory"],
        pull=said["pull"],
        lamps="none",
    )
    reports: list[tuple[int, bytes]] = []
    board = Board(wiring, lambda r: reports.append((time.monotonic_ns(), msgspec.json.encode(r))))
    board.start()
    if said["busy"]:
        threading.Thread(target=keep_the_interpreter_busy, daemon=True).start()
    print(json.dumps({"ready": board.pins.name}), flush=True)
    sys.stdin.read()
    status = msgspec.to_builtins(board.status())
    status["overwritten"] = getattr(board.pins.factory, "overwritten", None)
    board.stop()
    for arrived, report in reports:
        print(json.dumps({"arrived": arrived, **json.loads(report)}))
    print(json.dumps({"status": status}), flush=True)


def keep_the_interpreter_busy() -> None:
    total = 0
    while True:
        total += sum(n * n for n in range(1000))
