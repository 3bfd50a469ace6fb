"""What goes out to a screen: the table, the buttons and the service, as one message."""

from __future__ import annotations

import secrets
import threading
from typing import Any

import msgspec
from msgspec import Raw, Struct

from companion import __version__
from companion.assembly.running import Running
from companion.referee.sentences import spoken_fields
from companion.view import View
from web.access.invitations import Invitations
from web.access.knock import Knock


class Shown(Struct, frozen=True):
    """One message for the screens, each field of the table encoded once for all of them."""

    version: int
    table: dict[str, Raw]
    beside: bytes
    """All that can change without the table's version: buttons, phones, service, the forgotten."""
    hardware: Raw
    service: dict[str, Any]

    @property
    def body(self) -> Raw:
        """The whole of it."""
        return _encoded({"table": self.table, "hardware": self.hardware, "service": self.service})

    def whole(self, number: int) -> Raw:
        """The whole of it, as the push of this number."""
        return _encoded(
            {
                "number": number,
                "table": self.table,
                "hardware": self.hardware,
                "service": self.service,
            }
        )

    def since(self, before: Shown, number: int) -> Raw:
        """Only what is not the same as in the push before, which every screen has."""
        told: dict[str, Any] = {"number": number, "since": number - 1}
        told["table"] = {
            name: said for name, said in self.table.items() if said != before.table[name]
        }
        if self.hardware != before.hardware:
            told["hardware"] = self.hardware
        return _encoded({**told, "service": self.service})


class Screen:
    """Puts the message together, and does each part of the work only once."""

    def __init__(
        self, running: Running, knock: Knock, wifi: Knock, invitations: Invitations
    ) -> None:
        self.running = running
        self.knock = knock
        self._wifi = wifi
        self.boot = secrets.token_hex(8)
        """Names this run of the service, because a version means nothing in another one."""
        self._lock = threading.Lock()
        self._view: View | None = None
        self._table: dict[str, Raw] = {}
        self.place = invitations.place()
        """Where the table is to be found; what screens invite to changes with it."""

    def show(self) -> Shown:
        """Show the table as it is now."""
        view = self.running.view()
        hardware = self._hardware()
        service = self._service()
        on_phones = [seat.number for seat in view.seats if seat.phone]
        beside = msgspec.json.encode((hardware, service, on_phones, self.running.worker.anew))
        service["now"] = self.running.worker.now()
        return Shown(view.version, self._encode(view), beside, _encoded(hardware), service)

    def _encode(self, view: View) -> dict[str, Raw]:
        with self._lock:
            if view is not self._view:
                self._table = spoken_fields(view, view.names)
                self._view = view
            return self._table

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
            "lost": msgspec.to_builtins(status.lost),
            "pairing": self.knock.showing,
            "wifi": self._wifi.showing,
            "place": self.place,
            "home": home_in_brief(self.running),
            "hall": hall_in_brief(self.running),
        }


def _encoded(value: object) -> Raw:
    return Raw(msgspec.json.encode(value))


def hall_in_brief(running: Running) -> dict[str, Any] | None:
    """Tell what the hall asks of this table, but not where the hall is: anybody may ask."""
    status = None if running.hall is None else running.hall.status()
    if status is None:
        return None
    shown = msgspec.structs.asdict(status)
    return {name: shown[name] for name in shown if name not in ("since", "reason")}


def home_in_brief(running: Running) -> dict[str, Any] | None:
    """Tell whether the home is reached, but not where it is: anybody may ask."""
    if running.home is None:
        return None
    status = running.home()
    return {"connected": status.connected, "since": status.since}
