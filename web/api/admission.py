"""Admission: both doors ask here, before anything else, whether their list lets somebody in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response, request
from flask_socketio import SocketIO

from web.access.permissions import EVENTS, may_enter, may_say
from web.api.api import sent
from web.api.command_door import Desk, only_the_referee


def watch_addresses(app: Flask, desk: Desk) -> None:
    """Let nobody use an address that the list does not open to them."""

    @app.before_request
    def admit() -> Response | None:
        if request.url_rule is None:
            return None
        if may_enter(desk.role(request), request.method, request.url_rule.rule):
            return None
        return sent(only_the_referee())


def watch_messages(socketio: SocketIO, desk: Desk, listener: object) -> None:
    """Listen to the messages of the list alone, and to each from those who may send it."""
    for name in EVENTS:
        socketio.on_event(name, _admitted(name, desk, getattr(listener, name)))


def _admitted(name: str, desk: Desk, hear: Callable[..., Any]) -> Callable[..., Any]:
    def heard(*said: Any) -> Any:
        if may_say(desk.role(request), name):
            return hear(*said)
        return only_the_referee().body

    return heard
