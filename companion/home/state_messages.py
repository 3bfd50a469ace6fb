"""What the broker keeps of the table: how the match stands, the race, the latest ruling."""

from __future__ import annotations

from typing import Any

from companion.home.people import People
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import Table
from companion.view.shape import MatchShown, SeatShown, View

IDLE = "idle"
RACE_STATES = (IDLE, "proposed", "running", "undecided", "slap_off", "ruled")
OPEN = ("running", "undecided", "slap_off")


def race_of(view: View) -> str:
    """Tell whether a Street Race is on; the latest that counts stays until the round ends."""
    return IDLE if view.race is None else view.race.state


def state_of(view: View, people: People) -> dict[str, Any]:
    """Tell how the match stands; nothing in it changes unless it can be seen at the table."""
    sheet, round_ = view.match, view.round
    turn = round_.turn if round_ and round_.out is None else None
    return {
        "phase": view.phase,
        "edition": sheet.edition if sheet else view.setup.edition,
        "scoring": sheet.scoring if sheet else view.setup.scoring,
        "way": sheet.way if sheet else view.setup.way,
        "match": sheet.number if sheet else None,
        "round": round_.number if round_ else None,
        "target": sheet.target if sheet else None,
        "turn": None if turn is None else people.seat(turn),
        "turn_seat": turn,
        "direction": None if round_ is None else "left" if round_.direction > 0 else "right",
        "race": race_of(view),
        "race_layer": view.race.layer if view.race else None,
        "owes": {str(seat.number): seat.owes for seat in view.seats if seat.owes},
        "leader": _called(people, sheet.leaders) if sheet else None,
        "winner": _called(people, sheet.winners) if sheet else None,
        "seats": {str(seat.number): _seat(seat, sheet, people) for seat in view.seats},
        "players": _players(sheet, people),
    }


def ruling_of(ruling: Ruling | None, table: Table, people: People) -> dict[str, Any]:
    """Tell a ruling, or that there is none in this match yet."""
    match = table.game.match
    fields: dict[str, Any] = {
        "match": match.number if match else None,
        "number": None,
        "rule": None,
        "outcome": None,
        "code": None,
        "sentence": None,
        "seats": [],
        "names": [],
        "draws": [],
        "house": [],
    }
    if ruling is None:
        return fields
    return fields | {
        "number": ruling.number,
        "rule": ruling.rule,
        "outcome": ruling.outcome,
        "code": ruling.sentence.code,
        "sentence": people.sentence(ruling.sentence),
        "seats": list(ruling.seats),
        "names": [people.seat(number) for number in ruling.seats],
        "draws": [
            {"seat": one.seat, "name": people.seat(one.seat), "cards": one.cards}
            for one in ruling.draws
        ],
        "house": list(ruling.house),
    }


def latest_ruling(table: Table) -> Ruling | None:
    """Find what was ruled last in this match, and not taken back."""
    match = table.game.match
    return match.rulings[-1] if match and match.rulings else None


def _called(people: People, players: tuple[int, ...]) -> str | None:
    return ", ".join(people.player(number) for number in players) or None


def _seat(seat: SeatShown, sheet: MatchShown | None, people: People) -> dict[str, Any]:
    classic = sheet is None or sheet.scoring == "classic"
    return {
        "seat": seat.number,
        "name": people.seat(seat.number),
        "points": seat.classic if classic else seat.alternative,
        "cards": seat.hand,
        "owes": seat.owes,
        "turn": seat.turn,
        "dealer": seat.dealer,
        "playing": seat.playing,
        "called": seat.called,
        "out": seat.out,
    }


def _players(sheet: MatchShown | None, people: People) -> list[dict[str, Any]]:
    if sheet is None:
        return []
    return [
        {
            "player": one.player,
            "name": people.player(one.player),
            "seat": one.seat,
            "points": one.classic if sheet.scoring == "classic" else one.alternative,
            "classic": one.classic,
            "alternative": one.alternative,
            "present": one.present,
        }
        for one in sheet.players
    ]
