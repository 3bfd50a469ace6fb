"""What the statistics tell, field by field, as it goes out in JSON; times are nanoseconds."""

from __future__ import annotations

from msgspec import Struct

from companion.past.statistics.share import Comeback, Shave
from companion.referee.commands import Scoring


class Slaps(Struct, frozen=True):
    """How fast somebody is, where the start is known: at the light of a slap-off."""

    count: int
    best: int
    lower: int
    """A quarter of them were faster."""
    median: int
    upper: int
    """A quarter of them were slower."""
    spread: tuple[int, ...]
    """How many in each step of 20 ms, the last one with all that were slower still."""
    times: tuple[int, ...]
    """Each of them, where they are few enough to be looked at one by one."""


class Hand(Struct, frozen=True):
    """How somebody raced."""

    name: str
    races: int
    first: int
    """Races against somebody else, in which this hand was surely the first."""
    last: int
    behind: int | None
    """On average behind the first hand of a Street Race."""
    safe: int
    """Most races in a row without a last place."""
    slaps: Slaps | None


class Beaten(Struct, frozen=True):
    """How often somebody's hand came behind another's."""

    name: str
    by: str
    times: int


class Rivals(Struct, frozen=True):
    """Two who came in last and last but one, again and again."""

    names: tuple[str, str]
    duels: int
    lost: tuple[int, int]
    """How many of them each lost."""


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


class Night(Struct, frozen=True):
    """Some matches summed up."""

    matches: tuple[int, ...]
    """Those of which at least one round was counted."""
    rounds: int
    races: int
    dead_heats: int
    people: tuple[str, ...]
    """Everyone, in the order in which they first sat down."""
    winners: tuple[Winner, ...]
    hands: tuple[Hand, ...]
    """Everyone who raced, the fastest first."""
    shave: Shave | None
    beaten: tuple[Beaten, ...]
    rivals: tuple[Rivals, ...]
    calls: tuple[Caller, ...]
    points: tuple[Points, ...]
    comebacks: tuple[Comeback, ...]
    rates: tuple[Rate, ...]
