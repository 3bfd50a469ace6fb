"""Moments of a match that people talk about later: races, catches and calls.

The lines of the matches keep only the score, and the table only its latest rulings; so the events
are followed once more. What was taken back, overruled or withdrawn is no moment.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.presses import SECOND
from companion.referee.rulings import Calling, Finish, Ruling

ONE_CALL = 3 * SECOND
"""Pushes of one hand that follow each other this closely are one call."""
UNDECIDED = ("dead_heat", "dead_heat_within", "dead_heat_handicap", "race_no_slaps")
"""Verdicts after which somebody has yet to say who was last."""


class Slap(Struct, frozen=True):
    """A racer's hand; no time means that it never came."""

    player: int
    after: int | None
    """When it counts: nanoseconds after the layer's press, or after the light of a slap-off."""
    handicap: int = 0
    """How much later than that it really came."""


class RaceMoment(Struct, frozen=True):
    """A Street Race or a slap-off that was judged, by player number."""

    ruling: int
    round: int
    how: str
    """How it was declared: `hold`, `tablet`, `card`, or `slap_off`."""
    declared_at: int
    layer: int | None
    slaps: tuple[Slap, ...]
    """In the order in which the hands counted."""
    last: tuple[int, ...]
    """Who was last; several where it could not be told apart, or nobody came."""
    margin: int | None
    verdict: str = "race_last"
    tied: tuple[int, ...] = ()
    """Whose hands could not be told apart, even where the referee has then named one of them."""
    of: int = 0
    """When the Street Race was declared that this belongs to, itself or as its slap-off."""
    doubt: int | None = None
    """Closer than this the last two could not have been told apart."""

    @property
    def decided(self) -> bool:
        """Whether it is known who was last."""
        return self.verdict not in UNDECIDED


class CatchMoment(Struct, frozen=True):
    """A catch and what came of it, by player number."""

    ruling: int
    round: int
    player: int | None
    by: int | None
    caught: bool
    called: bool = False
    """Whether it failed because the call came first."""


class CallMoment(Struct, frozen=True):
    """A push or tap that stands as a call."""

    round: int
    player: int
    at: int


class Moments(Struct, frozen=True):
    """What is told of one match."""

    races: tuple[RaceMoment, ...] = ()
    catches: tuple[CatchMoment, ...] = ()
    calls: tuple[CallMoment, ...] = ()


class _Game(Struct, frozen=True):
    """The little of the game that tells whose moment it was; undo brings it back as it was."""

    seats: Mapping[int, int] = {}
    match: int | None = None
    round: int = 0
    declared: Mapping[int, str] = {}
    race: int = 0
    moments: Moments = Moments()


class _Step(Struct, frozen=True):
    game: _Game
    below: _Step | None = None


class Memory:
    """Follows the events of a table and remembers the moments of every match."""

    def __init__(self) -> None:
        self.matches: dict[int, Moments] = {}
        self._game = _Game()
        self._past: _Step | None = None
        self._future: _Step | None = None

    def follow(self, event: e.Event) -> None:
        """Take in the next event."""
        match event:
            case e.StepTaken():
                self._past, self._future = _Step(self._game, self._past), None
            case e.Undone():
                assert self._past is not None
                self._future = _Step(self._game, self._future)
                self._game, self._past = self._past.game, self._past.below
            case e.Redone():
                assert self._future is not None
                self._past = _Step(self._game, self._past)
                self._game, self._future = self._future.game, self._future.below
            case e.MatchStarted(match=number):
                self._past = self._future = None
                self._game = replace(self._game, match=number, round=0, moments=Moments())
            case e.MatchForgotten(seats=seats):
                self._past = self._future = None
                self._game = _Game(seats={seat.number: seat.player for seat in seats})
            case _:
                self._game = _told(self._game, event)
        if self._game.match is not None:
            self.matches[self._game.match] = self._game.moments


TOLD = frozenset(
    {
        "step_taken",
        "undone",
        "redone",
        "match_started",
        "match_closed",
        "match_forgotten",
        "seat_taken",
        "seat_left",
        "seats_swapped",
        "round_dealt",
        "race_declared",
        "ruling_given",
        "ruling_overruled",
        "call_withdrawn",
    }
)
"""The events that say something here, beside presses that were taken for a call."""


