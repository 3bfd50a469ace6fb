"""Past matches in brief: what a list of a thousand of them needs, and which are asked for."""

from __future__ import annotations

from sqlite3 import Connection

from msgspec import Struct

from companion.past.names import PlayerNames
from companion.referee.commands import Scoring


class BriefPlayer(Struct, frozen=True):
    """Somebody who played, with the points of the match's own scoring."""

    name: str
    points: int
    rounds: int
    """How many rounds they won."""


class Brief(Struct, frozen=True):
    """A match without its sheet."""

    number: int
    started: str
    ended: str | None
    edition: str
    edition_name: str
    scoring: Scoring
    rounds: int
    players: tuple[BriefPlayer, ...]
    winners: tuple[str, ...]


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


class ListedMatch(Struct, frozen=True):
    """A match in brief, as the read model has it; another object as soon as anything changes."""

    brief: Brief
    players: tuple[int, ...]
    """The numbers of those who played, in the order of the sheet."""


MATCHES = """
SELECT number, started, ended, edition, edition_name, scoring, rounds, end FROM matches
WHERE written > ?
"""
PLAYERS = """
SELECT number, player, points, outs, winner FROM matches JOIN players ON match = number
WHERE written > ? ORDER BY match, place
"""


def read_briefs(tables: Connection, names: PlayerNames, after: int) -> dict[int, ListedMatch]:
    """List the matches that were written down after a place in the journal, by number."""
    people: dict[int, list[tuple[int, int, int, int]]] = {}
    for number, *player in tables.execute(PLAYERS, (after,)):
        people.setdefault(number, []).append(tuple(player))
    found: dict[int, ListedMatch] = {}
    for *match, end in tables.execute(MATCHES, (after,)):
        number, started, ended, edition, edition_name, scoring, rounds = match
        there = people.get(number, [])
        called = [names.at(player, end) for player, *_ in there]
        players = tuple(
            BriefPlayer(name, points, outs)
            for name, (_, points, outs, _) in zip(called, there, strict=True)
        )
        winners = tuple(name for name, one in zip(called, there, strict=True) if one[3])
        rules = (edition, edition_name, scoring)
        brief = Brief(number, started, ended, *rules, rounds, players, winners)
        found[number] = ListedMatch(brief, tuple(player for player, *_ in there))
    return found
