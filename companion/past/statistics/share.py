"""What one match adds to the statistics, by name: a share for each person, and what lies between.

It is worked out once for a match and kept until that match changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct, field

from companion.referee.commands import Scoring


class Share(Struct):
    """One person's part in a match; times are nanoseconds."""

    races: int = 0
    first: int = 0
    lost: list[bool] = field(default_factory=list)
    """For each race, in order, whether it was lost."""
    behind: list[int] = field(default_factory=list)
    """How far behind the first hand of each race."""
    slaps: list[int] = field(default_factory=list)
    """How long after the light of a slap-off the hand really came."""
    calls: int = 0
    caught: int = 0
    missed: int = 0
    forgot: int = 0
    saved: int = 0
    left: list[int] = field(default_factory=list)
    """Points left in the hand, for each round in which somebody else went out."""
    won: list[int] = field(default_factory=list)
    """Points in all other hands, for each round in which they went out."""


class Shave(Struct, frozen=True):
    """The race that was decided by least."""

    loser: str
    saved: str
    margin: int
    match: int
    round: int
    ruling: int


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


class Part(Struct):
    """What a match adds."""

    number: int
    edition: str
    edition_name: str
    scoring: Scoring
    shares: dict[str, Share]
    """Everyone on the sheet, in its order."""
    winners: frozenset[str] = frozenset()
    rounds: int = 0
    races: int = 0
    dead_heats: int = 0
    shaves: list[Shave] = field(default_factory=list)
    beaten: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often the first of the two came behind the second."""
    duels: Counter[tuple[str, str]] = field(default_factory=Counter)
    """The same where they were last and last but one."""
    comebacks: list[Comeback] = field(default_factory=list)

    @property
    def happened(self) -> bool:
        """Whether there is anything to tell; a match started by mistake has nothing."""
        told = (
            share.calls or share.caught or share.missed or share.forgot or share.saved
            for share in self.shares.values()
        )
        return bool(self.rounds or self.races or any(told))

    @property
    def decided(self) -> bool:
        """Whether somebody has won it."""
        return bool(self.winners)


def longest_run(happened: Iterable[bool]) -> int:
    """Tell how often in a row something happened at most."""
    longest = run = 0
    for yes in happened:
        run = run + 1 if yes else 0
        longest = max(longest, run)
    return longest
