"""What the ghost knows, laid out the way a view shows it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import structs

from companion.ghost.finish import slaps
from companion.ghost.moments import Push
from companion.ghost.races import OPEN
from companion.ghost.score import Lines, Reckoning, sheet, winners
from companion.ghost.seating import next_dealer
from companion.ghost.truth import Count, Match, Raced, Round, Scored, Truth

Fields = dict[str, Any]


def fields(truth: Truth, reckoning: Reckoning) -> Fields:
    """Lay the whole truth out."""
    match, round_ = truth.match, truth.round
    race = round_.race if round_ is not None else None
    nothing: tuple[Lines, tuple[int, ...]] = ([({}, {})], ())
    lines, won = reckoning.of(match) if match is not None else nothing
    found: Fields = {
        "phase": _phase(truth, won=bool(won)),
        "seats": [_seat(truth, seat, lines[-1]) for seat in truth.ordered()],
        "set-up": (truth.sheet.key, truth.scoring, truth.way, truth.house),
        "awaited button": truth.night.awaiting,
        "slapping": _slapping(match, race) if match and race else (set(), set()),
    }
    if match is not None:
        found |= _match(truth, match, lines) | {"winners": sorted(won)}
    if match is not None and round_ is not None:
        found |= _round(truth, match, round_)
        if race is not None:
            found |= _race(match, round_, race)
    return found


def _phase(truth: Truth, *, won: bool) -> str:
    match, round_ = truth.match, truth.round
    if match is None:
        return "seating"
    if round_ is None:
        if won and not match.playing_on:
            return "won"
        return "deal" if match.dealer is None else "between"
    if round_.out is not None:
        return "hands"
    return "first_card" if round_.way == "refereed" and not round_.felt.discard else "play"


def dealer(truth: Truth) -> int | None:
    """Who deals this round, or will deal the next."""
    match = truth.match
    if match is None or match.dealer is None or not truth.seats:
        return None
    if match.round is not None:
        return match.round.dealer
    return next_dealer(truth, match, match.dealer)


def _seat(truth: Truth, seat: int, totals: tuple[dict[int, int], dict[int, int]]) -> Fields:
    sitting, round_ = truth.seats[seat], truth.round
    counted = round_ is not None and round_.way == "refereed"
    window = round_.window if round_ is not None else None
    button = sitting.button
    return {
        "number": seat,
        "player": sitting.player,
        "name": sitting.name,
        "button": button,
        "aside": truth.night.aside.get(button) if button is not None else None,
        "playing": round_ is not None and seat in round_.seats,
        "turn": counted and round_ is not None and round_.turn == seat,
        "hand": len(round_.felt.hands[seat]) if round_ is not None and counted else None,
        "owes": round_.owes(seat) if round_ is not None else 0,
        "called": round_ is not None
        and (
            seat in round_.calls
            or (window is not None and window.seat == seat and window.call is not None)
        ),
        "on one": counted and window is not None and window.seat == seat,
        "out": round_ is not None and round_.out == seat,
        "totals": (totals[0].get(sitting.player), totals[1].get(sitting.player)),
        "head start": sitting.start,
    }


def _slapping(match: Match, race: Raced) -> tuple[set[int], set[int]]:
    """Whose slap is awaited, and who has slapped."""
    if race.light is not None:
        down = {push.seat for push in race.light.pushes}
        return set(race.light.seats) - down, down
    if race.state != "running":
        return set(), set()
    down = set(slaps(match, race, race.deadline))
    return set(race.racers) - set(race.aside) - down, down


def _match(truth: Truth, match: Match, lines: Lines) -> Fields:
    classic, own = lines[-1]
    deals = dealer(truth)
    latest = {entrant.player: entrant for entrant in match.entrants}
    first: dict[int, int] = {}
    for entrant in match.entrants:
        first.setdefault(entrant.player, entrant.joined)
    return {
        "match": (match.number, match.sheet.key, match.scoring, match.way, match.house),
        "target": match.sheet.target,
        "playing on": match.playing_on,
        "dealer": (deals, [] if deals is None else [deals]),
        "tied for the deal": match.tied,
        "players": sorted(
            (player, entrant.name, entrant.left is None, classic[player], own[player])
            for player, entrant in latest.items()
        ),
        "sheet": [
            (
                scored.number,
                scored.out,
                {player: _count(count) for player, count in scored.counts.items()},
                scored.edited,
                {player: total for player, total in after[0].items() if first[player] < done},
                {player: total for player, total in after[1].items() if first[player] < done},
            )
            for done, (scored, after) in enumerate(
                zip(match.scored, lines[1:], strict=True), start=1
            )
        ],
    }


def _count(count: Count) -> tuple[int, dict[str, int] | None]:
    return count.points, count.cards


def _round(truth: Truth, match: Match, round_: Round) -> Fields:
    felt, doubted, window = round_.felt, round_.doubted, round_.window
    found: Fields = {
        "round": (round_.number, round_.way, round_.seats),
        "out": round_.out,
        "hands left": {seat: _count(count) for seat, count in round_.counts.items()},
        "hands missing": _missing(round_),
        "debts": [(debt.seat, debt.cards) for debt in round_.debts],
        "newest debt by": round_.debts[-1].rule if round_.debts else None,
        "challenge": doubted and (doubted.accused, doubted.debt.seat, doubted.last_card),
        "uno": window
        and (
            window.seat,
            window.call.at if window.call is not None else None,
            (window.catch.seat, window.catch.at) if window.catch is not None else None,
        ),
    }
    if round_.way == "refereed":
        top = felt.discard[-1] if felt.discard else None
        found["turn"] = (round_.turn, felt.direction) if round_.out is None else None
        found["top"] = (top, felt.colour, round_.chooser)
        found["piles"] = (len(felt.pile), len(felt.discard))
    if round_.out is not None and not _missing(round_):
        counts = {truth.seats[seat].player: count for seat, count in round_.counts.items()}
        line = Scored(round_.number, truth.seats[round_.out].player, counts)
        after = structs.replace(match, scored=[*match.scored, line])
        lines = sheet(after)
        found["preview"] = (*lines[-1], sorted(winners(after, lines)))
    return found


def _missing(round_: Round) -> tuple[int, ...]:
    if round_.out is None:
        return ()
    return tuple(s for s in round_.seats if s != round_.out and s not in round_.counts)


def _race(match: Match, round_: Round, race: Raced) -> Fields:
    light = race.light
    return {
        "race": (race.layer, race.state, race.how, race.racers, race.at, race.deadline),
        "slaps": _in_order(race, race.at, slaps(match, race, race.deadline).values()),
        "tied": sorted(race.last) if race.state in OPEN else [],
        "lost by": sorted(race.last) if race.state == "ruled" else [],
        "left out of the race": sorted(race.aside),
        "slap-off": light
        and (light.seats, light.light_at, _in_order(race, light.light_at, light.pushes)),
    }


def _in_order(race: Raced, zero: int, hands: Iterable[Push]) -> list[tuple[int, int, int]]:
    """Each hand with when it came down, and when it counts after the card or the light."""
    order = sorted(hands, key=lambda push: (race.counts(push), push.seat))
    return [(*push.key, race.counts(push) - zero) for push in order]
