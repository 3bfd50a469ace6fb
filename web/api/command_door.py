"""Behind both doors one place reads a command, asks who sent it, and answers."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from flask import Request
from msgspec import Raw, Struct

from companion.assembly.running import Running
from companion.referee.commands import Command, Sit
from companion.referee.events import SeatTaken
from companion.referee.model.table import Table, names_at
from companion.referee.sentences import Refusal, spoken_json
from companion.service import envelope
from web.access.devices import Browser
from web.access.pairing import Pairing, TooManyTries, WrongCode
from web.access.permissions import SENDER, Sender, may
from web.transport.limits import Allowance, network
from web.transport.logs import traffic_log

BUTTONS = range(1, 33)
LONGEST_CODE = 64
SHORT = 256
"""So many bytes are more than a request to pair needs."""
GUESTS, GUESTS_A_SECOND = 4, 1 / 20
"""So many seats may one address take at once, and then one every twenty seconds."""

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


class CommandDoor:
    """Reads what comes in, asks whether its sender may, and gives it to the table."""

    def __init__(self, running: Running, pairing: Pairing, cookie: str) -> None:
        self.running = running
        self.pairing = pairing
        self.cookie = cookie
        self._guests = Allowance(GUESTS, GUESTS_A_SECOND)

    def who(self, request: Request) -> Sender:
        """Look up who sent this, from the session at this very moment.

        A phone follows its player to another seat; whose player has left the table only watches.
        """
        session = self.pairing.session(request.cookies.get(self.cookie))
        if session is None or session == "referee":
            return Sender(session or "watcher")
        seats = self.running.worker.table.game.seats
        seat = next((seat.number for seat in seats if seat.player == session), None)
        return Sender("watcher" if seat is None else "player", seat, session)

    def command(
        self,
        body: bytes | Mapping[str, Any] | Any,
        sender: Sender,
        dating: Callable[[Command], Command] = lambda command: command,
    ) -> Reply:
        """Do what a person asks through a screen; a door may date what was pressed on a phone."""
        try:
            wish = envelope.decode(body)
            if not may(sender.role, wish.command, sender.seat, self.running.worker.table):
                seat = sender.seat
                return only_the_referee() if seat is None else _only_for_the_own_seat(seat)
            command = dating(wish.command)
            answer = self.running.worker.ask(
                command, id=wish.id, version=wish.version, sent=wish.command
            )
        except Refusal as refusal:
            return Reply(envelope.status_of(refusal), Raw(envelope.error_body(refusal)))
        return Reply(200, Raw(spoken_json(answer, names_at(self.running.worker.table))))

    def simulate(self, body: Any) -> Reply:
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
            message = f"There is no button {button} at this table."
            return error(409, "no_such_button", message, button=button)
        return Reply(200, {"button": button, "down": down})

    def pair(self, body: Any, request: Request) -> Reply:
        """Exchange the referee's code, or that of a seat, for a session."""
        match body:
            case {"code": str(code), "seat": int(seat)} if len(code) <= LONGEST_CODE:
                return self._pair_phone(seat, code, request)
            case {"code": str(code), **rest} if len(code) <= LONGEST_CODE and not rest:
                browser = browser_of(request)
                return _paired({"role": "referee"}, lambda: self.pairing.pair(code, browser))
            case _:
                return error(400, "wrong_value", 'Send the code: {"code": "ABCD-EFGH"}.')

    def has_a_code(self, request: Request) -> bool:
        """Whether somebody comes with a code that is right; asked before anybody has to wait."""
        length = request.content_length or 0
        if (request.method, request.path) != ("POST", "/api/pair") or length > SHORT:
            return False
        body = request.get_data(cache=False)
        request.environ["wsgi.input"] = io.BytesIO(body)
        try:
            code = msgspec.json.decode(body, type=dict[str, Any]).get("code")
        except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError):
            return False
        return isinstance(code, str) and self.pairing.is_a_code(code)

    def sit(self, body: Any, request: Request) -> Reply:
        """Let a guest take a free seat with the own phone, until the cards are dealt."""
        match body:
            case {"name": str(name), **rest} if not rest:
                pass
            case _:
                return error(400, "wrong_value", 'Send a name: {"name": "Ana"}.')
        if sender_of(request).role != "watcher":
            return error(409, "seated_already", "This device has a seat already.")
        if not seating(self.running.worker.table):
            return error(409, "dealt", "The cards are dealt already. Ask the referee for a seat.")
        if wait := self._guests.take(network(request.remote_addr or "")):
            return too_fast(wait)
        try:
            done = self.running.worker.ask(Sit(name))
        except Refusal as refusal:
            return Reply(envelope.status_of(refusal), Raw(envelope.error_body(refusal)))
        (seated,) = (event for event in done.events if isinstance(event, SeatTaken))
        token = self.pairing.welcome(seated.player, browser_of(request))
        return Reply(200, {"role": "player", "seat": seated.seat}, token=token)

    def _pair_phone(self, seat: int, code: str, request: Request) -> Reply:
        """Exchange a seat's code for the session of its player's phone."""
        taken = self.running.worker.table.game.seat(seat)
        if taken is None:
            return error(404, "unknown_seat", f"Nobody sits at seat {seat}.", seat=seat)
        if sender_of(request).role == "referee":
            # The referee's tablet stays what it is; it may press for every seat anyway.
            return Reply(200, {"role": "referee"})
        player, browser = taken.player, browser_of(request)
        return _paired(
            {"role": "player", "seat": seat},
            lambda: self.pairing.pair_phone(player, code, browser),
        )

    def trouble(self, bug: Exception) -> Reply:
        """Answer for a mistake of our own; the table itself was not changed by it."""
        log.error("A request failed", exc_info=bug)
        return error(500, "bug", "That was a mistake in the program itself. Nothing was changed.")


def seating(table: Table) -> bool:
    """Whether people still sit down: no cards of this match were dealt."""
    match = table.game.match
    return match is None or (match.round is None and not match.rounds)


def browser_of(request: Request) -> Browser:
    """Tell what a request says of the device that sends it."""
    return Browser(request.remote_addr or "", request.headers.get("User-Agent", "")[:512])


def sender_of(request: Request) -> Sender:
    """Tell who sent this, as the door has found out."""
    sender: Sender = request.environ[SENDER]
    return sender


def _paired(now: dict[str, Any], pair: Callable[[], str]) -> Reply:
    """Answer a request to pair; `now` is the answer to the right code."""
    try:
        return Reply(200, now, token=pair())
    except WrongCode:
        return error(403, "wrong_code", "That’s not this table’s code.")
    except TooManyTries as wait:
        return error(
            429,
            "too_many_tries",
            f"Too many wrong codes. Try again in {wait.seconds} seconds.",
            wait.seconds,
            seconds=wait.seconds,
        )


def too_fast(wait: float) -> Reply:
    """Refuse who asks for too much at once."""
    message = "That is too much at once. Wait a moment and try again."
    return error(429, "too_fast", message, int(wait) + 1)


def _only_for_the_own_seat(seat: int) -> Reply:
    return error(
        403,
        "only_your_seat",
        f"This phone belongs to seat {seat} and can only press and count cards for that seat.",
        seat=seat,
    )


def only_the_referee() -> Reply:
    """Refuse who only watches or plays."""
    return error(
        403,
        "not_the_referee",
        "Only the referee can do that. Open the link that the table printed when it started, "
        "or enter its code.",
    )
