"""What a turn in refereed play changes where no hands bear on it: most only move the turn on."""

from __future__ import annotations

from collections.abc import Mapping

from companion.referee.deadlines import next_due
from companion.referee.model.presses import Timing
from companion.referee.model.table import Calls, Evidence, Match, Round, Turn, Window

BY_HANDS = ("R12", "R13")
"""The rules by which presses are judged."""


def calls_after_turn(
    match: Match, round_: Round, evidence: Evidence, timing: Timing, now: int
) -> Calls | None:
    """Tell who may be caught and who has called after a turn; None where it takes a whole reading.

    It does where the turn laid a race, where something is open or was ruled since the turn before,
    and where hands came that the turn can bear on: they may be a call or a catch for its last card
    but one, or may have caught somebody before it. This gives what a reading would give.
    """
    turn = round_.turns[-1]
    before = round_.turns[-2] if len(round_.turns) > 1 else None
    if turn.card is not None and turn.card == match.edition.race_card:
        return None
    if match.house.hands_stay_down or round_.questions or next_due(round_) is not None:
        return None
    since = round_.began if before is None else before.at
    for ruling in match.rulings[-4:]:
        if since < ruling.at < now and ruling.rule in BY_HANDS:
            return None
    if _hands_bear_on(round_, evidence, timing, turn, before):
        return None
    calls = round_.calls
    if turn.left != 1 and calls.window is None and not calls.called:
        return calls
    closed = calls.closed
    if calls.window is not None and calls.window.call is not None:
        closed = (*closed, calls.window)
    window = Window(turn.number, turn.seat) if turn.left == 1 else None
    return Calls(window, closed, _still_called(round_, now - timing.look_back))


def _hands_bear_on(
    round_: Round, evidence: Evidence, timing: Timing, turn: Turn, before: Turn | None
) -> bool:
    """Whether somebody pressed, called or caught so lately that it can have to do with this turn.

    A player on one card before it may have called; what they pressed then was read at once.
    """
    since = round_.began if before is None else before.at
    caller = None
    if before is not None and before.left == 1:
        since -= timing.catch_look_back
        caller = before.seat
    own = since
    if turn.left == 1:
        since = min(since, turn.at - timing.catch_look_back)
        own = turn.at - timing.look_back - timing.call_lead
        caller = None
        if round_.ended is not None or _tapped_since(round_, own):
            return True
    for seat, runs in evidence.presses.items():
        if seat != caller and runs[-1][-1].at >= (own if seat == turn.seat else since):
            return True
    return False


def _tapped_since(round_: Round, since: int) -> bool:
    """Whether a call or a catch was tapped in on a screen since then."""
    taps = [*(call.at for call in round_.said), *(catch.at for catch in round_.catches)]
    return any(at >= since for at in taps)


def _still_called(round_: Round, shown_from: int) -> Mapping[int, int]:
    """The calls that are neither too old to be shown nor spent by drawing cards."""
    drew = round_.drew_at
    return {
        seat: at
        for seat, at in round_.calls.called.items()
        if at >= shown_from and at > drew.get(seat, (-1,))[-1]
    }
