"""What the ghost expects of calls and catches (R13)."""

from __future__ import annotations

from msgspec import structs

from companion.ghost.moments import (
    COOLDOWN,
    HOLD,
    MILLISECOND,
    SETTLE,
    TABLET_DOUBT,
    Push,
    together,
)
from companion.ghost.truth import Match, OnOne, Refused, Round, Truth
from companion.referee import commands as c


def call(truth: Truth, command: c.Call, at: int) -> None:
    """A screen says that somebody called."""
    round_ = truth.playing()
    if command.seat not in round_.seats:
        raise Refused
    record_call(round_, Push(command.seat, at, TABLET_DOUBT, screen=True, released=at))


def record_call(round_: Round, push: Push) -> None:
    """Write a call down; in an open window the earliest one counts."""
    round_.calls[push.seat] = (*round_.calls.get(push.seat, ()), push)
    window = round_.window
    if window is None or window.seat != push.seat or push.at < window.since:
        return
    if window.call is None or push.at < window.call.at:
        round_.window = structs.replace(window, call=push)


def withdraw_call(truth: Truth, command: c.WithdrawCall) -> None:
    """It was no call."""
    round_ = truth.the_round()
    if command.seat not in round_.seats:
        raise Refused
    if command.seat not in round_.calls:
        raise Refused("R13")
    del round_.calls[command.seat]
    if round_.window is not None and round_.window.seat == command.seat:
        round_.window = structs.replace(round_.window, call=None)


def check_catch(truth: Truth, command: c.Catch, at: int) -> None:
    """Nobody catches themselves, nor soon after a catch that failed."""
    round_ = truth.playing()
    if command.seat not in round_.seats:
        raise Refused
    if command.by is not None:
        if command.by not in round_.seats:
            raise Refused
        if command.by == command.seat or round_.cooldowns.get(command.by, 0) > _tapped(command, at):
            raise Refused("R13")


def catch(truth: Truth, command: c.Catch, at: int) -> None:
    """A screen says that somebody has not called, and who noticed."""
    match, round_ = truth.the_match(), truth.the_round()
    first = _tapped(command, at)
    window = round_.window
    if round_.way == "refereed" and window is not None and window.seat == command.seat:
        first = max(first, window.since)
    push = Push(command.by or 0, first, TABLET_DOUBT, screen=True, released=first)
    if round_.way == "free":
        calls = round_.calls.get(command.seat, ())
        said = [call for call in calls if call.at <= first][-1:] or list(calls[:1])
        round_.window = OnOne(command.seat, 0, said[0] if said else None, push)
    elif window is not None and window.seat == command.seat:
        round_.window = structs.replace(window, catch=push)
    else:
        _fail(match, round_, push)
    due = catch_due(truth)
    if due is not None and due <= at:
        rule_catch(truth)


def _tapped(command: c.Catch, at: int) -> int:
    """When the first of the taps was that said it."""
    return at - command.ago_ms * MILLISECOND


def catch_by_push(round_: Round, push: Push) -> str:
    """Somebody else pushed while a seat may be caught; the earliest of them is the catch."""
    window = round_.window
    assert window is not None
    if round_.cooldowns.get(push.seat, 0) > push.at:
        return "cooldown"
    if window.catch is None or push.at < window.catch.at:
        round_.window = structs.replace(window, catch=push)
    return "catch"


def catch_due(truth: Truth) -> int | None:
    """When the catch is ruled; one that fails and is still held may be a Street Race instead."""
    round_ = truth.round
    if round_ is None or round_.window is None or round_.window.catch is None:
        return None
    catch_ = round_.window.catch
    match = truth.the_match()
    may_be_race = "street-race" in match.sheet.copies and truth.night.down(catch_)
    fails = call_stands(match, round_.window, catch_)
    return catch_.at + (HOLD if may_be_race and fails else SETTLE)


def call_stands(match: Match, window: OnOne, catch_: Push) -> bool:
    """Whether the call was made before the catch, or nobody can tell."""
    if window.call is None:
        return False
    if together(window.call, catch_):
        return match.house.tie_goes_to == "caller"
    return window.call.at < catch_.at


def rule_catch(truth: Truth) -> None:
    """The catch is ruled, by what is known now."""
    match, round_ = truth.the_match(), truth.the_round()
    window = round_.window
    if window is None or window.catch is None:
        return
    stands = call_stands(match, window, window.catch)
    keeps = stands and round_.way == "refereed"
    if keeps:
        round_.window = structs.replace(window, catch=None)
    else:
        _shut(truth, round_)
    if stands:
        _fail(match, round_, window.catch)
    else:
        round_.owe(window.seat, match.sheet.caught, "R13")
        round_.ruled_until = max(round_.ruled_until, window.catch.at)


def close_window(truth: Truth) -> None:
    """The next turn has begun: it is too late to catch."""
    rule_catch(truth)
    _shut(truth, truth.the_round())


def _shut(truth: Truth, round_: Round) -> None:
    if round_.window is not None and round_.window.call is not None:
        truth.night.served(round_.window.call)
    round_.window = None


def _fail(match: Match, round_: Round, push: Push) -> None:
    """A wrong catch costs what the house says, and a while without catching."""
    if push.seat:
        if match.house.wrong_catch_draws:
            round_.owe(push.seat, match.house.wrong_catch_draws, "R13", failed=push.at)
        round_.cooldowns[push.seat] = push.at + COOLDOWN
