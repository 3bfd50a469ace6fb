"""What the referee may do about a race: another layer, again, void, a slap-off, or a pick."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.finish import Field, able, judge_slap_off
from companion.referee.last_hand import last_hand_draws
from companion.referee.presses import Timing, on_screen
from companion.referee.race import change, handicaps_of, overrule_race, settle_if_known
from companion.referee.rulings import Draws
from companion.referee.sentences import refuse, say
from companion.referee.table import Race, SlapOffLight


def change_layer(draft: Draft, command: c.ChangeLayer) -> None:
    """Judge the last race again with another layer."""
    race = _latest(draft)
    layer = draft.player_in_round(command.layer)
    if layer.number == race.layer:
        raise refuse("race_known", "R12", name=layer.name)
    draft.step("step_change_layer", name=layer.name)
    change(draft, race, layer.number, card_seen=race.card_seen)


def rerun_race(draft: Draft, _command: c.RerunRace) -> None:
    """Void the last race and run it again from now."""
    race = _latest(draft)
    draft.step("step_rerun_race")
    overrule_race(draft, race, say("race_rerun"))
    now = draft.now.at
    draft.add(
        e.RaceDeclared(
            layer=race.layer,
            declared_at=now,
            since=now,
            deadline=now + draft.timing.race_limit,
            racers=race.racers,
            how=race.how,
            presses=(),
            aside=race.aside,
            card_seen=race.card_seen,
            handicaps=handicaps_of(draft),
        )
    )
    settle_if_known(draft)


def cancel_race(draft: Draft, _command: c.CancelRace) -> None:
    """Void the last race; nobody draws for it."""
    race = _latest(draft)
    draft.step("step_cancel_race")
    overrule_race(draft, race, say("race_void"))
    draft.add(e.RaceSettled("void", draft.now.at))


def slap_off(draft: Draft, _command: c.SlapOff) -> None:
    """Let those who tied slap again, at a light whose moment is drawn by lot."""
    race = _undecided(draft)
    timing = draft.timing
    draft.step("step_slap_off", names=draft.names(race.tied))
    span = max(1, timing.slap_off_most - timing.slap_off_least)
    light_at = draft.now.at + timing.slap_off_least + draft.now.luck * 1_000_003 % span
    draft.add(e.SlapOffStarted(race.tied, draft.now.at, light_at, light_at + timing.race_limit))


def pick_last(draft: Draft, command: c.PickLast) -> None:
    """Let the referee name who draws for an undecided race."""
    race = _undecided(draft)
    seats = tuple(sorted(set(command.seats)))
    if not seats:
        raise refuse("pick_nobody", "R12")
    for seat in seats:
        draft.player_in_round(seat)
        if seat not in race.racers:
            raise refuse("not_racing", "R12", name=draft.name(seat))
    names = draft.names(seats)
    draft.step("step_pick_last", names=names)
    cards = draft.edition.race_draws
    ruling = draft.rule(
        "R12",
        say("race_picked", names=names, cards=cards),
        seats=seats,
        draws=tuple(Draws(seat, cards) for seat in seats),
        house=("no_slap",) if race.finish is not None and race.finish.no_slap else (),
        evidence=race.finish,
    )
    draft.add(e.RaceSettled("ruled", draft.now.at, race.finish, (), ruling))


def light_if_due(draft: Draft) -> None:
    """Switch the light of a slap-off on when its moment has come."""
    light = _light(draft.race)
    if light is not None and not light.lit and draft.now.at >= light.light_at:
        draft.add(e.SlapOffLit())


def field_of_slap_off(race: Race, light: SlapOffLight) -> Field:
    """Who races for the light, from when on presses count, and where nobody listened."""
    gaps = tuple(gap for gap in race.gaps if gap.until >= light.started_at)
    return Field(
        race.layer,
        light.seats,
        light.light_at,
        light.started_at,
        gaps,
        race.aside,
        race.handicaps,
    )


def settle_slap_off(draft: Draft, *, time_is_up: bool = False) -> None:
    """Rule a slap-off once all have pressed, somebody was early, or the time is up."""
    race = draft.race
    light = _light(race)
    if race is None or light is None:
        return
    field = field_of_slap_off(race, light)
    finish = judge_slap_off(field, light.presses, draft.timing)
    pressed = {press.seat for press in light.presses}
    over = time_is_up and draft.now.at >= _slap_off_due(race, light, draft.timing)
    if over or (not finish.early and able(field) <= pressed):
        last_hand_draws(draft, finish)


def slap_off_deadline(race: Race, timing: Timing) -> int | None:
    """When a slap-off needs to be looked at next."""
    light = _light(race)
    if light is None:
        return None
    due = _slap_off_due(race, light, timing)
    return due if light.lit else min(due, light.light_at)


def _slap_off_due(race: Race, light: SlapOffLight, timing: Timing) -> int:
    """An early press is not ruled before another early one had the time to arrive."""
    early = [
        press.at
        for press in light.presses
        if press.at < light.light_at and (press.seat not in race.aside or on_screen(press))
    ]
    return (min(early) if early else light.deadline) + timing.settle


def _light(race: Race | None) -> SlapOffLight | None:
    return race.slap_off if race is not None and race.state == "slap_off" else None


def _latest(draft: Draft) -> Race:
    race = draft.race
    if race is None or race.state == "void":
        raise refuse("no_race", "R12")
    return race


def _undecided(draft: Draft) -> Race:
    race = _latest(draft)
    if race.state != "undecided":
        raise refuse("race_decided", "R12")
    return race
