"""What happens, as it happens: a race begins, a hand lands, a player calls or is caught."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.home.people import People
from companion.home.state_messages import ruling_of
from companion.referee import events as e
from companion.referee.commands import Way
from companion.referee.events import Event
from companion.referee.model.rulings import UNDECIDED, Outcome, Ruling
from companion.referee.model.table import Calls, Race, Round, SlapOffLight, Table

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
MOMENTS = (e.RaceRead, e.RaceUnread, e.CallsRead)
RACE_OUTCOMES: frozenset[Outcome] = UNDECIDED | {"last", "never_slapped", "false_start", "picked"}
BY_OUTCOME: Mapping[Outcome, str] = {"caught": "caught", "out": "round_over", "won": "match_won"}


class Happenings:
    """Tells what an event means to the people in the room; most mean nothing.

    A race is read again and again, so this remembers what was read of it before, and tells only
    what is new.
    """

    def __init__(self, table: Table) -> None:
        self._round: tuple[int, int] | None = None
        self._races: list[Race] = []
        self._calls: set[tuple[int, int]] = set()
        round_ = _round_of(table)
        if round_ is not None:
            self._turn_to(table, round_)
            self._races = list(round_.races)
            self._calls = set(_calls(round_.calls, round_.way))

    def of(self, event: Event, table: Table, people: People) -> Iterator[dict[str, Any]]:
        """Tell what is new by this event, with the table after it."""
        round_ = _round_of(table)
        if round_ is not None:
            self._turn_to(table, round_)
        match event:
            case e.RulingGiven(ruling=ruling) | e.RulingOverruled(ruling=ruling):
                fields = ruling_of(ruling, table, people)
                special = _special(ruling)
                if special is not None:
                    yield {"event_type": special, **fields}
                yield {"event_type": "ruling", **fields}
            case e.RaceRead(race, was):
                before = next((one for one in self._races if one.key == was), None)
                self._races = [one for one in self._races if one is not before] + [race]
                # Of one that was known before but not here, too much went by to tell what is new.
                if was is None or before is not None:
                    yield from _about_the_race(race, before, table, people)
            case e.RaceUnread(was):
                self._races = [one for one in self._races if one.key != was]
            case e.CallsRead(calls) if round_ is not None:
                for seat, at in _calls(calls, round_.way):
                    if (seat, at) not in self._calls:
                        self._calls.add((seat, at))
                        yield _moment("uno_call", table, people, seat)
            case _:
                return

    def _turn_to(self, table: Table, round_: Round) -> None:
        """Forget what was read in another round."""
        match = table.game.match
        key = (match.number if match is not None else 0, round_.began)
        if key != self._round:
            self._round, self._races, self._calls = key, [], set()


def _calls(calls: Calls, way: Way) -> Iterator[tuple[int, int]]:
    """Give each call by seat and moment.

    In refereed play a card may be recorded long after hands have slapped for it. Only what served
    a player on one card was a call for certain.
    """
    if way == "free":
        yield from calls.called.items()
        return
    for window in (*calls.closed, calls.window):
        if window is not None and window.call is not None:
            yield window.seat, window.call.at


def _about_the_race(
    race: Race, before: Race | None, table: Table, people: People
) -> Iterator[dict[str, Any]]:
    if race.state in ("proposed", "void"):
        return
    if _begins(race, before):
        yield _moment("street_race", table, people, race.layer, racers=list(race.racers))
    for seat in _hands_that_landed(race, before):
        yield _moment("slap", table, people, seat)
    if _is_undecided(race) and not (before is not None and _is_undecided(before)):
        yield _moment("dead_heat", table, people, seats=list(race.tied))
    light, dark = race.slap_off, before.slap_off if before is not None else None
    if light is not None and race.state == "slap_off":
        if dark is None or dark.started_at != light.started_at:
            yield _moment("slap_off", table, people, seats=list(light.seats))
        if light.lit and not _is_lit(dark, light):
            yield _moment("slap_off_light", table, people)


def _begins(race: Race, before: Race | None) -> bool:
    """Whether a race has just become known, or is run again."""
    if before is None or before.state in ("proposed", "void"):
        return True
    return race.state == "running" and not race.slaps and bool(before.slaps)


def _is_undecided(race: Race) -> bool:
    return race.state == "undecided" and race.outcome in UNDECIDED


def _hands_that_landed(race: Race, before: Race | None) -> Iterator[int]:
    """Name the seats of new slaps; once a slap-off is on, only its own hands are new."""
    earlier = before if before is not None and before.state != "proposed" else None
    landed = {(press.seat, press.at) for press in earlier.slaps} if earlier else set()
    since = earlier.slap_off.started_at if earlier and earlier.slap_off else 0
    for press in race.slaps:
        if press.at >= since and (press.seat, press.at) not in landed:
            yield press.seat


def _is_lit(dark: SlapOffLight | None, light: SlapOffLight) -> bool:
    return dark is not None and dark.started_at == light.started_at and dark.lit


def _special(ruling: Ruling) -> str | None:
    if ruling.outcome in RACE_OUTCOMES and ruling.draws:
        return "race_lost"
    return BY_OUTCOME.get(ruling.outcome)


def _round_of(table: Table) -> Round | None:
    return table.game.match.round if table.game.match is not None else None


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
