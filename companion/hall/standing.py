"""The standing: points from places, and what decides where they are level, with all sums shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from msgspec import Struct

from companion.hall.draw.seating import Pair, pair
from companion.hall.evening import Evening, Result

PLACE_POINTS = (4, 2, 1, 0)
BYE_POINTS = 2


class Score(Struct, frozen=True):
    """What one round gave somebody; a bye has no table."""

    round: int
    points: int
    place: int | None = None
    scored: int = 0
    table: int | None = None
    event: int = 0
    """The event of the hall's journal with the match; 0 where the desk wrote it."""
    beside: tuple[int, ...] = ()


class StandingLine(Struct, frozen=True):
    """Where somebody stands, and from what that adds up."""

    rank: int
    person: int
    points: int
    scored: int
    head_to_head: int
    """How often they were before those who are level with them, less how often behind."""
    opponents: int
    """The points of all whom they met."""
    scores: tuple[Score, ...]
    rivals: tuple[tuple[int, int], ...] = ()
    """Those who are level with them and whom they met, and what head to head that gave."""
    reached: int = 0
    """The last round that they were in, in a knockout: there it counts before all points."""


def placed(result: Result) -> dict[int, int]:
    """Tell the place of everybody the hall knows; people who are level share the better place."""
    fewest = result.scoring == "alternative"
    worth = {
        one.person: -one.points if fewest else one.points for one in result.places if one.person
    }
    everybody = [-one.points if fewest else one.points for one in result.places]
    won = {result.places[at].person for at in result.winners if at < len(result.places)}
    return {
        person: 1 if person in won else 1 + sum(other > points for other in everybody)
        for person, points in worth.items()
    }


def points_for(place: int) -> int:
    """Tell what a place is worth."""
    return PLACE_POINTS[place - 1] if place <= len(PLACE_POINTS) else 0


def scores_of(evening: Evening) -> dict[int, list[Score]]:
    """Gather what every round gave to everybody."""
    scores: dict[int, list[Score]] = {person: [] for person in evening.people}
    for (number, table), result in sorted(evening.counted().items()):
        places = placed(result)
        for one in result.places:
            if one.person not in scores:
                continue
            place = places[one.person]
            scored = -one.points if result.scoring == "alternative" else one.points
            beside = tuple(other for other in places if other != one.person)
            scores[one.person].append(
                Score(max(number, 0), points_for(place), place, scored, table, result.event, beside)
            )
    for drawn in evening.rounds:
        for person in drawn.byes:
            scores[person].append(Score(drawn.number, BYE_POINTS))
    for lines in scores.values():
        lines.sort(key=lambda one: (one.round, one.event))
    return scores


def standing(evening: Evening) -> tuple[StandingLine, ...]:
    """Put everybody in order: points, points scored, head to head, then the opponents' points.

    In a knockout people who come further are ahead, and in the same round who does better there.
    """
    scores = scores_of(evening)
    reached = _reached(evening)
    there = {
        person: sum(one.points for one in lines if one.round == reached.get(person))
        for person, lines in scores.items()
    }
    points = {person: sum(one.points for one in lines) for person, lines in scores.items()}
    scored = {person: sum(one.scored for one in lines) for person, lines in scores.items()}

    def before_they_met(person: int) -> tuple[int, ...]:
        return reached.get(person, 0), there[person], points[person], scored[person]

    level: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for person in scores:
        level[before_they_met(person)].append(person)
    head = _head_to_head(evening, level.values())
    met = {
        person: sum(points[other] for one in lines for other in one.beside if other in points)
        for person, lines in scores.items()
    }

    def key(person: int) -> tuple[int, ...]:
        return *before_they_met(person), sum(head[person].values()), met[person]

    # Everybody who has played is in the standing, and those who have not only while they are here.
    listed = [one for one in scores if scores[one] or evening.people[one].here]
    order = sorted(listed, key=key, reverse=True)
    lines, rank = [], 0
    for at, person in enumerate(order):
        if at == 0 or key(person) != key(order[at - 1]):
            rank = at + 1
        line = StandingLine(
            rank,
            person,
            points[person],
            scored[person],
            sum(head[person].values()),
            met[person],
            tuple(scores[person]),
            tuple(sorted(head[person].items())),
            reached.get(person, 0),
        )
        lines.append(line)
    return tuple(lines)


def _reached(evening: Evening) -> dict[int, int]:
    """Tell the last round that everybody was in, in a knockout; elsewhere it decides nothing."""
    if evening.plan.format != "knockout":
        return {}
    return {person: drawn.number for drawn in evening.rounds for person in drawn.people}


def meetings(evening: Evening) -> dict[Pair, int]:
    """Count how often two people were seated together."""
    met: dict[Pair, int] = defaultdict(int)
    for drawn in evening.rounds:
        for seating in drawn.tables:
            for at, one in enumerate(seating.people):
                for other in seating.people[at + 1 :]:
                    met[pair(one, other)] += 1
    return dict(met)


def _head_to_head(evening: Evening, level: Iterable[list[int]]) -> dict[int, dict[int, int]]:
    rivals = {person: frozenset(group) for group in level for person in group}
    head: dict[int, dict[int, int]] = {person: {} for person in rivals}
    for result in evening.counted().values():
        places = placed(result)
        for person, place in places.items():
            for other, behind in places.items():
                if person != other and other in rivals.get(person, ()):
                    balance = (behind > place) - (behind < place)
                    head[person][other] = head[person].get(other, 0) + balance
    return head
