"""The pages: tablet, board, phones, rules, history and the check of the buttons, in one shell."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, render_template, request

from companion.settings.configuration import MOST_SEATS
from web.access.invitations import Invitations, picture
from web.access.knock import Knock
from web.access.permissions import may_see_seat_codes
from web.api.api import not_json, sent
from web.api.bundles import shell
from web.api.command_door import CommandDoor, Reply, error, seating, sender_of

ADDRESSES = ("board", "rules", "history", "hardware")
FOR_PROGRAMS = ("/api/", "/static/", "/socket.io")
"""These addresses are for programs; what is not there is told in JSON."""


def pages(door: CommandDoor, knock: Knock, invitations: Invitations) -> Blueprint:
    """The addresses of the pages, and of the codes that they show."""
    doors = Blueprint("pages", __name__)

    for name in ADDRESSES:
        doors.add_url_rule(f"/{name}", name, lambda name=name: page(name))

    @doors.get("/seat/<int:number>")
    def seat(number: int) -> Any:
        if not 1 <= number <= MOST_SEATS:
            abort(404)
        return page("seat")

    @doors.get("/api/join")
    def join() -> Response:
        return sent(Reply(200, {"watch": invitations.watch(), "places": invitations.places()}))

    @doors.get("/api/join.svg")
    def join_picture() -> Response:
        return drawn(invitations.watch())

    @doors.get("/api/seats/<int:number>")
    def seat_link(number: int) -> Response:
        link = link_of(number)
        if isinstance(link, Reply):
            return sent(link)
        return sent(Reply(200, {"seat": number, "link": link, "code": link.partition("=")[2]}))

    @doors.get("/api/seats/<int:number>.svg")
    def seat_picture(number: int) -> Response:
        link = link_of(number)
        return sent(link) if isinstance(link, Reply) else drawn(link)

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
        return sent(Reply(200, {"seconds": knock.show()}))

    def link_of(number: int) -> str | Reply:
        table, role = door.running.worker.table, sender_of(request).role
        if not may_see_seat_codes(role, seating(table)):
            message = "Once the cards are dealt, only the referee can show the code of a seat."
            return error(403, "not_the_referee", message)
        taken = table.game.seat(number)
        if taken is None:
            return error(404, "unknown_seat", f"Nobody sits at seat {number}.")
        if role != "referee" and taken.player in door.pairing.phones():
            message = "A phone is paired with this seat. The referee can show another code."
            return error(403, "not_the_referee", message)
        return invitations.phone(number, taken.player)

    def not_shown() -> Reply | None:
        if knock.showing:
            return None
        return error(
            403,
            "not_shown",
            "The referee's link is shown only while the referee or the table's buttons ask for it.",
        )

    return doors


def page(name: str) -> Response:
    """Send one of the pages, or nothing to a browser that has it; what it shows comes later."""
    answer = Response(render_template("page.html", **shell(name)))
    answer.headers["Cache-Control"] = "no-cache"
    answer.vary.update(("Accept-Language", "Cookie"))
    answer.add_etag()
    answer.make_conditional(request)
    return answer


def missing() -> Response | None:
    """The page for a mistyped address in a browser; None for programs."""
    reads = "text/html" in request.headers.get("Accept", "")
    if not reads or request.method not in ("GET", "HEAD") or request.path.startswith(FOR_PROGRAMS):
        return None
    answer = Response(render_template("missing.html", **shell("missing")), 404)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def drawn(link: str) -> Response:
    """Send a link as a picture that no browser keeps."""
    answer = Response(picture(link), mimetype="image/svg+xml")
    answer.headers["Cache-Control"] = "no-store"
    return answer
