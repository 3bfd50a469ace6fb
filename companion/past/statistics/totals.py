"""What there is in all: matches, rounds, races, and who has played."""

from __future__ import annotations

from companion.past.statistics.statistic import Statistic, column, one

MATCHES = Statistic(
    "matches",
    ("SELECT match FROM chosen WHERE match IN (SELECT match FROM rounds) ORDER BY match",),
    column,
    tuple[int, ...],
)
"""Those of which at least one round was counted."""
ROUNDS = Statistic("rounds", ("SELECT count(*) FROM rounds JOIN chosen USING (match)",), one, int)
RACES = Statistic(
    "races", ("SELECT coalesce(sum(head), 0) FROM races JOIN chosen USING (match)",), one, int
)
DEAD_HEATS = Statistic(
    "dead_heats",
    ("SELECT coalesce(sum(head AND heat), 0) FROM races JOIN chosen USING (match)",),
    one,
    int,
)
PEOPLE = Statistic(
    "people",
    ("SELECT name FROM people GROUP BY name ORDER BY min(match * 1000 + place)",),
    column,
    tuple[str, ...],
)
"""Everyone, in the order in which they first sat down."""
