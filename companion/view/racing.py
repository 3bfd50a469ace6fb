"""A race as a screen shows it: who has slapped so far, and whose slap is awaited."""

from __future__ import annotations

from collections.abc import Collection

from companion.referee.model.presses import Press
from companion.referee.model.table import Race, Round, SlapOffLight
from companion.view.shape import RaceShown, Slap, SlapOffShown


def race_to_show(
    round_: Round | None, on_phones: Collection[int]
) -> tuple[RaceShown | None, frozenset[int], frozenset[int]]:
    """Show the latest race that still counts, who has yet to slap in it, and who has."""
    counting = [] if round_ is None else [race for race in round_.races if race.state != "void"]
    if not counting:
        return None, frozenset(), frozenset()
    race = race_shown(counting[-1])
    return race, _awaited(race, on_phones), _has_slapped(race)


def race_shown(race: Race) -> RaceShown:
    """Show a race with its slaps, in the order in which they count."""
    light = _light_of_the_slaps(race)
    slaps = _from_the_light(race, light) if light else _from_the_first_hand(race)
    return RaceShown(
        layer=race.layer,
        layers=race.layers,
        state=race.state,
        how=race.how,
        anchor=race.anchor,
        named_at=race.named_at,
        deadline=race.deadline,
        racers=race.racers,
        slaps=slaps,
        outcome=race.outcome,
        finish=race.finish,
        tied=race.tied,
        slap_off=_slap_off_shown(race.slap_off, slaps if light else ()) if race.slap_off else None,
        ruling=race.ruling,
        gaps=race.gaps,
        unusable=race.unusable,
    )


def _awaited(race: RaceShown, on_phones: Collection[int]) -> frozenset[int]:
    """Tell whose slap is still awaited; without a button that works, only on a phone.

    While it is not known who laid the card, those who may have done so are not told to slap.
    """
    not_awaited = {slap.seat for slap in race.slaps} | (set(race.unusable) - set(on_phones))
    match race.state, race.slap_off:
        case "running", _:
            layers = race.layers if race.layer is None else (race.layer,)
            return frozenset(race.racers) - not_awaited - set(layers)
        case "slap_off", SlapOffShown(seats=seats):
            return frozenset(seats) - not_awaited
        case _:
            return frozenset()


def _has_slapped(race: RaceShown) -> frozenset[int]:
    """Tell who has slapped in the race that is on."""
    if race.state not in ("running", "slap_off"):
        return frozenset()
    return frozenset(slap.seat for slap in race.slaps)


def _light_of_the_slaps(race: Race) -> SlapOffLight | None:
    """Give the slap-off that the slaps belong to; those made before it began are of the race."""
    light = race.slap_off
    if light is None or any(press.at < light.started_at for press in race.slaps):
        return None
    return light


def _from_the_light(race: Race, light: SlapOffLight) -> tuple[Slap, ...]:
    """A head start is no leave to press before the light, so that is told by the bare press."""
    return tuple(
        _slap(race, press, None, early=True)
        if press.at < light.light_at
        else _slap(race, press, max(0, _counted(race, press) - light.light_at))
        for press in race.slaps
    )


def _from_the_first_hand(race: Race) -> tuple[Slap, ...]:
    """A hammering hand may have touched the button before the first hand at rest came down."""
    resting = [press for press in race.slaps if press.seat not in race.hammered]
    start = min((_counted(race, press) for press in resting or race.slaps), default=race.anchor)
    return tuple(
        _slap(race, press, after if (after := _counted(race, press) - start) >= 0 else None)
        for press in race.slaps
    )


def _slap(race: Race, press: Press, after: int | None, *, early: bool = False) -> Slap:
    return Slap(
        seat=press.seat,
        at=press.at,
        after=after,
        uncertainty=press.uncertainty,
        source=press.source,
        handicap=race.handicaps.get(press.seat, 0),
        early=early,
        hammered=press.seat in race.hammered,
    )


def _counted(race: Race, press: Press) -> int:
    return press.at - race.handicaps.get(press.seat, 0)


def _slap_off_shown(light: SlapOffLight, slaps: tuple[Slap, ...]) -> SlapOffShown:
    return SlapOffShown(
        light.seats, light.started_at, light.light_at, light.deadline, light.lit, slaps
    )
