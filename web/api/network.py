"""The table's own Wi-Fi: how to join it, and the referee's wish to open or close it."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, Response, request

from web.access.knock import Knock
from web.access.network import can_wish, hotspot, wish
from web.api.api import not_json, read, sent
from web.api.command_door import Reply, error, sender_of
from web.api.pages import drawn


def network(asked: Knock) -> Blueprint:
    """The addresses of the Wi-Fi; its password is for the referee and those who are shown it."""
    doors = Blueprint("network", __name__)

    @doors.get("/api/wifi")
    def wifi() -> Response:
        own = hotspot()
        access = None if own is None or hidden() else msgspec.to_builtins(own)
        return sent(Reply(200, {"able": can_wish(), "open": own is not None, "hotspot": access}))

    @doors.get("/api/wifi.svg")
    def wifi_picture() -> Response:
        own = hotspot()
        if own is None or hidden():
            return sent(error(403, "not_shown", "The Wi-Fi's code is shown only when asked for."))
        return drawn(own.code)

    @doors.post("/api/wifi")
    def change_wifi() -> Response:
        return sent(not_json() or _change(read()))

    def _change(body: Any) -> Reply:
        match body:
            case {"wish": "hotspot" | "home" as wished, **rest} if not rest:
                if not can_wish():
                    return error(409, "no_hotspot", "This table can’t open a Wi-Fi of its own.")
                wish(wished)
                return Reply(200, {"wish": wished})
            case {"show": True, **rest} if not rest:
                return Reply(200, {"seconds": asked.show()})
            case _:
                return error(400, "wrong_value", 'Send this: {"wish": "hotspot"}.')

    def hidden() -> bool:
        return not asked.showing and sender_of(request).role != "referee"

    return doors
