"""What an event adds to the moments of a match, and what of them counts in the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.past.highlights.highlights import (
    ONE_CALL,
    CallHighlight,
    CatchHighlight,
    Highlights,
    RaceHighlight,
    Slap,
)
from companion.referee import events as e
from companion.referee.evidence.bunches import AGAIN
from companion.referee.model.rulings import Calling, Finish, Ruling
from companion.referee.model.table import Race, RaceKey


class _Raced(Struct, frozen=True):
    """A race as it was last read, and every ruling that it had."""

    round: int
    race: Race
    players: Mapping[int, int]
    rulings: tuple[int, ...] = ()
    lights: tuple[int, ...] = ()
    slaps: frozenset[tuple[int, int]] = frozenset()
    """By seat and moment: those that were judged, also before a slap-off began."""


class Remembered(Struct, frozen=True):
    """The little of the game that tells whose moment it was; undo brings it back as it was."""

    seats: Mapping[int, int] = {}
    match: int | None = None
    round: int = 0
    races: tuple[_Raced, ...] = ()
    judged: Mapping[int, RaceHighlight] = {}
    """By ruling, as far as they are in force."""
    catches: Mapping[int, CatchHighlight] = {}
    calls: tuple[CallHighlight, ...] = ()
    catching: Mapping[int, CallHighlight] = {}
    """By ruling, the push of a catch, which may have been shown as a call."""


def followed(game: Remembered, event: e.Event) -> Remembered:
    """Take in an event of a round, or of who sits where."""
    match event:
        case e.SeatTaken(seat, player):
            return replace(game, seats={**game.seats, seat: player})
        case e.SeatLeft(seat):
            return replace(game, seats={s: p for s, p in game.seats.items() if s != seat})
        case e.SeatsSwapped(seat, other):
            moved = {seat: other, other: seat}
            return replace(game, seats={moved.get(s, s): p for s, p in game.seats.items()})
        case e.RoundDealt(round=number):
            return replace(game, round=number)
        case e.PlayChanged(round=round_):
            game = _changed(game, round_.races)
            return replace(game, calls=_with_calls(game, round_.calls.called))
        case e.RaceRead(race, was):
            return replace(game, races=_with_race(game, race, was))
        case e.RaceUnread(was):
            return replace(game, races=_without_race(game, was))
        case e.RulingGiven(ruling):
            return _with_ruling(game, ruling)
        case e.RulingOverruled(number=number, ruling=ruling):
            return _with_ruling(_without_ruling(game, number), ruling)
        case e.CallsRead(calls):
            return replace(game, calls=_with_calls(game, calls.called))
        case e.CallWithdrawn(seat):
            return replace(game, calls=_without_call(game, seat))
        case e.PressesDismissed(presses=presses, kind="nothing") | e.PressesAnswered(presses):
            gone = [_push(game, *press) for press in presses]
            return replace(game, calls=tuple(call for call in game.calls if call not in gone))
        case _:
            return game


def _with_race(game: Remembered, race: Race, was: RaceKey | None) -> tuple[_Raced, ...]:
    """A race is read again and again; `was` is how it was known before."""
    here = (raced for raced in game.races if (raced.round, raced.race.key) == (game.round, was))
    known = replace(next(here, _Raced(game.round, race, game.seats)), race=race)
    light = race.slap_off.light_at if race.slap_off is not None else None
    if light is not None and light not in known.lights:
        known = replace(known, lights=(*known.lights, light))
    if race.outcome is not None:
        known = replace(known, slaps=known.slaps | {(slap.seat, slap.at) for slap in race.slaps})
    if race.ruling is not None and race.ruling not in known.rulings:
        known = replace(known, rulings=(*known.rulings, race.ruling))
    return (*_without_race(game, was), known)


def _without_race(game: Remembered, key: RaceKey | None) -> tuple[_Raced, ...]:
    return tuple(
        raced for raced in game.races if (raced.round, raced.race.key) != (game.round, key)
    )


def _changed(game: Remembered, races: Iterable[Race]) -> Remembered:
    """An earlier card is another one: these are the races of the round now."""
    there = {race.key for race in races}
    for raced in game.races:
        if raced.round == game.round and raced.race.key not in there:
            game = replace(game, races=_without_race(game, raced.race.key))
    for race in races:
        game = replace(game, races=_with_race(game, race, race.key))
    return game


def _with_ruling(game: Remembered, ruling: Ruling) -> Remembered:
    match ruling.evidence:
        case Finish() as finish if ruling.rule == "R12":
            return replace(game, judged={**game.judged, ruling.number: _race(game, ruling, finish)})
        case Calling() as calling:
            moment = CatchHighlight(
                ruling=ruling.number,
                round=game.round,
                player=game.seats.get(calling.seat),
                by=None if calling.by is None else game.seats.get(calling.by),
                caught=ruling.outcome == "caught",
                called=ruling.outcome == "called",
            )
            game = replace(game, catches={**game.catches, ruling.number: moment})
            push = _push(game, calling.catch.seat, calling.catch.at)
            if push is not None:
                game = replace(game, catching={**game.catching, ruling.number: push})
            if calling.call is None or ruling.outcome != "called":
                return game
            return replace(game, calls=_with_calls(game, {calling.seat: calling.call.at}))
        case _:
            return game


def _without_ruling(game: Remembered, number: int) -> Remembered:
    return replace(
        game,
        judged={key: race for key, race in game.judged.items() if key != number},
        catches={key: catch for key, catch in game.catches.items() if key != number},
        catching={key: push for key, push in game.catching.items() if key != number},
    )


def _race(game: Remembered, ruling: Ruling, finish: Finish) -> RaceHighlight:
    unsure = ruling.seats if ruling.outcome in ("dead_heat", "no_order") else ()
    return RaceHighlight(
        ruling=ruling.number,
        round=game.round,
        how="",
        start=finish.start,
        layer=game.seats.get(finish.layer),
        slaps=tuple(
            Slap(game.seats[place.seat], place.after, place.handicap, place.early, place.hammered)
            for place in finish.places
            if place.seat in game.seats
        ),
        last=_players(game, ruling.seats),
        margin=finish.margin,
        outcome=ruling.outcome,
        tied=_players(game, unsure),
        heat=ruling.outcome == "dead_heat",
        doubt=finish.doubt,
        unusable=_players(game, finish.unusable),
    )


def _players(game: Remembered, seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(game.seats[seat] for seat in seats if seat in game.seats)


def _push(game: Remembered, seat: int, at: int) -> CallHighlight | None:
    player = game.seats.get(seat)
    return None if player is None else CallHighlight(game.round, player, at)


def _with_calls(game: Remembered, called: Mapping[int, int]) -> tuple[CallHighlight, ...]:
    shown = (_push(game, seat, at) for seat, at in called.items())
    fresh = tuple(call for call in shown if call is not None and call not in game.calls)
    return (*game.calls, *fresh)


def _without_call(game: Remembered, seat: int) -> tuple[CallHighlight, ...]:
    """Take back the latest call of a seat, with every push that belongs to it."""
    whose = game.round, game.seats.get(seat)
    own = [call for call in game.calls if (call.round, call.player) == whose]
    own.sort(key=lambda call: call.at)
    latest = own[-1:]
    for before in reversed(own[:-1]):
        if latest[0].at - before.at > ONE_CALL:
            break
        latest.insert(0, before)
    return tuple(call for call in game.calls if call not in latest)


def highlights_of(game: Remembered) -> Highlights:
    """Tell what counts: a race by its ruling in force, and as a call only what was nothing else."""
    races: list[RaceHighlight] = []
    others = [Span(push, push.at + ONE_CALL) for push in game.catching.values()]
    for raced in sorted(game.races, key=lambda raced: (raced.round, raced.race.anchor)):
        race = raced.race
        others += _slapping(raced)
        if race.state != "void" and race.ruling in game.judged:
            races += _told(raced, [game.judged[n] for n in raced.rulings if n in game.judged])
    calls = tuple(call for call in game.calls if not any(span.holds(call) for span in others))
    return Highlights(tuple(races), tuple(game.catches.values()), calls)


class Span(Struct, frozen=True):
    """From a push on, for a while, what the same hand did was no call."""

    push: CallHighlight
    until: int

    def holds(self, call: CallHighlight) -> bool:
        """Whether a call is nothing but that push, or one that belongs to it."""
        whose = (self.push.round, self.push.player)
        return (call.round, call.player) == whose and self.push.at <= call.at <= self.until


def _slapping(raced: _Raced) -> list[Span]:
    """A racer's hand that touches the button again shortly after the slaps has not called."""
    slaps = raced.slaps | {(slap.seat, slap.at) for slap in raced.race.slaps}
    until = max((at for _, at in slaps), default=0) + AGAIN
    return [
        Span(CallHighlight(raced.round, raced.players[seat], at), until)
        for seat, at in slaps
        if seat in raced.players
    ]


def _told(raced: _Raced, rulings: Iterable[RaceHighlight]) -> Iterable[RaceHighlight]:
    """A Street Race with its slap-offs; a tie that the referee decides afterwards is still one."""
    told: dict[int, RaceHighlight] = {}
    for moment in rulings:
        how = "slap_off" if moment.start in raced.lights else raced.race.how
        before = told.get(moment.start)
        moment = replace(moment, how=how, of=raced.rulings[0])
        if before is not None and moment.outcome == "picked":
            moment = replace(moment, tied=before.tied, heat=before.heat)
        told[moment.start] = moment
    return told.values()
