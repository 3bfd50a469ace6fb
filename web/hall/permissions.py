"""Who may do what in the hall; what stands in no list is closed to everybody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from companion.hall import commands as c
from web.access.devices import Whose

HallRole = Literal["watcher", "player", "helper", "organiser"]
Roles = frozenset[HallRole]

EVERYONE: Roles = frozenset(get_args(HallRole))
DESK: Roles = frozenset({"helper", "organiser"})
ORGANISER: Roles = frozenset({"organiser"})
PLAYER: Roles = frozenset({"player"})
NOBODY: Roles = frozenset()

HELPER, TABLE = 0, -1
"""Numbers that no person has: under them pairing keeps the helpers' code and that of the tables."""

ROUTES: dict[str, Roles] = {
    "GET /": EVERYONE,
    "GET /hall": EVERYONE,
    "GET /join": EVERYONE,
    "GET /desk": EVERYONE,
    "GET /print/<what>": EVERYONE,
    "GET /static/<path:filename>": EVERYONE,
    "GET /healthz": EVERYONE,
    "GET /api/evening": EVERYONE,
    "GET /api/match/<int:number>/<int:table>": EVERYONE,
    "GET /api/join.svg": EVERYONE,
    "GET /api/standing.csv": EVERYONE,
    "GET /api/seats.csv": EVERYONE,
    # Open to those who know a code, which is asked for there.
    "POST /api/pair": EVERYONE,
    "POST /api/tables": EVERYONE,
    "POST /api/sign-out": EVERYONE,
    # To put oneself on the list, and to take oneself off again.
    "POST /api/sign-up": EVERYONE,
    "POST /api/leave": PLAYER,
    # The desk; each command says below who may give it.
    "POST /api/commands": DESK,
    "POST /api/preview": DESK,
    "GET /api/desk": DESK,
    "GET /api/evening.json": ORGANISER,
    "POST /api/forget": ORGANISER,
}
COMMANDS: Mapping[type, Roles] = {
    c.PlanEvening: ORGANISER,
    c.SignUp: DESK,
    c.RenamePerson: DESK,
    c.Leave: DESK,
    c.Return: DESK,
    c.KeepApart: DESK,
    c.DrawRound: ORGANISER,
    c.ChangePlaces: ORGANISER,
    c.SetClock: DESK,
    c.WriteResult: DESK,
    c.StrikeResult: DESK,
    c.RemoveTable: ORGANISER,
}


def role_of(session: Whose | None) -> HallRole:
    """Tell the role that this session gives."""
    match session:
        case None:
            return "watcher"
        case "referee":
            return "organiser"
        case 0:
            return "helper"
        case _:
            return "player"


def may_enter(role: HallRole, method: str, rule: str) -> bool:
    """Whether this role may use an address in this way."""
    asked = "GET" if method in ("HEAD", "OPTIONS") else method
    return role in ROUTES.get(f"{asked} {rule}", NOBODY)


def may_command(role: HallRole, command: object) -> bool:
    """Whether this role may give this command; a correction that draws again is a draw too."""
    if getattr(command, "redraw", False) and role not in COMMANDS[c.DrawRound]:
        return False
    return role in COMMANDS.get(type(command), NOBODY)
