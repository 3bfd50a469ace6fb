"""Highlights of a match, that people talk about later: races, catches and calls.

What was taken back, overruled or withdrawn is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.past.facts import ONE_CALL, CallHighlight, FollowedRace, GivenRuling, MatchFacts
from companion.referee.evidence.races.bunches import AGAIN
from companion.referee.model.rulings import UNDECIDED, Calling, Finish, Outcome


class SlapHighlight(Struct, frozen=True):
    """A racer's hand; no time means that it never came, or came before the light."""

    player: int
    after: int | None
    """When it counts: nanoseconds after the first hand, or after the light of a slap-off."""
    handicap: int = 0
    """How much later than that it really came."""
    early: bool = False
    """Whether it came before the light."""
    hammered: bool = False
    """Whether the button was hammered, so that its time says nothing."""

    @property
    def came(self) -> bool:
        """Whether there was a hand at all."""
        return self.after is not None or self.early or self.hammered


class RaceHighlight(Struct, frozen=True):
    """A Street Race or a slap-off that was judged, by player number."""

    ruling: int
    round: int
    how: str
    """How it became known: `tablet`, `card`, `hands`, or `slap_off`."""
    start: int
    """The first hand, or the light of a slap-off."""
    layer: int | None
    slaps: tuple[SlapHighlight, ...]
    """In the order in which the hands counted."""
    last: tuple[int, ...]
    """Who was last; several where it could not be told apart, or where no hand came."""
    margin: int | None
    outcome: Outcome = "last"
    tied: tuple[int, ...] = ()
    """The players whose hands have no certain order, even if the referee then named one."""
    heat: bool = False
    """Whether that is because they came together."""
    of: int = 0
    """The first ruling of the Street Race that this belongs to, itself or as its slap-off."""
    doubt: int | None = None
    """Closer than this the last two could not have been told apart."""
    unusable: tuple[int, ...] = ()
    """Who raced without a button that works, so that the time of their hands is unknown."""

    @property
    def decided(self) -> bool:
        """Whether it is known who was last."""
        return self.outcome not in UNDECIDED


class CatchHighlight(Struct, frozen=True):
    """A catch and what came of it, by player number."""

    ruling: int
    round: int
    player: int | None
    by: int | None
    caught: bool
    called: bool = False
    """Whether it failed because the call came first."""


class Highlights(Struct, frozen=True):
    """What is told of one match."""

    races: tuple[RaceHighlight, ...] = ()
    catches: tuple[CatchHighlight, ...] = ()
    calls: tuple[CallHighlight, ...] = ()


def highlights_of(facts: MatchFacts) -> Highlights:
    """Tell what counts: a race by its ruling in force, and as a call only what was nothing else."""
    in_force = [one for one in facts.rulings if one.ruling.overruled is None]
    judged = {one.ruling.number: told for one in in_force if (told := _race(one)) is not None}
    races: list[RaceHighlight] = []
    others = list(_catching(in_force))
    there = (followed for followed in facts.races if not followed.gone)
    for followed in sorted(there, key=lambda one: (one.round, one.race.anchor)):
        race = followed.race
        others += _slapping(followed)
        if race.state != "void" and race.ruling in judged:
            races += _together(followed, [judged[n] for n in followed.rulings if n in judged])
    calls = tuple(call for call in facts.calls if not any(span.holds(call) for span in others))
    catches = (_catch(one, one.ruling.evidence) for one in in_force)
    return Highlights(tuple(races), tuple(one for one in catches if one is not None), calls)


class _Span(Struct, frozen=True):
    """From a push on, for a while, what the same hand did was no call."""

    push: CallHighlight
    until: int

    def holds(self, call: CallHighlight) -> bool:
        """Whether a call is nothing but that push, or one that belongs to it."""
        whose = (self.push.round, self.push.player)
        return (call.round, call.player) == whose and self.push.at <= call.at <= self.until


def _race(given: GivenRuling) -> RaceHighlight | None:
    ruling, finish, players = given.ruling, given.ruling.evidence, _players(given)
    if ruling.rule != "R12" or not isinstance(finish, Finish):
        return None
    unsure = ruling.seats if ruling.outcome in ("dead_heat", "no_order") else ()
    return RaceHighlight(
        ruling=ruling.number,
        round=given.round,
        how="",
        start=finish.start,
        layer=players.get(finish.layer),
        slaps=tuple(
            SlapHighlight(
                players[place.seat], place.after, place.handicap, place.early, place.hammered
            )
            for place in finish.places
            if place.seat in players
        ),
        last=_numbers(players, ruling.seats),
        margin=finish.margin,
        outcome=ruling.outcome,
        tied=_numbers(players, unsure),
        heat=ruling.outcome == "dead_heat",
        doubt=finish.doubt,
        unusable=_numbers(players, finish.unusable),
    )


def _catch(given: GivenRuling, evidence: object) -> CatchHighlight | None:
    if not isinstance(evidence, Calling):
        return None
    players = _players(given)
    return CatchHighlight(
        ruling=given.ruling.number,
        round=given.round,
        player=players.get(evidence.seat),
        by=None if evidence.by is None else players.get(evidence.by),
        caught=given.ruling.outcome == "caught",
        called=given.ruling.outcome == "called",
    )


def _catching(rulings: Iterable[GivenRuling]) -> Iterator[_Span]:
    """The push of a catch may have been shown as a call."""
    for given in rulings:
        if isinstance(given.ruling.evidence, Calling):
            catch = given.ruling.evidence.catch
            player = _players(given).get(catch.seat)
            if player is not None:
                yield _Span(CallHighlight(given.round, player, catch.at), catch.at + ONE_CALL)


def _slapping(followed: FollowedRace) -> list[_Span]:
    """A racer's hand that touches the button again shortly after the slaps has not called."""
    slaps = followed.slaps | {(slap.seat, slap.at) for slap in followed.race.slaps}
    until = max((at for _, at in slaps), default=0) + AGAIN
    return [
        _Span(CallHighlight(followed.round, followed.players[seat], at), until)
        for seat, at in slaps
        if seat in followed.players
    ]


def _together(followed: FollowedRace, rulings: Iterable[RaceHighlight]) -> Iterable[RaceHighlight]:
    """A Street Race with its slap-offs; a tie that the referee decides afterwards is still one."""
    told: dict[int, RaceHighlight] = {}
    first = next(iter(followed.rulings))
    for race in rulings:
        how = "slap_off" if race.start in followed.lights else followed.race.how
        before = told.get(race.start)
        race = replace(race, how=how, of=first)
        if before is not None and race.outcome == "picked":
            race = replace(race, tied=before.tied, heat=before.heat)
        told[race.start] = race
    return told.values()


def _players(given: GivenRuling) -> Mapping[int, int]:
    return {seat.number: seat.player for seat in given.seats}


def _numbers(players: Mapping[int, int], seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(players[seat] for seat in seats if seat in players)
