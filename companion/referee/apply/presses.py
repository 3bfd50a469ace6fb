"""Write down what hands did: presses, calls, catches, races."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.history import add_gap, mend, race_on
from companion.referee.apply.nest import drop, put, the_round, with_round
from companion.referee.presses import SECOND, Gap, Press
from companion.referee.table import Heard, Race, Round, SlapOffLight, Table, Window

PRESSES_KEPT = 64
CALLS_KEPT = 8
"""Mashing a button does not make a call better."""
MEMORY = 20 * SECOND
"""Presses older than this explain nothing any more."""


def fold_press(table: Table, event: e.PressEvent) -> Table:
    """Write down an event that came from a hand on a button."""
    match event:
        case e.PressRecorded(press, meaning):
            return _record(table, press, meaning)
        case e.PressReleased(seat, pressed_at, at):
            return _release(table, seat, pressed_at, at)
        case e.ButtonSetAside(button, fault):
            return _set_aside(replace(table, aside=put(table.aside, button, fault)), button)
        case e.ButtonPutBack(button):
            owner = table.game.seat_of_button(button)
            table = replace(table, aside=drop(table.aside, button))
            return table if owner is None else mend(table, owner.number)
        case e.PressesMissed(seats, since, until):
            return add_gap(table, Gap(since, until, seats))
        case e.RaceDeclared():
            return _declare(table, event)
        case e.WindowClosed():
            return with_round(_served(table), window=None)
        case e.CatchDropped(until):
            return _drop_catch(table, until)
        case _:
            return with_round(table, **_changes(the_round(table), event))


def _changes(round_: Round, event: e.JudgingEvent) -> Mapping[str, object]:
    match event:
        case e.CallWithdrawn(seat):
            window = round_.window
            if window is not None and window.seat == seat:
                window = replace(window, call=None)
            return {"calls": drop(round_.calls, seat), "window": window}
        case e.WindowOpened(seat, since):
            calls = [call for call in round_.calls.get(seat, ()) if call.at >= since]
            earliest = min(calls, key=lambda call: call.at, default=None)
            return {"window": Window(seat, since, earliest)}
        case e.CatchMade(seat, since, catch):
            known = round_.calls.get(seat, ())
            said = tuple(call for call in known if call.at <= catch.at) or known[:1]
            window = round_.window or Window(seat, since, said[-1] if said else None)
            return {"window": replace(window, catch=catch)}
        case e.CooldownBegan(seat, until):
            return {"cooldowns": put(round_.cooldowns, seat, until)}
        case e.RaceCardSeen():
            assert round_.race is not None
            return {"race": replace(round_.race, card_seen=True)}
        case e.RaceSettled():
            return _settled(round_, event)
        case e.SlapOffStarted(seats, started_at, light_at, deadline):
            assert round_.race is not None
            light = SlapOffLight(seats, started_at, light_at, deadline)
            return {"race": replace(round_.race, state="slap_off", slap_off=light)}
        case e.SlapOffLit():
            assert round_.race is not None
            assert round_.race.slap_off is not None
            return {"race": replace(round_.race, slap_off=replace(round_.race.slap_off, lit=True))}
        case _:
            assert_never(event)


def _record(table: Table, press: Press, meaning: str) -> Table:
    """Remember a press; a call that was only said aloud is no press, and can be no slap."""
    round_ = the_round(table)
    if meaning == "said":
        return with_round(table, **_called(round_, press))
    race = round_.race
    kept = tuple(h for h in table.presses if h.press.at > press.at - MEMORY)[1 - PRESSES_KEPT :]
    in_race = race is not None and race.state in ("running", "undecided", "slap_off")
    table = replace(table, presses=(*kept, Heard(press, meaning, in_race)))
    changes: dict[str, object] = {}
    if meaning == "call":
        changes = _called(round_, press)
    if race is not None and race.state == "running":
        changes["race"] = replace(race, presses=(*race.presses, press))
    elif race is not None and race.slap_off is not None and meaning == "slap":
        light = replace(race.slap_off, presses=(*race.slap_off.presses, press))
        changes["race"] = replace(race, slap_off=light)
    return with_round(table, **changes) if changes else table


def _called(round_: Round, press: Press) -> dict[str, object]:
    """Put a call on record; of several in one window the earliest counts."""
    calls = (*round_.calls.get(press.seat, ()), press)[-CALLS_KEPT:]
    changes: dict[str, object] = {"calls": put(round_.calls, press.seat, calls)}
    window = round_.window
    if window is not None and window.seat == press.seat and press.at >= window.since:
        known = window.call
        earlier = press if known is None or press.at < known.at else known
        changes["window"] = replace(window, call=earlier)
    return changes


def _served(table: Table) -> Table:
    """The call that a window took can be no slap of a later race."""
    window = the_round(table).window
    call = window.call if window is not None else None
    if call is None:
        return table
    presses = tuple(
        replace(h, meaning="called") if _same(h.press, call) else h for h in table.presses
    )
    return replace(table, presses=presses)


def _drop_catch(table: Table, until: int) -> Table:
    """In free play the window was only there for this catch."""
    round_ = the_round(table)
    ruled_until = max(round_.ruled_until, until)
    if round_.way == "free":
        return with_round(_served(table), window=None, ruled_until=ruled_until)
    assert round_.window is not None
    return with_round(table, window=replace(round_.window, catch=None), ruled_until=ruled_until)


def _same(one: Press, other: Press) -> bool:
    return one.seat == other.seat and one.at == other.at


def _release(table: Table, seat: int, pressed_at: int, at: int) -> Table:
    def let_go(press: Press) -> Press:
        same = press.seat == seat and press.at == pressed_at
        return replace(press, released_at=at) if same else press

    table = replace(table, presses=tuple(replace(h, press=let_go(h.press)) for h in table.presses))
    match_ = table.game.match
    race = match_.round.race if match_ is not None and match_.round is not None else None
    if race is None or race.state != "running":
        return table
    presses = tuple(map(let_go, race.presses))
    return (
        table if presses == race.presses else with_round(table, race=replace(race, presses=presses))
    )


def _set_aside(table: Table, button: int) -> Table:
    """A racer whose button breaks is left out of the race that is on."""
    seat = table.game.seat_of_button(button)
    race = race_on(table.game)
    if seat is None or race is None or seat.number not in race.racers:
        return table
    aside = tuple(sorted({*race.aside, seat.number}))
    return with_round(table, race=replace(race, aside=aside))


def _declare(table: Table, event: e.RaceDeclared) -> Table:
    round_ = the_round(table)
    cooldowns = {s: until for s, until in round_.cooldowns.items() if s not in event.pardoned}
    race = Race(
        layer=event.layer,
        declared_at=event.declared_at,
        since=event.since,
        deadline=event.deadline,
        racers=event.racers,
        how=event.how,
        presses=event.presses,
        aside=event.aside,
        gaps=event.gaps,
        card_seen=event.card_seen,
        handicaps=event.handicaps,
    )
    taken = {(p.seat, p.at) for p in event.presses}
    presses = tuple(
        replace(h, claimed=True) if (h.press.seat, h.press.at) in taken else h
        for h in table.presses
    )
    calls = {
        seat: kept
        for seat, known in round_.calls.items()
        if (kept := known if seat not in event.claimed else _unclaimed(known, event))
    }
    table = replace(table, presses=presses)
    return with_round(table, race=race, calls=calls, cooldowns=cooldowns)


def _unclaimed(calls: tuple[Press, ...], event: e.RaceDeclared) -> tuple[Press, ...]:
    """Leave the calls that are no part of the race; of the layer's only the hold is."""
    taken = {(p.seat, p.at) for p in event.presses}
    return tuple(
        call
        for call in calls
        if (call.seat, call.at) not in taken
        or (call.seat == event.layer and call.at != event.declared_at)
    )


def _settled(round_: Round, event: e.RaceSettled) -> Mapping[str, object]:
    assert round_.race is not None
    race = replace(
        round_.race,
        state=event.state,
        finish=event.finish or round_.race.finish,
        tied=event.tied,
        ruling=event.ruling,
        slap_off=None,
    )
    return {"race": race, "ruled_until": max(round_.ruled_until, event.until)}
