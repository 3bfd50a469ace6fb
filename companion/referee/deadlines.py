"""When the table must be told that time has passed."""

from __future__ import annotations

from companion.referee.model.table import Table


def next_deadline(table: Table) -> int | None:
    """The next moment at which something is ruled, or shown otherwise, without anybody's doing."""
    match = table.game.match
    if match is None or match.round is None:
        return None
    round_ = match.round
    dues = (
        round_.calls.due,
        *(race.due for race in round_.races),
        *(claim.due for claim in round_.claims),
    )
    return min((at for at in dues if at is not None), default=None)
