"""Lamps and the buzzer on the machine's lines, beside buttons, by each factory and kind of lamp."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from hardware.board import Board
from hardware.outputs.lamps import LampState
from hardware.wiring.wiring import Wiring, default_wiring

PATIENCE = 15.0
SHOWN = (LampState.TURN, LampState.DARK, LampState.TURN, LampState.DARK)


def run(said: dict[str, Any]) -> None:
    """Show a pattern on four lamps and read the lines, with the table open and closed again."""
    wiring = default_wiring(4, factory=said["factory"], lamps=said["lamps"], buzzer=said["buzzer"])
    board = Board(wiring, lambda report: None)
    board.start()
    print(json.dumps({"ready": board.pins.name}), flush=True)
    read = []
    for states in (SHOWN, SHOWN[1:] + SHOWN[:1]):
        board.lamps.show(dict(enumerate(states, start=1)))
        time.sleep(0.4)
        wanted = [int(state is LampState.TURN) for state in states]
        end = time.monotonic() + PATIENCE
        while (levels := _levels(said["lines"], wiring)) != wanted and time.monotonic() < end:
            time.sleep(0.1)
        read.append(levels)
    board.buzzer.play("won")
    time.sleep(0.3)
    sys.stdin.read()
    board.stop()
    print(json.dumps({"status": {"read": read}}), flush=True)


def _levels(lines: str, wiring: Wiring) -> list[int]:
    pins = [button.lamp for button in wiring.buttons]
    return [int(Path(lines, f"sim_gpio{pin}", "value").read_text()) for pin in pins]
