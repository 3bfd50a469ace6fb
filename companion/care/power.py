"""How the machine gets its power: from a battery that runs down, or from a supply too weak."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

SUPPLIES = "sys/class/power_supply/*"
VOLTAGE_ALARMS = "sys/class/hwmon/hwmon*/in0_lcrit_alarm"


class Power(Struct, frozen=True):
    """What the kernel tells of the supply; most machines tell nothing."""

    battery: int | None = None
    """Percent that are left, while the machine lives on a battery."""
    weak: bool = False
    """Whether a Pi's supply is too weak at this moment."""


def power(root: Path = Path("/")) -> Power:
    """Ask the kernel."""
    return Power(min(_running_down(root), default=None), "1" in voltage_alarms(root))


def voltage_alarms(root: Path = Path("/")) -> list[str]:
    """Read what a Pi says of its supply: "1" where it is too weak; nothing on other machines."""
    return [
        _read(alarm)
        for alarm in root.glob(VOLTAGE_ALARMS)
        if _read(alarm.parent / "name") == "rpi_volt"
    ]


def _running_down(root: Path) -> Iterator[int]:
    """Find the batteries that the machine itself lives on; those of a mouse are its own affair."""
    for supply in root.glob(SUPPLIES):
        machines_own = _read(supply / "scope") != "Device"
        if _read(supply / "type") == "Battery" and machines_own:
            left = _read(supply / "capacity")
            if _read(supply / "status") == "Discharging" and left.isdecimal():
                yield min(int(left), 100)


def _read(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""
