"""The draw: who sits where next, by the format of the evening and a seed that everybody can see."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

from msgspec.structs import replace

from companion.hall.draw.seating import (
    Groups,
    in_groups,
    moved,
    movement,
    pair,
    spread,
    table_sizes,
)
from companion.hall.evening import DrawnRound, Evening, Seating
from companion.hall.standing import meetings, placed, standing

SHUFFLES = 200
"""So often the first round of a movement is shuffled to keep apart people who must not meet."""
SEATS = 4
"""The movements are made for tables of so many at most."""
GO_ON = 2
"""So many of each table go on in a knockout; of two only the winner."""


class NoDraw(Exception):
    """There is nothing to draw, for the reason that the code gives."""


def draw(
    evening: Evening, seed: int, chosen: Sequence[int] = (), number: int | None = None
) -> DrawnRound:
    """Draw the next round, or an earlier one once more; `chosen` names who plays in it.

    A pure function: the same evening and the same seed give the same seats.
    """
    number = len(evening.rounds) + 1 if number is None else number
    evening = before(evening, number)
    chance = Random(f"{evening.plan.seed}/{seed}/{number}")
    match evening.plan.format:
        case "free":
            raise NoDraw("free")
        case "knockout":
            groups, byes = _knockout(evening, chosen, chance)
        case "progressive":
            groups, byes = _progressive(evening, chosen, chance)
        case "swiss":
            groups, byes = _swiss(evening, chosen, chance)
        case "club":
            groups, byes = _club(evening, chosen, chance, number)
    if not groups:
        raise NoDraw("nobody")
    tables = table_numbers(evening, len(groups))
    seatings = (Seating(at, tuple(group)) for at, group in zip(tables, groups, strict=True))
    return DrawnRound(number, seed, tuple(seatings), tuple(byes), tuple(chosen))


def table_numbers(evening: Evening, count: int) -> list[int]:
    """Name so many tables: those that have joined first, then tables that play on paper."""
    joined = sorted(evening.tables)
    others = (number for number in range(1, count + len(joined) + 1) if number not in joined)
    return sorted([*joined, *others][:count])


def before(evening: Evening, number: int) -> Evening:
    """Give the evening as a draw of this round sees it."""
    return replace(evening, rounds=evening.rounds[: number - 1])


def _with_byes(
    evening: Evening, order: list[int], chance: Random, *, by_rank: bool = False
) -> tuple[list[int], list[int], list[int]]:
    """Tell who plays, who has a bye, and how big the tables are.

    All have a first bye before anybody has a second; in the Swiss way the last have it.
    """
    plan = evening.plan
    sizes = table_sizes(len(order), plan.least, plan.most)
    had = [person for drawn in evening.rounds for person in drawn.byes]
    waiting = order[::-1] if by_rank else chance.sample(order, len(order))
    waiting.sort(key=had.count)
    byes = waiting[: len(order) - sum(sizes)]
    return [one for one in order if one not in byes], byes, sizes


def _swiss(evening: Evening, chosen: Sequence[int], chance: Random) -> tuple[Groups, list[int]]:
    """People with as many points meet, and where that is possible no two meet twice."""
    order = _shuffled(evening, chosen, chance)
    points = {line.person: line.points for line in standing(evening)}
    order.sort(key=lambda one: -points.get(one, 0))
    players, byes, sizes = _with_byes(evening, order, chance, by_rank=True)
    groups = in_groups(players, sizes)
    return spread(groups, meetings(evening), evening.apart, chance, drift=1), byes


def _club(
    evening: Evening, chosen: Sequence[int], chance: Random, number: int
) -> tuple[Groups, list[int]]:
    """A fixed movement where one is known for so many people, else the search."""
    order = _shuffled(evening, chosen, chance)
    players, byes, sizes = _with_byes(evening, order, chance)
    moves = None
    if sizes and max(sizes) <= SEATS and not byes:
        moves = movement(len(sizes), max(evening.plan.rounds, number))
    if moves is not None and number == 1:
        for _ in range(SHUFFLES):
            first = in_groups(players, sizes)
            if _can_move(evening, first, moves):
                return first, byes
            chance.shuffle(players)
    elif moves is not None:
        first = [list(seating.people) for seating in evening.rounds[0].tables]
        if sorted(one for group in first for one in group) == sorted(players) and _as_moved(
            evening, first, moves
        ):
            return moved(first, moves[number - 1]), byes
    groups = in_groups(players, sizes)
    return spread(groups, meetings(evening), evening.apart, chance), byes


def _as_moved(evening: Evening, first: Groups, moves: list[Groups]) -> bool:
    """Whether the evening has followed the movement up to now, and can go on with it."""
    for drawn, places in zip(evening.rounds, moves, strict=False):
        there = {frozenset(seating.people) for seating in drawn.tables}
        if there != {frozenset(group) for group in moved(first, places)}:
            return False
    return _can_move(evening, first, moves)


def _can_move(evening: Evening, first: Groups, moves: list[Groups]) -> bool:
    """Whether every round has tables of the right size, and no two people meet who must not."""
    for groups in (moved(first, places) for places in moves):
        smallest, largest = min(map(len, first)), max(map(len, first))
        if not all(smallest <= len(group) <= largest for group in groups):
            return False
        if any(pair(*two) in evening.apart for group in groups for two in combinations(group, 2)):
            return False
    return True


def _progressive(
    evening: Evening, chosen: Sequence[int], chance: Random
) -> tuple[Groups, list[int]]:
    """The winner goes a table up, the last a table down; newcomers begin at the lowest."""
    here = _shuffled(evening, chosen, chance)
    goals: dict[int, tuple[int, int]] = {}
    if evening.rounds:
        latest = evening.rounds[-1]
        for at, seating in enumerate(latest.tables):
            for place, person in enumerate(in_order(evening, latest, seating)):
                goal = at
                if place == 0:
                    goal = max(at - 1, 0)
                elif place == len(seating.people) - 1:
                    goal = min(at + 1, len(latest.tables) - 1)
                goals[person] = (goal, place)
    # A bye changes no other table, so the order is made before anybody is left out.
    order = sorted(here, key=lambda one: goals.get(one, (len(here), 0)))
    players, byes, sizes = _with_byes(evening, order, chance)
    return spread(in_groups(players, sizes), {}, evening.apart, chance, drift=1), byes


def _knockout(evening: Evening, chosen: Sequence[int], chance: Random) -> tuple[Groups, list[int]]:
    """The first two of each table go on, or whom the desk has chosen."""
    if evening.rounds and not chosen:
        latest = evening.rounds[-1]
        if len(latest.tables) == 1 and not latest.byes:
            raise NoDraw("final")
        here = set(evening.here)
        going = [one for one in latest.byes if one in here]
        for seating in latest.tables:
            # Where one of the first two has left, the next one goes on instead.
            there = [one for one in in_order(evening, latest, seating) if one in here]
            going += there[: min(GO_ON, len(seating.people) - 1)]
        chosen = going
    order = _shuffled(evening, chosen, chance)
    players, byes, sizes = _with_byes(evening, order, chance)
    groups = in_groups(players, sizes)
    return spread(groups, meetings(evening), evening.apart, chance), byes


def in_order(evening: Evening, drawn: DrawnRound, seating: Seating) -> list[int]:
    """Put those of a table in the order of its result; without one they stay as they sit."""
    result = evening.counted().get((drawn.number, seating.table))
    places = {} if result is None else placed(result)
    return sorted(seating.people, key=lambda one: places.get(one, len(places) + 1))


def _shuffled(evening: Evening, chosen: Sequence[int], chance: Random) -> list[int]:
    here = sorted(set(chosen or evening.here))
    return chance.sample(here, len(here))
