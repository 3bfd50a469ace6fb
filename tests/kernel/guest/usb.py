"""A USB encoder made of the kernel's own input layer, read by the table's code and dated by it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from evdev import UInput, ecodes

from hardware.board import Board
from hardware.wiring.wiring import ButtonWiring, Wiring

PATIENCE = 30.0
KEYS = ("BTN_TRIGGER", "BTN_THUMB", "BTN_TOP")


def run(said: dict[str, Any]) -> None:
    """Press keys of an encoder at known times, unplug it, plug it in again."""
    pushes = said["pushes"]
    print(json.dumps({"ready": "usb"}), flush=True)
    capabilities: dict[int, Sequence[int]] = {ecodes.EV_KEY: [ecodes.ecodes[key] for key in KEYS]}
    encoder = UInput(capabilities, name="arcade encoder")
    time.sleep(0.5)
    wiring = Wiring(
        buttons=tuple(
            ButtonWiring(name=f"seat {n}", usb="arcade encoder", key=key)
            for n, key in enumerate(KEYS, start=1)
        ),
        lamps="none",
    )
    reports: list[tuple[int, bytes]] = []
    board = Board(wiring, lambda r: reports.append((time.monotonic_ns(), msgspec.json.encode(r))))
    board.start()
    made = []
    for push in range(pushes):
        number = push % len(KEYS) + 1
        code = ecodes.ecodes[KEYS[number - 1]]
        times = []
        for value, rest in ((1, 0.05), (0, 0.06)):
            before = time.monotonic_ns()
            encoder.write(ecodes.EV_KEY, code, value)
            encoder.syn()
            times.append((before, time.monotonic_ns()))
            time.sleep(rest)
        made.append((number, times))
    encoder.close()
    _wait_for(b"set_aside", reports)
    encoder = UInput(capabilities, name="arcade encoder")
    _wait_for(b"put_back", reports)
    sys.stdin.read()
    name = board.pins.name
    board.stop()
    encoder.close()
    for arrived, report in reports:
        print(json.dumps({"arrived": arrived, **json.loads(report)}))
    print(json.dumps({"status": {"made": made, "factory": name}}), flush=True)


def _wait_for(kind: bytes, reports: list[tuple[int, bytes]]) -> None:
    """Wait until this was said of every button, or for so long that it never will be."""
    end = time.monotonic() + PATIENCE
    while sum(kind in said for _, said in reports) < len(KEYS) and time.monotonic() < end:
        time.sleep(0.1)
