"""What the desk can ask of the hall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.hall.evening import Exact, Plan
from companion.referee.commands import snake

MOST_PEOPLE = 1000
LONGEST = 40
Name = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
Points = Annotated[int, Meta(ge=-99_999, le=99_999)]


class DeskBase(Struct, frozen=True, tag_field="kind", tag=snake, forbid_unknown_fields=True):
    """What all commands of the desk share."""


class PlanEvening(DeskBase, frozen=True):
    """Say how the evening is played."""

    plan: Plan


class SignUp(DeskBase, frozen=True):
    """Put people on the list, as they were typed or pasted: a name, perhaps a comma and a club."""

    people: tuple[str, ...]
    returning: bool = True
    """Whether this may bring somebody back who has left, as the desk does and no phone."""


class RenamePerson(DeskBase, frozen=True):
    """Change how somebody is called."""

    person: int
    name: Name


class Leave(DeskBase, frozen=True):
    """Let somebody take no further part."""

    person: int


class Return(DeskBase, frozen=True):
    """Let somebody take part again."""

    person: int


class KeepApart(DeskBase, frozen=True):
    """Let two people not meet, or let them meet again."""

    one: int
    other: int
    apart: bool = True


class DrawRound(DeskBase, frozen=True):
    """Draw and publish the next round, or the one that is on once more."""

    seed: Exact
    again: bool = False
    anyway: bool = False
    """Whether the results that are missing are not waited for."""
    chosen: Annotated[tuple[int, ...], Meta(max_length=1000)] = ()
    """The people who play, where the desk chooses them itself."""


class ChangePlaces(DeskBase, frozen=True):
    """Let two people of the round that is on change places."""

    one: int
    other: int


class SetClock(DeskBase, frozen=True):
    """Start, pause or go on with the clock of the round, or give it more time."""

    what: Literal["start", "pause", "resume", "more"]
    minutes: Annotated[int, Meta(ge=1, le=600)] = 5


class WriteResult(DeskBase, frozen=True):
    """Write the result of a table, which counts instead of what it sent."""

    round: int
    table: int
    points: Mapping[int, Points]
    reason: Annotated[str, Meta(max_length=200)] = ""
    redraw: bool = False
    """Whether people whom this concerns get other seats in the current round."""


class StrikeResult(DeskBase, frozen=True):
    """Take back what the desk wrote."""

    round: int
    table: int
    redraw: bool = False


class RemoveTable(DeskBase, frozen=True):
    """Let a table leave the hall."""

    table: int


DeskCommand = (
    PlanEvening
    | SignUp
    | RenamePerson
    | Leave
    | Return
    | KeepApart
    | DrawRound
    | ChangePlaces
    | SetClock
    | WriteResult
    | StrikeResult
    | RemoveTable
)
