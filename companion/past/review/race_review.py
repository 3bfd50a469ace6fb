"""A second look at a past race: its photo finish, with every press and what each contact did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.past.facts import RACES, Pushed
from companion.past.review.cases import Case, Cases
from companion.referee.evidence.material import evidence_of
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import SECOND, Gap, Source, Timing, on_screen
from companion.referee.model.rulings import Draws, Finish, Outcome, Place
from companion.referee.model.table import Evidence, Race
from companion.referee.model.trace import RawEdge
from companion.referee.sentences import Sentence

Why = Literal[
    "slap",
    "hammered",
    "early",
    "layer",
    "not_racing",
    "broken",
    "dismissed",
    "too_early",
    "too_late",
    "after_ruling",
    "call",
    "let_go",
    "again",
]
"""What a press was in the race: the slap that counts, or why it is none.

`hammered` is a slap that ranks behind every hand at rest, or one of the touches that make it so;
`early` came before the light of a slap-off; `call` was shown as a call, and belongs to no race.
"""

AROUND = SECOND
"""So long before and after a race its presses are still shown."""
MOST_PRESSES = 80


class RacerSeat(Struct, frozen=True):
    """Who sat where."""

    number: int
    player: int
    name: str


class PressSeen(Struct, frozen=True):
    """One press, in nanoseconds after the first hand, or after the light of a slap-off."""

    seat: int
    after: int
    uncertainty: int
    source: Source
    held: int | None
    """How long the hand stayed; none where its end was not seen."""
    why: Why
    edges: tuple[RawEdge, ...] = ()
    """What the contact did, counted from the press; none of a screen or a keyboard encoder."""
    left_out: int = 0
    """How many edges of a bad contact are missing between the first and the last ones."""


class RelatedRuling(Struct, frozen=True):
    """Another ruling of the same race: a tie, what decided it, or what was judged before."""

    ruling: int
    kind: str
    sentence: Sentence
    overruled: Sentence | None = None
    """Why it was judged again, where it was."""


class RaceReview(Struct, frozen=True):
    """A past race as it was judged."""

    match: int
    round: int
    ruling: int
    kind: str
    """`race`, `slap_off`, or `picked` where the referee decided."""
    edition: str
    edition_name: str
    outcome: Outcome
    sentence: Sentence
    overruled: Sentence | None
    draws: tuple[Draws, ...]
    used: tuple[str, ...]
    """The house rules that the ruling used."""
    seats: tuple[RacerSeat, ...]
    layer: int
    how: str
    """How it became known: `tablet`, `card` or `hands`."""
    racers: tuple[int, ...]
    unusable: tuple[int, ...]
    """Racers without a button that works, and without a slap."""
    gaps: tuple[Gap, ...]
    """Counted from the first hand as well."""
    handicaps: dict[int, int]
    since: int
    """From here on hands were looked at,"""
    deadline: int
    """up to here,"""
    ruled: int
    """and this is when it was ruled; all from the first hand, or from the light."""
    finish: Finish | None
    presses: tuple[PressSeen, ...]
    related: tuple[RelatedRuling, ...]
    timing: Timing
    house: HouseRules


class _Scene(Struct, frozen=True):
    """What was judged: who, from when to when, and from where time is counted."""

    race: Race
    finish: Finish
    racers: tuple[int, ...]
    since: int
    ruled: int
    slaps: Mapping[int, Place]
    evidence: Evidence
    calls: frozenset[tuple[int, int]]
    stay_down: bool


def second_look(cases: Cases, ruling: int) -> RaceReview | None:
    """Look at the race of this ruling again; None where it was no race."""
    case = cases.case(ruling)
    if case is None or case.kind not in RACES:
        return None
    judged = _judged(cases, case)
    scene = _scene(cases, judged)
    if scene is None:
        return None
    race, finish = scene.race, scene.finish
    origin = finish.start
    return RaceReview(
        match=cases.match.number,
        round=case.round,
        ruling=ruling,
        kind=case.kind,
        edition=cases.match.edition.key,
        edition_name=cases.match.edition.name,
        outcome=case.ruling.outcome,
        sentence=case.ruling.sentence,
        overruled=case.ruling.overruled,
        draws=case.ruling.draws,
        used=case.ruling.house,
        seats=tuple(RacerSeat(s.number, s.player, s.name) for s in case.before.game.seats),
        layer=finish.layer,
        how=race.how,
        racers=scene.racers,
        unusable=finish.unusable,
        gaps=tuple(Gap(g.since - origin, g.until - origin, g.seats) for g in finish.gaps),
        handicaps=dict(race.handicaps),
        since=scene.since - origin,
        deadline=race.deadline - origin,
        ruled=case.ruling.at - origin,
        finish=finish,
        presses=_presses(cases.pushes, scene),
        related=_related(cases, case),
        timing=case.before.timing,
        house=cases.match.house,
    )


def _judged(cases: Cases, case: Case) -> Case:
    """A race that the referee decided is looked at as it was judged before."""
    if case.kind != "picked":
        return case
    before = (one for one in cases.of_race(case) if one.ruling.number < case.ruling.number)
    return next((one for one in before if one.kind == "race" and not one.replaced), case)


def _scene(cases: Cases, case: Case) -> _Scene | None:
    race, finish = case.race, case.ruling.evidence
    match = case.before.game.match
    if race is None or not isinstance(finish, Finish) or match is None or match.round is None:
        return None
    light = race.slap_off if case.kind == "slap_off" else None
    return _Scene(
        race=race,
        finish=finish,
        racers=race.racers if light is None else light.seats,
        since=finish.start - case.before.timing.hammer_span if light is None else light.started_at,
        ruled=case.ruling.at,
        slaps={place.seat: place for place in finish.places if place.press is not None},
        evidence=evidence_of(case.before, match.round.began),
        calls=cases.calls,
        stay_down=match.house.hands_stay_down,
    )


def _presses(pushes: Mapping[tuple[int, int], Pushed], scene: _Scene) -> tuple[PressSeen, ...]:
    since, until = scene.since - AROUND, min(scene.ruled, scene.race.deadline) + AROUND
    near = [push for push in pushes.values() if since <= push.press.at <= until]
    near.sort(key=lambda push: (push.press.at, push.press.seat))
    if len(near) > MOST_PRESSES:
        near = [push for push in near if _why(push, scene) != "after_ruling"][:MOST_PRESSES]
    return tuple(_seen(push, scene) for push in near)


def _seen(push: Pushed, scene: _Scene) -> PressSeen:
    press = push.press
    return PressSeen(
        seat=press.seat,
        after=press.at - scene.finish.start,
        uncertainty=press.uncertainty,
        source=press.source,
        held=None
        if press.released_at is None or on_screen(press)
        else press.released_at - press.at,
        why=_why(push, scene),
        edges=push.raw.edges if push.raw is not None else (),
        left_out=push.raw.left_out if push.raw is not None else 0,
    )


def _why(push: Pushed, scene: _Scene) -> Why:
    press = push.press
    place = scene.slaps.get(press.seat)
    own = place.press if place is not None else None
    if place is not None and own is not None and own.at == press.at:
        return "hammered" if place.hammered else "early" if place.early else "slap"
    if press.seat == scene.finish.layer:
        return "layer"
    if press.seat not in scene.racers:
        return "not_racing"
    if press.at > scene.ruled:
        return "after_ruling"
    if scene.evidence.dismissed.get(press.seat, {}).get(press.at) == "nothing":
        return "dismissed"
    if not on_screen(press) and _broken(scene.evidence, press.seat, press.at):
        return "broken"
    if own is not None and press.at > own.at:
        return "again"
    if place is not None and place.hammered:
        return "hammered"
    if scene.stay_down and press.at >= scene.race.anchor:
        return "let_go"
    if (press.seat, press.at) in scene.calls:
        return "call"
    return "too_late" if press.at > scene.race.anchor else "too_early"


def _broken(evidence: Evidence, seat: int, at: int) -> bool:
    return any(
        span.seat == seat and span.since <= at and (span.until is None or at < span.until)
        for span in evidence.unusable
    )


def _related(cases: Cases, case: Case) -> tuple[RelatedRuling, ...]:
    return tuple(
        RelatedRuling(
            other.ruling.number, other.kind, other.ruling.sentence, other.ruling.overruled
        )
        for other in cases.of_race(case)
        if other is not case
    )
