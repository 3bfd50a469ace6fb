"""Moments of a match that people talk about later: races and catches, read from the journal.

The lines of the matches keep only the score, and the table only its latest rulings; so the events
are read once more when somebody asks, and from then on only what was added.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.chain import Row, read_rows
from companion.journal_file import reader
from companion.referee import events as e
from companion.referee.rulings import Calling, Finish, Ruling


class Slap(Struct, frozen=True):
    """A racer's hand; no time means that it never came."""

    player: int
    after: int | None
    """Nanoseconds after the layer's press, or after the light of a slap-off."""


class RaceMoment(Struct, frozen=True):
    """A Street Race or a slap-off that was judged, by player number."""

    ruling: int
    round: int
    how: str
    """How it was declared: `hold`, `tablet`, `card`, or `slap_off`."""
    declared_at: int
    layer: int | None
    slaps: tuple[Slap, ...]
    """In the order in which the hands came."""
    last: tuple[int, ...]
    """Who was last; several where it could not be told apart."""
    margin: int | None
    clear: bool = False
    """Whether the buttons' clock alone told who was last, and nobody had to decide."""


class CatchMoment(Struct, frozen=True):
    """A catch and what came of it, by player number."""

    ruling: int
    round: int
    player: int | None
    by: int | None
    caught: bool


class Moments(Struct, frozen=True):
    """What is told of one match."""

    races: tuple[RaceMoment, ...] = ()
    catches: tuple[CatchMoment, ...] = ()


class _Game(Struct, frozen=True):
    """The little of the game that tells whose moment it was; undo brings it back as it was."""

    seats: Mapping[int, int] = {}
    match: int | None = None
    round: int = 0
    declared: Mapping[int, str] = {}
    moments: Moments = Moments()


class _Step(Struct, frozen=True):
    game: _Game
    below: _Step | None = None


class Chronicle:
    """Reads the journal of a table as far as it has got, beside the one who writes it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._version = 0
        self._game = _Game()
        self._past: _Step | None = None
        self._future: _Step | None = None
        self._matches: dict[int, Moments] = {}

    def moments(self) -> dict[int, Moments]:
        """Tell the moments of every match up to now, by its number."""
        with self._lock, closing(reader(self._path)) as connection:
            for row in read_rows(connection, self._version):
                if _name(row) in TOLD:
                    self._follow(row.event())
                self._version = row.version
            return dict(self._matches)

    def _follow(self, event: e.Event) -> None:
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
            case _:
                self._game = _told(self._game, event)
        if self._game.match is not None:
            self._matches[self._game.match] = self._game.moments


TOLD = frozenset(
    {
        "step_taken",
        "undone",
        "redone",
        "match_started",
        "match_closed",
        "seat_taken",
        "seat_left",
        "seats_swapped",
        "round_dealt",
        "race_declared",
        "ruling_given",
        "ruling_overruled",
    }
)
"""The events that say something here; presses, which are most of a journal, are passed over."""

_EVENT = re.compile(rb'\{"event":"(\w+)"')


def _name(row: Row) -> str:
    found = _EVENT.match(row.body)
    return found[1].decode() if found else ""


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
            return replace(game, round=number, declared={})
        case e.RaceDeclared(declared_at=at, how=how):
            return replace(game, declared={**game.declared, at: how})
        case e.RulingGiven(ruling):
            return replace(game, moments=_with_ruling(game, ruling))
        case e.RulingOverruled(number):
            return replace(game, moments=_without_ruling(game.moments, number))
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
            )
            return replace(moments, catches=(*moments.catches, moment))
        case _:
            return moments


def _race(game: _Game, ruling: Ruling, finish: Finish) -> RaceMoment:
    return RaceMoment(
        ruling=ruling.number,
        round=game.round,
        how=game.declared.get(finish.declared_at, "slap_off"),
        declared_at=finish.declared_at,
        layer=game.seats.get(finish.layer),
        slaps=tuple(
            Slap(game.seats[place.seat], place.after)
            for place in finish.places
            if place.seat in game.seats
        ),
        last=tuple(game.seats[seat] for seat in ruling.seats if seat in game.seats),
        margin=finish.margin,
        clear=ruling.sentence.code == "race_last",
    )


def _without_ruling(moments: Moments, number: int) -> Moments:
    return Moments(
        races=tuple(race for race in moments.races if race.ruling != number),
        catches=tuple(catch for catch in moments.catches if catch.ruling != number),
    )
