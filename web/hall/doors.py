"""The hall's addresses: pages, the evening in JSON, the desk's commands, sign-up, and tables."""

from __future__ import annotations

import csv
import io
import threading
from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from flask import Flask, Response, redirect, request
from msgspec import Meta
from werkzeug.exceptions import HTTPException

from companion.common.clock import label, milliseconds
from companion.hall import decisions as d
from companion.hall.contract import SentRound
from companion.hall.draw.mending import redrawn
from companion.hall.evening import Result, same_name
from companion.hall.events import apply
from companion.hall.forgetting import forget_in_hall
from companion.hall.opening import Hall
from companion.hall.standing import standing
from companion.journal.file import JournalError
from companion.past.match_files import MARK, as_text
from companion.referee.model.edition import PRINTED
from web.access.codes import spoken
from web.access.invitations import picture
from web.access.pairing import Pairing, TooManyTries, WrongCode
from web.api.api import keep_session, not_json, read, sent
from web.api.command_door import Reply, browser_of, error
from web.api.pages import missing, page
from web.hall.permissions import HELPER, TABLE, HallRole, may_command, may_enter, role_of
from web.hall.shown import (
    DeskShown,
    correction_shown,
    evening_shown,
    match_shown,
    results_shown,
    round_shown,
    tables_shown,
)
from web.transport.logs import traffic_log

