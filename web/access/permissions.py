"""Who may do what: watching is open, players act for their own seat, the referee for all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct

from companion.referee import commands
from companion.referee.model.table import Table

Role = Literal["watcher", "player", "referee"]
ROLES: tuple[Role, ...] = get_args(Role)

SENDER = "companion.sender"
"""Under this name a request carries who sent it, from the guard at the door on."""


class Sender(Struct, frozen=True):
    """Who sent a request; a player's has the player's number, and the seat while they sit."""

    role: Role
    seat: int | None = None
    player: int | None = None


MAY: dict[Role, frozenset[type]] = {
    role: frozenset(kind for kind in get_args(commands.Command) if role in kind.senders)
    for role in ROLES
}
"""What each role may do: a command declares it on its class, a player acts for one seat alone."""


Roles = frozenset[Role]
EVERYONE: Roles = frozenset({"watcher", "player", "referee"})
REFEREE: Roles = frozenset({"referee"})
SEATED: Roles = frozenset({"player", "referee"})
"""Those who may press for a seat."""
NOBODY: Roles = frozenset()

ROUTES: dict[str, Roles] = {
    # To look on: pages, pictures, and what people look up.
    "GET /": EVERYONE,
    "GET /board": EVERYONE,
    "GET /rules": EVERYONE,
    "GET /history": EVERYONE,
    "GET /hardware": EVERYONE,
    "GET /seat/<int:number>": EVERYONE,
    "GET /static/<path:filename>": EVERYONE,
    "GET /healthz": EVERYONE,
    "GET /api/state": EVERYONE,
    "GET /api/schema": EVERYONE,
    "GET /api/session": EVERYONE,
    "GET /api/matches": EVERYONE,
    "GET /api/matches/<int:number>": EVERYONE,
    "GET /api/matches/<int:number>.csv": EVERYONE,
    "GET /api/matches/<int:number>/races/<int:ruling>": EVERYONE,
    "POST /api/what-if": EVERYONE,
    "GET /api/matches/<int:number>/story": EVERYONE,
    "GET /api/matches.csv": EVERYONE,
    "GET /api/matches.json": EVERYONE,
    "GET /api/matches/races.csv": EVERYONE,
    "GET /api/editions": EVERYONE,
    "GET /api/names": EVERYONE,
    "GET /api/may-play": EVERYONE,
    "GET /api/statistics": EVERYONE,
    "GET /api/hardware": EVERYONE,
    "GET /api/hardware/report.txt": EVERYONE,
    "GET /api/hardware/report.json": EVERYONE,
    "GET /api/join": EVERYONE,
    "GET /api/join.svg": EVERYONE,
    # Open to those who may have the code now, which is asked there once more.
    "GET /api/seats/<int:number>": EVERYONE,
    "GET /api/seats/<int:number>.svg": EVERYONE,
    "GET /api/pairing": EVERYONE,
    "GET /api/pairing.svg": EVERYONE,
    "GET /api/wifi": EVERYONE,
    "GET /api/wifi.svg": EVERYONE,
    # Open to those who know the code.
    "POST /api/pair": EVERYONE,
    "POST /api/sign-out": EVERYONE,
    # Open to guests until the cards are dealt.
    "POST /api/sit": EVERYONE,
    # Every command says itself who may send it.
    "POST /api/commands": EVERYONE,
    # To take away, also what others should not have.
    "GET /api/everything.zip": REFEREE,
    "GET /api/support.zip": REFEREE,
    # To forget for good; already the question tells more than a guest should know.
    "GET /api/forget": REFEREE,
    "POST /api/forget": REFEREE,
    # To act on the table itself.
    "GET /api/devices": REFEREE,
    "POST /api/devices/end": REFEREE,
    "POST /api/sign-out/others": REFEREE,
    "POST /api/pairing": REFEREE,
    "POST /api/wifi": REFEREE,
    "POST /api/lost": REFEREE,
    "POST /api/simulate": REFEREE,
    "POST /api/hardware/lamps": REFEREE,
    "POST /api/hardware/check": REFEREE,
    "POST /api/hall": REFEREE,
    "POST /api/hall/leave": REFEREE,
}
"""Who may use which address; one that is not here is closed to everybody."""

SAFE_ROUTES: dict[str, Roles] = {
    "GET /": EVERYONE,
    "GET /static/<path:filename>": EVERYONE,
    "GET /healthz": EVERYONE,
    "POST /pair": EVERYONE,
    "POST /try-again": REFEREE,
    "GET /restore": REFEREE,
    "POST /restore": REFEREE,
    "POST /begin-anew": REFEREE,
    "GET /backups/<name>": REFEREE,
    "GET /journal.zip": REFEREE,
    "GET /support.zip": REFEREE,
}
"""The same for the page that stands in for a table that does not open."""

EVENTS: dict[str, Roles] = {
    "connect": EVERYONE,
    "disconnect": EVERYONE,
    "catch_up": EVERYONE,
    "watch_hardware": EVERYONE,
    "command": EVERYONE,
    "clock": SEATED,
    "simulate": REFEREE,
}
"""Who may send which message over the live door; nothing else is listened to."""


def may_enter(role: Role, method: str, rule: str, routes: Mapping[str, Roles] = ROUTES) -> bool:
    """Whether this role may use an address in this way; what is in no list is refused."""
    asked = "GET" if method in ("HEAD", "OPTIONS") else method
    return role in routes.get(f"{asked} {rule}", NOBODY)


def may_say(role: Role, event: str) -> bool:
    """Whether this role may send this message over the live door."""
    return role in EVENTS.get(event, NOBODY)


def may(role: Role, command: object, seat: int | None = None, table: Table | None = None) -> bool:
    """Whether this role may give this command; what is in no list is refused.

    A player acts for one seat only, answers only what the table asks that seat, and cannot keep a
    hand against the companion's own count: to insist is the referee's word.
    """
    if type(command) not in MAY.get(role, frozenset()):
        return False
    if role != "player":
        return True
    if isinstance(command, commands.Answer):
        return seat is not None and table is not None and _is_asked(seat, command.question, table)
    insists = isinstance(command, commands.EnterHand) and command.confirm
    return seat is not None and getattr(command, "seat", None) == seat and not insists


def _is_asked(seat: int, number: int, table: Table) -> bool:
    """Whether a question is put to this seat.

    One that is closed cannot be answered; but the answer that closed it may be sent again, and
    gets the same reply. A question's number is later than any version before it.
    """
    match = table.game.match
    questions = () if match is None or match.round is None else match.round.questions
    for question in questions:
        if question.number == number:
            return seat in question.asked_seats
    return number <= table.version


def may_see_seat_codes(role: Role, seating: bool) -> bool:
    """Whether this role may see the codes that pair a phone with a seat.

    While people sit down the board shows them to everyone in the room; once cards are dealt only
    the referee gives them out.
    """
    return role == "referee" or seating
