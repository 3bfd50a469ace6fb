"""When the table must be told that time has passed."""

from __future__ import annotations

from companion.referee.model.table import Claim, Race, Round, Table


def next_deadline(table: Table) -> int | None:
    """The next moment at which something is ruled, or shown otherwise, without anybody's doing."""
    match = table.game.match
    if match is None or match.round is None:
        return None
    return next_due(match.round)


def next_due(round_: Round) -> int | None:
    """When time alone may change what the hands of this round mean."""
    due = round_.calls.due
    waiting: tuple[Race | Claim, ...] = (*round_.races, *round_.claims)
    for one in waiting:
        if one.due is not None and (due is None or one.due < due):
            due = one.due
    return due
