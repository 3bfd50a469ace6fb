"""What the ghost expects of calls and catches (R13)."""

from __future__ import annotations

from msgspec import structs

from companion.referee import commands as c
from tests.simulation.ghost.truth import SECOND, Refused, Round, Truth

FRESH = 30 * SECOND
"""A call is shown for at least so long; after that the ghost does not look."""
JUST_NOW = 5 * SECOND
"""A call that was made so shortly before its card is the call for it."""
SAME_CATCH = 15 * SECOND
"""In free play two taps so close together are one catch, unless the cards were drawn."""
UNSURE = -1
"""A press that was there before an undo may serve as the call of who is on one card again."""


def call(truth: Truth, command: c.Call, at: int) -> None:
    """A screen says that somebody called."""
    round_ = truth.playing()
    if command.seat not in round_.seats:
        raise Refused
    truth.night.pressed[command.seat] = at
    called(round_, command.seat, at)


def called(round_: Round, seat: int, at: int) -> None:
    """A seat has called; who is on one card is safe from the first such call on."""
    known = round_.calls.get(seat)
    if known is None or at - known > JUST_NOW:
        round_.calls[seat] = at
    window = round_.window
    if window is not None and window.seat == seat and window.call is None:
        round_.window = structs.replace(window, call=at)


def has_called(round_: Round, seat: int, now: int) -> bool | None:
    """Whether the table shows a call of this seat; None where that is not clear, or over."""
    if round_.out is not None:
        return None
    window = round_.window
    if window is not None and window.seat == seat and window.call is not None:
        return None if window.call == UNSURE else True
    if seat not in round_.calls:
        return False
    at = round_.calls[seat]
    return None if at is None or now - at > FRESH else True


def withdraw_call(truth: Truth, command: c.WithdrawCall, at: int) -> None:
    """It was no call."""
    round_ = truth.the_round()
    if command.seat not in round_.seats:
        raise Refused
    known = has_called(round_, command.seat, at)
    assert known is not None, "the ghost does not know whether this seat has called"
    if not known:
        raise Refused("R13")
    spend(round_, command.seat)
    window = round_.window
    if window is not None and window.seat == command.seat:
        round_.window = structs.replace(window, call=None)


def spend(round_: Round, seat: int) -> None:
    """R13. Whoever draws has called no more."""
    round_.calls.pop(seat, None)


def check_catch(truth: Truth, command: c.Catch, at: int) -> None:
    """Nobody catches themselves, or whom somebody else has just caught.

    What comes of a catch is for those to say who saw it.
    """
    round_ = truth.playing()
    if command.seat not in round_.seats:
        raise Refused
    if command.by is not None:
        if command.by not in round_.seats:
            raise Refused
        if command.by == command.seat:
            raise Refused("R13")
    debt, tapped = round_.caught.get(command.seat, (0, 0))
    recent = round_.way == "refereed" or at - tapped <= SAME_CATCH
    if recent and any(owed.number == debt and owed.rule == "R13" for owed in round_.debts):
        raise Refused("R13")
    round_.tapped[command.seat] = at - command.ago_ms * SECOND // 1_000


def caught(truth: Truth, seat: int) -> None:
    """R13. Somebody had not called and was caught."""
    round_ = truth.the_round()
    owed = round_.owe(seat, truth.the_match().sheet.caught, "R13")
    round_.caught[seat] = owed.number, round_.tapped.get(seat, 0)
    round_.window = None


def caught_wrongly(truth: Truth, by: int | None) -> None:
    """R13. A wrong catch costs what the house says."""
    cards = truth.the_match().house.wrong_catch_draws
    if by is not None and cards:
        truth.the_round().owe(by, cards, "R13")


def doubt(round_: Round | None, pressed: dict[int, int]) -> None:
    """Records were taken back or brought again: whoever has pressed may have called, or not."""
    if round_ is None:
        return
    round_.calls |= dict.fromkeys(seat for seat in pressed if seat in round_.seats)
    window = round_.window
    if window is not None and window.seat in pressed:
        round_.window = structs.replace(window, call=UNSURE)
