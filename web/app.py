"""The application: pages, both doors and the guard around them, over one running table."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterable
from typing import Any

import msgspec
from flask import Flask, Response, redirect, request
from flask_socketio import SocketIO
from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_cookie

from companion.assembly.running import Running
from web.access.guard import Environ, Guard, StartResponse
from web.access.invitations import Invitations
from web.access.knock import Corner
from web.access.pairing import Pairing
from web.api.admission import watch_addresses
from web.api.api import api, keep_session
from web.api.command_door import Desk
from web.api.downloads import takeaway
from web.api.forget import forget
from web.api.hardware import Workshop, workshop
from web.api.pages import missing, page, pages
from web.api.past_matches import nights
from web.api.race_review import second_looks
from web.api.reference import reference
from web.api.sockets import SocketDoor, open_sockets
from web.live.live import Live
from web.live.phone_clocks import PhoneClocks
from web.live.screen import Screen
from web.transport.compression import Squeezed
from web.transport.frames import MESSAGE_SIZE
from web.transport.url_rules import Address

SENTENCES = {
    404: ("not_found", "There is nothing at this address."),
    405: ("wrong_method", "This address does not answer to that method."),
    413: ("too_large", "That is too large: a request has at most 16 kilobytes."),
}


class Application:
    """One running table, served; called by the web server for every request."""

    def __init__(
        self,
        running: Running,
        pairing: Pairing,
        *,
        port: int,
        clients: int,
        names: Iterable[str] = (),
    ) -> None:
        self.running = running
        self.socketio: SocketIO = open_sockets()
        self.flask = Flask(__name__)
        self.flask.url_rule_class = Address
        self.flask.config["MAX_CONTENT_LENGTH"] = MESSAGE_SIZE
        self.flask.config["SEND_FILE_MAX_AGE_DEFAULT"] = 0
        mimetypes.add_type("text/javascript", ".js")
        corner = Corner(knocks=running.settings.server.knocks)
        pairing.lenient = lambda: corner.showing
        running.worker.on_press(corner.hear)
        screen = Screen(running, corner, pairing.phones)
        self.pairing = pairing
        self.cookie = f"companion-{port}"
        desk = Desk(running, pairing, self.cookie)
        invitations = Invitations(running.settings.server, port, pairing)
        self.flask.register_blueprint(api(desk, screen))
        self.flask.register_blueprint(pages(desk, corner, invitations))
        self.flask.register_blueprint(nights(running.past))
        self.flask.register_blueprint(reference(running.worker, running.past))
        self.flask.register_blueprint(second_looks(running.past))
        self.flask.register_blueprint(workshop(desk))
        self.flask.register_blueprint(takeaway(running.takeaways))
        self.flask.register_blueprint(forget(running.forgetting))
        _serve_pages(self.flask, desk)
        self.flask.after_request(Squeezed())
        watch_addresses(self.flask, desk)
        self.socketio.init_app(self.flask)
        self._eio = self.socketio.server.eio
        self.live = Live(self.socketio, screen, running)
        pairing.changed = self.live.look
        self.workshop = Workshop(self.socketio, self.live, running.checkup)
        self.clocks = PhoneClocks(self.live, running.worker)
        SocketDoor(self.live, screen, desk, self.workshop, self.clocks).open(self.socketio)
        self._guarded = Guard(
            self.flask,
            names=names,
            places=clients,
            sessions=self._sessions,
            who=desk.who,
            is_own=desk.is_own,
        )

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        return self._guarded(environ, start_response)

    def _sessions(self) -> int:
        """Count the live connections; one that has ended stays in the library's list a while."""
        return sum(not connection.closed for connection in list(self._eio.sockets.values()))

    def has_a_place(self, cookies: str) -> bool:
        """Whether whoever sends these cookies never queues behind strangers."""
        try:
            token = parse_cookie(cookies).get(self.cookie)
        except UnicodeError:
            return False
        return self.pairing.has_a_place(token)

    def hang_up(self) -> None:
        """Close every live connection, in the way after which pages reconnect by themselves."""
        self.workshop.stop()
        self.clocks.stop()
        self.live.stop()
        for connection in list(self._eio.sockets.values()):
            connection.close(wait=False)

    def close(self) -> None:
        """Stop serving and close the table."""
        self.hang_up()
        self.running.close()


def _serve_pages(app: Flask, desk: Desk) -> None:
    @app.get("/")
    def tablet() -> Any:
        if code := request.args.get("code"):
            return _pair_by_link(desk, code)
        return page("tablet")

    @app.errorhandler(HTTPException)
    def sentence(error: HTTPException) -> Response:
        status = error.code or 500
        if status == 404 and (lost := missing()):
            return lost
        code, message = SENTENCES.get(status, ("refused", error.description or error.name))
        return _answer(status, {"error": code, "message": message})

    @app.errorhandler(Exception)
    def bug(error: Exception) -> Response:
        reply = desk.trouble(error)
        return _answer(reply.status, reply.body)


def _pair_by_link(desk: Desk, code: str) -> Any:
    """Follow the printed link; the code leaves the address bar either way."""
    reply = desk.pair({"code": code}, request)
    if reply.token is None:
        why = reply.body["error"] if isinstance(reply.body, dict) else ""
        return redirect(f"/#{why}", 303)
    response = redirect("/", 303)
    keep_session(response, desk.cookie, reply.token)  # type: ignore[arg-type]
    return response


def _answer(status: int, body: Any) -> Response:
    response = Response(msgspec.json.encode(body), status, mimetype="application/json")
    response.headers["Cache-Control"] = "no-store"
    return response
