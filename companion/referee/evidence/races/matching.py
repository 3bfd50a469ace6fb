"""Which bunch of hands belongs to which race that somebody named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.referee.evidence.races.bunches import Bunch
from companion.referee.model.presses import SECOND, Timing
from companion.referee.model.table import NamedRace

COMPLETE = 2000
"""How many of the racers are in a bunch weighs most,"""
ABSENT = 250
"""then whether the named layer's hands are off,"""
SPREAD = 400
"""then how close together the hands are, by the second,"""
DELAY = 25
"""and how long before or after the naming they came, by the second."""
KNOWN = 150
"""A bunch that needs no naming is rather not the one that was named,"""
SHOWN = 25
"""the less, the longer its ruling has been shown, by the second,"""
OTHERS = 600
"""least of all where its hands show another layer."""
UNLIKELY = 1500
"""Hands that were said to make no race, or come long after the naming, are the last choice."""
FEW = 4
"""Up to so many races every way of matching them is tried."""


def match_races(
    named: Sequence[NamedRace],
    found: Sequence[Bunch],
    players: int,
    timing: Timing,
    *,
    in_order: bool,
    now: int,
    known: Mapping[int, int],
) -> dict[int, Bunch]:
    """Give each named race its bunch, by the race's number; one without is not in it.

    In refereed play the races come in the order of turns, and so must their bunches. `known` has
    the layers of bunches that show by themselves who laid the card, by their start: such a bunch
    needs no naming, and a late naming of another layer may rather mean a race that is still to
    come.
    """
    if not found:
        return {}
    scores = [
        [
            None
            if bunch.start in known and may_come(race, bunch, timing, now)
            else _score(race, bunch, players, timing, known)
            for bunch in found
        ]
        for race in named
    ]
    if in_order or len(named) <= FEW:
        chosen = _best(scores, 0, frozenset(), -1, in_order, {})[1]
    else:
        chosen = _one_after_the_other(scores)
    return {race.number: found[i] for race, i in zip(named, chosen, strict=True) if i is not None}


def without_superseded(
    named: Sequence[NamedRace], found: Sequence[Bunch], players: int, timing: Timing
) -> list[NamedRace]:
    """Leave out answers by the hands to what the tablet has named since then: the tablet counts."""
    if not found:
        return [*named]
    gone: set[int] = set()
    for race in named:
        if race.how != "tablet" or race.anchor is not None or race.void:
            continue
        scores = [(_score(race, bunch, players, timing, {}) or 0, bunch) for bunch in found]
        best = max(scores, key=lambda scored: scored[0], default=None)
        gone |= {
            other.number
            for other in named
            if best is not None
            and best[0] > 0
            and other.how == "hands"
            and other.at < race.at
            and other.layer != race.layer
            and race.layer not in best[1].seats
            and not (other.void or other.picked or other.lights)
            and other.anchor is not None
            and abs(best[1].start - other.anchor) < timing.bunch
        }
    return [race for race in named if race.number not in gone]


def named_again(
    race: NamedRace, named: Sequence[NamedRace], matched: Mapping[int, Bunch], timing: Timing
) -> Bunch | None:
    """The hands of a race that was cancelled just before this one was named: they may be its."""
    if race.void or race.since is not None:
        return None
    since = race.at - timing.race_limit
    cancelled = [
        matched[other.number]
        for other in named
        if other.number in matched and other.void and not other.rerun
        if other.until is not None and since <= other.until <= race.at
    ]
    latest = max(cancelled, key=lambda bunch: bunch.start, default=None)
    return None if latest is None or latest.start < race.at - timing.look_back else latest


Chosen = tuple[int | None, ...]


def _best(
    scores: Sequence[Sequence[float | None]],
    index: int,
    used: frozenset[int],
    after: int,
    in_order: bool,
    known: dict[tuple[int, frozenset[int], int], tuple[float, Chosen]],
) -> tuple[float, Chosen]:
    """The best way to match the races from this one on."""
    if index == len(scores):
        return 0.0, ()
    key = index, used, after
    if key in known:
        return known[key]
    total, rest = _best(scores, index + 1, used, after, in_order, known)
    best: tuple[float, Chosen] = total, (None, *rest)
    for number, score in enumerate(scores[index]):
        if score is None or number in used or (in_order and number <= after):
            continue
        taken = frozenset() if in_order else used | {number}
        last = number if in_order else -1
        total, rest = _best(scores, index + 1, taken, last, in_order, known)
        if score + total > best[0]:
            best = score + total, (number, *rest)
    known[key] = best
    return best


def _one_after_the_other(scores: Sequence[Sequence[float | None]]) -> Chosen:
    """Match as they come where somebody names races without end."""
    used: set[int] = set()
    chosen: list[int | None] = []
    for row in scores:
        free = [(score, n) for n, score in enumerate(row) if score is not None and n not in used]
        best = max(free, default=None)
        chosen.append(None if best is None else best[1])
        used |= set() if best is None else {best[1]}
    return tuple(chosen)


def _score(
    race: NamedRace, bunch: Bunch, players: int, timing: Timing, known: Mapping[int, int]
) -> float | None:
    """How well a bunch fits a race; None where it cannot be its own."""
    if race.anchor is not None:
        return 10.0 * COMPLETE if abs(bunch.start - race.anchor) < timing.bunch else None
    if race.since is not None and bunch.start < race.since:
        return None
    if race.until is not None and bunch.start > race.until:
        return None
    if not race.at - timing.look_back <= bunch.start <= race.at + timing.race_limit:
        return None
    among = _among_them(race.layer, bunch, timing)
    racing = [touch.at for seat, touch in bunch.slaps.items() if seat != race.layer]
    score = COMPLETE * len(racing) / (players - 1)
    score -= SPREAD * (max(racing) - min(racing)) / SECOND
    delay = abs(race.at - bunch.start) / SECOND
    score -= DELAY * delay
    score += -ABSENT if among else ABSENT
    if bunch.start in known:
        score -= KNOWN + SHOWN * delay if known[bunch.start] == race.layer else OTHERS
    if bunch.denied or bunch.start > race.at + timing.look_ahead:
        score -= UNLIKELY
    return max(score, 1.0)


def may_come(race: NamedRace, bunch: Bunch, timing: Timing, now: int) -> bool:
    """Whether the hands of a race are rather still to come than those of this bunch."""
    late = race.anchor is None and race.at - bunch.start > timing.layer_wait
    return late and now < race.at + timing.look_ahead and _among_them(race.layer, bunch, timing)


def _among_them(layer: int | None, bunch: Bunch, timing: Timing) -> bool:
    """Whether the layer's hand came down with the others; one well after them says nothing."""
    own = bunch.slaps.get(layer or 0) or bunch.hammered.get(layer or 0)
    others = [touch.at for seat, touch in bunch.slaps.items() if seat != layer]
    return own is not None and own.at <= max(others, default=own.at) + timing.settle
