"""What the ghost knows, laid out the way a view shows it."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from tests.simulation.ghost.expects.calls import UNSURE, has_called
from tests.simulation.ghost.expects.score import Lines, Reckoning, sheet, winners
from tests.simulation.ghost.expects.seating import next_dealer
from tests.simulation.ghost.truth import Count, Match, Raced, Round, Scored, Slap, Truth

Fields = dict[str, Any]
UNKNOWN = object()
"""What the ghost does not look at, because it could be either way."""
OF_HANDS = ("debts", "newest debt by", "uno", "questions", "race", "slaps", "lost by", "slap-off")
"""What presses change, and the ghost knows only when all of them have come."""


def fields(truth: Truth, reckoning: Reckoning, now: int, *, busy: bool) -> Fields:
    """Lay the whole truth out; while hands are busy, without what comes of them."""
    match, round_ = truth.match, truth.round
    nothing: tuple[Lines, tuple[int, ...]] = ([({}, {})], ())
    lines, won = reckoning.of(match) if match is not None else nothing
    found: Fields = {
        "phase": _phase(truth, won=bool(won)),
        "seats": [_seat(truth, seat, lines[-1]) for seat in truth.ordered()],
        "set-up": (truth.sheet.key, truth.scoring, truth.way, truth.house),
        "awaited button": truth.night.awaiting,
    }
    for seat in truth.ordered():
        found[f"hand of seat {seat}"] = UNKNOWN if busy else _hand(truth.round, seat, now)
    if match is not None:
        found |= _match(truth, match, lines) | {"winners": sorted(won)}
    if match is not None and round_ is not None:
        found |= _round(truth, match, round_) | _race(round_.race)
        if busy:
            found |= dict.fromkeys(OF_HANDS, UNKNOWN)
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
        "out": round_ is not None and round_.out == seat,
        "totals": (totals[0].get(sitting.player), totals[1].get(sitting.player)),
        "head start": sitting.start,
    }


def _hand(round_: Round | None, seat: int, now: int) -> Fields:
    """What a seat's lamp tells; in a clear situation nobody is waited for, or asked."""
    found: Fields = dict.fromkeys(("racing", "slapped", "press again", "asked"), False)
    found |= {"owes": 0, "called": False, "on one": False}
    if round_ is None or seat not in round_.seats:
        return found
    called = has_called(round_, seat, now)
    window = round_.window
    return found | {
        "owes": round_.owes(seat),
        "called": UNKNOWN if called is None else called,
        "on one": round_.way == "refereed" and window is not None and window.seat == seat,
    }


def _match(truth: Truth, match: Match, lines: Lines) -> Fields:
    classic, own = lines[-1]
    deals = dealer(truth)
    latest = {entrant.player: entrant for entrant in match.entrants}
    first: dict[int, int] = {}
    for entrant in match.entrants:
        first.setdefault(entrant.player, entrant.joined)
    return {
        "match": (match.number, match.sheet.key, match.scoring, match.way, match.house),
        "target": match.target,
        "playing on": match.playing_on,
        "dealer": (deals, [deals] if deals in truth.seats else []),
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
    felt, doubted, window, race = round_.felt, round_.doubted, round_.window, round_.race
    call = None if window is None else window.call
    found: Fields = {
        "round": (round_.number, round_.way, round_.seats),
        "out": round_.out,
        "hands left": {seat: _count(count) for seat, count in round_.counts.items()},
        "hands missing": _missing(round_),
        "debts": [(debt.seat, debt.cards) for debt in round_.debts],
        "newest debt by": round_.debts[-1].rule if round_.debts else None,
        "challenge": doubted and (doubted.accused, doubted.debt.seat, doubted.last_card),
        "uno": UNKNOWN if call == UNSURE else window and (window.seat, call, None),
        "questions": ["who_was_last"] if race is not None and _asks(race) else [],
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
    hands = sorted((*round_.seats, *round_.gone))
    return tuple(s for s in hands if s != round_.out and s not in round_.counts)


def _asks(race: Raced) -> bool:
    return race.state == "undecided" and bool(race.mute)


def _race(race: Raced | None) -> Fields:
    if race is None:
        return {"race": None, "slaps": {}, "lost by": [], "slap-off": None}
    light = race.light
    open_ = race.state == "undecided"
    slaps: object = _after(race, race.slaps, None) if light is None else {}
    return {
        "race": (race.layer, race.state, race.how, race.racers, race.last if open_ else ()),
        # Whoever races alone is last, with or without a slap.
        "slaps": slaps if len(race.racers) > 1 else UNKNOWN,
        "lost by": sorted(race.last) if race.state == "ruled" else [],
        "slap-off": light and (light.seats, light.at, _after(race, light.slaps, light.at)),
    }


def _after(
    race: Raced, slaps: dict[int, Slap], light: int | None
) -> dict[int, tuple[int, int | None]]:
    """When each hand came down, and how long after the first of them, or after the light."""
    counted = {seat: race.counts(seat, slap) for seat, slap in slaps.items()}
    start = min(counted.values(), default=0) if light is None else light
    return {
        seat: (slap.at, max(0, counted[seat] - start) if slap.at >= (light or 0) else None)
        for seat, slap in slaps.items()
    }
