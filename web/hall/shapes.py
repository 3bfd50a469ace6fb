"""The shapes of what the hall's pages show; the types of the page's scripts are made from them."""

from __future__ import annotations

from msgspec import Struct

from companion.hall.contract import Seated
from companion.hall.evening import Plan, RoundClock
from companion.hall.standing import StandingLine
from web.hall.permissions import HallRole


class Visitor(Struct, frozen=True):
    """Who asks for the evening, and when."""

    role: HallRole
    person: int | None
    """Their number on the list, where they have signed up with this phone."""
    now: int
    """The hall's own time in milliseconds, for a clock that counts down."""


class PersonShown(Struct, frozen=True):
    """Somebody on the list."""

    number: int
    name: str
    club: str
    here: bool


class SeatingShown(Struct, frozen=True):
    """A table of a round, and whether its result is in."""

    table: int
    people: tuple[int, ...]
    done: bool
    points: dict[int, int]


class DrawnRoundShown(Struct, frozen=True):
    """A round with its seats."""

    number: int
    seed: int
    tables: tuple[SeatingShown, ...]
    byes: tuple[int, ...]


class HandShown(Struct, frozen=True):
    """A hand of a race, with its player's name."""

    name: str
    after: int | None
    handicap: int


class BestShown(Struct, frozen=True):
    """Something of the evening that people talk about."""

    kind: str
    size: int
    table: int
    people: tuple[str, ...]
    round: int
    """The round of the hall, or 0."""
    hands: tuple[HandShown, ...]
    """The hands of the race in their order, for its photo finish."""
    light: bool


class RulingShown(Struct, frozen=True):
    """A ruling as the table gave it; the page says it in its own language."""

    rule: str
    code: str
    text: str
    parts: dict[str, str | int]


class PlayedRoundShown(Struct, frozen=True):
    """A round of a match: who went out, what the others held, and what was ruled."""

    out: int
    left: dict[int, int]
    rulings: tuple[RulingShown, ...]


class MatchShownByHall(Struct, frozen=True):
    """A match of a table behind a number of the standing."""

    table: int
    round: int
    sequence: int
    scoring: str
    names: tuple[str, ...]
    points: tuple[int, ...]
    reason: str
    timed: bool
    rounds: tuple[PlayedRoundShown, ...]


class MovedShown(Struct, frozen=True):
    """A table at which a correction lets others sit."""

    table: int
    before: tuple[int, ...]
    after: tuple[int, ...]


class RankShown(Struct, frozen=True):
    """What a correction changes for somebody in the standing."""

    person: int
    rank: tuple[int, int]
    points: tuple[int, int]
    """Before and after."""


class CorrectionShown(Struct, frozen=True):
    """What a correction would change, before anything is recorded."""

    version: int
    tables: tuple[MovedShown, ...]
    ranks: tuple[RankShown, ...]


class EveningShown(Struct, frozen=True):
    """What everybody may see."""

    version: int
    plan: Plan
    people: tuple[PersonShown, ...]
    rounds: tuple[DrawnRoundShown, ...]
    standing: tuple[StandingLine, ...]
    clock: RoundClock | None
    best: tuple[BestShown, ...]
    waiting: tuple[int, ...]


class ResultShown(Struct, frozen=True):
    """A result as it came, for the desk."""

    table: int
    match: int
    round: int
    ending: str
    adds_up: bool
    people: tuple[str, ...]
    points: tuple[int, ...]
    counts: bool
    timed: bool
    reason: str
    strangers: tuple[str, ...]


class TableShown(Struct, frozen=True):
    """A table as the desk sees it."""

    table: int
    joined: bool
    outside: bool
    """Whether it does not belong to the hall and speaks at its broker all the same."""
    here: bool
    since: str
    behind: bool
    foreign: bool
    twins: bool
    phase: str
    round: int
    people: tuple[Seated, ...]
    unsent: int
    ruling: RulingShown | None
    broken: tuple[int, ...]
    battery: int | None
    weak: bool


class DeskShown(Struct, frozen=True):
    """What only the desk sees."""

    tables: tuple[TableShown, ...]
    results: tuple[ResultShown, ...]
    apart: tuple[tuple[int, int], ...]
    helper_code: str | None
    table_code: str
    join: str
    broker: str | None
    """Why the broker is not reached, if it is not."""
    damage: str | None
    editions: tuple[tuple[str, str], ...]
    """What the hall may ask for, by key and name."""
    hosted: dict[int, int]
    """The ports of the tables on the hall's own machine, whose boards the desk can open."""
