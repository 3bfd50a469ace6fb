"""Which touches belong to races, so that they mean nothing else."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from companion.referee.evidence.material import Material, presses_between
from companion.referee.evidence.races.bunches import AGAIN
from companion.referee.evidence.scene import Scene
from companion.referee.model.presses import Press, Timing
from companion.referee.model.table import Evidence, NamedRace, Race, SlapOffLight


def uses_hands(material: Material, race: Race) -> bool:
    """Whether the hands of a race mean nothing else; those of what was none may be calls."""
    return race.state != "void" or any(
        named.number == race.record and named.rerun for named in material.named
    )


def hands_that_show(evidence: Evidence, race: Race, timing: Timing) -> tuple[tuple[int, int], ...]:
    """The presses that make a race, by seat and moment, whether they count as slaps or not.

    Where hands must stay down, those that were let go have not slapped; they show it all the same.
    """
    presses = [*race.slaps]
    if race.finish is not None:
        presses += [place.press for place in race.finish.places if place.press is not None]
    for seat in race.racers:
        presses += presses_between(evidence, seat, race.anchor, race.anchor + timing.bunch)
    return tuple(sorted({(press.seat, press.at) for press in presses}))


def slapped_in(scene: Scene, races: Iterable[Race]) -> set[tuple[int, int]]:
    """The touches that slapped in these races, and so in no other."""
    return {
        (press.seat, press.at)
        for race in races
        if uses_hands(scene.material, race)
        for press in _slaps_of(scene, race)
    }


def _slaps_of(scene: Scene, race: Race) -> list[Press]:
    """The slaps of a race, those before a slap-off and those that did not stay down too."""
    slaps = [*race.slaps]
    if race.slap_off is not None or scene.house.hands_stay_down:
        limit = race.anchor + scene.timing.race_limit
        first = (scene.hands.first(seat, race.anchor, limit) for seat in race.racers)
        slaps += [touch.press for touch in first if touch is not None]
    if race.finish is not None:
        slaps += [place.press for place in race.finish.places if place.press is not None]
    return slaps


def used_by(scene: Scene, races: Iterable[Race]) -> set[tuple[int, int]]:
    """The touches that belong to races: slaps, and the same hands once more shortly after."""
    used: set[tuple[int, int]] = set()
    for race in races:
        if not uses_hands(scene.material, race):
            continue
        slaps = _slaps_of(scene, race)
        used |= {(press.seat, press.at) for press in slaps}
        together = race.anchor + scene.timing.bunch
        last = max((press.at for press in slaps if press.at < together), default=0)
        again = [(press.seat, press.at, max(last, press.at) + AGAIN) for press in slaps]
        used.update(scene.hands.keys_within(again))
    return used


def without_slap_offs(scene: Scene) -> Scene:
    """Leave out the touches of slap-offs: they belong to no other race, and say nothing else."""
    spans = (
        span
        for named in scene.material.named
        for span in light_spans(named, named.lights, scene.material.races)
    )
    return replace(scene, hands=scene.at_light.without(scene.at_light.keys_within(spans)))


def light_spans(
    named: NamedRace, lights: Iterable[SlapOffLight], races: Iterable[Race]
) -> list[tuple[int, int, int]]:
    """In which stretches of time these seats pressed for a light: seat, since and before when."""
    known = next((race for race in races if race.record == named.number), None)
    return [
        (seat, light.started_at, min(light.deadline, _over(known, light.deadline)) + 1)
        for light in lights
        for seat in light.seats
    ]


def _over(known: Race | None, deadline: int) -> int:
    """When a slap-off was over: its seats may press for something else after it."""
    if known is None or known.state in ("slap_off", "undecided") or known.slap_off is None:
        return deadline
    return max((press.at for press in known.slaps), default=deadline) + AGAIN
