"""The finish of a race as a pure function of dated presses: order, margins, and who can be last.

Nothing here knows in which order presses were delivered; only their times count.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.model.presses import Gap, Press, Timing, on_screen
from companion.referee.model.rulings import Finish, Place

NEVER = 1 << 62
"""Later than any clock goes: the time of a slap that did not come."""


class Field(Struct, frozen=True):
    """Who raced, from when time is counted, and what is known to be missing."""

    layer: int
    racers: tuple[int, ...]
    start: int
    """The first hand of a race, as it counts, or the light of a slap-off."""
    since: int
    """No slap lies before this."""
    gaps: tuple[Gap, ...] = ()
    unusable: tuple[int, ...] = ()
    """Racers without a slap whose button could not be used."""
    handicaps: Mapping[int, int] = {}

    def counted(self, press: Press) -> int:
        """The moment at which a slap counts: earlier than it was made, with a head start."""
        return press.at - self.handicaps.get(press.seat, 0)


def standing_slaps(racers: Iterable[int], presses: Iterable[Press], until: int) -> dict[int, Press]:
    """Give each racer's slap where hands must stay down.

    It ends at the first moment at which every racer's button is down; the slap of each is the
    press that was down then. Until there is such a moment, those let go have not slapped.
    A release that is still on its way cannot be known: here, and only here, it may come too late.
    """
    needed = set(racers)
    counted = [press for press in presses if press.seat in needed]
    for moment in sorted(press.at for press in counted if press.at <= until):
        down = _down_at(counted, moment)
        if needed <= down.keys():
            return down
    return _down_at(counted, until)


def judge(
    field: Field,
    slaps: Mapping[int, Press],
    timing: Timing,
    hammered: Mapping[int, Press] | None = None,
) -> Finish:
    """Put the slaps in order and tell who can have been last, by the moments that count.

    A racer can have been last unless another was certainly later, given what each press and
    each gap leaves in doubt. A hammering hand ranks behind every hand at rest, and a racer who
    never slapped behind all of them.
    """
    finish = _judge(field, slaps, timing, hammered or {})
    if not any(place.handicap for place in finish.places):
        return finish
    bare = _judge(replace(field, handicaps={}), slaps, timing, hammered or {})
    return replace(finish, by_handicap=set(bare.last) != set(finish.last))


def _judge(
    field: Field, slaps: Mapping[int, Press], timing: Timing, hammered: Mapping[int, Press]
) -> Finish:
    missing = [
        seat
        for seat in field.racers
        if seat not in slaps and seat not in hammered and seat not in field.unusable
    ]
    behind = {} if missing else hammered
    last = _last(field, behind or {**dict.fromkeys(missing), **slaps}, timing)
    order = sorted(slaps.values(), key=lambda press: (field.counted(press), press.seat))
    margin = doubt = None
    places = _places(field, order, sorted(hammered.values(), key=lambda press: press.at), missing)
    if len(order) > 1 and not behind:
        margin = places[len(order) - 1].behind
        doubt = max(
            order[-1].uncertainty + order[-2].uncertainty + timing.switch_tolerance,
            timing.least_gap,
        )
    return Finish(
        layer=field.layer,
        start=field.start,
        places=places,
        last=last,
        margin=margin,
        doubt=doubt,
        no_slap=bool(last) and all(seat in missing for seat in last),
        hammered=tuple(sorted(hammered)),
        gaps=field.gaps,
        unusable=field.unusable,
    )


def _last(field: Field, presses: Mapping[int, Press | None], timing: Timing) -> tuple[int, ...]:
    """Who of these can have been last."""
    spans = {seat: _span(field, seat, presses[seat]) for seat in field.racers if seat in presses}
    return tuple(
        seat
        for seat in spans
        if not any(
            _certainly_before(spans[seat], spans[other], timing.switch_tolerance, timing.least_gap)
            for other in spans
            if other != seat
        )
    )


def doubt_of_last(finish: Finish, timing: Timing) -> int | None:
    """How close two hands must be to be too close: the doubt about the vaguest two of the last.

    None where a false start or a slap that was not seen is what cannot be told.
    """
    places = [place for place in finish.places if place.seat in finish.last]
    presses = [place.press for place in places if place.press is not None]
    if finish.early or len(presses) < max(2, len(places)):
        return None
    if any(gap.hides(p.seat) and gap.since < p.at for gap in finish.gaps for p in presses):
        return None
    halves = sorted(press.uncertainty for press in presses)
    return max(sum(halves[-2:]) + timing.switch_tolerance, timing.least_gap)


def judge_slap_off(field: Field, slaps: Mapping[int, Press], timing: Timing) -> Finish:
    """Judge a slap-off: a press before the light loses, else the last hand.

    A head start is no leave to start too early, so a false start is judged by the bare presses.
    """
    early = tuple(seat for seat in field.racers if seat in slaps and slaps[seat].at < field.start)
    if not early:
        return judge(field, slaps, timing)
    bare = judge(replace(field, handicaps={}), slaps, timing)
    places = tuple(
        replace(place, after=None, behind=None, early=True) if place.seat in early else place
        for place in bare.places
    )
    return replace(bare, places=places, last=early, early=early, no_slap=False)


def _down_at(presses: Iterable[Press], moment: int) -> dict[int, Press]:
    return {
        p.seat: p
        for p in sorted(presses, key=lambda p: p.at)
        if p.at <= moment and _stays_down(p, moment)
    }


def _stays_down(press: Press, moment: int) -> bool:
    """Whether this hand still lies there; a screen cannot tell, so a touch counts as staying."""
    return press.released_at is None or press.released_at > moment or on_screen(press)


def _span(field: Field, seat: int, press: Press | None) -> tuple[int, int]:
    """Between which moments this seat may have slapped, as they count."""
    earliest = latest = NEVER
    if press is not None:
        counted = field.counted(press)
        earliest, latest = counted - press.uncertainty, counted + press.uncertainty
    ahead = field.handicaps.get(seat, 0)
    for gap in field.gaps:
        if gap.hides(seat) and gap.since - ahead < earliest:
            earliest = max(gap.since, field.since) - ahead
    return earliest, latest


def _certainly_before(
    one: tuple[int, int], other: tuple[int, int], tolerance: int, least_gap: int
) -> bool:
    """Whether every possible moment of one lies clearly before every one of the other."""
    doubt = (one[1] - one[0]) // 2 + (other[1] - other[0]) // 2 + tolerance
    slack = max(0, least_gap - doubt)
    return one[1] + tolerance + slack < other[0]


def _places(
    field: Field, order: Iterable[Press], hammered: Iterable[Press], missing: Iterable[int]
) -> tuple[Place, ...]:
    places: list[Place] = []
    before: Press | None = None
    for press in order:
        counted, handicap = field.counted(press), field.handicaps.get(press.seat, 0)
        behind = None if before is None else counted - field.counted(before)
        places.append(Place(press.seat, press, counted - field.start, behind, handicap))
        before = press
    for press in hammered:
        after = field.counted(press) - field.start
        places.append(Place(press.seat, press, after if after >= 0 else None, None, hammered=True))
    return (*places, *(Place(seat, None, None, None) for seat in missing))
