"""The plain door: the table's state and its commands over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from msgspec import Raw

from companion.journal.damage.lost import Lost
from companion.service import envelope
from web.access.devices import Device
from web.api.command_door import CommandDoor, Reply, error, sender_of
from web.live.screen import Screen, home_in_brief


def api(door: CommandDoor, screen: Screen, give_up: Callable[[Lost], None]) -> Blueprint:
    """The addresses below /api, and the health check."""
    doors = Blueprint("api", __name__)
    worker = door.running.worker

    @doors.get("/healthz")
    def healthz() -> Response:
        status = worker.status()
        health = {**msgspec.to_builtins(status), "home": home_in_brief(door.running)}
        return answer(Reply(200 if status.storage == "ok" else 503, health))

    @doors.get("/api/state")
    def state() -> Response:
        return answer(Reply(200, screen.show().body))

    @doors.get("/api/schema")
    def schema() -> Response:
        return answer(Reply(200, described()))

    @doors.get("/api/session")
    def session() -> Response:
        return answer(Reply(200, role_and_seat()))

    @doors.post("/api/commands")
    def commands() -> Response:
        return answer(not_json() or door.command(request.get_data(cache=False), sender_of(request)))

    @doors.post("/api/simulate")
    def simulate() -> Response:
        return answer(not_json() or door.simulate(read()))

    @doors.post("/api/pair")
    def pair() -> Response:
        return answer(not_json() or door.pair(read(), request))

    @doors.post("/api/sit")
    def sit() -> Response:
        return answer(not_json() or door.sit(read(), request))

    @doors.get("/api/devices")
    def devices() -> Response:
        return answer(Reply(200, {"devices": paired_devices(door)}))

    @doors.post("/api/devices/end")
    def end_device() -> Response:
        if refused := not_json():
            return answer(refused)
        match read():
            case {"number": int(number)}:
                door.pairing.end(number)
                return answer(Reply(200, {"devices": paired_devices(door)}))
            case _:
                return answer(error(400, "wrong_value", 'Send the number: {"number": 3}.'))

    @doors.post("/api/sign-out")
    def sign_out() -> Response:
        refused = not_json()
        if refused:
            return answer(refused)
        door.pairing.sign_out(request.cookies.get(door.cookie))
        response = answer(Reply(200, {"role": "watcher"}))
        response.delete_cookie(door.cookie, path="/", httponly=True, samesite="Strict")
        return response

    @doors.post("/api/sign-out/others")
    def sign_out_others() -> Response:
        if refused := not_json():
            return answer(refused)
        door.pairing.sign_out_others(request.cookies.get(door.cookie))
        return answer(Reply(200, {"role": "referee"}))

    @doors.post("/api/lost")
    def show_backups() -> Response:
        if refused := not_json():
            return answer(refused)
        lost = worker.status().lost
        if lost is None:
            return answer(error(409, "not_lost", "The journal is in its place."))
        give_up(lost)
        return answer(Reply(200, {"closing": True}))

    def answer(reply: Reply) -> Response:
        response = sent(reply)
        if reply.token is not None:
            keep_session(response, door.cookie, reply.token)
        return response

    return doors


@cache
def described() -> Raw:
    """The contract as JSON Schema, which takes a while to write and never changes."""
    return Raw(msgspec.json.encode(envelope.schema()))


def sent(reply: Reply) -> Response:
    """Send a reply as JSON that no browser keeps."""
    response = Response(msgspec.json.encode(reply.body), reply.status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    if reply.retry_after is not None:
        response.headers["Retry-After"] = str(reply.retry_after)
    return response


def role_and_seat() -> dict[str, Any]:
    """Tell a screen who it is; only a player has a seat of its own."""
    sender = sender_of(request)
    return {"role": sender.role} | ({} if sender.seat is None else {"seat": sender.seat})


def newcomer(door: CommandDoor) -> dict[str, Any]:
    """Tell a referee which other device became referee last, after this one."""
    if sender_of(request).role != "referee":
        return {}
    device = door.pairing.newcomer(request.cookies.get(door.cookie))
    return {"newcomer": None if device is None else described_device(device)}


def paired_devices(door: CommandDoor) -> list[dict[str, Any]]:
    """List who is paired, for the referee."""
    listed = door.pairing.devices(request.cookies.get(door.cookie))
    seats = {seat.player: seat for seat in door.running.worker.table.game.seats}
    return [
        {
            **described_device(device),
            "own": own,
            "referee": device.whose == "referee",
            "seat": seats[device.whose].number if device.whose in seats else None,
        }
        for device, own in listed
        if device.whose == "referee" or device.whose in seats
    ]


def described_device(device: Device) -> dict[str, Any]:
    """What a referee may know of a device; its token stays secret."""
    shown = ("number", "name", "address", "since", "seen")
    return {name: getattr(device, name) for name in shown}


def keep_session(response: Response, cookie: str, token: str) -> None:
    """Give the browser its session; no script can read it and no other site can send it."""
    year = 365 * 24 * 3600
    response.set_cookie(
        cookie,
        token,
        max_age=year,
        path="/",
        httponly=True,
        samesite="Strict",
        secure=request.is_secure,
    )


def not_json() -> Reply | None:
    """Refuse a body that is not declared as JSON; forms of other sites can only send such."""
    if request.mimetype == "application/json":
        return None
    return error(415, "not_json_type", "Send JSON, with the content type application/json.")


def read() -> Any:
    """Read the JSON that was sent; None when it is none."""
    try:
        return msgspec.json.decode(request.get_data(cache=False))
    except (ValueError, RecursionError):
        return None
