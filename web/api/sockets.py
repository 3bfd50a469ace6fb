"""The live door: commands come in over Socket.IO and are answered as over HTTP."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from flask import request
from flask_socketio import SocketIO

from web.access.permissions import EVENTS, SENDER, Sender, may_say
from web.api.api import newcomer, role_and_seat
from web.api.command_door import CommandDoor, error, only_the_referee
from web.api.hardware import HardwareScreens
from web.live.live import Live
from web.live.phone_clocks import PhoneClocks
from web.live.screen import Screen
from web.transport.frames import MESSAGE_SIZE
from web.transport.logs import traffic_log
from web.transport.websocket import Json, UnreadMessages, WebSocket, hang_up

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
        json=Json,
        logger=log,
        engineio_logger=log,
    )


class SocketDoor:
    """Answers what the screens send; a handler takes its sender and any arguments."""

    def __init__(
        self,
        live: Live,
        screen: Screen,
        door: CommandDoor,
        hardware: HardwareScreens,
        clocks: PhoneClocks,
    ) -> None:
        self.live = live
        self.hardware = hardware
        self.clocks = clocks
        self.screen = screen
        self.door = door

    def open(self, socketio: SocketIO) -> None:
        """Begin to listen."""
        engine = socketio.server.eio
        engine._async = {**engine._async, "websocket": WebSocket, "queue": UnreadMessages}
        for name in EVENTS:
            socketio.on_event(name, self._admitted(name, getattr(self, name)))
        socketio.on_error_default(lambda error: self.door.trouble(error).body)

    def _admitted(self, name: str, answer: Callable[..., Any]) -> Callable[..., Any]:
        """Let a message in from those who may send it, as they are paired at that moment."""

        def admitted(*sent: Any) -> Any:
            sender = request.environ[SENDER] = self.door.who(request)
            return answer(sender, *sent) if may_say(sender.role, name) else only_the_referee().body

        return admitted

    def connect(self, _sender: Sender, _auth: Any = None) -> None:
        """Show the whole table to a screen that just came."""
        self.clocks.welcome(_sid())
        self.live.welcome(_sid())

    def disconnect(self, _sender: Sender, *_reason: Any) -> None:
        """Forget a screen, and end the threads of one that vanished."""
        self.live.farewell(_sid())
        self.hardware.farewell(_sid())
        self.clocks.farewell(_sid())
        hang_up(request.environ)

    def command(self, sender: Sender, *sent: Any) -> Any:
        """Do what a person asks through this screen; a press on a phone is dated here."""
        arrived, sid = self.door.running.worker.now(), _sid()
        self._let_go_if_deaf()
        dating = partial(self.clocks.date, sid, arrived=arrived)
        return self.door.command(_only(sent), sender, dating).body

    def simulate(self, _sender: Sender, *sent: Any) -> Any:
        """Push a simulated button."""
        self._let_go_if_deaf()
        return self.door.simulate(_only(sent)).body

    def watch_hardware(self, _sender: Sender, *_sent: Any) -> None:
        """Show every button to this screen, as it changes."""
        self.hardware.watch(_sid())

    def clock(self, sender: Sender, *sent: Any) -> Any:
        """Hear from a phone what its clock says, or that it wants to be asked."""
        if self.clocks.hear(_sid(), sender.player, _only(sent)):
            return None
        return error(400, "wrong_value", "Say what the clock showed when it was asked for.").body

    def catch_up(self, _sender: Sender, *sent: Any) -> Any:
        """Send what a screen missed; it says which version of which run it shows."""
        self._let_go_if_deaf()
        asked = _only(sent)
        shown = self.screen.show()
        answer = {
            "boot": self.screen.boot,
            "version": shown.version,
            **role_and_seat(),
            **newcomer(self.door),
        }
        same = {"boot": self.screen.boot, "version": shown.version}
        return answer if asked == same else {**answer, "view": shown.body}

    def _let_go_if_deaf(self) -> None:
        """A client that asks and asks and reads no answer is let go."""
        if self.live.is_deaf(_sid()):
            hang_up(request.environ)


def _only(sent: tuple[Any, ...]) -> Any:
    return sent[0] if sent else None


def _sid() -> str:
    sid: str = request.sid  # type: ignore[attr-defined]
    return sid