def _told(game: _Game, event: e.Event) -> _Game:
    match event:
        case e.SeatTaken(seat, player):
            return replace(game, seats={**game.seats, seat: player})
        case e.SeatLeft(seat):
            return replace(game, seats={s: p for s, p in game.seats.items() if s != seat})
        case e.SeatsSwapped(seat, other):
            moved = {seat: other, other: seat}
            return replace(game, seats={moved.get(s, s): p for s, p in game.seats.items()})
        case e.MatchClosed():
            return replace(game, match=None, moments=Moments())
        case e.RoundDealt(round=number):
            return replace(game, round=number, declared={}, race=0)
        case e.RaceDeclared(declared_at=at, how=how):
            declared = {**game.declared, at: how}
            return replace(game, declared=declared, race=at, moments=_unclaimed(game, event))
        case e.RulingGiven(ruling):
            return replace(game, moments=_with_ruling(game, ruling))
        case e.RulingOverruled(number):
            return replace(game, moments=_without_ruling(game.moments, number))
        case e.PressRecorded(press, "call" | "said") if press.seat in game.seats:
            call = CallMoment(game.round, game.seats[press.seat], press.at)
            moments = replace(game.moments, calls=(*game.moments.calls, call))
            return replace(game, moments=moments)
        case e.CallWithdrawn(seat):
            return replace(game, moments=_without_call(game, seat))
        case _:
            return game


def _with_ruling(game: _Game, ruling: Ruling) -> Moments:
    moments = game.moments
    match ruling.evidence:
        case Finish() as finish if ruling.rule == "R12":
            race = _race(game, ruling, finish)
            # A tie that the referee decides afterwards is still one race.
            others = tuple(r for r in moments.races if r.declared_at != race.declared_at)
            return replace(moments, races=(*others, race))
        case Calling() as calling:
            moment = CatchMoment(
                ruling=ruling.number,
                round=game.round,
                player=game.seats.get(calling.seat),
                by=None if calling.by is None else game.seats.get(calling.by),
                caught=ruling.sentence.code == "caught",
                called=ruling.sentence.code == "called_before",
            )
            return replace(moments, catches=(*moments.catches, moment))
        case _:
            return moments


def _race(game: _Game, ruling: Ruling, finish: Finish) -> RaceMoment:
    heat = len(finish.last) > 1 and not finish.no_slap and not finish.early
    return RaceMoment(
        ruling=ruling.number,
        round=game.round,
        how=game.declared.get(finish.declared_at, "slap_off"),
        declared_at=finish.declared_at,
        layer=game.seats.get(finish.layer),
        slaps=tuple(
            Slap(game.seats[place.seat], place.after, place.handicap)
            for place in finish.places
            if place.seat in game.seats
        ),
        last=_players(game, ruling.seats),
        margin=finish.margin,
        verdict=ruling.sentence.code,
        tied=_players(game, finish.last) if heat else (),
        of=game.race,
        doubt=finish.doubt,
    )


def _players(game: _Game, seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(game.seats[seat] for seat in seats if seat in game.seats)


def _without_ruling(moments: Moments, number: int) -> Moments:
    """A race goes with its slap-off, whichever of the two was overruled."""
    gone = {race.of for race in moments.races if race.ruling == number}
    return replace(
        moments,
        races=tuple(race for race in moments.races if race.of not in gone),
        catches=tuple(catch for catch in moments.catches if catch.ruling != number),
    )


def _unclaimed(game: _Game, race: e.RaceDeclared) -> Moments:
    """Presses that seemed to be calls were slaps, or the hold that declared the race."""
    taken = {
        (game.round, game.seats.get(press.seat), press.at)
        for press in race.presses
        if press.seat in race.claimed and (press.seat != race.layer or press.at == race.declared_at)
    }
    calls = game.moments.calls
    kept = tuple(call for call in calls if (call.round, call.player, call.at) not in taken)
    return replace(game.moments, calls=kept)


def _without_call(game: _Game, seat: int) -> Moments:
    """Take back the latest call of a seat, with every push that belongs to it."""
    calls = game.moments.calls
    whose = game.round, game.seats.get(seat)
    own = [call for call in calls if (call.round, call.player) == whose]
    own.sort(key=lambda call: call.at)
    latest = own[-1:]
    for before in reversed(own[:-1]):
        if latest[0].at - before.at > ONE_CALL:
            break
        latest.insert(0, before)
    return replace(game.moments, calls=tuple(call for call in calls if call not in latest))
