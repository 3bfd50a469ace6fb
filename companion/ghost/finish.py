"""What the ghost expects of a finish: who slapped when, who was last, who cannot be told (R12)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from companion.ghost.moments import NEVER, SETTLE, SWITCH, Push
from companion.ghost.truth import Light, Match, Raced, Round


def slaps(match: Match, race: Raced, now: int) -> dict[int, Push]:
    """Each racer's slap: the first push that counts."""
    pushes = [
        push
        for push in sorted(race.pushes, key=lambda push: push.at)
        if push.seat in race.racers and push.at >= race.since and not _broken(race, push)
    ]
    if match.house.hands_stay_down:
        return _hands_down(race, pushes, min(now, race.deadline))
    first: dict[int, Push] = {}
    for push in pushes:
        if push.at <= race.deadline:
            first.setdefault(push.seat, push)
    return first


def settle(match: Match, round_: Round, now: int, *, time_is_up: bool = False) -> None:
    """Rule the race if nothing that is still to come could change it."""
    race = round_.race
    if race is None or race.state != "running":
        return
    found = slaps(match, race, now)
    waiting = set(race.racers) - set(race.aside) - set(found)
    over = time_is_up and now >= race.deadline + SETTLE
    if waiting and len(race.racers) > 1 and not over:
        return
    last = _who_was_last(race, race.racers, found)
    round_.ruled_until = max(
        round_.ruled_until, max((push.at for push in found.values()), default=now)
    )
    _decide(match, round_, last, missed=not any(seat in found for seat in last))


def settle_slap_off(match: Match, round_: Round, now: int, *, time_is_up: bool = False) -> None:
    """Rule a slap-off: too early loses, then the last hand."""
    race = round_.race
    if race is None or race.light is None:
        return
    light = race.light
    first: dict[int, Push] = {}
    for push in sorted(light.pushes, key=lambda push: push.at):
        if not _broken(race, push):
            first.setdefault(push.seat, push)
    early = [seat for seat in light.seats if seat in first and first[seat].at < light.light_at]
    waiting = set(light.seats) - set(race.aside) - {push.seat for push in light.pushes}
    over = time_is_up and now >= slap_off_due(race, light)
    if (early or waiting) and not over:
        return
    gaps = tuple(gap for gap in race.gaps if gap.until >= light.started)
    off = structs.replace(race, since=light.started, gaps=gaps)
    last = early or _who_was_last(off, light.seats, first)
    round_.ruled_until = max(
        round_.ruled_until, max((push.at for push in first.values()), default=now)
    )
    _decide(match, round_, last, missed=not any(seat in first for seat in last))


def slap_off_due(race: Raced, light: Light) -> int:
    """When a slap-off is ruled at the latest; an early hand ends it, once others had their time."""
    early = [
        push.at for push in light.pushes if push.at < light.light_at and not _broken(race, push)
    ]
    return (min(early) if early else light.deadline) + SETTLE


def _who_was_last(race: Raced, racers: Sequence[int], found: dict[int, Push]) -> list[int]:
    """Everyone behind whom nobody surely came; a broken button leaves its seat out of it.

    Where that leaves nobody to compare with, those left out may have been last as well.
    """
    seats = [seat for seat in racers if seat in found or seat not in race.aside]
    absent = [seat for seat in racers if seat not in seats]
    spans = {seat: _span(race, seat, found.get(seat)) for seat in seats}
    last = [
        seat
        for seat in seats
        if not any(_surely_later(race, other, seat, spans) for other in seats if other != seat)
    ]
    return last + absent if len(seats) < 2 else last


def _surely_later(race: Raced, one: int, other: int, spans: dict[int, tuple[int, int]]) -> bool:
    """Whether one hand counts as later than the other, whatever is in doubt about both."""
    soonest, latest = spans[one][0], spans[other][1]
    if latest == NEVER or soonest == NEVER:
        return latest < soonest
    ahead = race.starts.get(one, 0) - race.starts.get(other, 0)
    return soonest - latest > SWITCH + ahead


def _span(race: Raced, seat: int, push: Push | None) -> tuple[int, int]:
    """The earliest and the latest moment at which a hand may have come down."""
    earliest = NEVER if push is None else push.at - push.doubt
    latest = NEVER if push is None else push.at + push.doubt
    for gap in race.gaps:
        if (not gap.seats or seat in gap.seats) and gap.since < earliest:
            earliest = max(gap.since, race.since)
    return earliest, latest


def _hands_down(race: Raced, pushes: Sequence[Push], until: int) -> dict[int, Push]:
    """Where hands stay down, the race ends when all of them lie there at once."""
    waiting = set(race.racers) - set(race.aside)
    for moment in [push.at for push in pushes if push.at <= until] + [until]:
        down = {
            push.seat: push
            for push in pushes
            if push.at <= moment
            and (push.screen or push.released is None or push.released > moment)
        }
        if waiting <= set(down):
            break
    return down


def _decide(match: Match, round_: Round, last: Sequence[int], *, missed: bool) -> None:
    assert round_.race is not None
    if len(last) == 1 or (missed and match.house.no_slap == "all_draw"):
        lose(match, round_, tuple(last))
    else:
        race = structs.replace(round_.race, state="undecided", last=tuple(last), light=None)
        round_.race = race


def lose(match: Match, round_: Round, seats: tuple[int, ...]) -> None:
    """Let these seats have been last: each draws."""
    assert round_.race is not None
    for seat in seats:
        round_.owe(seat, match.sheet.race, "R12", race=round_.race.at)
    round_.race = structs.replace(round_.race, state="ruled", last=seats, light=None)


def _broken(race: Raced, push: Push) -> bool:
    return push.seat in race.aside and not push.screen
