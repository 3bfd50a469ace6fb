"""UNO: what people say of calls and catches on a screen (R13).

Nothing is judged here. Each of these is a record, and the reading of all the evidence follows it.
"""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.presses import MILLISECOND, tablet_press
from companion.referee.model.table import NamedCatch
from companion.referee.sentences import refuse, say
from companion.referee.settling.settle import settle


def call(draft: Draft, command: c.Call) -> None:
    """Call UNO for a seat from a screen."""
    _ = draft.playing
    seat = draft.player_in_round(command.seat)
    draft.step("step_call", name=seat.who)
    draft.add(e.CallSaid(tablet_press(seat.number, draft.now.at, draft.timing)))
    settle(draft, say("again_record"))


def withdraw_call(draft: Draft, command: c.WithdrawCall) -> None:
    """Take the calls of a seat off the record; they saved nobody from a catch, however old."""
    seat = draft.player_in_round(command.seat)
    calls = draft.round.calls
    window = calls.window
    called = window is not None and window.seat == seat.number and window.call is not None
    if seat.number not in calls.called and not called:
        raise refuse("no_call", "R13", name=seat.who)
    draft.step("step_withdraw_call", name=seat.who)
    draft.add(e.CallWithdrawn(seat.number, draft.now.at))
    settle(draft, say("again_record"), draft.round.began)


def catch(draft: Draft, command: c.Catch) -> None:
    """Catch a seat from a screen; `by` is who noticed, and the first tap for it is the moment."""
    _ = draft.playing
    seat = draft.player_in_round(command.seat)
    if command.by is not None:
        by = draft.player_in_round(command.by)
        if by.number == seat.number:
            raise refuse("catch_self", "R13")
    if _is_caught(draft, seat.number):
        raise refuse("catch_known", "R13", name=seat.who)
    draft.step("step_catch", name=seat.who)
    at = draft.now.at - command.ago_ms * MILLISECOND
    draft.add(e.CatchNamed(NamedCatch(draft.record_number(), at, seat.number, command.by)))
    settle(draft, say("again_record"))


def _is_caught(draft: Draft, seat: int) -> bool:
    """Whether somebody else has said so just now: two people who notice the same catch once.

    In free play drawn cards need no tick, so there only a recent catch is the same.
    """
    round_ = draft.round
    tapped = {named.number: named.at for named in round_.catches}
    since = draft.now.at - draft.timing.catch_look_back if round_.way == "free" else round_.began
    owed = {debt.ruling for debt in round_.debts}
    return any(
        claim.seat == seat
        and (claim.outcome is None or (claim.outcome == "caught" and claim.ruling in owed))
        and tapped.get(claim.record or 0, claim.catch.at) >= since
        for claim in round_.claims
    )
