"""UNO: the call, the catch, and who was first (R13)."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.house import HouseRules
from companion.referee.presses import MILLISECOND, SECOND, Press, Timing, together
from companion.referee.rulings import Calling, Draws
from companion.referee.sentences import Sentence, refuse, say
from companion.referee.table import Round, Table, Window


def call_stands(window: Window, catch: Press, timing: Timing, house: HouseRules) -> bool:
    """R13. A call before the catch saves its caller; too close to tell, the caller keeps it."""
    call = window.call
    if call is None:
        return False
    if together(call, catch, timing):
        return house.tie_goes_to == "caller"
    return call.at < catch.at


def call(draft: Draft, command: c.Call) -> None:
    """Call UNO for a seat from a screen."""
    _ = draft.playing
    seat = draft.player_in_round(command.seat)
    draft.step("step_call", name=seat.name)
    draft.add(e.PressRecorded(tablet_press(draft, seat.number), "said"))


def withdraw_call(draft: Draft, command: c.WithdrawCall) -> None:
    """Take a call off the record."""
    seat = draft.player_in_round(command.seat)
    if seat.number not in draft.round.calls:
        raise refuse("no_call", "R13", name=seat.name)
    draft.step("step_withdraw_call", name=seat.name)
    draft.add(e.CallWithdrawn(seat.number))


def catch(draft: Draft, command: c.Catch) -> None:
    """Catch a seat from a screen; `by` is who noticed, and the first tap for it is the moment."""
    round_ = draft.playing
    seat = draft.player_in_round(command.seat)
    at = draft.now.at - command.ago_ms * MILLISECOND
    if command.by is not None:
        by = draft.player_in_round(command.by)
        if by.number == seat.number:
            raise refuse("catch_self", "R13")
        if on_cooldown(round_, by.number, at):
            raise refuse("cooldown", "R13", name=by.name)
    press = tablet_press(draft, command.by or 0, at)
    settle_catch(draft, force=True)
    draft.step("step_catch", name=seat.name)
    window = draft.round.window
    if round_.way == "free":
        draft.add(e.CatchMade(seat.number, 0, press))
    elif window is not None and window.seat == seat.number:
        press = tablet_press(draft, press.seat, max(at, window.since))
        draft.add(e.CatchMade(seat.number, window.since, press))
    else:
        on_one = round_.hands[seat.number] == 1
        code = "catch_too_late" if on_one else "catch_not_on_one"
        wrong_catch(draft, say(code, name=seat.name), seat.number, press, None)
    settle_catch(draft)


def catch_by_press(draft: Draft, press: Press) -> None:
    """Read a press of somebody else as a catch while a window is open."""
    round_ = draft.round
    window = round_.window
    assert window is not None
    if on_cooldown(round_, press.seat, press.at):
        draft.add(e.PressRecorded(press, "cooldown"))
        return
    earliest = window.catch is None or press.at < window.catch.at
    if window.catch is None:
        draft.step("step_catch", name=draft.name(window.seat))
    draft.add(e.PressRecorded(press, "catch"))
    if earliest:
        draft.add(e.CatchMade(window.seat, window.since, press))


def on_cooldown(round_: Round, seat: int, at: int) -> bool:
    """Whether a failed catch still keeps this seat from catching."""
    return round_.cooldowns.get(seat, at) > at


def settle_catch(draft: Draft, *, force: bool = False) -> None:
    """Rule a catch once presses on their way have arrived, or at once when the turn goes on."""
    window = draft.round.window
    if window is None or window.catch is None:
        return
    due = catch_due(draft.table, window)
    if not force and draft.now.at < due:
        return
    press = window.catch
    name = draft.name(window.seat)
    if call_stands(window, press, draft.timing, draft.house):
        assert window.call is not None
        draft.add(e.CatchDropped(draft.round.ruled_until))
        early = (press.at - window.call.at) / SECOND
        sentence = say("called_before", name=name, seconds=f"{max(early, 0.0):.1f}")
        wrong_catch(draft, sentence, window.seat, press, window.call)
        return
    draft.add(e.CatchDropped(press.at))
    cards = draft.edition.catch_draws
    house = ("tie_goes_to",) if _tie(window, press, draft) else ()
    draft.rule(
        "R13",
        say("caught", name=name, cards=cards),
        seats=(window.seat,),
        draws=(Draws(window.seat, cards),),
        house=house,
        evidence=_calling(draft, window.seat, press, window.call),
    )
    if draft.round.window is not None:
        draft.add(e.WindowClosed())


def close_window(draft: Draft) -> None:
    """End the time to catch, ruling what was still open."""
    settle_catch(draft, force=True)
    if draft.round.window is not None:
        draft.add(e.WindowClosed())


def catch_due(table: Table, window: Window) -> int:
    """When a catch is ruled.

    A catch that will fail waits until its button is let go, because held it says instead that
    a Street Race was laid.
    """
    press, match = window.catch, table.game.match
    assert press is not None
    assert match is not None
    timing = table.timing
    due = press.at + timing.settle
    if match.edition.race_card is None or not _held(table, press):
        return due
    fails = call_stands(window, press, timing, match.house)
    return max(due, press.at + timing.hold) if fails else due


def take_back_catch(draft: Draft, press: Press) -> bool:
    """Let a catch that failed, or is about to, have been a hand in a Street Race instead.

    Tells whether its seat was made to wait for it, and need not any more.
    """
    window = draft.round.window
    if window is not None and window.catch is not None and _same(window.catch, press):
        if call_stands(window, press, draft.timing, draft.house):
            draft.add(e.CatchDropped(draft.round.ruled_until))
        return False
    if draft.round.cooldowns.get(press.seat) != press.at + draft.timing.cooldown:
        return False
    for ruling in draft.match.rulings:
        failed = ruling.evidence
        if isinstance(failed, Calling) and _same(failed.catch, press):
            slap = say("catch_was_slap", name=draft.name(press.seat))
            draft.add(e.RulingOverruled(ruling.number, slap, draft.ruling("R13", slap, (), ())))
    return True


def _held(table: Table, press: Press) -> bool:
    """Whether the button of this press is still down."""
    return any(_same(h.press, press) and h.press.released_at is None for h in table.presses)


def _same(one: Press, other: Press) -> bool:
    return one.seat == other.seat and one.at == other.at


def tablet_press(draft: Draft, seat: int, at: int | None = None) -> Press:
    """Date a tap on a screen, of just now or of a moment ago, with the doubt that belongs to it."""
    at = draft.now.at if at is None else at
    return Press(seat, at, draft.timing.tablet_uncertainty, "tablet", at)


def wrong_catch(
    draft: Draft, sentence: Sentence, seat: int, press: Press, called: Press | None
) -> None:
    """A catch that was wrong costs what the house says, and a while without catching."""
    by = press.seat
    cost = draft.house.wrong_catch_draws if by else 0
    house: tuple[str, ...] = ("wrong_catch_draws",)
    if called is not None and together(called, press, draft.timing):
        house = (*house, "tie_goes_to")
    draft.rule(
        "R13",
        sentence,
        seats=(seat, by) if by else (seat,),
        draws=(Draws(by, cost),) if cost else (),
        house=house,
        evidence=_calling(draft, seat, press, called),
    )
    if by:
        draft.add(e.CooldownBegan(by, press.at + draft.timing.cooldown))


def _tie(window: Window, press: Press, draft: Draft) -> bool:
    return window.call is not None and together(window.call, press, draft.timing)


def _calling(draft: Draft, seat: int, press: Press, called: Press | None) -> Calling:
    doubt = press.uncertainty + draft.timing.switch_tolerance
    ahead = None
    if called is not None:
        doubt += called.uncertainty
        ahead = press.at - called.at
    return Calling(seat, press.seat or None, called, press, ahead, max(doubt, MILLISECOND // 10))
