"""Paired devices: what is known of each, and the file that they are kept in.

Only digests of the tokens are written to disk. Wall time decides nothing, it is only shown.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from companion.common.clock import label
from companion.common.whole_file import write_whole

log = logging.getLogger("companion.web")

Whose = Literal["referee"] | int
"""Whose device it is: the referee's, or that of the player with this number."""

MACHINES = ("iPhone", "iPad", "Android", "Windows", "CrOS", "Macintosh", "Linux")
BROWSERS = {
    "Firefox": r"Firefox/|FxiOS/",
    "Edge": r"Edg\w*/",
    "Samsung Internet": r"SamsungBrowser/",
    "Chrome": r"Chrome/|CriOS/",
    "Safari": r"Safari/",
}
"""The first that is found in what a browser says of itself; many also name those after it."""


class Device(Struct):
    """One browser that was paired."""

    whose: Whose
    number: int
    """By which a referee can name it; a later device has a higher one."""
    journal: str
    """In which journal the player's number means a person."""
    name: str
    address: str
    since: str
    seen: str


class Browser(Struct, frozen=True):
    """Where a request comes from."""

    address: str = ""
    agent: str = ""

    @property
    def name(self) -> str:
        """Say in a few words what it is; the words are the same in every language."""
        machine = next((one for one in MACHINES if one in self.agent), "")
        browsers = (name for name, mark in BROWSERS.items() if re.search(mark, self.agent))
        return " · ".join(filter(None, (machine, next(browsers, "")))) or self.agent[:24]


def new_device(whose: Whose, number: int, journal: str, browser: Browser) -> Device:
    """Note who was paired, and when."""
    now = label()
    return Device(whose, number, journal, browser.name, browser.address, now, now)


def read_devices(place: Path | None) -> dict[str, Device]:
    """Read the devices by the digests of their tokens."""
    if place is None:
        return {}
    try:
        return msgspec.json.decode(place.read_bytes(), type=dict[str, Device])
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as trouble:
        log.warning("Sessions could not be read, the code is needed again: %s", trouble)
        return {}


def write_devices(place: Path | None, devices: dict[str, Device]) -> None:
    """Keep the devices over a restart."""
    if place is None:
        return
    try:
        write_whole(place, msgspec.json.encode(devices))
    except OSError as trouble:
        log.warning("Sessions could not be saved, a restart will ask for the code: %s", trouble)
