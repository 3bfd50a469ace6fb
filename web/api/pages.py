"""The pages: tablet, board, phones, rules, history and the check of the buttons, in one shell."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import Blueprint, Response, abort, redirect, render_template, request

from companion.settings.configuration import MOST_SEATS
from web.access.invitations import Invitations, picture
from web.access.knock import Corner
from web.access.permissions import may_see_seat_codes, may_show_pairing
from web.api.api import keep_session, not_json, sent
from web.api.command_door import Desk, Reply, error


class Shell(NamedTuple):
    """What sets one page apart: the script that draws it, its styles, and what is loaded early."""

    script: str
    styles: tuple[str, ...]
    modules: tuple[str, ...] = ("htm-preact.js",)


LIVE = ("htm-preact.js", "socket.io.esm.min.js")
MATCH = ("base", "cards", "table", "screens", "track")
RACE = ("share", "second_look")
PAST = ("reading", "statistics", "history", "forget")

SHELLS = {
    "tablet": Shell("tablet/main", (*MATCH, *RACE), LIVE),
    "board": Shell("board/board", (*MATCH, "board"), LIVE),
    "seat": Shell("phone/phone", ("base", "cards", "screens", "track", "share", "phone"), LIVE),
    "history": Shell("history/history", (*MATCH, *RACE, *PAST)),
    "rules": Shell("rules/rules", ("base", "cards", "screens", "reading")),
    "hardware": Shell("hardware/hardware", ("base", "screens", "table", "reading", "hardware")),
}
ADDRESSES = ("board", "rules", "history", "hardware")
FOR_PROGRAMS = ("/api/", "/static/", "/socket.io")
"""Below these addresses nobody reads; what is not there is told in JSON."""


def pages(desk: Desk, corner: Corner, invitations: Invitations) -> Blueprint:
    """The addresses of the pages, and of the codes that they show."""
    doors = Blueprint("pages", __name__)

    for name in ADDRESSES:
        doors.add_url_rule(f"/{name}", name, lambda name=name: page(name))

    @doors.get("/seat/<int:number>")
    def seat(number: int) -> Any:
        if not 1 <= number <= MOST_SEATS:
            abort(404)
        code = request.args.get("code")
        return page("seat") if code is None else pair_by_link(number, code)

    @doors.get("/api/join")
    def join() -> Response:
        return sent(Reply(200, {"watch": invitations.watch(), "places": invitations.places()}))

    @doors.get("/api/join.svg")
    def join_picture() -> Response:
        return drawn(invitations.watch())

    @doors.get("/api/seats/<int:number>")
    def seat_link(number: int) -> Response:
        found = link_of(number)
        if isinstance(found, Reply):
            return sent(found)
        return sent(Reply(200, {"seat": number, "link": found, "code": found.partition("=")[2]}))

    @doors.get("/api/seats/<int:number>.svg")
    def seat_picture(number: int) -> Response:
        found = link_of(number)
        return sent(found) if isinstance(found, Reply) else drawn(found)

    @doors.get("/api/pairing")
    def pairing() -> Response:
        if hidden := not_shown():
            return sent(hidden)
        link = invitations.referee()
        return sent(Reply(200, {"link": link, "code": link.partition("=")[2]}))

    @doors.get("/api/pairing.svg")
    def pairing_picture() -> Response:
        hidden = not_shown()
        return sent(hidden) if hidden else drawn(invitations.referee())

    @doors.post("/api/pairing")
    def show_pairing() -> Response:
        if refused := not_json():
            return sent(refused)
        return sent(Reply(200, {"seconds": corner.show()}))

    def link_of(number: int) -> str | Reply:
        game = desk.running.worker.table.game
        match = game.match
        seating = match is None or (match.round is None and not match.rounds)
        if not may_see_seat_codes(desk.role(request), seating):
            said = "Once cards are dealt, only the referee can show the code of a seat."
            return error(403, "not_the_referee", said)
        taken = game.seat(number)
        if taken is None:
            return error(404, "unknown_seat", f"Nobody sits at seat {number}.")
        return invitations.phone(number, taken.player)

    def not_shown() -> Reply | None:
        if corner.showing or may_show_pairing(desk.role(request)):
            return None
        return error(
            403,
            "not_shown",
            "The referee's link is shown only while the referee or the table's buttons ask for it.",
        )

    def pair_by_link(number: int, code: str) -> Any:
        """Follow a seat's link; the code leaves the address bar either way."""
        reply = desk.pair_phone(number, code[:64], request)
        why = reply.body.get("error") if isinstance(reply.body, dict) else None
        response = redirect(f"/seat/{number}#{why}" if why else f"/seat/{number}", 303)
        if reply.token is not None:
            keep_session(response, desk.cookie, reply.token)  # type: ignore[arg-type]
        return response

    return doors


def page(name: str) -> Response:
    """Send one of the pages, or nothing to a browser that has it; what it shows comes later."""
    answer = Response(render_template("page.html", name=name, **SHELLS[name]._asdict()))
    answer.headers["Cache-Control"] = "no-cache"
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def missing() -> Response | None:
    """The page for whoever mistyped an address in a browser; None for programs."""
    reads = "text/html" in request.headers.get("Accept", "")
    if not reads or request.method not in ("GET", "HEAD") or request.path.startswith(FOR_PROGRAMS):
        return None
    answer = Response(render_template("missing.html"), 404)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def drawn(link: str) -> Response:
    """Send a link as a picture that no browser keeps."""
    answer = Response(picture(link), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "no-store"
    return answer
