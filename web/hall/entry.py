"""Who comes in: people who sign up, tables that join, and helpers of the desk with their code."""

from __future__ import annotations

from typing import Annotated

import msgspec
from flask import Flask, Response, request
from msgspec import Meta

from companion.hall.commands import Leave, SignUp
from companion.hall.evening import Count
from companion.hall.opening import Hall
from companion.hall.refusals import HallRefusal
from companion.journal.file import JournalError
from web.access.pairing import Pairing, TooManyTries, WrongCode
from web.api.api import keep_session, read, sent
from web.api.command_door import Reply, browser_of, error
from web.hall.permissions import HELPER, TABLE
from web.hall.replies import done, not_saved, refused


class HallEntry:
    """Lets people and tables into one open hall, and out again."""

    def __init__(self, hall: Hall, pairing: Pairing, cookie: str) -> None:
        self._hall = hall
        self._pairing = pairing
        self._cookie = cookie

    def open(self, app: Flask) -> None:
        """Give every address its answer."""
        post = app.post
        post("/api/pair")(self.pair)
        post("/api/sign-out")(self.sign_out)
        post("/api/sign-up")(self.sign_up)
        post("/api/leave")(self.leave)
        post("/api/tables")(self.join_table)

    def sign_up(self) -> Response:
        """Let people put themselves on the list; the phone then knows who it is."""
        match read():
            case {"name": str(name), "club": str(club), **rest} if len(name) <= 40 and not rest:
                pass
            case {"name": str(name), **rest} if len(name) <= 40 and not rest:
                club = ""
            case _:
                return sent(error(400, "wrong_value", "Send a name of at most 40 letters."))
        keeper = self._hall.keeper
        if not keeper.evening.plan.sign_up:
            return sent(refused(HallRefusal("closed_list")))
        plain = name.replace(",", " ")
        # A person who has left comes back at the desk, or anybody could take their place.
        wish = SignUp((f"{plain}, {club[:40]}",), returning=False)
        try:
            # Of the evening right after it: others sign up at the same moment.
            person = max(keeper.do(wish).people)
        except HallRefusal as refusal:
            return sent(refused(refusal))
        except JournalError as trouble:
            return sent(not_saved(trouble))
        token = self._pairing.welcome(person, browser_of(request))
        answer = sent(Reply(200, {"person": person}))
        keep_session(answer, self._cookie, token)
        return answer

    def leave(self) -> Response:
        """Let players take themselves off the list, and no others."""
        person = self._pairing.session(request.cookies.get(self._cookie))
        return sent(done(self._hall.keeper, Leave(int(person or 0))))

    def join_table(self) -> Response:
        """Let a table join with the desk's code."""
        try:
            wish = msgspec.json.decode(request.get_data(cache=False), type=TableWish)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return sent(error(400, "wrong_value", "Send code, identity and number."))
        reply = self._with_code(TABLE, wish.code)
        if reply.token is None:
            return sent(reply)
        self._pairing.sign_out(reply.token)
        try:
            since = wish.since, wish.seal
            table, access = self._hall.join(wish.number, wish.identity, since=since)
        except HallRefusal as refusal:
            return sent(refused(refusal))
        except JournalError as trouble:
            return sent(not_saved(trouble))
        return sent(
            Reply(
                200,
                {
                    "table": table.number,
                    "title": self._hall.keeper.evening.plan.title,
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
            keep_session(answer, self._cookie, reply.token)
        return answer

    def sign_out(self) -> Response:
        """End this session."""
        self._pairing.sign_out(request.cookies.get(self._cookie))
        answer = sent(Reply(200, {"role": "watcher"}))
        answer.delete_cookie(self._cookie, path="/", httponly=True, samesite="Strict")
        return answer

    def _paired(self, code: str) -> Reply:
        """Find out whose code it is: a helper's, or else the organiser's."""
        plain = code.upper().replace("-", "").replace(" ", "")
        helper = plain == self._pairing.code_of(HELPER)
        return self._with_code(HELPER, code) if helper else self._with_code(None, code)

    def _with_code(self, whose: int | None, code: str) -> Reply:
        browser = browser_of(request)
        try:
            if whose is None:
                return Reply(200, {"role": "organiser"}, token=self._pairing.pair(code, browser))
            token = self._pairing.pair_phone(whose, code, browser, once=False)
            return Reply(200, {"role": "helper"}, token=token)
        except WrongCode:
            return error(403, "wrong_code", "That is not this hall's code.")
        except TooManyTries as wait:
            words = f"Too many wrong codes. Try again in {wait.seconds} seconds."
            return error(429, "too_many_tries", words, wait.seconds, seconds=wait.seconds)


class TableWish(msgspec.Struct, frozen=True):
    """A table that asks to join: the desk's code, who it is, and perhaps the number that it wants.

    Results are wanted from it after the event `since` of its journal, which has this seal.

    Read by its shape, for the journal keeps what was sent: what it cannot read back, no hall opens.
    """

    code: Annotated[str, Meta(max_length=64)]
    identity: Annotated[str, Meta(min_length=8, max_length=64)]
    number: Annotated[int, Meta(ge=1, le=9999)] | None = None
    since: Count = 0
    seal: Annotated[str, Meta(max_length=64)] = ""
