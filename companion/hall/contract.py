"""The contract between the hall and its tables: the topics, and what is said on each of them.

A table writes under its own user, so its number stands in the topic and not in what it says.
A change in the meaning of a field raises `CONTRACT`; new fields need a default.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from companion.hall.evening import Best, Count, Ending, Exact
from companion.referee.commands import Scoring

CONTRACT = 1
ALL = "hall/all"
CLOCK = f"{ALL}/clock"
LARGEST = 48_000
"""Bytes of a result; the broker takes a little more, and cuts off the sender of a larger one."""
MOST_RULINGS, MOST_PARTS = 40, 24
"""So many rulings of a round are told, each with so many parts at most."""
M = TypeVar("M", bound=Struct)
Name = Annotated[str, Meta(max_length=64)]
_MARK = re.compile("\u2039(\\d{1,2})\u203a")
Few = Annotated[int, Meta(ge=0, le=99)]
Points = Annotated[int, Meta(ge=-(10**9), le=10**9)]
"""More than any match has; a table that says more is not understood."""


def topic(table: int, what: str) -> str:
    """Name a topic of one table: here, state, result, ack or orders."""
    return f"hall/{table}/{what}"


def table_of(topic: str) -> tuple[int, str] | None:
    """Read whose topic it is, and what is said there."""
    match topic.split("/"):
        case ["hall", number, what] if number.isdecimal() and len(number) < 6:
            return int(number), what
        case _:
            return None


class Here(Struct, frozen=True):
    """`here`, by the table, kept by the broker; its last will says that it is gone."""

    contract: int
    here: bool = True
    release: Name = ""
    identity: Name = ""
    behind: bool = False
    """Whether its journal does not hold what the hall has of it: it was restored, or is another."""
    broken: tuple[Few, ...] = ()
    """Buttons that do not answer."""
    battery: Annotated[int, Meta(ge=0, le=100)] | None = None
    """Percent that are left, where it lives on a battery."""
    weak: bool = False
    """Whether its supply is too weak."""
    life: Name = ""
    """Drawn at each start: where an earlier one comes back, two tables have one number."""


class Seated(Struct, frozen=True):
    """Somebody at a table, and how many points they have in the match."""

    name: Name
    points: Points = 0


class SentRuling(Struct, frozen=True):
    """A ruling as a sentence with its parts; in a result people are marks in it, see `mark`."""

    rule: Name
    code: Name
    parts: Annotated[
        dict[Name, Annotated[str, Meta(max_length=200)] | Exact], Meta(max_length=MOST_PARTS)
    ] = {}


class TableState(Struct, frozen=True):
    """`state`, by the table, kept by the broker: how far it has come."""

    phase: Name
    people: Annotated[tuple[Seated, ...], Meta(max_length=10)] = ()
    round: Count = 0
    ruling: SentRuling | None = None
    """The last ruling, with names in it."""
    unsent: Count = 0
    """Results that the hall has not confirmed."""


class SentPlayer(Struct, frozen=True):
    """Somebody who played; with a start that was given to them, from that round on."""

    name: Name
    points: Points
    start: Points = 0
    since: Count = 0


class SentRound(Struct, frozen=True):
    """A round of a match: who went out, and the points in each hand, by place in the list."""

    out: Few
    left: Annotated[dict[Few, Points], Meta(max_length=10)]
    rulings: Annotated[tuple[SentRuling, ...], Meta(max_length=MOST_RULINGS)] = ()


class SentMatch(Struct, frozen=True):
    """A match as a table tells it."""

    match: Count
    ending: Ending
    scoring: Scoring
    players: Annotated[tuple[SentPlayer, ...], Meta(min_length=1, max_length=32)]
    winners: tuple[Few, ...] = ()
    rounds: Annotated[tuple[SentRound, ...], Meta(max_length=400)] = ()
    best: Annotated[tuple[Best, ...], Meta(max_length=8)] = ()

    def adds_up(self) -> bool:
        """Whether the totals are the sums of the rounds, and those won who were ahead after one.

        So a slip or a lie is noticed. Who has won stays so, also where others play on.
        """
        classic, won = self.scoring == "classic", set(self.winners)
        totals = [0 if classic else one.start for one in self.players]
        were_ahead = self.ending == "abandoned" and not won
        for at, line in enumerate(self.rounds):
            present = {line.out, *line.left}
            if max(present) >= len(totals):
                return False
            for one, points in line.left.items():
                if classic:
                    totals[line.out] += points
                elif at >= self.players[one].since:
                    totals[one] += points
            best = (max if classic else min)(totals[one] for one in present)
            were_ahead = were_ahead or won == {one for one in present if totals[one] == best}
        return were_ahead and totals == [one.points for one in self.players]


class SentResult(Struct, frozen=True):
    """`result`, by the table: one match, at its place in the table's journal.

    The sequence is the number of the event that made the result what it is. `before` is the
    sequence of the result before it, so that none can be left out. `begun` is the seal of the event
    with which the match began, by which it is known again from a table that was restored.
    """

    contract: int
    sequence: Count
    seal: Name
    before: Count
    before_seal: Name
    body: SentMatch
    begun: Name = ""


class Ack(Struct, frozen=True):
    """`ack`, by the hall, kept by the broker: up to here all results are on the hall's disk."""

    contract: int
    sequence: int
    seal: str


class Orders(Struct, frozen=True):
    """`orders`, by the hall, kept by the broker: who plays next at this table, and how."""

    contract: int
    revision: int
    """The version of the hall's evening; a smaller one is older."""
    round: int = 0
    seats: Annotated[tuple[Name, ...], Meta(max_length=10)] = ()
    edition: str | None = None
    scoring: Scoring | None = None
    done: bool = False
    """Whether the hall has the result of this round already."""


class SentClock(Struct, frozen=True):
    """`clock`, by the hall for all tables, kept by the broker: instants in milliseconds."""

    contract: int
    round: int = 0
    ends: int | None = None
    left: int = 0
    now: int = 0
    """The hall's own time when it was said, for tables whose clock is wrong."""


def mark(place: int) -> str:
    """Stand for somebody in a ruling by their place in the result, so that it holds no name."""
    return f"\u2039{place}\u203a"


def with_names(parts: Mapping[str, str | int], names: Sequence[str]) -> dict[str, str | int]:
    """Put names in the place of marks."""

    def name(found: re.Match[str]) -> str:
        at = int(found[1])
        return names[at] if at < len(names) else "?"

    return {
        key: _MARK.sub(name, part) if isinstance(part, str) else part for key, part in parts.items()
    }


def said(message: Struct) -> bytes:
    """Write a message."""
    return msgspec.json.encode(message)


def understood(payload: bytes, kind: type[M]) -> M | None:
    """Read a message; none where it is of another contract, or no such message at all."""
    try:
        message = msgspec.json.decode(payload, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return message if getattr(message, "contract", CONTRACT) == CONTRACT else None
