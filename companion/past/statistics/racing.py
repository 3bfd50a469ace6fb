"""Races: how fast hands are, who comes behind whom, and who fights for the last place."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec import Struct

from companion.past.statistics.statistic import Rows, Statistic, longest_run, spread
from companion.referee.model.presses import MILLISECOND

RIVALS_TOLD = 3
SLAP_STEP = 20 * MILLISECOND
SLAP_STEPS = 100
FEW = 60
NEVER = 1 << 62


class Slaps(Struct, frozen=True):
    """How fast somebody is, where the start is known: at the light of a slap-off."""

    count: int
    best: int
    lower: int
    """A quarter of them were faster."""
    median: int
    upper: int
    """A quarter of them were slower."""
    spread: tuple[int, ...]
    """How many in each step of 20 ms, the last one with all that were slower still."""
    times: tuple[int, ...]
    """Each of them, where they are few enough to be looked at one by one."""


class Hand(Struct, frozen=True):
    """How somebody raced."""

    name: str
    races: int
    first: int
    """Races against somebody else, in which this hand was surely the first."""
    last: int
    behind: int | None
    """On average behind the first hand of a Street Race."""
    safe: int
    """Most races in a row without a last place."""
    slaps: Slaps | None


class ClosestRace(Struct, frozen=True):
    """The race that was decided by least."""

    loser: str
    saved: str
    margin: int
    match: int
    round: int
    ruling: int


class Beaten(Struct, frozen=True):
    """How often somebody's hand came behind another's."""

    name: str
    by: str
    times: int


class Rivals(Struct, frozen=True):
    """Two who came in last and last but one, again and again."""

    names: tuple[str, str]
    duels: int
    lost: tuple[int, int]
    """How many of them each lost."""


def _hands(raced: Rows, behind: Rows, lit: Rows) -> tuple[Hand, ...]:
    """Everyone who raced, the fastest first."""
    first: Counter[str] = Counter()
    lost: dict[str, list[int]] = defaultdict(list)
    for name, was_first, was_last in raced:
        first[name] += was_first
        lost[name].append(was_last)
    times: dict[str, list[int]] = defaultdict(list)
    for name, time in lit:
        times[name].append(time)
    late: dict[str, int] = dict(behind)
    hands = [
        Hand(
            name=name,
            races=len(lost[name]),
            first=first[name],
            last=sum(lost[name]),
            behind=late.get(name),
            safe=longest_run(not was for was in lost[name]),
            slaps=_slaps(times[name]),
        )
        for name in lost.keys() | late.keys()
    ]
    hands.sort(key=lambda h: (NEVER if h.behind is None else h.behind, -h.first, h.name))
    return tuple(hands)


def _slaps(times: Sequence[int]) -> Slaps | None:
    if not times:
        return None
    return Slaps(
        count=len(times),
        best=times[0],
        lower=_quantile(times, 1),
        median=_quantile(times, 2),
        upper=_quantile(times, 3),
        spread=spread(Counter(min(time // SLAP_STEP, SLAP_STEPS - 1) for time in times)),
        times=tuple(times) if len(times) <= FEW else (),
    )


def _quantile(times: Sequence[int], quarters: int) -> int:
    """Find the time that so many quarters lie below, half-way between the two nearest."""
    place = quarters * (len(times) - 1)
    low, rest = times[place // 4], place % 4
    return low + (times[min(place // 4 + 1, len(times) - 1)] - low) * rest // 4


HANDS = Statistic(
    "hands",
    (
        """
        SELECT name, first, lost FROM racers JOIN people USING (match, player)
        ORDER BY match, racers.place
        """,
        """
        SELECT name, sum(after) / count(*) FROM slaps JOIN people USING (match, player)
        WHERE how <> 'slap_off' AND after IS NOT NULL AND NOT hammered GROUP BY name
        """,
        """
        SELECT name, after + handicap FROM slaps JOIN people USING (match, player)
        WHERE how = 'slap_off' AND after IS NOT NULL AND NOT hammered ORDER BY after + handicap
        """,
    ),
    _hands,
    tuple[Hand, ...],
)

SHAVE = Statistic(
    "shave",
    (
        """
        SELECT loser.name, saved.name, margin, match, round, ruling FROM duels
        JOIN people AS loser USING (match) JOIN people AS saved USING (match)
        WHERE loser.player = duels.loser AND saved.player = duels.saved
        AND margin IS NOT NULL AND loser.name <> saved.name
        ORDER BY margin, match, round, ruling LIMIT 1
        """,
    ),
    lambda rows: ClosestRace(*rows[0]) if rows else None,
    ClosestRace | None,
)

BEATEN = Statistic(
    "beaten",
    (
        """
        SELECT behind.name, ahead.name, count(*) FROM pairs
        JOIN people AS behind USING (match) JOIN people AS ahead USING (match)
        WHERE behind.player = pairs.behind AND ahead.player = pairs.ahead
        AND behind.name <> ahead.name
        GROUP BY behind.name, ahead.name ORDER BY behind.name, ahead.name
        """,
    ),
    lambda rows: tuple(Beaten(*row) for row in rows),
    tuple[Beaten, ...],
)


def _rivals(rows: Rows) -> tuple[Rivals, ...]:
    duels = {(loser, saved): times for loser, saved, times in rows}
    found = []
    for one, other in {(min(pair), max(pair)) for pair in duels}:
        lost = duels.get((one, other), 0), duels.get((other, one), 0)
        if sum(lost) > 1:
            found.append(Rivals((one, other), sum(lost), lost))
    return tuple(sorted(found, key=lambda pair: (-pair.duels, pair.names))[:RIVALS_TOLD])


RIVALS = Statistic(
    "rivals",
    (
        """
        SELECT loser.name, saved.name, count(*) FROM duels
        JOIN people AS loser USING (match) JOIN people AS saved USING (match)
        WHERE loser.player = duels.loser AND saved.player = duels.saved
        AND loser.name <> saved.name GROUP BY loser.name, saved.name
        """,
    ),
    _rivals,
    tuple[Rivals, ...],
)
