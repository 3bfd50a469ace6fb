"""What the evidence says of one race whose layer is known."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.referee.evidence.material import Material, set_aside
from companion.referee.evidence.races.bunches import Bunch
from companion.referee.evidence.races.finish import Field, judge, judge_slap_off, standing_slaps
from companion.referee.evidence.races.slapped import Slapped
from companion.referee.evidence.races.slapping import hands_of
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import believed
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Gap, Press, Timing, on_screen
from companion.referee.model.rulings import Finish, Outcome
from companion.referee.model.table import NamedRace, Race, SlapOffLight


def read_race(scene: Scene, layer: int, named: NamedRace | None, bunch: Bunch | None) -> Race:
    """Read a race: who slapped when, whether that is all, and what comes of it."""
    material, timing, now = scene.material, scene.timing, scene.now
    racers = tuple(seat for seat in material.seats if seat != layer)
    hands = hands_of(scene, racers, named, bunch)
    named_at = scene.now if named is None else _named_at(named)
    anchor = hands.start if hands is not None else named_at
    at = anchor if named is None else max(named.at, anchor)
    known = _known(material, named, anchor, timing)
    race = Race(
        anchor=anchor,
        how="hands" if named is None else named.how,
        racers=racers,
        state="running",
        deadline=at + timing.race_limit,
        record=None if named is None else named.number,
        named_at=None if named is None else named.at,
        layer=layer,
        handicaps=material.handicaps if known is None else known.handicaps,
        buttonless=material.buttonless if known is None else known.buttonless,
    )
    hands = hands or Slapped(anchor, {}, {})
    race = _with_hands(scene, race, named, hands)
    if named is not None and named.void:
        return replace(race, state="void")
    if named is not None and named.picked:
        return _picked(scene, race, named, hands)
    if named is not None and len(named.lights) > named.spent:
        return _slap_off(scene, race, named, named.lights[-1])
    due = _due(scene, race, named, hands)
    if now < due:
        return replace(race, due=due)
    return _ruled(race, *_outcome(scene, race, named, hands))


def _named_at(named: NamedRace) -> int:
    return named.at if named.since is None else max(named.at, named.since)


def _known(material: Material, named: NamedRace | None, anchor: int, timing: Timing) -> Race | None:
    """The same race as it was read before: what was so at its time changes no more."""
    for race in material.races:
        same = named is not None and race.record == named.number
        if same or abs(race.anchor - anchor) < timing.bunch:
            return race
    return None


def _with_hands(scene: Scene, race: Race, named: NamedRace | None, hands: Slapped) -> Race:
    """Put into the race who has slapped, and who could not.

    Of whom the table has said that they were not last, no press says otherwise.
    """
    excused = named.excused if named is not None else ()
    race = replace(race, racers=tuple(seat for seat in race.racers if seat not in excused))
    slaps = _standing(scene, race, hands) if scene.house.hands_stay_down else hands.slaps
    presses = (slaps[seat] for seat in race.racers if seat in slaps)
    counted = sorted(presses, key=lambda p: (p.at - race.handicaps.get(p.seat, 0), p.seat))
    hammering = () if scene.house.hands_stay_down else hands.hammered.items()
    hammered = {seat: press for seat, press in hammering if seat not in excused}
    slapped = slaps.keys() | hammered.keys()
    return replace(
        race,
        slaps=(*counted, *sorted(hammered.values(), key=lambda p: p.at)),
        hammered=tuple(sorted(hammered)),
        unusable=tuple(
            seat
            for seat in race.racers
            if seat not in slapped and _unusable(scene, race, seat, (race.anchor, race.deadline))
        ),
        gaps=_gaps(scene.material, _hands_from(race, scene.timing), race.deadline),
    )


def _hands_from(race: Race, timing: Timing) -> int:
    """From when on a hand that was not seen may have slapped in this race."""
    named_at = race.anchor if race.named_at is None else race.named_at
    return min(race.anchor, named_at) - timing.bunch


def _standing(scene: Scene, race: Race, hands: Slapped) -> Mapping[int, Press]:
    """Where hands must stay down, the slaps are those that still lie there."""
    until = min(scene.now, race.deadline)
    presses = [
        press
        for seat in race.racers
        for press in believed(scene.material, seat, hands.start, until)
        if (seat, press.at) not in scene.taken
    ]
    return standing_slaps(race.racers, presses, until)


def _unusable(scene: Scene, race: Race, seat: int, between: tuple[int, int]) -> bool:
    """Whether this seat's button could not be used at some time in between."""
    return seat in race.buttonless or set_aside(scene.material.evidence, seat, *between)


def _gaps(material: Material, since: int, until: int) -> tuple[Gap, ...]:
    return tuple(gap for gap in material.evidence.gaps if gap.until >= since and gap.since <= until)


def _due(scene: Scene, race: Race, named: NamedRace | None, hands: Slapped) -> int:
    """When the race is ruled: a moment after the hand that completes it, or at its limit."""
    timing = scene.timing
    named_at = race.anchor if named is None else _named_at(named)
    if len(race.racers) == 1:
        return named_at
    slapped = {press.seat for press in race.slaps}
    missing = set(race.racers) - slapped - set(race.unusable)
    if missing or (race.unusable and not race.slaps):
        return race.deadline + timing.settle
    last = max((press.at for press in race.slaps), default=race.anchor)
    due = last + timing.settle
    if race.unusable:
        if any(_has_screen(scene, seat) for seat in race.unusable):
            return race.deadline + timing.settle
        due = max(due, named_at + timing.loose_wait, last + timing.loose_wait)
    if hands.spread > timing.loose_spread:
        due = max(due, (last if named is None else named_at) + timing.loose_wait)
    return due


