"""Chips labelled as each Pi's: the header's is found among them, and a press there is heard."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from hardware.board import Board
from hardware.pins.gpiod_factory import find_chip
from hardware.wiring.wiring import default_wiring

SIMULATED = Path("/sys/kernel/config/gpio-sim")
PATIENCE = 15.0


def run(said: dict[str, Any]) -> None:
    """Make the chips of one Pi, find the header's, press its first button, and take all away."""
    print(json.dumps({"ready": said["factory"]}), flush=True)
    devices = Path("/tmp", said["pi"])
    devices.mkdir()
    made = [_make(f"{said['pi']} {n}", label) for n, label in enumerate(said["labels"])]
    for chip in made:
        (devices / chip.name).symlink_to(Path("/dev", chip.name))
    found = Path(find_chip(devices)).name
    (lines,) = (chip for chip in made if chip.name == found)
    number = int(found.removeprefix("gpiochip"))
    wiring = replace(default_wiring(2, factory=said["factory"], lamps="none"), chip=number)
    reports: list[Any] = []
    first = lines / f"sim_gpio{wiring.button(1).pin}" / "pull"
    first.write_text("pull-up")
    board = Board(wiring, reports.append)
    board.start()
    first.write_text("pull-down")
    end = time.monotonic() + PATIENCE
    while not (heard := board.status().buttons[0].presses) and time.monotonic() < end:
        time.sleep(0.05)
    sys.stdin.read()
    board.stop()
    for link in devices.iterdir():
        link.unlink()
    devices.rmdir()
    place = [chip.name for chip in made].index(found)
    print(json.dumps({"status": {"place": place, "heard": heard}}), flush=True)
    for n in range(len(made)):
        _remove(f"{said['pi']} {n}")


def _make(name: str, label: str) -> Path:
    """Make a chip with this label, and give the folder of its lines."""
    chip = SIMULATED / name
    (chip / "bank0").mkdir(parents=True)
    (chip / "bank0/num_lines").write_text("54")
    (chip / "bank0/label").write_text(label)
    (chip / "live").write_text("1")
    device = (chip / "dev_name").read_text().strip()
    return Path("/sys/devices/platform", device, (chip / "bank0/chip_name").read_text().strip())


def _remove(name: str) -> None:
    chip = SIMULATED / name
    (chip / "live").write_text("0")
    (chip / "bank0").rmdir()
    chip.rmdir()
