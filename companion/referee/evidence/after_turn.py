"""What a turn in refereed play changes where no hands bear on it: most only move the turn on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from companion.referee.deadlines import next_due
from companion.referee.evidence.material import presses_between
from companion.referee.model.edition import Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Press, Timing
from companion.referee.model.table import Calls, Claim, Evidence, Round, Turn, Window


def calls_after_turn(
    edition: Edition,
    house: HouseRules,
    round_: Round,
    evidence: Evidence,
    timing: Timing,
    now: int,
) -> Calls | None:
    """Tell who may be caught and who has called after a turn; None where it takes a whole reading.

    It does where the turn laid a race, where something is open, and where hands came that the turn
    can bear on: they may be a call or a catch for its last card but one, or may have caught
    somebody before it. This gives what a reading would give.
    """
    turn = round_.turns[-1]
    before = round_.turns[-2] if len(round_.turns) > 1 else None
    if turn.card is not None and turn.card == edition.race_card:
        return None
    if house.hands_stay_down or round_.questions or next_due(round_) is not None:
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

    A player on one card before it may have called; what they pressed then was read at once. What
    hands were read to mean before the next turn can have begun, they mean from then on.
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
    said: set[tuple[int, int]] | None = None
    for seat, runs in evidence.presses.items():
        first = own if seat == turn.seat else since
        latest = runs[-1][-1].at
        if seat == caller or latest < first:
            continue
        if latest >= turn.at - timing.turn_doubt:
            return True
        if said is None:
            said = _said(round_)
        claims = () if seat == turn.seat and turn.left == 1 else round_.claims
        presses = presses_between(evidence, seat, first, latest)
        if _says_more(presses, said, claims, timing):
            return True
    return False


def _said(round_: Round) -> set[tuple[int, int]]:
    """The presses that were slaps or calls, by seat and moment."""
    slaps = [press for race in round_.races if race.state == "ruled" for press in race.slaps]
    windows = [*round_.calls.closed, *([round_.calls.window] if round_.calls.window else ())]
    calls = [window.call for window in windows if window.call is not None]
    return {(press.seat, press.at) for press in (*slaps, *calls)}


def _says_more(
    presses: Iterable[Press],
    said: Collection[tuple[int, int]],
    claims: Collection[Claim],
    timing: Timing,
) -> bool:
    """Whether one of these presses of a seat is neither slap nor call, nor one of a catch's two."""
    caught: int | None = None
    for press in presses:
        if caught is not None and timing.catch_least <= press.at - caught <= timing.catch_most:
            caught = None
        elif any(
            claim.record is None and (claim.catch.seat, claim.catch.at) == (press.seat, press.at)
            for claim in claims
        ):
            caught = press.at
        elif (press.seat, press.at) not in said:
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
