"""What a press means, decided from its time and from what the table was doing."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.late import news
from companion.referee.presses import Press, Timing, on_screen, phone_press
from companion.referee.race import declare_by_hold, open_race, settle_if_known
from companion.referee.race_disputes import light_if_due, settle_slap_off
from companion.referee.seating import take_free_button
from companion.referee.sentences import refuse
from companion.referee.table import Heard, Race, Round, Table
from companion.referee.uno import call_stands, catch_by_press, settle_catch, tablet_press


def press(draft: Draft, command: c.Press) -> None:
    """Take a push of a physical button."""
    seat = draft.game.seat_of_button(command.button)
    if seat is None:
        take_free_button(draft, command.button)
    elif command.button not in draft.table.aside:
        read(draft, Press(seat.number, command.at, command.uncertainty, command.source))


def press_seat(draft: Draft, command: c.PressSeat) -> None:
    """Take a press that was made on a screen for a seat."""
    seat = draft.player_in_round(command.seat)
    _read_or_refuse(draft, tablet_press(draft, seat.number))


def press_phone(draft: Draft, command: c.PhonePress) -> None:
    """Take a press that was made on a phone; what it shows may have been ruled already."""
    seat = draft.player_in_round(command.seat)
    press = phone_press(seat.number, command.at, command.uncertainty, draft.now.at)
    if not news(draft, press):
        _read_or_refuse(draft, press)


def _read_or_refuse(draft: Draft, press: Press) -> None:
    read(draft, press)
    if not draft.events:
        raise refuse("nothing_to_press", name=draft.name(press.seat))


def hold_seat(draft: Draft, command: c.HoldSeat) -> None:
    """Take a screen's word that a press on it is held, which counts like the button's own hold."""
    seat = draft.player_in_round(command.seat)
    for heard in draft.table.presses:
        press = heard.press
        meant = (press.seat, press.at) == (seat.number, command.pressed_at) and on_screen(press)
        held = draft.now.at - press.at + press.uncertainty >= draft.timing.hold
        if meant and held and _may_lay(draft.table, heard):
            declare_by_hold(draft, press)
            return
    raise refuse("nothing_to_hold", name=seat.name)


def read(draft: Draft, press: Press) -> None:
    """Give a press its meaning: a slap, a call, a catch, or nothing.

    In this order: whoever races slaps; while somebody may be caught their own press is the call
    and anyone else's the catch; else it is a call, which a longer hold turns into a race. A hand
    that slaps twice has not called, although the race was ruled in between.
    """
    match = draft.game.match
    round_ = match.round if match is not None else None
    if round_ is None or press.seat not in round_.seats:
        return
    race = open_race(round_)
    if race is not None and press.seat in _slapping(race, press.at):
        meaning = "extra" if _has_slapped(race, press.seat) else "slap"
        draft.add(e.PressRecorded(press, meaning))
        settle_if_known(draft)
        settle_slap_off(draft)
    elif round_.out is not None:
        return
    elif race is not None and press.seat != race.layer:
        draft.add(e.PressRecorded(press, "ignored"))
    elif _catchable(round_, press):
        catch_by_press(draft, press)
    elif _slaps_again(round_.race, press, draft.timing):
        draft.add(e.PressRecorded(press, "extra"))
    else:
        draft.add(e.PressRecorded(press, "call"))


def release(draft: Draft, command: c.Release) -> None:
    """Take the end of a push; it tells a tap from a hold."""
    seat = draft.game.seat_of_button(command.button)
    known = seat is not None and any(
        h.press.seat == seat.number and h.press.at == command.pressed_at
        for h in draft.table.presses
    )
    if seat is None or not known:
        return
    draft.add(e.PressReleased(seat.number, command.pressed_at, command.at, command.raw))
    match = draft.game.match
    if match is None or match.round is None:
        return
    _take_back_short_hold(draft, seat.number, command)
    long_enough = due_holds(draft.table, command.pressed_at)
    if long_enough:
        declare_by_hold(draft, long_enough[0].press)


def pass_time(draft: Draft) -> None:
    """Rule whatever has become due by now."""
    match = draft.game.match
    if match is None or match.round is None:
        return
    while held := due_holds(draft.table, draft.now.at):
        declare_by_hold(draft, held[0].press)
    settle_catch(draft)
    light_if_due(draft)
    settle_slap_off(draft, time_is_up=True)
    settle_if_known(draft, time_is_up=True)


def due_holds(table: Table, now: int) -> list[Heard]:
    """The presses that were held long enough by now, the earliest first."""
    hold = table.timing.hold
    held = [
        heard
        for heard in table.presses
        if _may_lay(table, heard) and (heard.press.released_at or now) - heard.press.at >= hold
    ]
    return sorted(held, key=lambda heard: (heard.press.at, heard.press.seat))


def next_hold(table: Table) -> int | None:
    """When the next press that is still down will have been held long enough."""
    waiting = [
        heard.press.at + table.timing.hold
        for heard in table.presses
        if heard.press.released_at is None and _may_lay(table, heard)
    ]
    return min(waiting, default=None)


def _may_lay(table: Table, heard: Heard) -> bool:
    """Whether holding this press would lay a Street Race."""
    match = table.game.match
    round_ = match.round if match is not None else None
    if match is None or round_ is None or match.edition.race_card is None:
        return False
    if round_.out is not None or open_race(round_) is not None:
        return False
    press = heard.press
    if heard.claimed or press.at <= round_.ruled_until or _lays_again(table, round_, press):
        return False
    window = round_.window
    if heard.meaning == "catch":
        return window is not None and call_stands(window, press, table.timing, match.house)
    return heard.meaning == "call"


def _lays_again(table: Table, round_: Round, press: Press) -> bool:
    """Whether the table was already told of this race: its layer only holds the button late."""
    race = round_.race
    if race is None or race.state == "void" or race.layer != press.seat:
        return False
    return press.at - race.declared_at <= table.timing.look_back_tablet


def _take_back_short_hold(draft: Draft, seat: int, command: c.Release) -> None:
    """A release that arrives late can show that the layer's button was not held after all."""
    race = draft.round.race
    too_short = command.at - command.pressed_at < draft.timing.hold
    if race is None or race.state != "running" or race.how != "hold":
        return
    if race.layer == seat and race.declared_at == command.pressed_at and too_short:
        draft.add(e.RaceSettled("void", draft.round.ruled_until))


def _slapping(race: Race, at: int) -> tuple[int, ...]:
    """Whose press of this moment is a slap; one from before a slap-off is none in it."""
    if race.slap_off is not None:
        return race.slap_off.seats if at >= race.slap_off.started_at else ()
    return race.racers if race.state == "running" else ()


def _has_slapped(race: Race, seat: int) -> bool:
    presses = race.slap_off.presses if race.slap_off is not None else race.presses
    return any(press.seat == seat for press in presses)


def _slaps_again(race: Race | None, press: Press, timing: Timing) -> bool:
    """Whether this hand has slapped a moment ago, in a race that is ruled by now."""
    if race is None or race.state != "ruled" or press.seat not in race.racers:
        return False
    slaps = (slap for slap in race.presses if slap.seat == press.seat)
    return any(0 <= press.at - slap.at < timing.hold for slap in slaps)


def _catchable(round_: Round, press: Press) -> bool:
    window = round_.window
    return round_.way == "refereed" and window is not None and window.seat != press.seat
