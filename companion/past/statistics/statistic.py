"""What a statistic is: queries on the read model, and what is told of their rows.

A query finds the chosen matches in two tables of its own: `chosen` (match) and `people` (match,
place, player, name). People are told apart by their names, and are the same person wherever a name
is spelt the same. Times are nanoseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct

Rows = list[tuple[Any, ...]]
Picture = Literal["own", "bars", "table"]
"""How the page draws it: in a picture of its own, or a generic one."""


class Statistic(Struct, frozen=True):
    """One figure, or one list of figures."""

    key: str
    """Its name in the answer of `/api/statistics`."""
    queries: tuple[str, ...]
    tell: Callable[..., object]
    """Makes what goes out as JSON of the rows of each query."""
    shape: Any
    """The type of that, from which the page's types are made."""
    picture: Picture = "own"


class PersonFigure(Struct, frozen=True):
    """A row of a statistic that is drawn in a generic picture."""

    name: str
    value: int


def counts(rows: Rows) -> tuple[PersonFigure, ...]:
    """Tell rows of two columns: a name, and a number."""
    return tuple(PersonFigure(*row) for row in rows)


def one(rows: Rows) -> object:
    """Tell a single figure."""
    return rows[0][0]


def column(rows: Rows) -> tuple[Any, ...]:
    """Tell the first column."""
    return tuple(row[0] for row in rows)


def longest_run(happened: Iterable[object]) -> int:
    """Tell how often in a row something happened at most."""
    longest = run = 0
    for yes in happened:
        run = run + 1 if yes else 0
        longest = max(longest, run)
    return longest


def spread(counted: dict[int, int]) -> tuple[int, ...]:
    """Tell how many lie in each step, up to the last one in which there are any."""
    return tuple(counted.get(step, 0) for step in range(max(counted, default=-1) + 1))
