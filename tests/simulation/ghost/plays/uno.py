"""How ghosts call UNO and catch each other: by one press, by two, by a press and a tap.

Nobody has touched a button for long when it begins, so everybody knows what a press was for.
"""

from __future__ import annotations

from companion.referee import commands as c
from tests.simulation.ghost.expects import calls
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.plays.racing import FORGOTTEN, TIME_LIMIT, ms
from tests.simulation.ghost.truth import MILLISECOND, SECOND

CLOSE = 60 * MILLISECOND
"""A call and a catch farther apart than this have a clear order, on a screen too."""
APART = 1_700 * MILLISECOND
"""Two presses of free play so far apart are no hands of a race."""
FEW = 2
"""After so many failed catches by pressing, the next one would be taken for nothing."""


def before_laying(ghost: Ghost, seat: int) -> None:
    """Call just before laying the card, perhaps; not while an earlier card is to be called for."""
    ghost.hush(FORGOTTEN)
    window = ghost.round.window
    if not ghost.chance(ghost.temper.call / 2) or (window is not None and window.seat == seat):
        return
    with ghost.busy_hands():
        _call(ghost, seat, ghost.now() + ms(ghost, 0, 300))
        ghost.wait(ms(ghost, 1_600, 2_500))
        if ghost.chance(0.2):
            # Somebody taps in as well what everybody has heard.
            _say_call(ghost, seat)


def on_one(ghost: Ghost, seat: int) -> None:
    """Somebody has one card left, and the table counts cards: call, forget it, or be caught."""
    window = ghost.round.window
    if window is None or window.seat != seat or window.call == calls.UNSURE:
        return
    with ghost.busy_hands():
        call, now = window.call, ghost.now()
        catch = now + ms(ghost, 200, 2_000) if ghost.chance(ghost.temper.catch) else None
        if call is None and ghost.chance(ghost.temper.call):
            tie = catch is not None and ghost.chance(ghost.temper.tie)
            at = catch if catch is not None and tie else now + ms(ghost, 100, 2_000)
            if catch is not None and not tie and abs(at - catch) < 2 * CLOSE:
                at = catch + 2 * CLOSE
            call = _call(ghost, seat, at)
        if catch is not None:
            _catch(ghost, seat, call, catch)
        ghost.wait(3 * SECOND)


def on_one_in_free_play(ghost: Ghost, seat: int) -> None:
    """The same where only people know the cards: who catches presses, and then it is tapped in."""
    ghost.hush(FORGOTTEN)
    with ghost.busy_hands():
        now, call = ghost.now(), None
        catcher = _somebody_else(ghost, seat)
        pressed = now + ms(ghost, 2_000, 4_000)
        caught = ghost.chance(ghost.temper.catch)
        presses = caught and ghost.truth.can_press(catcher) and ghost.chance(0.8)
        if ghost.chance(ghost.temper.call):
            if not presses and caught:
                call = _say_call(ghost, seat)
            else:
                together = presses and _may_meet(ghost) and ghost.chance(ghost.temper.tie)
                late = ghost.chance(0.2) * 2 * APART
                call = _call(ghost, seat, pressed if together else pressed - APART + late)
        if presses:
            ghost.push(catcher, pressed, ms(ghost, 30, 400))
            ghost.round.calls[catcher] = None
        ghost.wait(6 * SECOND)
        if caught:
            _tap(ghost, seat, catcher, pressed if presses else None, call)
        ghost.wait(SECOND)


def catch_on_the_tablet(ghost: Ghost, seat: int, by: int | None) -> None:
    """Somebody taps that a seat was caught, whether it can be or not."""
    ghost.hush(FORGOTTEN)
    ghost.wait(ms(ghost, 100, 900))
    window = ghost.round.window
    if window is not None and window.call == calls.UNSURE:
        return
    with ghost.busy_hands():
        if ghost.say(c.Catch(seat, by)) is not None:
            return
        ghost.wait(SECOND)
        ghost.unsettle()
        on_one = window is not None and window.seat == seat and window.call is None
        if on_one or ghost.round.way == "free":
            calls.caught(ghost.truth, seat)
        else:
            calls.caught_wrongly(ghost.truth, by)


