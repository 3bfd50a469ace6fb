"""What the ghost expects a push of a button to mean, and what falls due while time passes."""

from __future__ import annotations

from msgspec import structs

from companion.ghost.calls import call_stands, catch_by_push, catch_due, record_call, rule_catch
from companion.ghost.finish import settle, settle_slap_off, slap_off_due
from companion.ghost.moments import (
    HOLD,
    LOOK_BACK_TABLET,
    SETTLE,
    TABLET_DOUBT,
    Heard,
    Push,
)
from companion.ghost.races import OPEN, declare
from companion.ghost.truth import Raced, Refused, Round, Truth
from companion.referee import commands as c


def read(truth: Truth, push: Push, now: int) -> str | None:
    """Give a push its meaning, and tell which; none when it is not even remembered."""
    round_ = truth.round
    if round_ is None or push.seat not in round_.seats:
        return None
    match = truth.the_match()
    race = round_.race if round_.race is not None and round_.race.state in OPEN else None
    if race is not None and _slaps(race, push):
        meaning = "slap"
        if race.light is None or all(other.seat != push.seat for other in race.light.pushes):
            _add(round_, race, push)
    elif round_.out is not None:
        return None
    elif race is not None and push.seat != race.layer:
        meaning = "ignored"
    elif round_.way == "refereed" and round_.window and round_.window.seat != push.seat:
        meaning = catch_by_push(round_, push)
    elif _slapped_just_before(round_.race, push):
        meaning = "extra"
    else:
        meaning = "call"
        record_call(round_, push)
    if race is not None and race.state == "running" and meaning != "slap":
        _add(round_, race, push)
    truth.night.hear(push, meaning, in_race=race is not None)
    if meaning == "slap":
        settle(match, round_, now)
        if round_.race is not None and round_.race.state == "slap_off":
            settle_slap_off(match, round_, now)
    return meaning


def press_seat(truth: Truth, command: c.PressSeat | c.PhonePress, now: int) -> str:
    """A screen stands in for a button."""
    if command.seat not in truth.the_round().seats:
        raise Refused
    meaning = read(truth, _touch(command, now), now)
    if meaning is None:
        raise Refused
    return meaning


def hold_seat(truth: Truth, seat: int, pressed: int, now: int) -> None:
    """A screen says that a push on it is still held, and so lays a Street Race."""
    if seat not in truth.the_round().seats:
        raise Refused
    for h in truth.night.heard:
        held = h.push.screen and h.push.key == (seat, pressed)
        if held and now - pressed + h.push.doubt >= HOLD and _lays(truth, h):
            declare(truth, seat, "hold", pressed, now)
            return
    raise Refused


def _touch(command: c.PressSeat | c.PhonePress, now: int) -> Push:
    """Date a touch on a screen: when it comes to the table, or as the door has found out."""
    if isinstance(command, c.PressSeat):
        return Push(command.seat, now, TABLET_DOUBT, screen=True, released=now)
    at = min(command.at, now)
    return Push(command.seat, at, command.uncertainty, screen=True, released=at)


def let_go(truth: Truth, seat: int, pressed: int, at: int) -> bool:
    """A button comes up; tell whether anybody knew that it was down."""
    if not truth.night.release(seat, pressed, at):
        return False
    round_ = truth.round
    if round_ is not None and round_.race is not None and round_.race.state == "running":
        pushes = tuple(
            structs.replace(push, released=at) if push.key == (seat, pressed) else push
            for push in round_.race.pushes
        )
        round_.race = structs.replace(round_.race, pushes=pushes)
    return True


def next_due(truth: Truth) -> int | None:
    """When something happens next that nobody does."""
    round_ = truth.round
    if round_ is None:
        return None
    due = [
        h.push.at + HOLD for h in truth.night.heard if h.push.released is None and _lays(truth, h)
    ]
    caught = catch_due(truth)
    if caught is not None:
        due.append(caught)
    race = round_.race
    if race is not None and race.state == "running":
        due.append(race.deadline + SETTLE)
    if race is not None and race.light is not None:
        due.append(slap_off_due(race, race.light))
        if not race.light.lit:
            due.append(race.light.light_at)
    return min(due, default=None)


def pass_time(truth: Truth, now: int) -> bool:
    """Let happen what has become due; tell whether a hold has begun a race, which is a step."""
    round_ = truth.round
    if round_ is None:
        return False
    match = truth.the_match()
    laid = lay_what_was_held(truth, now, now)
    caught = catch_due(truth)
    if caught is not None and caught <= now:
        rule_catch(truth)
    race = round_.race
    if race is not None and race.light is not None:
        if now >= race.light.light_at:
            round_.race = structs.replace(race, light=structs.replace(race.light, lit=True))
        settle_slap_off(match, round_, now, time_is_up=True)
    settle(match, round_, now, time_is_up=True)
    return laid


def lay_what_was_held(truth: Truth, until: int, now: int) -> bool:
    """Let a button that was held long enough declare a race; tell whether one did."""
    for h in sorted(truth.night.heard, key=lambda h: (h.push.at, h.push.seat)):
        if (h.push.released or until) - h.push.at >= HOLD and _lays(truth, h):
            declare(truth, h.push.seat, "hold", h.push.at, now)
            return True
    return False


def _lays(truth: Truth, heard: Heard) -> bool:
    """Whether this push lays a Street Race, if it is held."""
    round_ = truth.round
    match = truth.match
    if match is None or round_ is None or "street-race" not in match.sheet.copies:
        return False
    race = round_.race
    if round_.out is not None or (race is not None and race.state in OPEN):
        return False
    push = heard.push
    if heard.raced or push.at <= round_.ruled_until:
        return False
    same = race is not None and race.state != "void" and race.layer == push.seat
    if race is not None and same and push.at - race.at <= LOOK_BACK_TABLET:
        return False
    window = round_.window
    if heard.meaning == "catch":
        return window is not None and call_stands(match, window, push)
    return heard.meaning == "call"


def _slaps(race: Raced, push: Push) -> bool:
    if race.light is not None:
        return push.seat in race.light.seats and push.at >= race.light.started
    return race.state == "running" and push.seat in race.racers


def _slapped_just_before(race: Raced | None, push: Push) -> bool:
    if race is None or race.state != "ruled" or push.seat not in race.racers:
        return False
    return any(p.seat == push.seat and p.at <= push.at < p.at + HOLD for p in race.pushes)


def _add(round_: Round, race: Raced, push: Push) -> None:
    if race.light is not None:
        light = structs.replace(race.light, pushes=(*race.light.pushes, push))
        round_.race = structs.replace(race, light=light)
    else:
        round_.race = structs.replace(race, pushes=(*race.pushes, push))
