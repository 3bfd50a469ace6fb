"""Advice for when the pins cannot be had: what is missing here, and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

DEVICES = Path("/dev")
BUSY = ("busy", "in use", "already")

NONE = "This computer has no GPIO pins: there is no /dev/gpiochip."
FORBIDDEN = (
    "You may not use the pins: {device} belongs to a group that you are not in. "
    "Join it with `sudo usermod -aG gpio $USER`, then log out and in again."
)
HELD = (
    "Another program holds the pins. If it is the table itself, its page /hardware shows the "
    "buttons; or stop it first with `sudo systemctl stop table-companion`."
)


def explained(
    trouble: Exception,
    devices: Iterable[Path] | None = None,
    usable: Callable[[Path], bool] = lambda device: os.access(device, os.R_OK | os.W_OK),
) -> str:
    """Say what went wrong, and what helps against it where that can be found out."""
    said = str(trouble)
    return " ".join([said if said.endswith(".") else f"{said}.", *_advice(said, devices, usable)])


def held(trouble: Exception) -> bool:
    """Whether somebody else has the pins."""
    said = str(trouble).lower()
    return any(word in said for word in BUSY)


def _advice(said: str, devices: Iterable[Path] | None, usable: Callable[[Path], bool]) -> list[str]:
    if "evdev" in said or "pigpio" in said:
        return []
    chips = sorted(DEVICES.glob("gpiochip*")) if devices is None else list(devices)
    if not chips:
        return [NONE]
    closed = [chip for chip in chips if not usable(chip)]
    if len(closed) == len(chips):
        return [FORBIDDEN.format(device=closed[0])]
    return [HELD] if held(RuntimeError(said)) else []
