"""The hall's addresses: pages, the evening in JSON, the desk's commands, sign-up, and tables."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import msgspec
from flask import Flask, Response, redirect, request
from werkzeug.exceptions import HTTPException
from werkzeug.http import generate_etag

from companion.common.clock import label, milliseconds
from companion.hall.commands import DeskCommand, DrawRound, StrikeResult, WriteResult
from companion.hall.contract import SentRound
from companion.hall.decisions import drawn_round
from companion.hall.draw.mending import redrawn
from companion.hall.evening import Evening, Result
from companion.hall.events import apply
from companion.hall.forgetting import forget_in_hall
from companion.hall.opening import Hall
from companion.hall.refusals import HallRefusal
from companion.hall.results import correction
from companion.journal.file import JournalError
from companion.referee.model.edition import PRINTED
from web.access.codes import spoken
from web.access.invitations import picture
from web.access.pairing import Pairing
from web.api.api import not_json, read, sent
from web.api.command_door import Reply, error
from web.api.pages import missing, page
from web.hall.downloads import downloads
from web.hall.entry import HallEntry
from web.hall.permissions import HELPER, TABLE, HallRole, may_command, may_enter, role_of
from web.hall.replies import done, not_saved, refused
from web.hall.shapes import DeskShown, Visitor
from web.hall.shown import (
    correction_shown,
    evening_shown,
    match_shown,
    results_shown,
    round_shown,
    tables_shown,
)
from web.transport.logs import traffic_log

Previewed = DrawRound | WriteResult | StrikeResult
"""What can be looked at before it is done."""
PRINTS = ("seats", "sheets", "standing")
WORDS = {404: ("not_found", "There is nothing at this address.")}

log = traffic_log("companion.web.traffic")


class HallDoors:
    """Answers for one open hall."""

    def __init__(
        self, hall: Hall, pairing: Pairing, cookie: str, join_at: Callable[[], str]
    ) -> None:
        self.hall = hall
        self.pairing = pairing
        self.cookie = cookie
        self._join_at = join_at
        self._lock = threading.Lock()
        self._encoded: tuple[Evening | None, bytes, str] = (None, b"", "")

    def open(self, app: Flask) -> None:
        """Give every address its answer, and let in only the roles that the list names."""
        app.before_request(self._admit)
        get, post = app.get, app.post
        get("/")(self.front)
        for name in ("hall", "join", "desk"):
            app.add_url_rule(f"/{name}", f"{name}_page", partial(page, name))
        get("/print/<what>")(self.print_page)
        get("/healthz")(self.health)
        get("/api/evening")(self.evening)
        get("/api/desk")(self.desk)
        get("/api/join.svg")(self.join_picture)
        post("/api/commands")(self.command)
        post("/api/preview")(self.preview)
        post("/api/forget")(self.forget)
        get("/api/match/<int:number>/<int:table>")(self.match)
        app.register_blueprint(downloads(lambda: self.hall.keeper.evening))
        HallEntry(self.hall, self.pairing, self.cookie).open(app)
        app.register_error_handler(HTTPException, self.sentence)
        app.register_error_handler(Exception, self.bug)

    def role(self) -> HallRole:
        """Tell who asks."""
        return role_of(self.pairing.session(request.cookies.get(self.cookie)))

    def _admit(self) -> Response | None:
        rule = request.url_rule
        if rule is None or may_enter(self.role(), request.method, rule.rule):
            wrong = not_json() if request.method == "POST" else None
            return None if wrong is None else sent(wrong)
        return sent(_not_yours())

    # Pages

    def front(self) -> Any:
        """Lead a visitor without an address to the hall screen."""
        return redirect("/hall", 302)

    def print_page(self, what: str) -> Any:
        """Show what is meant for paper."""
        if what not in PRINTS:
            return sent(error(404, *WORDS[404]))
        return page("print")

    def join_picture(self) -> Response:
        """Draw the link to sign up with."""
        answer = Response(picture(self._join_at()), mimetype="image/svg+xml")
        answer.headers["Cache-Control"] = "no-store"
        return answer

    def health(self) -> Response:
        """Tell whether the hall is well."""
        status = self.hall.intake.status()
        body = {"broker": status.connected, "version": self.hall.keeper.evening.version}
        return sent(Reply(200, body))

    # What is shown

    def evening(self) -> Response:
        """Show the evening to everybody alike; a page that has it already gets nothing.

        Who asks, and what time it is, stands in a header: so all that hundreds of phones ask for is
        written and compressed once.
        """
        session = self.pairing.session(request.cookies.get(self.cookie))
        person = session if isinstance(session, int) and session > 0 else None
        visitor = Visitor(role_of(session), person, milliseconds(label()))
        body, tag = self._shown()
        answer = Response(body, mimetype="application/json")
        answer.headers["Companion-Visitor"] = msgspec.json.encode(visitor).decode()
        answer.headers["Cache-Control"] = "no-cache"
        answer.set_etag(tag)
        return answer.make_conditional(request)  # type: ignore[return-value]

    def _shown(self) -> tuple[bytes, str]:
        """Give the evening as it is now, and a tag by which a page knows whether it has it."""
        evening = self.hall.keeper.evening
        with self._lock:
            if self._encoded[0] is not evening:
                body = msgspec.json.encode({"evening": evening_shown(evening)})
                self._encoded = evening, body, generate_etag(body)
            return self._encoded[1:]

    def desk(self) -> Response:
        """Show what only the desk sees."""
        hall, organiser = self.hall, self.role() == "organiser"
        evening = hall.keeper.evening
        status = hall.intake.status()
        shown = DeskShown(
            tables=tables_shown(evening, dict(hall.intake.seen)),
            results=results_shown(evening),
            apart=tuple(sorted(evening.apart)),
            helper_code=spoken(self.pairing.code_of(HELPER)) if organiser else None,
            table_code=spoken(self.pairing.code_of(TABLE)),
            join=self._join_at(),
            broker=None if status.connected else status.reason or "",
            damage=hall.keeper.damage,
            editions=tuple((one.key, one.name) for one in PRINTED),
            hosted=dict(hall.hosted),
        )
        return sent(Reply(200, msgspec.to_builtins(shown)))

    def match(self, number: int, table: int) -> Response:
        """Open a number of the standing down to the rounds and rulings of the table."""
        evening = self.hall.keeper.evening
        result = evening.counted().get((number, table))
        if evening.plan.format == "free":
            result = evening.counted().get((-number, table))
        if result is None:
            return sent(error(404, *WORDS[404]))
        # A correction says who wrote it and why; what the table itself had sent stays on record.
        own = evening.results.get((result.origin, result.match), result)
        shown = match_shown(evening, result, () if result.reason else self._rounds(own))
        answer = sent(Reply(200, msgspec.to_builtins(shown, str_keys=True)))
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    def _rounds(self, result: Result) -> tuple[SentRound, ...]:
        try:
            return self.hall.keeper.rounds_of(result)
        except JournalError:
            return ()

    # What is done

    def command(self) -> Response:
        """Do what the desk asks."""
        try:
            wish = msgspec.json.decode(request.get_data(cache=False), type=DeskWish)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
            return sent(error(400, "wrong_value", f"That is no command of the desk: {wrong}."))
        if not may_command(self.role(), wish.command):
            return sent(_not_yours())
        return sent(done(self.hall.keeper, wish.command, wish.version))

    def preview(self) -> Response:
        """Draw a round, or look what a correction changes, without recording anything."""
        try:
            wish = msgspec.json.decode(request.get_data(cache=False), type=Previewed)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
            return sent(error(400, "wrong_value", f"There is no preview of that: {wrong}."))
        evening = self.hall.keeper.evening
        try:
            if isinstance(wish, DrawRound):
                drawn = drawn_round(evening, wish.seed, wish.again, wish.anyway, wish.chosen)
                shown: Any = {"version": evening.version, "round": round_shown(evening, drawn)}
            else:
                event = correction(evening, wish)
                shown = correction_shown(evening, apply(evening, event), redrawn(evening, event))
        except HallRefusal as refusal:
            return sent(refused(refusal))
        return sent(Reply(200, msgspec.to_builtins(shown, str_keys=True)))

    def forget(self) -> Response:
        """Let a name go for good, from the hall's journal and every copy of it."""
        match read():
            case {"name": str(name), **rest} if not rest and 0 < len(name.strip()) <= 64:
                pass
            case _:
                return sent(error(400, "wrong_value", "Say which name to forget."))
        try:
            forgotten = forget_in_hall(self.hall.keeper.folder, name, self.hall.keeper)
        except JournalError as trouble:
            return sent(not_saved(trouble))
        if forgotten is None:
            return sent(refused(HallRefusal("nobody_there")))
        return sent(Reply(200, msgspec.to_builtins(forgotten)))

    def sentence(self, wrong: HTTPException) -> Response:
        """Say in a sentence what is wrong with a request."""
        status = wrong.code or 500
        if status == 404 and (lost := missing()):
            return lost
        words = WORDS.get(status, ("refused", wrong.description or wrong.name))
        return sent(error(status, *words))

    def bug(self, mistake: Exception) -> Response:
        """Answer for a mistake of our own."""
        log.error("A request failed", exc_info=mistake)
        return sent(error(500, "bug", "That was a mistake in the program itself."))


class DeskWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command of the desk, perhaps with the only version of the evening that it is meant for."""

    command: DeskCommand
    version: int | None = None


def _not_yours() -> Reply:
    return error(403, "not_the_desk", "Only the desk can do that. Open the desk's link first.")
