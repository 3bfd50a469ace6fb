"""The ghost's truth beside the referee's view, field by field."""

from __future__ import annotations

from typing import Any

from companion.referee.model.rulings import Ruling
from companion.view import View
from companion.view.shape import MatchShown, RaceShown, RoundInPlay, SeatShown
from tests.simulation.ghost.expects.known import UNKNOWN

Fields = dict[str, Any]


def differences(view: View, expected: Fields) -> list[str]:
    """Name everything in which the two differ, with both readings."""
    told = shown(view)
    return [
        f"{name}: the table shows {told.get(name)!r}, the ghost knows {expected.get(name)!r}"
        for name in {**told, **expected}
        if not _same(told.get(name), expected.get(name))
    ]


def _same(one: Any, other: Any) -> bool:
    if one is UNKNOWN or other is UNKNOWN:
        return True
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return all(_same(one[key], other[key]) for key in one)
    return bool(one == other)


def shown(view: View) -> Fields:
    """Read from the view what the ghost knows too."""
    setup = view.setup
    fields: Fields = {
        "phase": view.phase,
        "seats": [_seat(seat) for seat in view.seats],
        "set-up": (setup.edition, setup.scoring, setup.way, setup.house),
        "awaited button": view.awaiting_button,
    }
    for seat in view.seats:
        fields[f"hand of seat {seat.number}"] = _hand(seat)
    if view.match is not None:
        fields |= _match(view.match)
        fields["dealer"] = (view.match.dealer, [s.number for s in view.seats if s.dealer])
    if view.round is not None:
        fields |= _round(view.round, view) | _race(view.race, view.rulings)
    return fields


def _seat(seat: SeatShown) -> Fields:
    return {
        "number": seat.number,
        "player": seat.player,
        "name": seat.name,
        "button": seat.button,
        "aside": seat.aside,
        "playing": seat.playing,
        "turn": seat.turn,
        "hand": seat.hand,
        "out": seat.out,
        "totals": (seat.classic, seat.alternative),
        "head start": seat.handicap,
    }


def _hand(seat: SeatShown) -> Fields:
    return {
        "racing": seat.racing,
        "slapped": seat.slapped,
        "press again": seat.press_again,
        "owes": seat.owes,
        "called": seat.called,
        "on one": seat.on_one,
        "asked": seat.asked,
    }


def _match(match: MatchShown) -> Fields:
    return {
        "match": (match.number, match.edition, match.scoring, match.way, match.house),
        "target": match.target,
        "playing on": match.playing_on,
        "tied for the deal": match.deal_tied,
        "winners": sorted(match.winners),
        "players": sorted(
            (p.player, p.name, p.present, p.classic, p.alternative) for p in match.players
        ),
        "sheet": [
            (
                line.number,
                line.out,
                {player: (left.points, left.cards) for player, left in line.hands.items()},
                line.edited,
                line.classic,
                line.alternative,
            )
            for line in match.rounds
        ],
    }


def _round(round_: RoundInPlay, view: View) -> Fields:
    challenge, uno = round_.challenge, view.uno
    rule_of = {ruling.number: ruling.rule for ruling in view.rulings}
    fields: Fields = {
        "round": (round_.number, round_.way, round_.seats),
        "out": round_.out,
        "hands left": {seat: (left.points, left.cards) for seat, left in round_.left.items()},
        "hands missing": round_.missing_hands,
        "debts": [(debt.seat, debt.cards) for debt in view.debts],
        "newest debt by": rule_of.get(view.debts[-1].ruling, UNKNOWN) if view.debts else None,
        "challenge": challenge and (challenge.accused, challenge.victim, challenge.last_card),
        "uno": uno
        and (
            uno.seat,
            uno.call.at if uno.call is not None else None,
            (uno.catch.seat, uno.catch.at) if uno.catch is not None else None,
        ),
        "questions": [question.kind for question in view.questions],
    }
    if round_.way == "refereed":
        fields["turn"] = (round_.turn, round_.direction) if round_.out is None else None
        fields["top"] = (round_.top, round_.colour, round_.chooser)
        fields["piles"] = (round_.draw_pile, round_.discard_pile)
    if round_.preview is not None:
        preview = round_.preview
        fields["preview"] = (
            preview.classic_totals,
            preview.alternative_totals,
            sorted(preview.winners),
        )
    return fields


def _race(race: RaceShown | None, rulings: tuple[Ruling, ...]) -> Fields:
    if race is None:
        return {"race": None, "slaps": {}, "lost by": [], "slap-off": None}
    ruling = next((r for r in rulings if r.number == race.ruling), None)
    lost: object = []
    if race.state == "ruled":
        lost = sorted(draw.seat for draw in ruling.draws) if ruling is not None else UNKNOWN
    slaps = {slap.seat: (slap.at, slap.after) for slap in race.slaps}
    light = race.slap_off
    return {
        "race": (race.layer, race.state, race.how, race.racers, tuple(sorted(race.tied))),
        "slaps": slaps if light is None else {},
        "lost by": lost,
        "slap-off": light and (light.seats, light.light_at, slaps),
    }