Previewed = d.DrawRound | d.WriteResult | d.StrikeResult
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
        self._encoded: tuple[int, bytes] = (-1, b"")

    def open(self, app: Flask) -> None:
        """Give every address its answer, and let in only the roles that the list names."""
        app.before_request(self._admit)
        get, post = app.get, app.post
        get("/")(self.front)
        get("/hall")(self.screen_page)
        get("/join")(self.join_page)
        get("/desk")(self.desk_page)
        get("/print/<what>")(self.print_page)
        get("/healthz")(self.health)
        get("/api/evening")(self.evening)
        get("/api/evening.json")(self.whole_evening)
        get("/api/desk")(self.desk)
        get("/api/join.svg")(self.join_picture)
        get("/api/standing.csv")(self.standing_file)
        get("/api/seats.csv")(self.seats_file)
        post("/api/pair")(self.pair)
        post("/api/sign-out")(self.sign_out)
        post("/api/sign-up")(self.sign_up)
        post("/api/leave")(self.leave)
        post("/api/tables")(self.join_table)
        post("/api/commands")(self.command)
        post("/api/preview")(self.preview)
        post("/api/forget")(self.forget)
        get("/api/match/<int:number>/<int:table>")(self.match)
        app.register_error_handler(HTTPException, self.sentence)
        app.register_error_handler(Exception, self.bug)

    def role(self) -> HallRole:
        """Tell who asks."""
        return role_of(self.pairing.session(request.cookies.get(self.cookie)))

    def _admit(self) -> Response | None:
        rule = request.url_rule
        if rule is None or may_enter(self.role(), request.method, rule.rule):
            refused = not_json() if request.method == "POST" else None
            return None if refused is None else sent(refused)
        return sent(_not_yours())

    # Pages

    def front(self) -> Any:
        """Lead a visitor without an address to the hall screen."""
        return redirect("/hall", 302)

    def screen_page(self) -> Response:
        """Show the hall screen."""
        return page("hall")

    def join_page(self) -> Response:
        """Show where people put themselves on the list."""
        return page("join")

    def desk_page(self) -> Response:
        """Show the desk; a code in its link does nothing until the page itself sends it."""
        return page("desk")

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
        """Show the evening to everybody; a page that has it already gets nothing."""
        body = self._shown()
        version = self._encoded[0]
        session = self.pairing.session(request.cookies.get(self.cookie))
        person = session if isinstance(session, int) and session > 0 else None
        now = milliseconds(label())
        head = msgspec.json.encode({"role": self.role(), "person": person, "now": now})
        answer = Response(head[:-1] + b',"evening":' + body + b"}", mimetype="application/json")
        answer.set_etag(f"{version}-{self.role()}-{person}")
        answer.headers["Cache-Control"] = "no-cache"
        return answer.make_conditional(request)  # type: ignore[return-value]

    def _shown(self) -> bytes:
        evening = self.hall.keeper.evening
        with self._lock:
            if self._encoded[0] != evening.version:
                self._encoded = evening.version, msgspec.json.encode(evening_shown(evening))
            return self._encoded[1]

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
        found = evening.counted().get((number, table))
        if evening.plan.format == "free":
            found = evening.counted().get((-number, table))
        if found is None:
            return sent(error(404, *WORDS[404]))
        # A correction says who wrote it and why; what the table itself had sent stays on record.
        own = evening.results.get((found.origin, found.match), found)
        shown = match_shown(evening, found, () if found.reason else self._rounds(own))
        answer = sent(Reply(200, msgspec.to_builtins(shown, str_keys=True)))
        answer.headers["Cache-Control"] = "no-cache"
        return answer

    def _rounds(self, result: Result) -> tuple[SentRound, ...]:
        try:
            return self.hall.keeper.rounds_of(result)
        except JournalError:
            return ()

    def whole_evening(self) -> Response:
        """Give everything away as JSON, what a draw was made from too, and no code of a door."""
        evening = self.hall.keeper.evening
        whole = msgspec.to_builtins(evening_shown(evening), str_keys=True)
        whole["apart"] = sorted(evening.apart)
        whole["results"] = msgspec.to_builtins(results_shown(evening))
        answer = sent(Reply(200, whole))
        answer.headers["Content-Disposition"] = "attachment; filename=evening.json"
        return answer

    def standing_file(self) -> Response:
        """Give the standing for a spreadsheet."""
        evening = self.hall.keeper.evening
        head = ["rank", "name", "club", "points", "scored", "head_to_head", "opponents"]
        rows = (
            [
                line.rank,
                evening.name(line.person),
                evening.people[line.person].club,
                *(line.points, line.scored, line.head_to_head, line.opponents),
            ]
            for line in standing(evening)
        )
        return _spreadsheet("standing.csv", [head, *rows])

    def seats_file(self) -> Response:
        """Give the seats of all rounds for a spreadsheet; who sits out has none."""
        evening = self.hall.keeper.evening
        rows = [
            [drawn.number, seating.table, at + 1, evening.name(person)]
            for drawn in evening.rounds
            for seating in drawn.tables
            for at, person in enumerate(seating.people)
        ]
        rows += [
            [drawn.number, "", "", evening.name(person)]
            for drawn in evening.rounds
            for person in drawn.byes
        ]
        return _spreadsheet("seats.csv", [["round", "table", "seat", "name"], *rows])

    # What is done

    def command(self) -> Response:
        """Do what the desk asks."""
        try:
            wish = msgspec.json.decode(request.get_data(cache=False), type=DeskWish)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
            return sent(error(400, "wrong_value", f"That is no command of the desk: {wrong}."))
        if not may_command(self.role(), wish.command):
            return sent(_not_yours())
        return sent(self._done(wish.command, wish.version))

    def preview(self) -> Response:
        """Draw a round, or look what a correction changes, without recording anything."""
        try:
            wish = msgspec.json.decode(request.get_data(cache=False), type=Previewed)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
            return sent(error(400, "wrong_value", f"There is no preview of that: {wrong}."))
        evening = self.hall.keeper.evening
        try:
            if isinstance(wish, d.DrawRound):
                drawn = d.drawn_round(evening, wish.seed, wish.again, wish.anyway, wish.chosen)
                shown: Any = {"version": evening.version, "round": round_shown(evening, drawn)}
            else:
                event = d.correction(evening, wish)
                shown = correction_shown(evening, apply(evening, event), redrawn(evening, event))
        except d.HallRefusal as refusal:
            return sent(_refused(refusal))
        return sent(Reply(200, msgspec.to_builtins(shown, str_keys=True)))

    def forget(self) -> Response:
        """Let a name go for good, from the hall's journal and every copy of it."""
        match read():
            case {"name": str(name), **rest} if not rest and 0 < len(name.strip()) <= 64:
                pass
            case _:
                return sent(error(400, "wrong_value", "Say which name to forget."))
        try:
            done = forget_in_hall(self.hall.keeper.folder, name, self.hall.keeper)
        except JournalError as trouble:
            return sent(_not_saved(trouble))
        if done is None:
            return sent(_refused(d.HallRefusal("nobody_there")))
        return sent(Reply(200, msgspec.to_builtins(done)))

    def sign_up(self) -> Response:
        """Let people put themselves on the list; the phone then knows who it is."""
        match read():
            case {"name": str(name), "club": str(club), **rest} if len(name) <= 40 and not rest:
                pass
            case {"name": str(name), **rest} if len(name) <= 40 and not rest:
                club = ""
            case _:
                return sent(error(400, "wrong_value", "Send a name of at most 40 letters."))
        keeper = self.hall.keeper
        if not keeper.evening.plan.sign_up:
            return sent(_refused(d.HallRefusal("closed_list")))
        plain = name.replace(",", " ")
        known = next((p for p in keeper.evening.people.values() if same_name(p.name, plain)), None)
        if known is not None:
            # A person who has left comes back at the desk, or anybody could take their place.
            return sent(_refused(d.HallRefusal("same_name")))
        reply = self._done(d.SignUp((f"{plain}, {club[:40]}",)))
        if reply.status != 200:
            return sent(reply)
        person = max(keeper.evening.people)
        token = self.pairing.welcome(person, browser_of(request))
        answer = sent(Reply(200, {"person": person}))
        keep_session(answer, self.cookie, token)
        return answer

    def leave(self) -> Response:
        """Let players take themselves off the list, and no others."""
        person = self.pairing.session(request.cookies.get(self.cookie))
        return sent(self._done(d.Leave(int(person or 0))))

    def join_table(self) -> Response:
        """Let a table join with the desk's code."""
        try:
            wish = msgspec.json.decode(request.get_data(cache=False), type=TableWish)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return sent(error(400, "wrong_value", "Send code, identity and number."))
        reply = self._with_code(TABLE, wish.code)
        if reply.token is None:
            return sent(reply)
        self.pairing.sign_out(reply.token)
        try:
            table, access = self.hall.join(wish.number, wish.identity)
        except d.HallRefusal as refusal:
            return sent(_refused(refusal))
        except JournalError as trouble:
            return sent(_not_saved(trouble))
        return sent(
            Reply(
                200,
                {
                    "table": table.number,
                    "title": self.hall.keeper.evening.plan.title,
                    **msgspec.structs.asdict(access),
                },
            )
        )

    def pair(self) -> Response:
        """Exchange the organiser's or a helper's code for a session."""
        match read():
            case {"code": str(code)} if len(code) <= 64:
                reply = self._paired(code)
            case _:
                return sent(error(400, "wrong_value", 'Send the code: {"code": "ABCD-EFGH"}.'))
        answer = sent(reply)
        if reply.token is not None:
            keep_session(answer, self.cookie, reply.token)
        return answer

    def sign_out(self) -> Response:
        """End this session."""
        self.pairing.sign_out(request.cookies.get(self.cookie))
        answer = sent(Reply(200, {"role": "watcher"}))
        answer.delete_cookie(self.cookie, path="/", httponly=True, samesite="Strict")
        return answer

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

    def _done(self, command: d.DeskCommand, version: int | None = None) -> Reply:
        try:
            return Reply(200, {"version": self.hall.keeper.do(command, version).version})
        except d.HallRefusal as refusal:
            return _refused(refusal)
        except JournalError as trouble:
            return _not_saved(trouble)

    def _paired(self, code: str) -> Reply:
        """Find out whose code it is: a helper's, or else the organiser's."""
        plain = code.upper().replace("-", "").replace(" ", "")
        helper = plain == self.pairing.code_of(HELPER)
        return self._with_code(HELPER, code) if helper else self._with_code(None, code)

    def _with_code(self, whose: int | None, code: str) -> Reply:
        browser = browser_of(request)
        try:
            if whose is None:
                return Reply(200, {"role": "organiser"}, token=self.pairing.pair(code, browser))
            token = self.pairing.pair_phone(whose, code, browser, once=False)
            return Reply(200, {"role": "helper"}, token=token)
        except WrongCode:
            return error(403, "wrong_code", "That is not this hall's code.")
        except TooManyTries as wait:
            words = f"Too many wrong codes. Try again in {wait.seconds} seconds."
            return error(429, "too_many_tries", words, wait.seconds, seconds=wait.seconds)


class DeskWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command of the desk, perhaps with the only version of the evening that it is meant for."""

    command: d.DeskCommand
    version: int | None = None


class TableWish(msgspec.Struct, frozen=True):
    """A table that asks to join: the desk's code, who it is, and perhaps the number that it wants.

    Read by its shape, for the journal keeps what was sent: what it cannot read back, no hall opens.
    """

    code: Annotated[str, Meta(max_length=64)]
    identity: Annotated[str, Meta(min_length=8, max_length=64)]
    number: Annotated[int, Meta(ge=1, le=9999)] | None = None


def _refused(refusal: d.HallRefusal) -> Reply:
    return error(409, refusal.code, str(refusal))


def _not_saved(trouble: JournalError) -> Reply:
    return error(503, "not_saved", trouble.sentence, trouble=str(trouble))


def _not_yours() -> Reply:
    return error(403, "not_the_desk", "Only the desk can do that. Open the desk's link first.")


def _spreadsheet(name: str, rows: list[list[Any]]) -> Response:
    written = io.StringIO()
    csv.writer(written).writerows([_cell(value) for value in row] for row in rows)
    answer = Response(MARK + written.getvalue(), mimetype="text/csv")
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _cell(value: Any) -> Any:
    """A word, as no formula, or a figure."""
    return as_text(value) if isinstance(value, str) else value
