"""A race as a screen shows it: who has slapped so far, and whose slap is awaited."""

from __future__ import annotations

from collections.abc import Iterable

from companion.referee.finish import Field, first_slaps
from companion.referee.house import HouseRules
from companion.referee.presses import Press
from companion.referee.race import field_of, slaps_of
from companion.referee.table import Race, SlapOffLight
from companion.view.shape import RaceShown, Slap, SlapOffShown


def race_shown(race: Race, house: HouseRules) -> RaceShown:
    """Show a race with the slaps that count so far, in the order in which they count."""
    slaps = _in_order(field_of(race), slaps_of(race, house, race.deadline).values())
    return RaceShown(
        layer=race.layer,
        state=race.state,
        how=race.how,
        declared_at=race.declared_at,
        deadline=race.deadline,
        racers=race.racers,
        slaps=slaps,
        finish=race.finish,
        tied=race.tied,
        slap_off=_slap_off_shown(race, race.slap_off) if race.slap_off else None,
        ruling=race.ruling,
        gaps=race.gaps,
        aside=race.aside,
    )


def awaited(race: RaceShown) -> frozenset[int]:
    """Tell whose slap is still awaited."""
    match race.state, race.slap_off:
        case "running", _:
            return frozenset(race.racers) - {slap.seat for slap in race.slaps} - set(race.aside)
        case "slap_off", SlapOffShown(seats=seats, slaps=slaps):
            return frozenset(seats) - {slap.seat for slap in slaps}
        case _:
            return frozenset()


def has_slapped(race: RaceShown) -> frozenset[int]:
    """Tell who has slapped in the race that is on."""
    match race.state, race.slap_off:
        case "running", _:
            return frozenset(slap.seat for slap in race.slaps)
        case "slap_off", SlapOffShown(slaps=slaps):
            return frozenset(slap.seat for slap in slaps)
        case _:
            return frozenset()


def _slap_off_shown(race: Race, light: SlapOffLight) -> SlapOffShown:
    field = Field(
        race.layer, light.seats, light.light_at, light.started_at, handicaps=race.handicaps
    )
    slaps = _in_order(field, first_slaps(field, light.presses).values())
    return SlapOffShown(
        light.seats, light.started_at, light.light_at, light.deadline, light.lit, slaps
    )


def _in_order(field: Field, slaps: Iterable[Press]) -> tuple[Slap, ...]:
    return tuple(
        Slap(
            press.seat,
            press.at,
            field.counted(press) - field.declared_at,
            press.uncertainty,
            press.source,
            field.handicaps.get(press.seat, 0),
        )
        for press in sorted(slaps, key=lambda press: (field.counted(press), press.seat))
    )
