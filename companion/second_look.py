"""A second look at a past race: its photo finish, with every press and what each contact did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.cases import RACES, Case, Cases, Pushed
from companion.referee.finish import Field
from companion.referee.house import HouseRules
from companion.referee.presses import SECOND, Gap, Source, Timing, on_screen
from companion.referee.race import field_of
from companion.referee.race_disputes import field_of_slap_off
from companion.referee.rulings import Draws, Finish
from companion.referee.sentences import Sentence
from companion.referee.trace import RawEdge

Why = Literal[
    "slap",
    "layer",
    "not_racing",
    "broken",
    "too_early",
    "too_late",
    "after_ruling",
    "call",
    "let_go",
    "again",
]
"""What a press was in the race: the slap that counts, or why it is none."""

AROUND = SECOND
"""So long before and after a race its presses are still shown."""
MOST_PRESSES = 80


class Sitter(Struct, frozen=True):
    """Who sat where."""

    number: int
    player: int
    name: str


class PressSeen(Struct, frozen=True):
    """One press, in nanoseconds after the declaration, or after the light of a slap-off."""

    seat: int
    after: int
    uncertainty: int
    source: Source
    held: int | None
    """How long the hand stayed; none where nobody saw it go."""
    why: Why
    edges: tuple[RawEdge, ...] = ()
    """What the contact did, counted from the press; none of a screen or a keyboard encoder."""
    left_out: int = 0
    """How many edges of a bad contact are missing between the first and the last ones."""


class Sister(Struct, frozen=True):
    """Another ruling of the same race: the tie before a slap-off, or what decided it."""

    ruling: int
    kind: str
    sentence: Sentence


class SecondLook(Struct, frozen=True):
    """A past race as it was judged."""

    match: int
    round: int
    ruling: int
    kind: str
    """`race`, `slap_off`, or `picked` where the referee decided."""
    edition: str
    edition_name: str
    sentence: Sentence
    overruled: Sentence | None
    draws: tuple[Draws, ...]
    used: tuple[str, ...]
    """The house rules that the ruling used."""
    seats: tuple[Sitter, ...]
    layer: int
    how: str
    """How it was declared: `hold`, `tablet` or `card`."""
    racers: tuple[int, ...]
    aside: tuple[int, ...]
    gaps: tuple[Gap, ...]
    """Counted from the declaration as well."""
    handicaps: dict[int, int]
    since: int
    """From here on slaps counted,"""
    deadline: int
    """up to here,"""
    ruled: int
    """and this is when it was ruled; all from the declaration, or from the light."""
    finish: Finish | None
    presses: tuple[PressSeen, ...]
    sisters: tuple[Sister, ...]
    timing: Timing
    house: HouseRules


class _Scene(Struct, frozen=True):
    """What was judged: who, from when to when, and from where time is counted."""

    field: Field
    deadline: int
    origin: int
    ruled: int
    slaps: frozenset[tuple[int, int]]
    considered: frozenset[tuple[int, int]]
    """The presses that it was judged from; one that was needed as a call is not among them."""


def second_look(cases: Cases, ruling: int) -> SecondLook | None:
    """Look at the race of this ruling again; None where it was no race."""
    case = cases.case(ruling)
    if case is None or case.kind not in RACES:
        return None
    judged = _judged(cases, case)
    scene = _scene(judged)
    finish = _finish(judged)
    field, origin = scene.field, scene.origin
    return SecondLook(
        match=cases.match.number,
        round=case.round,
        ruling=ruling,
        kind=case.kind,
        edition=cases.match.edition.key,
        edition_name=cases.match.edition.name,
        sentence=case.ruling.sentence,
        overruled=case.ruling.overruled,
        draws=case.ruling.draws,
        used=case.ruling.house,
        seats=tuple(Sitter(s.number, s.player, s.name) for s in case.before.game.seats),
        layer=field.layer,
        how=judged.race.how,
        racers=field.racers,
        aside=field.aside,
        gaps=tuple(Gap(g.since - origin, g.until - origin, g.seats) for g in field.gaps),
        handicaps=dict(field.handicaps),
        since=field.since - origin,
        deadline=scene.deadline - origin,
        ruled=case.ruling.at - origin,
        finish=finish,
        presses=_presses(cases.pushes, scene),
        sisters=_sisters(cases, case),
        timing=case.before.timing,
        house=cases.match.house,
    )


def _judged(cases: Cases, case: Case) -> Case:
    """A tie that the referee decided is looked at as it was judged before."""
    tie = cases.case(case.race.ruling) if case.race.ruling is not None else None
    return tie if case.kind == "picked" and tie is not None and tie.kind in RACES else case


def _finish(case: Case) -> Finish | None:
    evidence = case.ruling.evidence
    return evidence if isinstance(evidence, Finish) else None


def _scene(case: Case) -> _Scene:
    race, light, finish = case.race, case.race.slap_off, _finish(case)
    field, deadline = field_of(race), race.deadline
    if light is not None:
        field, deadline = field_of_slap_off(race, light), light.deadline
    slaps = [place.press for place in finish.places if place.press] if finish else []
    judged = race.presses if light is None else light.presses
    return _Scene(
        field,
        deadline,
        field.declared_at,
        case.ruling.at,
        frozenset((press.seat, press.at) for press in slaps),
        frozenset((press.seat, press.at) for press in judged),
    )


def _presses(pushes: Mapping[tuple[int, int], Pushed], scene: _Scene) -> tuple[PressSeen, ...]:
    since, until = scene.field.since - AROUND, scene.ruled + AROUND
    near = [push for push in pushes.values() if since <= push.press.at <= until]
    near.sort(key=lambda push: (push.press.at, push.press.seat))
    if len(near) > MOST_PRESSES:
        near = [push for push in near if _why(push, scene) != "after_ruling"][:MOST_PRESSES]
    return tuple(_seen(push, scene) for push in near)


def _seen(push: Pushed, scene: _Scene) -> PressSeen:
    press = push.press
    return PressSeen(
        seat=press.seat,
        after=press.at - scene.origin,
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
    press, field = push.press, scene.field
    if (press.seat, press.at) in scene.slaps:
        return "slap"
    if press.seat == field.layer:
        return "layer"
    if press.seat not in field.racers:
        return "not_racing"
    if press.at > scene.ruled:
        return "after_ruling"
    if press.at < field.since:
        return "too_early"
    if press.at > scene.deadline:
        return "too_late"
    if press.seat in field.aside and not on_screen(press):
        return "broken"
    if any(seat == press.seat and at < press.at for seat, at in scene.slaps):
        return "again"
    return "let_go" if (press.seat, press.at) in scene.considered else "call"


def _sisters(cases: Cases, case: Case) -> tuple[Sister, ...]:
    declared_at = case.race.declared_at
    return tuple(
        Sister(other.ruling.number, other.kind, other.ruling.sentence)
        for other in cases.cases
        if other.kind in RACES and other is not case and other.race.declared_at == declared_at
    )
