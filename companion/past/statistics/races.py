"""Races summed up: who was first and last, how fast, and who comes behind whom."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from companion.past.highlights.highlights import RaceHighlight
from companion.past.statistics.share import Part, Shave

Names = Mapping[int, str]


def add_races(part: Part, races: Sequence[RaceHighlight], names: Names) -> None:
    """Add what is told of races; a Street Race and its slap-off are one."""
    known: dict[int, list[RaceHighlight]] = {}
    for race in races:
        known.setdefault(race.of, []).append(race)
    for together in known.values():
        _add_race(part, together, names)
    for race in races:
        _add_times(part, race, names)
        for behind, ahead in _pairs(race):
            if behind in names and ahead in names and names[behind] != names[ahead]:
                part.beaten[names[behind], names[ahead]] += 1
        _add_duel(part, race, names)


def _add_race(part: Part, together: Sequence[RaceHighlight], names: Names) -> None:
    """Count who raced, who was first and who lost; the slap-off decides what the race could not."""
    head = together[0]
    losers = next((race.last for race in reversed(together) if race.decided), ())
    part.races += 1
    part.dead_heats += head.heat
    first = _first(head)
    for player in (*(slap.player for slap in head.slaps), *head.unusable):
        if player in names:
            share = part.shares[names[player]]
            share.races += 1
            share.first += player == first
            share.lost.append(player in losers)


def _first(race: RaceHighlight) -> int | None:
    """Tell whose hand came first; nobody's in doubt, by hammering, or with nobody to beat."""
    if len(race.slaps) < 2 or race.unusable or any(slap.early for slap in race.slaps):
        return None
    first = race.slaps[0]
    clear = first.after is not None and not first.hammered and first.player not in race.tied
    return first.player if clear else None


def _add_times(part: Part, race: RaceHighlight, names: Names) -> None:
    """How long hands took: behind the first one, or after the light, which alone is a reaction."""
    for slap in race.slaps:
        if slap.after is None or slap.hammered or slap.player not in names:
            continue
        share = part.shares[names[slap.player]]
        if race.how == "slap_off":
            share.slaps.append(slap.after + slap.handicap)
        else:
            share.behind.append(slap.after)


def _pairs(race: RaceHighlight) -> Iterator[tuple[int, int]]:
    """Give each pair of racers whose order is known, the one behind first."""
    for ahead, behind in combinations(race.slaps, 2):
        one, other = ahead.player, behind.player
        if one in race.tied and other in race.tied:
            if race.decided and (one in race.last) != (other in race.last):
                yield (one, other) if one in race.last else (other, one)
        elif ahead.early or behind.early:
            if ahead.early != behind.early:
                yield (one, other) if ahead.early else (other, one)
        elif ahead.came:
            yield other, one


def _add_duel(part: Part, race: RaceHighlight, names: Names) -> None:
    """Note who was last before whom, where both hands came and only one of them lost."""
    if len(race.slaps) < 2 or race.unusable or not all(slap.came for slap in race.slaps):
        return
    one, other = race.slaps[-2].player, race.slaps[-1].player
    if not race.decided or len(race.last) != 1 or race.last[0] not in (one, other):
        return
    if one not in names or other not in names or names[one] == names[other]:
        return
    loser, saved = (one, other) if race.last[0] == one else (other, one)
    part.duels[names[loser], names[saved]] += 1
    if race.outcome == "last" and race.margin is not None:
        part.shaves.append(
            Shave(names[loser], names[saved], race.margin, part.number, race.round, race.ruling)
        )
