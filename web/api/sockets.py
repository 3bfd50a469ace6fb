"""The live door: commands come in over Socket.IO and are answered as over HTTP."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import request
from flask_socketio import SocketIO

from web.api.admission import watch_messages
from web.api.api import role_and_seat
from web.api.command_door import Desk, error
from web.api.hardware import Workshop
from web.live.live import WAITING, Live
from web.live.phone_clocks import PhoneClocks
from web.live.screen import Screen
from web.transport import json as wire
from web.transport.frames import MESSAGE_SIZE
from web.transport.logs import traffic_log
from web.transport.websocket import Outbox, WebSocket, hang_up

PING_SECONDS = 5


def open_sockets() -> SocketIO:
    """Make the Socket.IO side, to be bound to the application."""
    log = traffic_log("companion.web.traffic")
    return SocketIO(
        async_mode="threading",
        async_handlers=False,
        always_connect=True,
        manage_session=False,
        max_http_buffer_size=MESSAGE_SIZE,
        ping_interval=PING_SECONDS,
        ping_timeout=PING_SECONDS,
        # The guard outside compares Origin with Host, for every request and more strictly.
        cors_allowed_origins=[],
        json=wire,
        logger=log,
        engineio_logger=log,
    )


class SocketDoor:
    """Answers what the screens send; a handler takes whatever arguments a stranger gives it."""

    def __init__(
        self, live: Live, screen: Screen, desk: Desk, workshop: Workshop, clocks: PhoneClocks
    ) -> None:
        self.live = live
        self.workshop = workshop
        self.clocks = clocks
        self.screen = screen
        self.desk = desk

    def open(self, socketio: SocketIO) -> None:
        """Begin to listen."""
        engine = socketio.server.eio
        engine._async = {**engine._async, "websocket": WebSocket, "queue": Outbox}
        watch_messages(socketio, self.desk, self)
        socketio.on_error_default(lambda error: self.desk.trouble(error).body)

    def connect(self, _auth: Any = None) -> None:
        """Show the whole table to a screen that just came."""
        self.clocks.welcome(_sid())
        self.live.welcome(_sid())

    def disconnect(self, *_reason: Any) -> None:
        """Forget a screen, and end the threads of one that vanished without a word."""
        self.live.farewell(_sid())
        self.workshop.farewell(_sid())
        self.clocks.farewell(_sid())
        hang_up(request.environ)

    def command(self, *sent: Any) -> Any:
        """Do what a person asks through this screen; a press on a phone is dated here."""
        arrived, sid = self.desk.running.worker.now(), _sid()
        self._let_go_if_deaf()
        dating = partial(self.clocks.date, sid, arrived=arrived)
        return self.desk.command(_only(sent), request, dating).body

    def simulate(self, *sent: Any) -> Any:
        """Push a simulated button."""
        self._let_go_if_deaf()
        return self.desk.simulate(_only(sent), request).body

    def watch_hardware(self, *_sent: Any) -> None:
        """Show every button to this screen, as it changes."""
        self.workshop.watch(_sid())

    def clock(self, *sent: Any) -> Any:
        """Hear from a phone what its clock says, or that it wants to be asked."""
        if self.clocks.hear(_sid(), self.desk.session(request), _only(sent)):
            return None
        return error(400, "wrong_value", "Say what the clock showed when it was asked for.").body

    def catch_up(self, *sent: Any) -> Any:
        """Send what a screen missed; it says which version of which run it shows."""
        self._let_go_if_deaf()
        asked = _only(sent)
        shown = self.screen.show()
        answer = {
            "boot": self.screen.boot,
            "version": shown.version,
            **role_and_seat(self.desk),
        }
        same = {"boot": self.screen.boot, "version": shown.version}
        return answer if asked == same else {**answer, "view": shown.body}

    def _let_go_if_deaf(self) -> None:
        """A client that asks and asks and reads no answer is let go."""
        if self.live.waiting_for(_sid()) > WAITING * 4:
            hang_up(request.environ)


def _only(sent: tuple[Any, ...]) -> Any:
    return sent[0] if sent else None


def _sid() -> str:
    sid: str = request.sid  # type: ignore[attr-defined]
    return sid
