"""Which of the past matches somebody asks for: by number, by who played, and by which rules."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from companion.journal.match_list import MatchRecord
from companion.referee.commands import Scoring


class MatchFilter(Struct, frozen=True):
    """What is asked for; whatever is left out is asked of no match."""

    since: int | None = None
    until: int | None = None
    players: tuple[str, ...] = ()
    """All of them played, whoever else did."""
    alone: bool = False
    """These players and nobody else: the matches of a group."""
    edition: str | None = None
    scoring: Scoring | None = None

    def has(self, record: MatchRecord) -> bool:
        """Whether this match is one of those asked for."""
        sheet = record.sheet
        names = {player.name for player in sheet.players}
        return (
            (self.since is None or self.since <= record.number)
            and (self.until is None or record.number <= self.until)
            and names.issuperset(self.players)
            and (not self.alone or names == set(self.players))
            and self.edition in (None, sheet.edition)
            and self.scoring in (None, sheet.scoring)
        )


def chosen(records: Iterable[MatchRecord], wanted: MatchFilter) -> tuple[MatchRecord, ...]:
    """Pick the matches that are asked for, in the order in which they come."""
    return tuple(record for record in records if wanted.has(record))
