"""What goes out to a screen: the table, the buttons and the service, as one message."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Raw, Struct

from companion import __version__
from companion.assembly.running import Running
from companion.referee.model.table import Table
from companion.view import view
from web.access.knock import Corner


class Shown(Struct, frozen=True):
    """One message for the screens, encoded once for all of them."""

    version: int
    body: Raw
    beside: bytes
    """All that can change without the table's version: buttons, phones, service, the forgotten."""


class Screen:
    """Puts the message together, and does each part of the work only once."""

    def __init__(
        self,
        running: Running,
        corner: Corner,
        phones: Callable[[], frozenset[int]] = frozenset,
    ) -> None:
        self.running = running
        self.corner = corner
        self.phones = phones
        """Tells which players have paired a phone."""
        self.boot = secrets.token_hex(8)
        """Names this run of the service, because a version means nothing in another one."""
        self._lock = threading.Lock()
        self._of: tuple[Table, frozenset[int]] | None = None
        self._encoded = Raw(b"null")

    def show(self) -> Shown:
        """Show the table as it is now."""
        table = self.running.worker.table
        phones = self.phones()
        encoded = self._encode(table, phones)
        hardware = self._hardware()
        service = self._service()
        beside = msgspec.json.encode((hardware, service, sorted(phones), self.running.worker.anew))
        service["now"] = self.running.worker.now()
        body = {"table": encoded, "hardware": hardware, "service": service}
        return Shown(table.version, Raw(msgspec.json.encode(body)), beside)

    def _encode(self, table: Table, phones: frozenset[int]) -> Raw:
        with self._lock:
            if self._of is None or table is not self._of[0] or phones != self._of[1]:
                self._encoded = Raw(msgspec.json.encode(view(table, phones)))
                self._of = table, phones
            return self._encoded

    def _hardware(self) -> dict[str, object]:
        checkup = self.running.checkup
        brief = {} if checkup is None else checkup.brief()
        return {"simulated": self.running.push is not None, **brief}

    def _service(self) -> dict[str, Any]:
        status = self.running.worker.status()
        return {
            "boot": self.boot,
            "release": __version__,
            "storage": status.storage,
            "damage": status.damage,
            "pairing": self.corner.showing,
            "home": home_in_brief(self.running),
        }


def home_in_brief(running: Running) -> dict[str, Any] | None:
    """Tell whether the home is reached, but not where it is: anybody may ask."""
    if running.home is None:
        return None
    status = running.home()
    return {"connected": status.connected, "since": status.since}
