"""Presses: every one is written down as evidence, and then the evidence is read again."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.evidence.material import evidence_of, pressed
from companion.referee.model.presses import Press, phone_press, tablet_press
from companion.referee.rules.race import open_race
from companion.referee.rules.seating import take_free_button
from companion.referee.sentences import refuse, say
from companion.referee.settling.settle import settle, settle_hands


def press(draft: Draft, command: c.PushButton) -> None:
    """Take a push of a physical button."""
    seat = draft.game.seat_of_button(command.button)
    if seat is None:
        take_free_button(draft, command.button)
    else:
        _record(draft, Press(seat.number, command.at, command.uncertainty, command.source))


def press_seat(draft: Draft, command: c.PressSeat) -> None:
    """Take a press that was made on a screen for a seat."""
    seat = draft.player_in_round(command.seat)
    _record_or_refuse(draft, tablet_press(seat.number, draft.now.at, draft.timing))


def press_phone(draft: Draft, command: c.PhonePress) -> None:
    """Take a press that was made on a phone; what it shows may have been ruled already."""
    seat = draft.player_in_round(command.seat)
    pushed = phone_press(seat.number, command.at, command.uncertainty, draft.now.at)
    _record_or_refuse(draft, pushed)


def release(draft: Draft, command: c.Release) -> None:
    """Take the end of a push."""
    seat = draft.game.seat_of_button(command.button)
    match = draft.game.match
    if seat is None or match is None or match.round is None:
        return
    if pressed(evidence_of(draft.table, match.round.began), seat.number, command.pressed_at):
        draft.add(e.PressReleased(seat.number, command.pressed_at, command.at, command.raw))
        if match.house.hands_stay_down:
            settle_hands(draft, say("again_press", name=seat.who), command.pressed_at)


def pass_time(draft: Draft) -> None:
    """Rule whatever has become due by now."""
    settle_hands(draft, say("again_time"), draft.now.at)


def set_aside(draft: Draft, command: c.SetAside) -> None:
    """Believe a broken button no longer, from the moment at which it broke."""
    draft.add(e.ButtonSetAside(command.button, command.fault, command.at))
    _settle_for(draft, command.button)


def put_back(draft: Draft, command: c.PutBack) -> None:
    """Believe a button again."""
    draft.add(e.ButtonPutBack(command.button, command.at))
    _settle_for(draft, command.button)


def miss_presses(draft: Draft, command: c.MissPresses) -> None:
    """Note that presses may have gone unseen."""
    owners = [draft.game.seat_of_button(button) for button in command.buttons]
    seats = tuple(seat.number for seat in owners if seat is not None)
    if seats:
        draft.add(e.PressesMissed(seats, command.since, command.until))
        settle(draft, say("again_record"))


def _settle_for(draft: Draft, button: int) -> None:
    seat = draft.game.seat_of_button(button)
    if seat is not None:
        settle(draft, say("again_button", name=seat.who))


def _record(draft: Draft, pushed: Press) -> None:
    """Write a press down, unless no round is on that it could belong to.

    After somebody went out too: that may be taken back.
    """
    match = draft.game.match
    round_ = match.round if match is not None else None
    if round_ is None or pushed.seat not in round_.seats or pushed.at < round_.began:
        return
    if pressed(evidence_of(draft.table, round_.began), pushed.seat, pushed.at):
        return
    draft.add(e.PressRecorded(pushed))
    settle_hands(draft, say("again_press", name=draft.who(pushed.seat)), pushed.at)


def _record_or_refuse(draft: Draft, pushed: Press) -> None:
    """A screen has nothing to press once the round is over, other than a slap."""
    round_ = draft.round
    over = round_.ended is not None and pushed.at > round_.ended and open_race(round_) is None
    if not over:
        _record(draft, pushed)
    if not draft.events:
        raise refuse("nothing_to_press", name=draft.who(pushed.seat))
