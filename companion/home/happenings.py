"""What happens, as it happens: a race begins, a hand lands, somebody calls, somebody is caught."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.home.people import People
from companion.home.told import OPEN, ruling_of
from companion.referee import events as e
from companion.referee.events import Event
from companion.referee.presses import Press
from companion.referee.rulings import Ruling
from companion.referee.table import Heard, Table

KINDS = (
    "street_race",
    "slap",
    "dead_heat",
    "slap_off",
    "slap_off_light",
    "race_lost",
    "uno_call",
    "caught",
    "round_over",
    "match_won",
    "ruling",
)
RULINGS = (e.RulingGiven, e.RulingOverruled)
MOMENTS = (
    e.RaceDeclared,
    e.RaceSettled,
    e.SlapOffStarted,
    e.SlapOffLit,
    e.PressRecorded,
    e.PressReleased,
)
BY_RULING = {"caught": "caught", "out": "round_over", "out_draws": "round_over", "won": "match_won"}


def happenings(event: Event, table: Table, people: People) -> Iterator[dict[str, Any]]:
    """Tell what an event means to somebody in the room; most mean nothing."""
    match event:
        case e.RulingGiven(ruling) | e.RulingOverruled(ruling=ruling):
            told = ruling_of(ruling, table, people)
            special = _special(ruling)
            if special is not None:
                yield {"event_type": special, **told}
            yield {"event_type": "ruling", **told}
        case e.RaceDeclared():
            racers = list(event.racers)
            yield _moment("street_race", table, people, event.layer, racers=racers)
            for seat in event.claimed:
                if seat in event.racers:
                    yield _moment("slap", table, people, seat)
        case e.RaceSettled(state="undecided", tied=tied):
            yield _moment("dead_heat", table, people, seats=list(tied))
        case e.SlapOffStarted(seats):
            yield _moment("slap_off", table, people, seats=list(seats))
        case e.SlapOffLit():
            yield _moment("slap_off_light", table, people)
        case e.PressRecorded(press, "slap"):
            yield _moment("slap", table, people, press.seat)
        case e.PressRecorded(press, "said"):
            yield _moment("uno_call", table, people, press.seat)
        case e.PressRecorded(press, "call"):
            if press.released_at is not None or not _may_lay(press, table):
                yield _moment("uno_call", table, people, press.seat)
        case e.PressReleased(seat, pressed_at):
            if _races(table) and any(_call_after_all(h, seat, pressed_at) for h in table.presses):
                yield _moment("uno_call", table, people, seat)
        case _:
            return


def _special(ruling: Ruling) -> str | None:
    code = ruling.sentence.code
    if code.startswith("race_") and ruling.draws:
        return "race_lost"
    return BY_RULING.get(code)


def _call_after_all(heard: Heard, seat: int, at: int) -> bool:
    """Whether a tap has become a call: held, it would have laid a Street Race instead."""
    press = heard.press
    return (press.seat, press.at) == (seat, at) and (
        heard.meaning in ("call", "called") and not heard.claimed
    )


def _may_lay(press: Press, table: Table) -> bool:
    """Whether this push, held, would lay a Street Race: never again while the seat's own is on."""
    match = table.game.match
    race = match.round.race if match and match.round else None
    laid = race is not None and race.state in OPEN and race.layer == press.seat
    return _races(table) and not (laid and race is not None and press.at > race.declared_at)


def _races(table: Table) -> bool:
    match = table.game.match
    return match is not None and match.edition.race_card is not None


def _moment(
    kind: str, table: Table, people: People, seat: int | None = None, **more: Any
) -> dict[str, Any]:
    match = table.game.match
    round_ = match.round if match else None
    return {
        "event_type": kind,
        "match": match.number if match else None,
        "round": round_.number if round_ else None,
        "seat": seat,
        "name": None if seat is None else people.seat(seat),
        **more,
    }
