"""The plain door: the table's state and its commands over HTTP."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from flask import Blueprint, Response, request
from msgspec import Raw

from companion.service import envelope
from web.api.command_door import Desk, Reply, error
from web.live.screen import Screen, home_in_brief


def api(desk: Desk, screen: Screen) -> Blueprint:
    """The addresses below /api, and the health check."""
    doors = Blueprint("api", __name__)
    worker = desk.running.worker

    @doors.get("/healthz")
    def healthz() -> Response:
        status = worker.status()
        told = {**msgspec.to_builtins(status), "home": home_in_brief(desk.running)}
        return answer(Reply(200 if status.storage == "ok" else 503, told))

    @doors.get("/api/state")
    def state() -> Response:
        return answer(Reply(200, screen.show().body))

    @doors.get("/api/schema")
    def schema() -> Response:
        return answer(Reply(200, described()))

    @doors.get("/api/session")
    def session() -> Response:
        return answer(Reply(200, role_and_seat(desk)))

    @doors.post("/api/commands")
    def commands() -> Response:
        return answer(not_json() or desk.command(request.get_data(cache=False), request))

    @doors.post("/api/simulate")
    def simulate() -> Response:
        return answer(not_json() or desk.simulate(read(), request))

    @doors.post("/api/pair")
    def pair() -> Response:
        return answer(not_json() or desk.pair(read(), request))

    @doors.post("/api/sign-out")
    def sign_out() -> Response:
        refused = not_json()
        if refused:
            return answer(refused)
        desk.pairing.sign_out(request.cookies.get(desk.cookie))
        response = answer(Reply(200, {"role": "watcher"}))
        response.delete_cookie(desk.cookie, path="/", httponly=True, samesite="Strict")
        return response

    @doors.post("/api/sign-out/others")
    def sign_out_others() -> Response:
        if refused := not_json():
            return answer(refused)
        desk.pairing.sign_out_others(request.cookies.get(desk.cookie))
        return answer(Reply(200, {"role": "referee"}))

    def answer(reply: Reply) -> Response:
        response = sent(reply)
        if reply.token is not None:
            keep_session(response, desk.cookie, reply.token)
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


def role_and_seat(desk: Desk) -> dict[str, Any]:
    """Tell a screen who it is; only a player has a seat of its own."""
    role, seat = desk.who(request)
    return {"role": role} if seat is None else {"role": role, "seat": seat}


def keep_session(response: Response, cookie: str, token: str) -> None:
    """Give the browser its session; no script can read it and no other site can send it."""
    year = 365 * 24 * 3600
    response.set_cookie(cookie, token, max_age=year, path="/", httponly=True, samesite="Strict")


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
