"""Calls, and who caught whom without one."""

from __future__ import annotations

from msgspec import Struct

from companion.past.statistics.statistic import Rows, Statistic


class Caller(Struct, frozen=True):
    """Somebody's calls, and their part in forgotten ones."""

    name: str
    calls: int
    caught: int
    """Others caught without a call."""
    missed: int
    """Catches that were wrong."""
    forgot: int
    """Calls forgotten and paid for."""
    saved: int
    """Catches survived, because the call came first."""


def _told(rows: Rows) -> tuple[Caller, ...]:
    return tuple(Caller(*row) for row in rows)


CALLS = Statistic(
    "calls",
    (
        """
        SELECT name, sum(call) AS calls, sum(caught) AS caught, sum(missed), sum(forgot) AS forgot,
            sum(saved)
        FROM (
            SELECT match, player, fresh AS call, 0 AS caught, 0 AS missed, 0 AS forgot, 0 AS saved
            FROM calls
            UNION ALL SELECT match, by, 0, caught, NOT caught, 0, 0 FROM catches
            UNION ALL SELECT match, player, 0, 0, 0, caught, called FROM catches
        ) JOIN people USING (match, player)
        GROUP BY name
        HAVING sum(call + caught + missed + forgot + saved)
        ORDER BY sum(caught) DESC, sum(forgot), sum(call) DESC, name
        """,
    ),
    _told,
    tuple[Caller, ...],
)
