"""The network that the table is in: its own addresses, and a Wi-Fi of its own where there is none.

The table itself changes no network. It leaves a wish in a file; root's small service
`companion-network` does what can be done, and writes down what there is.
"""

from __future__ import annotations

import fcntl
import os
import re
import socket
import struct
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

INTERFACES = Path("/sys/class/net")
ASIDE = ("lo", "docker", "br-", "veth", "virbr")
"""Interfaces that lead to no person."""
ASK_ADDRESS = 0x8915
"""The kernel's request SIOCGIFADDR."""
SERVICE = Path("/run/table-companion-network")
LOOK_EVERY = 10.0

Wish = Literal["hotspot", "home"]


class Hotspot(Struct, frozen=True):
    """The table's own Wi-Fi, while it is open."""

    name: str
    password: str
    address: str

    @property
    def code(self) -> str:
        """What a camera reads to join it."""
        name, password = (re.sub(r'([\\;,:"])', r"\\\1", one) for one in (self.name, self.password))
        return f"WIFI:T:WPA;S:{name};P:{password};;"


def hotspot(service: Path = SERVICE) -> Hotspot | None:
    """Tell the table's own Wi-Fi, if it is open now."""
    try:
        return msgspec.json.decode((service / "hotspot.json").read_bytes(), type=Hotspot)
    except (OSError, msgspec.DecodeError):
        return None


def can_wish(service: Path = SERVICE) -> bool:
    """Whether anybody would hear a wish."""
    return service.is_dir() and "RUNTIME_DIRECTORY" in os.environ


def wish(what: Wish) -> None:
    """Leave a wish for the service that looks after the network."""
    Path(os.environ["RUNTIME_DIRECTORY"], "network-wish").write_text(f"{what}\n")


def own_addresses(interfaces: Path = INTERFACES, service: Path = SERVICE) -> list[str]:
    """This machine's addresses on its networks, the one that most people reach first.

    They come from the interfaces, because a hotspot has no way out into the world.
    """
    own = hotspot(service)
    names = sorted(path.name for path in interfaces.glob("*") if not path.name.startswith(ASIDE))
    candidates = [None if own is None else own.address, _way_out(), *map(_address_of, names)]
    return [address for address in dict.fromkeys(candidates) if address]


def _address_of(interface: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            answer = fcntl.ioctl(asking, ASK_ADDRESS, struct.pack("256s", interface.encode()[:15]))
        except OSError:
            return None
    return socket.inet_ntoa(answer[20:24])


def _way_out() -> str | None:
    """The address by which this machine reaches the world; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address


class NetworkWatch:
    """Looks every few seconds whether the table is to be found elsewhere by now.

    Its own Wi-Fi has its address some seconds before anybody knows how to join it.
    """

    def __init__(
        self,
        places: Callable[[], Any],
        changed: Callable[[], None],
        own: Callable[[], Hotspot | None] = hotspot,
    ) -> None:
        self._places, self._own = places, own
        self._changed = changed
        self._before = self._found()
        threading.Thread(target=self._run, name="network", daemon=True).start()

    def _run(self) -> None:
        never = threading.Event()
        while not never.wait(LOOK_EVERY):
            self.look()

    def look(self) -> None:
        """Say so if something has changed."""
        now = self._found()
        if now != self._before:
            self._before = now
            self._changed()

    def _found(self) -> tuple[Any, Hotspot | None]:
        return self._places(), self._own()
