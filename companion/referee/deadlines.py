"""When the table must be told that time has passed."""

from __future__ import annotations

from companion.referee.race import race_due
from companion.referee.race_disputes import slap_off_deadline
from companion.referee.reading import next_hold
from companion.referee.table import Table
from companion.referee.uno import catch_due


def next_deadline(table: Table) -> int | None:
    """The next moment at which something is ruled without anybody's doing."""
    match = table.game.match
    if match is None or match.round is None:
        return None
    round_ = match.round
    due = [next_hold(table)]
    if round_.window is not None and round_.window.catch is not None:
        due.append(catch_due(table, round_.window))
    if round_.race is not None:
        due.append(race_due(round_.race, table.timing))
        due.append(slap_off_deadline(round_.race, table.timing))
    return min((at for at in due if at is not None), default=None)