def _has_screen(scene: Scene, seat: int) -> bool:
    """Whether somebody without a button has pressed on a screen in this round, and may again."""
    runs = scene.material.evidence.presses.get(seat, ())
    return any(on_screen(press) for run in runs[-1:] for press in run)


def _field(race: Race, layer: int, start: int, since: int) -> Field:
    return Field(layer, race.racers, start, since, race.gaps, race.unusable, race.handicaps)


def finish_of(race: Race, timing: Timing) -> Finish:
    """Judge the hands of a race as they are."""
    assert race.layer is not None
    hammered = {p.seat: p for p in race.slaps if p.seat in race.hammered}
    slaps = {p.seat: p for p in race.slaps if p.seat not in race.hammered}
    counted = [p.at - race.handicaps.get(p.seat, 0) for p in slaps.values()]
    start = min(counted, default=min((p.at for p in hammered.values()), default=race.anchor))
    field = _field(race, race.layer, start, _hands_from(race, timing))
    return judge(field, slaps, timing, hammered)


def _outcome(
    scene: Scene, race: Race, named: NamedRace | None, hands: Slapped
) -> tuple[Outcome, Finish, tuple[int, ...]]:
    """What comes of a race that waits for nothing any more, and who is in question."""
    finish = finish_of(race, scene.timing)
    resting = len(race.slaps) - len(race.hammered)
    if len(race.racers) == 1:
        return "last", replace(finish, last=race.racers, no_slap=False), ()
    if race.unusable:
        return "unusable", finish, tuple(sorted({*race.unusable, *finish.last}))
    if (race.hammered and resting < 2) or hands.doubtful:
        return "no_order", finish, race.racers
    doubted = (*hands.early, *hands.called_twice)
    if race.slaps and set(finish.last) <= set(doubted):
        slowest = race.slaps[-1 if finish.no_slap else resting - 1]
        return "no_order", finish, tuple(sorted({*finish.last, slowest.seat}))
    return _by_finish(finish, scene.house)


def _by_finish(finish: Finish, house: HouseRules) -> tuple[Outcome, Finish, tuple[int, ...]]:
    """What the order of the hands alone comes to, in a race or a slap-off."""
    if finish.no_slap and len(finish.last) > 1 and house.no_slap == "pick":
        return "nobody_slapped", finish, finish.last
    if finish.no_slap:
        return "never_slapped", finish, ()
    if len(finish.last) > 1:
        return "dead_heat", finish, finish.last
    return "last", finish, ()


def _ruled(race: Race, outcome: Outcome, finish: Finish, tied: tuple[int, ...]) -> Race:
    state = "undecided" if tied else "ruled"
    return replace(
        race,
        state=state,
        outcome=outcome,
        finish=finish,
        tied=tied,
    )


def _picked(scene: Scene, race: Race, named: NamedRace, hands: Slapped) -> Race:
    finish = finish_of(race, scene.timing)
    return replace(race, state="ruled", outcome="picked", finish=finish)


def _slap_off(scene: Scene, race: Race, named: NamedRace, light: SlapOffLight) -> Race:
    """Read the tie-break: presses from its start on, and nothing before it.

    Once somebody has jumped the light, the slap-off is over.
    """
    timing, now = scene.timing, scene.now
    lit = now >= light.light_at
    light = replace(light, lit=lit)
    seats = tuple(seat for seat in light.seats if seat not in named.excused)
    firsts = scene.at_light.firsts(seats, light.started_at, light.deadline + 1)
    jumped = min((t.at for t in firsts.values() if t.at < light.light_at), default=None)
    over = light.deadline if jumped is None else jumped + timing.settle
    slaps = {seat: touch.press for seat, touch in firsts.items() if touch.at <= over}
    unusable = tuple(
        seat
        for seat in seats
        if seat not in slaps and _unusable(scene, race, seat, (light.light_at, light.deadline))
    )
    order = tuple(sorted(slaps.values(), key=lambda press: (press.at, press.seat)))
    race = replace(
        race,
        racers=race.racers,
        slaps=order,
        hammered=(),
        unusable=unusable,
        gaps=_gaps(scene.material, light.started_at, light.deadline),
        slap_off=light,
        state="slap_off",
        deadline=light.deadline,
    )
    missing = set(seats) - slaps.keys()
    if jumped is not None:
        due = over
    elif missing:
        due = light.deadline + timing.settle
    else:
        due = order[-1].at + timing.settle
    if now < due:
        return replace(race, due=due if lit else min(due, light.light_at))
    assert race.layer is not None
    field = Field(
        race.layer,
        seats,
        light.light_at,
        light.started_at,
        race.gaps,
        unusable,
        race.handicaps,
    )
    finish = judge_slap_off(field, slaps, timing)
    if len(finish.early) > 1:
        return _ruled(race, "false_starts", finish, finish.early)
    if finish.early:
        return _ruled(race, "false_start", finish, ())
    if unusable:
        return _ruled(race, "unusable", finish, tuple(sorted({*unusable, *finish.last})))
    return _ruled(race, *_by_finish(finish, scene.house))
