"""Behind both doors one place reads a command, asks who sent it, and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from flask import Request
from msgspec import Raw, Struct

from companion.assembly.running import Running
from companion.referee.commands import Command
from companion.referee.sentences import Refusal
from companion.service import envelope
from web.access.pairing import Pairing, Session, TooManyTries, WrongCode
from web.access.permissions import Role, may
from web.transport.logs import traffic_log

BUTTONS = range(1, 33)

log = traffic_log("companion.web.traffic")


class Reply(Struct, frozen=True):
    """An answer, as HTTP's status and the JSON that both doors give."""

    status: int
    body: Raw | dict[str, Any]
    retry_after: int | None = None
    token: str | None = None
    """A session that was just opened."""


def error(
    status: int, code: str, message: str, retry_after: int | None = None, **parts: str | int
) -> Reply:
    """Answer with a sentence why not, and with the parts that say it in another language."""
    body = {"error": code, "message": message}
    return Reply(status, {**body, "parts": parts} if parts else body, retry_after)


class Desk:
    """Reads what comes in, asks whether its sender may, and gives it to the table."""

    def __init__(self, running: Running, pairing: Pairing, cookie: str) -> None:
        self.running = running
        self.pairing = pairing
        self.cookie = cookie

    def role(self, request: Request) -> Role:
        """Tell the role of who sent this, from the session at this very moment."""
        return self.who(request)[0]

    def who(self, request: Request) -> tuple[Role, int | None]:
        """Tell the role of who sent this, and a player's seat.

        A phone follows its player to another seat; whose player has left the table only watches.
        """
        session = self.session(request)
        if session is None or session == "referee":
            return session or "watcher", None
        seats = self.running.worker.table.game.seats
        seat = next((seat.number for seat in seats if seat.player == session), None)
        return ("watcher", None) if seat is None else ("player", seat)

    def session(self, request: Request) -> Session | None:
        """Name whose session this is: the referee's, a player's, or nobody's."""
        return self.pairing.session(request.cookies.get(self.cookie))

    def is_own(self, request: Request) -> bool:
        """Whether the service itself asks."""
        return request.cookies.get(self.cookie) == self.pairing.inner

    def command(
        self,
        body: bytes | Mapping[str, Any] | Any,
        request: Request,
        dating: Callable[[Command], Command] = lambda command: command,
    ) -> Reply:
        """Do what a person asks through a screen; a door may date what was pressed on a phone."""
        try:
            wish = envelope.decode(body)
            role, seat = self.who(request)
            if not may(role, wish.command, seat, self.running.worker.table):
                return only_the_referee() if seat is None else _only_for_the_own_seat(seat)
            command = dating(wish.command)
            answer = self.running.worker.ask(
                command, id=wish.id, version=wish.version, sent=wish.command
            )
        except Refusal as refusal:
            return Reply(envelope.status_of(refusal), Raw(envelope.error_body(refusal)))
        return Reply(200, Raw(envelope.answer_body(answer)))

    def simulate(self, body: Any, request: Request) -> Reply:
        """Push or release a simulated button."""
        push = self.running.push
        if push is None:
            return error(409, "real_buttons", "This table has real buttons; press those.")
        match body:
            case {"button": int(button), "down": bool(down), **rest} if not rest:
                if isinstance(button, bool) or button not in BUTTONS:
                    return error(400, "wrong_value", "Buttons are numbered from 1 to 32.")
            case _:
                example = '{"button": 1, "down": true}'
                return error(400, "wrong_value", f"Send a button and its state: {example}.")
        try:
            push(button, down)
        except (KeyError, ValueError, IndexError):
            said = f"There is no button {button} at this table."
            return error(409, "no_such_button", said, button=button)
        return Reply(200, {"button": button, "down": down})

    def pair(self, body: Any, request: Request) -> Reply:
        """Exchange the referee's code for a session."""
        code = body.get("code") if isinstance(body, dict) else None
        if not isinstance(code, str) or len(code) > 64:
            return error(400, "wrong_value", 'Send the code: {"code": "ABCD-EFGH"}.')
        address = request.remote_addr or ""
        return _paired({"role": "referee"}, lambda: self.pairing.pair(code, address))

    def pair_phone(self, seat: int, code: str, request: Request) -> Reply:
        """Exchange a seat's code for the session of its player's phone."""
        taken = self.running.worker.table.game.seat(seat)
        if taken is None:
            return error(404, "unknown_seat", f"Nobody sits at seat {seat}.", seat=seat)
        if self.role(request) == "referee":
            # The referee's tablet stays what it is; it may press for every seat anyway.
            return Reply(200, {"role": "referee"})
        player, address = taken.player, request.remote_addr or ""
        return _paired(
            {"role": "player", "seat": seat},
            lambda: self.pairing.pair_phone(player, code, address),
        )

    def trouble(self, bug: Exception) -> Reply:
        """Answer for a mistake of our own; the table itself was not changed by it."""
        log.error("A request failed", exc_info=bug)
        return error(
            500, "bug", "That ran into a mistake in the companion itself. Nothing was changed."
        )


def _paired(now: dict[str, Any], pair: Callable[[], str]) -> Reply:
    """Answer a request to pair; `now` tells what whoever had the right code has become."""
    try:
        return Reply(200, now, token=pair())
    except WrongCode:
        return error(403, "wrong_code", "That is not the code of this table.")
    except TooManyTries as wait:
        return error(
            429,
            "too_many_tries",
            f"Too many wrong codes from here. Try again in {wait.seconds} seconds.",
            wait.seconds,
            seconds=wait.seconds,
        )


def _only_for_the_own_seat(seat: int) -> Reply:
    return error(
        403,
        "only_your_seat",
        f"This phone is paired with seat {seat} and may press and count cards for that seat alone.",
        seat=seat,
    )


def only_the_referee() -> Reply:
    """Refuse who only watches or plays."""
    return error(
        403,
        "not_the_referee",
        "Only the referee may do that. Open the link that the table printed when it started, "
        "or enter its code.",
    )
