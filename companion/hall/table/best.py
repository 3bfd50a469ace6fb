"""The best of a match, for the whole evening: its closest race, its fastest hand, its comeback."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from companion.hall.evening import Best, BestHand
from companion.past.highlights import Highlights, RaceHighlight
from companion.past.records import MatchSheet
from companion.referee.model.presses import MILLISECOND

MOST_HANDS = 10
FAR = 400 * MILLISECOND
"""A first hand that is further ahead than this was no answer to the card, or the others slept."""


def best_of(sheet: MatchSheet, highlights: Highlights) -> Iterator[Best]:
    """Find the closest race, the first hand that was furthest ahead, and the longest way back."""
    at = {one.player: place for place, one in enumerate(sheet.players)}
    whole = [race for race in highlights.races if all(slap.player in at for slap in race.slaps)]
    duels = [
        race for race in whole if race.margin and race.outcome == "last" and len(race.slaps) > 1
    ]
    if duels:
        closest = min(duels, key=lambda race: race.margin or 0)
        ahead, behind = (at[slap.player] for slap in closest.slaps[-2:])
        yield _race("race", closest.margin or 0, (ahead, behind), closest, at)
    leads = [(lead, race) for race in whole if 0 < (lead := _lead(race)) <= FAR]
    if leads:
        lead, race = max(leads, key=lambda one: one[0])
        yield _race("hand", lead, (at[race.slaps[0].player],), race, at)
    for player in sheet.winners[:1]:
        gaps = [(_behind(sheet, line, player), line) for line in range(len(sheet.rounds) - 1)]
        gap, line = max(gaps, default=(0, 0), key=lambda one: one[0])
        if gap > 0:
            yield Best("comeback", gap, (at[player],), sheet.rounds[line].number)


def _race(
    kind: Literal["race", "hand"],
    size: int,
    people: tuple[int, ...],
    race: RaceHighlight,
    at: Mapping[int, int],
) -> Best:
    hands = tuple(
        BestHand(at[slap.player], None if slap.hammered else slap.after, slap.handicap)
        for slap in race.slaps[:MOST_HANDS]
    )
    return Best(kind, size, people, race.round, hands, race.how == "slap_off")


def _lead(race: RaceHighlight) -> int:
    """Tell how far the first hand was ahead of the second; 0 where there are not two that count."""
    match [slap.after for slap in race.slaps[:2] if not slap.hammered]:
        case [int(first), int(second)]:
            return second - first
        case _:
            return 0


def _behind(sheet: MatchSheet, line: int, player: int) -> int:
    """Tell how many points somebody was away from the lead after a round."""
    after = sheet.rounds[line]
    if sheet.scoring == "alternative":
        return after.alternative.get(player, 0) - min(after.alternative.values(), default=0)
    return max(after.classic.values(), default=0) - after.classic.get(player, 0)
