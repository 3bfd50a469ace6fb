"""Which of the past matches somebody asks for: by number, by who played, and by which rules."""

from __future__ import annotations

from msgspec import Struct

from companion.past.briefs import Brief
from companion.referee.commands import Scoring


class MatchFilter(Struct, frozen=True):
    """What is asked for; whatever is left out is asked of no match."""

    since: int | None = None
    until: int | None = None
    players: tuple[str, ...] = ()
    """All of them played, with or without others."""
    alone: bool = False
    """These players and no others: the matches of a group."""
    edition: str | None = None
    scoring: Scoring | None = None

    def has(self, brief: Brief) -> bool:
        """Whether this match is one of those asked for."""
        names = {player.name for player in brief.players}
        return (
            (self.since is None or self.since <= brief.number)
            and (self.until is None or brief.number <= self.until)
            and names.issuperset(self.players)
            and (not self.alone or names == set(self.players))
            and self.edition in (None, brief.edition)
            and self.scoring in (None, brief.scoring)
        )
