"""The table's place in a hall: the referee joins one with the desk's code, and leaves it."""

from __future__ import annotations

from flask import Blueprint, Response

from companion.assembly.running import Running
from companion.hall.table.membership import NotJoined
from web.api.api import not_json, read, sent
from web.api.command_door import Reply, error


def hall(running: Running) -> Blueprint:
    """The addresses; who may use them is decided by the list of addresses."""
    doors = Blueprint("hall", __name__)

    @doors.post("/api/hall")
    def join() -> Response:
        place = running.hall
        if refused := not_json():
            return sent(refused)
        match read():
            case {"address": str(address), "code": str(code)} if (
                place is not None and len(address) <= 200 and len(code) <= 64
            ):
                try:
                    place.join(address, code)
                except NotJoined as why:
                    said = why.spoken
                    parts = {"why_code": said.code, **said.parts}
                    return sent(
                        error(409, "hall_not_joined", said.text, None, why=said.text, **parts)
                    )
                return sent(Reply(200, {"joined": True}))
        return sent(error(400, "wrong_value", "Send the address of the hall and the code."))

    @doors.post("/api/hall/leave")
    def leave() -> Response:
        if refused := not_json():
            return sent(refused)
        if running.hall is not None:
            running.hall.leave()
        return sent(Reply(200, {"joined": False}))

    return doors
