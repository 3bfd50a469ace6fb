"""Seating people: how many sit where, and the search that lets nobody meet twice without need.

All of it are pure functions of their values and a seed; the same seed gives the same seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from random import Random

from companion.hall.draw.movements import MOVEMENTS

Groups = list[list[int]]
Pair = tuple[int, int]

REPEAT, APART = 1_000, 10_000_000
"""What it costs that two meet again, and that two meet who must not; one table's way is 1."""
EFFORT = 80_000
"""So many seats are tried in all before the best that was found is taken."""
RAINBOW = (1, -1, 2, -2)
"""How many tables each of four seats moves on from round to round, where no data knows better."""


def pair(one: int, other: int) -> Pair:
    """Name two people in one way only."""
    return (one, other) if one < other else (other, one)


def table_sizes(people: int, least: int, most: int, tables: int | None = None) -> list[int]:
    """Share people out over as few tables as possible, as evenly as possible.

    People left over have a bye: where the numbers do not come out, or tables are missing.
    """
    for seated in range(people, 1, -1):
        count = -(-seated // most)
        if count * least <= seated and (tables is None or count <= tables):
            few, more = divmod(seated, count)
            return [few + 1] * more + [few] * (count - more)
    return [people] if people > 1 else []


def in_groups(order: Sequence[int], sizes: Iterable[int]) -> Groups:
    """Let people sit down in this order."""
    rest = iter(order)
    return [[next(rest) for _ in range(size)] for size in sizes]


def spread(
    groups: Groups,
    met: Mapping[Pair, int],
    apart: Iterable[Pair],
    chance: Random,
    *,
    drift: int = 0,
) -> Groups:
    """Change places until no two meet again and no two sit together who must not.

    With `drift`, each table that somebody is moved away counts so much. Where no seating is
    without fault, the best one that was found is taken.
    """
    search = _Search(groups, met, apart, drift)
    people = sum(map(len, groups))
    best, least = [list(group) for group in search.groups], search.strain()
    rounds = EFFORT // max(people, 1)
    forbidden: dict[int, int] = {}
    for now in range(rounds):
        strained = search.strained()
        if not strained or len(groups) == 1:
            break
        unhappy = [one for one in strained if forbidden.get(one, 0) <= now] or strained
        one = unhappy[chance.randrange(len(unhappy))]
        other = search.best_change(one, chance, forbidden, now)
        if other is None:
            # Everybody at the other tables has just moved, and may again in a moment.
            continue
        search.change(one, other)
        forbidden[one] = forbidden[other] = now + 2 + chance.randrange(4)
        strain = search.strain()
        if strain < least:
            best, least = [list(group) for group in search.groups], strain
    return best


class _Search:
    """The seats while people change places."""

    def __init__(
        self, groups: Groups, met: Mapping[Pair, int], apart: Iterable[Pair], drift: int
    ) -> None:
        self.groups = [list(group) for group in groups]
        self.home = {one: at for at, group in enumerate(groups) for one in group}
        self.at = dict(self.home)
        self.drift = drift
        self.costs: dict[int, dict[int, int]] = {one: {} for one in self.home}
        for (one, other), times in met.items():
            self._add(one, other, REPEAT * times * times)
        for one, other in apart:
            self._add(one, other, APART)

    def _add(self, one: int, other: int, cost: int) -> None:
        if one in self.costs and other in self.costs:
            for a, b in ((one, other), (other, one)):
                self.costs[a][b] = self.costs[a].get(b, 0) + cost

    def strain(self) -> int:
        return sum(
            self._beside(one, self.at[one]) + self._way(one, self.at[one]) for one in self.at
        )

    def strained(self) -> list[int]:
        return [one for one, at in self.at.items() if self.costs[one] and self._beside(one, at)]

    def best_change(
        self, one: int, chance: Random, forbidden: Mapping[int, int], now: int
    ) -> int | None:
        """Find who should change places with somebody; of several that are as good, any."""
        here, found, least = self.at[one], [], None
        for there, group in enumerate(self.groups):
            if there == here:
                continue
            arriving = self._beside(one, there) + self._way(one, there)
            costs = self.costs[one]
            for other in group:
                if forbidden.get(other, 0) > now:
                    continue
                cost = arriving - costs.get(other, 0)
                cost += self._beside(other, here) - self.costs[other].get(one, 0)
                cost += self._way(other, here) - self._beside(other, there)
                cost -= self._way(other, there)
                if least is None or cost < least:
                    found, least = [other], cost
                elif cost == least:
                    found.append(other)
        return found[chance.randrange(len(found))] if found else None

    def change(self, one: int, other: int) -> None:
        here, there = self.at[one], self.at[other]
        self.groups[here][self.groups[here].index(one)] = other
        self.groups[there][self.groups[there].index(other)] = one
        self.at[one], self.at[other] = there, here

    def _beside(self, one: int, at: int) -> int:
        costs = self.costs[one]
        return sum(costs.get(other, 0) for other in self.groups[at]) if costs else 0

    def _way(self, one: int, at: int) -> int:
        return self.drift * abs(at - self.home[one]) if self.drift else 0


def movement(tables: int, rounds: int) -> list[Groups] | None:
    """Tell for every round of a club night to which table each seat of the first round goes.

    By table and seat of the first round, for tables of at most four. None where no movement is
    known in which nobody meets twice; then the search finds the seats round by round.
    """
    if tables == 4:
        return _sixteen()[:rounds] if rounds <= 5 else None
    known: Sequence[Sequence[int]] = MOVEMENTS.get(tables, ())
    if len(known) < rounds:
        if rainbow_rounds(tables) < rounds:
            return None
        known = [[now * way for way in RAINBOW] for now in range(rounds)]
    return [
        [[(table + way) % tables for way in shifts] for table in range(tables)]
        for shifts in known[:rounds]
    ]


def moved(first: Groups, places: Groups) -> Groups:
    """Let everybody go from the first round to where the movement wants them."""
    groups: Groups = [[] for _ in first]
    for group, ways in zip(first, places, strict=True):
        for one, table in zip(group, ways, strict=False):
            groups[table].append(one)
    return groups


def rainbow_rounds(tables: int) -> int:
    """Tell for how many rounds the seats can move on by +1, -1, +2 and -2 tables."""
    gaps = {abs(one - other) for one, other in combinations(RAINBOW, 2)}
    return next(now for now in range(1, tables + 1) if any(not now * gap % tables for gap in gaps))


def _sixteen() -> list[Groups]:
    """Sixteen people in five rounds, in which everybody meets everybody once.

    A table and a seat are a point of a plane over the field of four elements, and a round is all
    lines of one direction; in the last one, those of one seat meet.
    """
    times = ((0, 0, 0, 0), (0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
    slopes = [
        [[table ^ times[slope][seat] for seat in range(4)] for table in range(4)]
        for slope in range(4)
    ]
    return [*slopes, [list(range(4)) for _ in range(4)]]
