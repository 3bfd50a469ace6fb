"""Points and wins: what rounds brought, who won how often, and from how far behind."""

from __future__ import annotations

from collections import defaultdict

import msgspec
from msgspec import Struct, field

from companion.past.statistics.statistic import Rows, Statistic, longest_run, spread
from companion.referee.commands import Scoring

COMEBACKS_TOLD = 5
POINT_STEP = 10
POINT_STEPS = 50

Leads = tuple[int, ...]


class Points(Struct, frozen=True):
    """What rounds brought somebody, in the same hands that both scorings count."""

    name: str
    rounds: int
    out: int
    """Rounds in which they went out."""
    left: int
    """Points left in their hands, in all."""
    won: int
    """Points in the others' hands when they went out, in all."""
    best: int | None
    """The most won in one round."""
    worst: int
    """The most left in one round."""
    left_spread: tuple[int, ...]
    """How many rounds in each step of 10 points, the last one with all above; without going out."""
    won_spread: tuple[int, ...]


class Winner(Struct, frozen=True):
    """What somebody won."""

    name: str
    matches: int
    rounds: int
    row: int
    """Most matches won in a row, of those they played that somebody won."""


class Rate(Struct, frozen=True):
    """How many matches of one kind somebody won, of those they played that somebody won."""

    name: str
    edition: str
    edition_name: str
    scoring: Scoring
    played: int
    won: int


class Comeback(Struct, frozen=True):
    """A match that was won from far behind."""

    name: str
    match: int
    scoring: Scoring
    behind: int
    """Points behind the best of those who played that round, at the worst."""
    rounds: int
    """How many rounds later the match was won."""
    leads: tuple[int, ...]
    """Points ahead of the best of the others after each round up to the win; behind is negative."""


class _Sum(Struct):
    """Points by step of 10: how many times, and what they come to."""

    times: int = 0
    points: int = 0
    most: int = 0
    steps: dict[int, int] = field(default_factory=dict)


def _summed(rows: Rows) -> dict[str, _Sum]:
    sums: dict[str, _Sum] = defaultdict(_Sum)
    for name, step, times, points, most in rows:
        known = sums[name]
        known.times += times
        known.points += points
        known.most = max(known.most, most)
        known.steps[step] = times
    return sums


def _points(lost: Rows, brought: Rows) -> tuple[Points, ...]:
    left, won = _summed(lost), _summed(brought)
    found = [
        Points(
            name=name,
            rounds=left[name].times + won[name].times,
            out=won[name].times,
            left=left[name].points,
            won=won[name].points,
            best=won[name].most if won[name].times else None,
            worst=left[name].most,
            left_spread=spread(left[name].steps),
            won_spread=spread(won[name].steps),
        )
        for name in left.keys() | won.keys()
    ]
    return tuple(sorted(found, key=lambda one: ((one.left - one.won) / one.rounds, one.name)))


_BY_STEP = f"""
SELECT name, min(points / {POINT_STEP}, {POINT_STEPS - 1}) AS step, count(*), sum(points),
    max(points)
FROM %s JOIN people USING (match, player) GROUP BY name, step
"""
POINTS = Statistic(
    "points",
    (
        _BY_STEP % "hands",
        _BY_STEP % "(SELECT match, out AS player, won AS points FROM rounds)",
    ),
    _points,
    tuple[Points, ...],
)


def _winners(rows: Rows) -> tuple[Winner, ...]:
    results: dict[str, list[int]] = defaultdict(list)
    rounds: dict[str, int] = defaultdict(int)
    for name, won, outs, counts in rows:
        rounds[name] += outs
        if counts:
            results[name].append(won)
    figures = (
        Winner(name, sum(results[name]), rounds[name], longest_run(results[name]))
        for name in rounds
    )
    active = [one for one in figures if one.matches or one.rounds]
    return tuple(sorted(active, key=lambda one: (-one.matches, -one.rounds, one.name)))


_RESULTS = """
SELECT match, name, max(winner) AS won, sum(outs) AS outs, max(decided) AND sum(played) AS counts
FROM players JOIN people USING (match, player) GROUP BY match, name ORDER BY match
"""
"""By match and name; what counts are rounds played in a match that somebody won."""
WINNERS = Statistic(
    "winners", (f"SELECT name, won, outs, counts FROM ({_RESULTS})",), _winners, tuple[Winner, ...]
)

RATES = Statistic(
    "rates",
    (
        f"""
        SELECT name, edition, (
            SELECT edition_name FROM matches AS other
            WHERE other.edition = matches.edition AND number IN (SELECT match FROM chosen)
            ORDER BY number DESC LIMIT 1
        ), scoring, count(*), sum(won)
        FROM ({_RESULTS}) JOIN matches ON match = number WHERE counts
        GROUP BY name, edition, scoring
        ORDER BY edition, scoring, sum(won) DESC, count(*), name
        """,
    ),
    lambda rows: tuple(Rate(*row) for row in rows),
    tuple[Rate, ...],
)


def _comebacks(rows: Rows) -> tuple[Comeback, ...]:
    return tuple(
        Comeback(name, match, scoring, behind, rounds, msgspec.json.decode(leads, type=Leads))
        for name, match, scoring, behind, rounds, leads in rows
    )


COMEBACKS = Statistic(
    "comebacks",
    (
        f"""
        SELECT name, match, scoring, behind, comebacks.rounds, leads FROM comebacks
        JOIN people USING (match, player) JOIN matches ON match = number
        ORDER BY behind DESC, comebacks.rounds, match, name LIMIT {COMEBACKS_TOLD}
        """,
    ),
    _comebacks,
    tuple[Comeback, ...],
)
