"""Advice for when the pins cannot be had: what is missing here, and what to do about it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path

DEVICES = Path("/dev")
BUSY = ("busy", "in use", "already")

NONE = "This computer has no GPIO pins: there is no /dev/gpiochip."
FORBIDDEN = (
    "You may not use the pins: {device} belongs to the group {group}, and you are not in it. "
    "Join it with `sudo usermod -aG {group} $USER`, then log out and in again."
)
ROOTS = (
    "You may not use the pins: {device} belongs to root alone, as on a plain Debian. The table's "
    "installer gives it to the group gpio; run that once, then the `companion` that it installs."
)
HELD = (
    "Another program holds the pins. If it is the table itself, its page /hardware shows the "
    "buttons; or stop it first with `sudo systemctl stop table-companion`."
)
REMOTE = (
    "Let pigpiod run on the other Pi with `sudo systemctl enable --now pigpiod`, and allow remote "
    "GPIO there in raspi-config; a Pi 5 has no pigpiod."
)
REMOTE_PACKAGE = 'Install it with `.venv/bin/python -m pip install "table-companion[remote]"`.'


def explained(
    trouble: Exception,
    devices: Iterable[Path] | None = None,
    usable: Callable[[Path], bool] = lambda device: os.access(device, os.R_OK | os.W_OK),
    group_of: Callable[[Path], str] = Path.group,
) -> str:
    """Say what went wrong, and what to do about it where that can be found out."""
    message = str(trouble)
    advice = _advice(message, devices, usable, group_of)
    return " ".join([message if message.endswith(".") else f"{message}.", *advice])


def held(trouble: Exception) -> bool:
    """Whether another program has the pins."""
    message = str(trouble).lower()
    return any(word in message for word in BUSY)


def _advice(
    message: str,
    devices: Iterable[Path] | None,
    usable: Callable[[Path], bool],
    group_of: Callable[[Path], str],
) -> list[str]:
    if "pigpio" in message:
        return [REMOTE_PACKAGE if "No module" in message else REMOTE]
    if "evdev" in message:
        return []
    chips = sorted(DEVICES.glob("gpiochip*")) if devices is None else list(devices)
    if not chips:
        return [NONE]
    closed = [chip for chip in chips if not usable(chip)]
    if len(closed) == len(chips):
        group = group_of(closed[0])
        return [(ROOTS if group == "root" else FORBIDDEN).format(device=closed[0], group=group)]
    return [HELD] if held(RuntimeError(message)) else []
