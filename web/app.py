"""The application: pages, both doors and the guard around them, over one running table."""

from __future__ import annotations

import mimetypes
import threading
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask, Response, redirect, request
from flask_socketio import SocketIO
from werkzeug.exceptions import HTTPException

from companion.assembly.running import Running
from companion.journal.damage.lost import Lost
from companion.journal.file import JournalError
from companion.referee.events import Event, RoundDealt
from web.access.guard import LINE, Guard, GuardedApp, LiveConnection
from web.access.invitations import Invitations
from web.access.knock import Knock
from web.access.pairing import Pairing
from web.access.permissions import may_enter
from web.api.api import api, sent
from web.api.bundles import keep_by_name
from web.api.command_door import CommandDoor, Reply, error, only_the_referee, sender_of
from web.api.downloads import downloads
from web.api.forget import forget
from web.api.hall import hall
from web.api.hardware import HardwareScreens, hardware
from web.api.network import network
from web.api.pages import missing, page, pages
from web.api.past.past_matches import nights
from web.api.past.race_review import second_looks
from web.api.past.reference import reference
from web.api.sockets import SocketDoor, open_sockets
from web.live.live import Live
from web.live.phone_clocks import PhoneClocks
from web.live.screen import Screen
from web.transport.compression import Compression
from web.transport.frames import MESSAGE_SIZE
from web.transport.websocket import hang_up

SENTENCES = {
    404: ("not_found", "There is nothing at this address."),
    405: ("wrong_method", "This address does not answer to that method."),
    413: ("too_large", "That is too large: a request has at most 16 kilobytes."),
}


class Application(GuardedApp):
    """One running table, served; called by the web server for every request."""

    def __init__(
        self,
        running: Running,
        pairing: Pairing,
        *,
        port: int,
        clients: int,
        names: Iterable[str] = (),
        give_up: Callable[[Lost], None] = lambda _lost: None,
    ) -> None:
        self.running = running
        self.socketio: SocketIO = open_sockets()
        self.flask = Flask(__name__)
        self.flask.config["MAX_CONTENT_LENGTH"] = MESSAGE_SIZE
        keep_by_name(self.flask)
        mimetypes.add_type("text/javascript", ".js")
        knock = Knock()
        pairing.shown_code, pairing.used_shown_code = knock.code, knock.used
        running.worker.subscribe(lambda _table, events: _end_codes(pairing, events))
        if running.settings.server.knocks:
            running.worker.on_press(knock.heard.append)
        wifi = Knock()
        invitations = Invitations(running.settings.server, port, pairing, knock.code)
        screen = Screen(running, knock, wifi, invitations)
        self._screen, self._invitations = screen, invitations
        self.pairing = pairing
        self._people = threading.Lock()
        self.holders = pairing.holders
        self.cookie = f"companion-{port}"
        door = CommandDoor(running, pairing, self.cookie)
        self.flask.register_blueprint(api(door, screen, give_up))
        self.flask.register_blueprint(pages(door, knock, invitations))
        self.flask.register_blueprint(network(wifi))
        self.flask.register_blueprint(nights(running.past))
        self.flask.register_blueprint(reference(running.worker, running.past))
        self.flask.register_blueprint(second_looks(running.past))
        self.flask.register_blueprint(hardware(door))
        self.flask.register_blueprint(downloads(running.downloads))
        self.flask.register_blueprint(forget(running.forgetting))
        self.flask.register_blueprint(hall(running))
        _serve_pages(self.flask, door)
        self.flask.after_request(Compression())
        self.flask.before_request(_admit)
        self.socketio.init_app(self.flask)
        self._eio = self.socketio.server.eio
        self.live = Live(self.socketio, screen, running)
        pairing.changed = self._people_changed
        self._people_changed()
        if running.hall is not None:
            running.hall.changed = self.live.look
        self.hardware = HardwareScreens(self.socketio, self.live, running.checkup)
        self.clocks = PhoneClocks(self.live, running.worker)
        SocketDoor(self.live, screen, door, self.hardware, self.clocks).open(self.socketio)
        self._guarded = Guard(
            self.flask,
            names=names,
            places=clients,
            lines=self._lines,
            let_go=self._let_go,
            who=door.who,
            holder=self.holder,
            has_a_code=door.has_a_code,
            believe=self.holders.believe,
        )

    def _people_changed(self) -> None:
        """Show who is paired from now on."""
        with self._people:
            self.running.phones = self.pairing.phones()
        self.live.look()

    def _lines(self) -> list[LiveConnection]:
        """List the live connections."""
        return [environ[LINE] for environ in list(self.socketio.server.environ.values())]

    def _let_go(self, line: LiveConnection) -> None:
        """End a live connection; its page tries again by itself."""
        for sid, environ in list(self.socketio.server.environ.items()):
            if environ[LINE] is line:
                if connection := self._eio.sockets.get(sid):
                    connection.close(wait=False, abort=True)
                hang_up(environ)

    def moved(self) -> None:
        """The table is to be found elsewhere by now: have every screen invite people there."""
        self._screen.place = self._invitations.place()
        self.live.look()

    def hang_up(self) -> None:
        """Close every live connection, in the way after which pages reconnect by themselves."""
        self.hardware.stop()
        self.clocks.stop()
        self.live.stop()
        for connection in list(self._eio.sockets.values()):
            connection.close(wait=False)

    def close(self) -> None:
        """Stop serving and close the table."""
        self.hang_up()
        self.running.close()


def _end_codes(pairing: Pairing, events: Iterable[Event]) -> None:
    """A code of a seat was seen by everyone in the room, and ends with the deal."""
    if any(isinstance(event, RoundDealt) for event in events):
        pairing.end_seat_codes()


def _admit() -> Response | None:
    """Refuse an address that the list does not open to the sender."""
    rule = request.url_rule
    if rule is None or may_enter(sender_of(request).role, request.method, rule.rule):
        return None
    return sent(only_the_referee())


def _serve_pages(app: Flask, door: CommandDoor) -> None:
    @app.get("/")
    def table() -> Any:
        """The referee's tablet; a player is led to the own seat, and a guest sees the show."""
        sender = sender_of(request)
        if sender.role == "player" and sender.seat is not None:
            return redirect(f"/seat/{sender.seat}", 303)
        return page("tablet" if sender.role == "referee" else "guest")

    @app.errorhandler(HTTPException)
    def sentence(wrong: HTTPException) -> Response:
        status = wrong.code or 500
        if status == 404 and (lost := missing()):
            return lost
        code, message = SENTENCES.get(status, ("refused", wrong.description or wrong.name))
        return sent(Reply(status, {"error": code, "message": message}))

    @app.errorhandler(JournalError)
    def unreadable(trouble: JournalError) -> Response:
        message = f"The journal can’t be read right now: {trouble}."
        return sent(error(503, "unreadable", message, trouble=str(trouble)))

    @app.errorhandler(Exception)
    def bug(mistake: Exception) -> Response:
        return sent(door.trouble(mistake))
