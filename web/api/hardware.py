"""The hardware page: the one that shows every button live, its lamp test and its report.

Nothing here is on the way of a press: one thread looks ten times a second, while somebody watches,
and sends what has changed.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

import msgspec
from flask import Blueprint, Response
from msgspec import Raw, structs

from companion.assembly.checkup import Checkup, racing
from web.api.api import not_json, read, sent
from web.api.command_door import CommandDoor, Reply, error
from web.live.live import Live

LOOK_EVERY = 0.1
FEW = 2
"""With so many messages unread, a screen gets nothing new."""
SECOND = 1_000_000_000

log = logging.getLogger("companion.web")


class HardwareScreens:
    """Shows the check to every screen that wants it, as it changes and no faster."""

    def __init__(self, socketio: Any, live: Live, checkup: Checkup | None) -> None:
        self._socketio = socketio
        self._live = live
        self._checkup = checkup
        self._shown: dict[str, bytes] = {}
        """What each watching screen was last sent, apart from the time."""
        self._lock = threading.Lock()
        self._watched = threading.Event()
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hardware", daemon=True)
        self._thread.start()

    def watch(self, sid: str) -> None:
        """Show the check to a screen from now on."""
        if self._checkup is not None:
            with self._lock:
                self._shown[sid] = b""
            self._watched.set()

    def farewell(self, sid: str) -> None:
        """Forget a screen that has gone."""
        with self._lock:
            self._shown.pop(sid, None)
            if not self._shown:
                self._watched.clear()

    def stop(self) -> None:
        """Show nothing more."""
        self._stopped.set()
        self._watched.set()
        self._thread.join(timeout=2)

    def _run(self) -> None:
        while self._watched.wait() and not self._stopped.wait(LOOK_EVERY):
            try:
                self._show()
            except Exception:
                log.exception("The buttons could not be shown")

    def _show(self) -> None:
        assert self._checkup is not None
        check = self._checkup.check()
        apart = msgspec.json.encode(structs.replace(check, at=0))
        with self._lock:
            behind = [sid for sid, shown in self._shown.items() if shown != apart]
        if not behind:
            return
        body = Raw(msgspec.json.encode(check))
        for sid in behind:
            if self._live.waiting_for(sid) <= FEW:
                self._socketio.emit("hardware", body, to=sid)
                with self._lock:
                    if sid in self._shown:
                        self._shown[sid] = apart


def hardware(door: CommandDoor) -> Blueprint:
    """The addresses of the check."""
    doors = Blueprint("hardware", __name__)

    @doors.get("/api/hardware")
    def whole_check() -> Response:
        checkup = door.running.checkup
        if checkup is None:
            return sent(_none())
        return sent(Reply(200, Raw(msgspec.json.encode(checkup.check()))))

    @doors.get("/api/hardware/report.txt")
    def text_report() -> Response:
        checkup = door.running.checkup
        if checkup is None:
            return sent(_none())
        return _kept(Response(checkup.text(), mimetype="text/plain"), "txt")

    @doors.get("/api/hardware/report.json")
    def json_report() -> Response:
        checkup = door.running.checkup
        if checkup is None:
            return sent(_none())
        return _kept(Response(checkup.json(), mimetype="application/json"), "json")

    @doors.post("/api/hardware/lamps")
    def lamps() -> Response:
        return sent(_act(door, _light))

    @doors.post("/api/hardware/check")
    def check() -> Response:
        return sent(_act(door, _check))

    return doors


def _light(checkup: Checkup, in_race: bool, body: Any) -> Reply:
    match body:
        case {"button": int(button), **rest} if not rest and not isinstance(button, bool):
            wanted: int | None = button
        case {"trial": True, **rest} if not rest:
            return _race_open() if in_race else _try_lights(checkup)
        case dict() if not body:
            wanted = None
        case _:
            return _wrong('{"button": 1}, {} for all, or {"trial": true}')
    if in_race:
        return _race_open()
    lit = checkup.test_lamps(wanted)
    if lit is None:
        return error(409, "no_lamp", "There is no lamp to light.")
    return Reply(200, {"button": wanted, "seconds": lit / SECOND})


def _try_lights(checkup: Checkup) -> Reply:
    if not checkup.try_lights():
        return error(409, "no_lamp", "There is no lamp to light.")
    return Reply(200, {"trial": True})


def _check(checkup: Checkup, in_race: bool, body: Any) -> Reply:
    match body:
        case {"on": bool(on), **rest} if not rest:
            if on and in_race:
                return _race_open()
            (checkup.begin if on else checkup.end)()
            return Reply(200, {"on": on})
        case _:
            return _wrong('{"on": true}')


def _act(door: CommandDoor, act: Callable[[Checkup, bool, Any], Reply]) -> Reply:
    """Do what the referee asks of the buttons and lamps."""
    refusal = not_json()
    if refusal is not None:
        return refusal
    checkup = door.running.checkup
    if checkup is None:
        return _none()
    return act(checkup, racing(door.running.worker.table), read())


def _race_open() -> Reply:
    """While hands land, no lamp and no press may be taken for anything else."""
    return error(409, "race_open", "The Street Race is still on.")


def _wrong(example: str) -> Reply:
    return error(400, "wrong_value", f"Send this: {example}.")


def _none() -> Reply:
    return error(404, "no_hardware", "This table has no buttons and lamps of its own.")


def _kept(response: Response, ending: str) -> Response:
    """Let a browser save it as a file."""
    response.headers["Cache-Control"] = "no-store"
    name = f"buttons-and-lamps.{ending}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
