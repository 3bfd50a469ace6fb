"""Halls in the same network: announced and found by Avahi, where that is installed."""

from __future__ import annotations

import re
import shutil
import subprocess

from msgspec import Struct

SERVICE = "_companion-hall._tcp"
PATIENCE = 10.0
ESCAPED = re.compile(r"\\(\d{3}|.)")


class FoundHall(Struct, frozen=True):
    """A hall that somebody has announced."""

    name: str
    address: str


class Announcement:
    """Tells the network that there is a hall, for as long as it is not closed."""

    def __init__(self, name: str, port: int) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        program = shutil.which("avahi-publish")
        if program is not None:
            words = [program, "--no-fail", "--service", name, SERVICE, str(port)]
            silent = subprocess.DEVNULL
            self._process = subprocess.Popen(words, stdout=silent, stderr=silent)

    def close(self) -> None:
        """Take it back."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait()


def found_halls() -> list[FoundHall]:
    """Look for halls; none where there is no Avahi."""
    program = shutil.which("avahi-browse")
    if program is None:
        return []
    words = [program, "--resolve", "--parsable", "--terminate", SERVICE]
    try:
        output = subprocess.run(words, capture_output=True, timeout=PATIENCE, check=False).stdout
    except subprocess.TimeoutExpired as late:
        output = late.stdout or b""
    return read_halls(output.decode(errors="replace"))


def read_halls(told: str) -> list[FoundHall]:
    """Read what avahi-browse tells: a line for each hall, network and version of addresses.

    A hall on this very machine is told on its loopback too, which the certificate does not know.
    """
    found: dict[str, str] = {}
    for line in told.splitlines():
        match line.split(";"):
            case ["=", interface, "IPv4", name, _, _, _, address, port, *_] if interface != "lo":
                found.setdefault(ESCAPED.sub(_unescaped, name), f"{address}:{port}")
            case _:
                pass
    return [FoundHall(name, address) for name, address in found.items()]


def _unescaped(escaped: re.Match[str]) -> str:
    code = escaped[1]
    return chr(int(code)) if code.isdecimal() and len(code) == 3 else code
