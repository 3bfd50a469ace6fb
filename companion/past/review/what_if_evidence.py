"""The evidence of a round as other rules would have found it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from companion.past.facts import Pushed
from companion.past.review.what_if_settings import Wish
from companion.referee.evidence.material import Material
from companion.referee.model.presses import Press
from companion.referee.model.table import Evidence, Table

Pushes = Mapping[tuple[int, int], Pushed]


def material_by(material: Material, table: Table, wish: Wish, pushes: Pushes) -> Material:
    """Give the material with other head starts, and presses dated as these rules say."""
    if wish.handicaps:
        given = {
            seat.number: wish.handicaps[seat.name]
            for seat in table.game.seats
            if seat.name in wish.handicaps and seat.number in material.seats
        }
        material = replace(
            material,
            handicaps=_merged(material.handicaps, given),
            races=tuple(
                replace(race, handicaps=_merged(race.handicaps, given)) for race in material.races
            ),
        )
    if wish.house.get("hands_stay_down"):
        material = _changed(material, lambda press: _let_go(press, pushes))
    uncertainty = wish.timing.get("tablet_uncertainty")
    if uncertainty is not None:
        material = _changed(material, lambda press: _touched(press, uncertainty))
    return material


def _merged(known: Mapping[int, int], given: Mapping[int, int]) -> dict[int, int]:
    return {seat: ns for seat, ns in {**known, **given}.items() if ns}


def _changed(material: Material, change: Callable[[Press], Press]) -> Material:
    evidence: Evidence = replace(
        material.evidence,
        presses={
            seat: tuple(tuple(change(press) for press in run) for run in runs)
            for seat, runs in material.evidence.presses.items()
        },
    )
    said = tuple(change(press) for press in material.said)
    return replace(material, evidence=evidence, said=said)


def _let_go(press: Press, pushes: Pushes) -> Press:
    """A release may have come to be known only after the ruling."""
    known = pushes.get((press.seat, press.at))
    return press if known is None else replace(press, released_at=known.press.released_at)


def _touched(press: Press, uncertainty: int) -> Press:
    """A touch on a screen is as uncertain as these rules say."""
    return replace(press, uncertainty=uncertainty) if press.source == "tablet" else press