def catch_too_late(ghost: Ghost, seat: int) -> None:
    """Tap that somebody was caught when the next card has just been told."""
    with ghost.busy_hands():
        by = _somebody_else(ghost, seat)
        ghost.wait(ms(ghost, 200, 900))
        if ghost.say(c.Catch(seat, by)) is not None:
            return
        ghost.unsettle()
        ghost.wait(SECOND)
        calls.caught_wrongly(ghost.truth, by)


def _call(ghost: Ghost, seat: int, at: int) -> int:
    """Call by the button, where it works; tell when."""
    if not ghost.truth.can_press(seat):
        return _say_call(ghost, seat)
    ghost.push(seat, at, ms(ghost, 30, 300))
    calls.called(ghost.round, seat, at)
    return at


def _say_call(ghost: Ghost, seat: int) -> int:
    ghost.wait(ms(ghost, 50, 150))
    ghost.say(c.Call(seat))
    ghost.unsettle()
    return ghost.now()


def _catch(ghost: Ghost, seat: int, call: int | None, at: int) -> None:
    """Catch by pressing twice, or on the tablet, once the card was told."""
    round_ = ghost.round
    by = _somebody_else(ghost, seat)
    able = ghost.truth.can_press(by) and round_.failed.get(by, 0) < FEW
    if able and (call == at or ghost.chance(0.7)):
        ghost.push(by, at, ms(ghost, 30, 200))
        ghost.push(by, at + ms(ghost, 300, 1_000), ms(ghost, 30, 200))
        ghost.wait(at - ghost.now() + 2 * SECOND)
        ghost.oracle.happened(at)
        round_.calls[by] = None
        _rule(ghost, seat, by, _stands(ghost, call, at))
        round_.failed[by] = round_.failed.get(by, 0) + 1
    else:
        ghost.wait(max(at, call or 0) - ghost.now() + ms(ghost, 150, 1_000))
        if ghost.say(c.Catch(seat, by)) is not None:
            return
        ghost.unsettle()
        ghost.wait(SECOND)
        _rule(ghost, seat, by, call is not None)


def _tap(ghost: Ghost, seat: int, by: int, pressed: int | None, call: int | None) -> None:
    """Tap in whom somebody has caught, and perhaps who it was."""
    slowly = ghost.luck.choice((0, 0, ghost.luck.randrange(1_000)))
    named = ghost.chance(0.7)
    if ghost.say(c.Catch(seat, by if named else None, slowly)) is not None:
        return
    ghost.unsettle()
    ghost.wait(SECOND)
    stands = call is not None if pressed is None else _stands(ghost, call, pressed)
    _rule(ghost, seat, by if named or pressed is not None else None, stands)


def _stands(ghost: Ghost, call: int | None, catch: int) -> bool:
    """Whether the call came first, or nobody can tell and the house lets it stand."""
    if call == catch:
        return ghost.match.house.tie_goes_to == "caller"
    return call is not None and call < catch


def _rule(ghost: Ghost, seat: int, by: int | None, stands: bool) -> None:
    if stands:
        ghost.round.saved |= {seat}
        calls.caught_wrongly(ghost.truth, by)
    else:
        calls.caught(ghost.truth, seat)


def _somebody_else(ghost: Ghost, seat: int) -> int:
    return ghost.luck.choice([other for other in ghost.round.seats if other != seat])


def _may_meet(ghost: Ghost) -> bool:
    """Whether two hands at once cannot be taken for a race."""
    players = len(ghost.round.seats)
    return "street-race" not in ghost.match.sheet.copies or players == 2 or players > 4


def fidget(ghost: Ghost) -> None:
    """Tap a button for no reason; it stands as a call until somebody takes it back."""
    seat = ghost.luck.choice(ghost.round.seats)
    if ghost.truth.seats[seat].button is None:
        return
    ghost.hush(TIME_LIMIT)
    with ghost.busy_hands():
        at = ghost.now() + ms(ghost, 100, 500)
        ghost.push(seat, at, ms(ghost, 20, 5_000))
        ghost.wait(3 * SECOND)
        if ghost.truth.can_press(seat):
            calls.called(ghost.round, seat, at)
    if ghost.chance(0.3) and ghost.offers_a_press():
        ghost.say(c.Undo())
        ghost.unsettle()
