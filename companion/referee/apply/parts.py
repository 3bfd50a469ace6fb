"""Parts of the table: found, and put back changed while the rest stays shared."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec.structs import replace

from companion.referee.model.table import Match, Round, Table

K = TypeVar("K")
V = TypeVar("V")


def the_match(table: Table) -> Match:
    """Give the match; an event of a match never comes without one."""
    assert table.game.match is not None
    return table.game.match


def the_round(match: Match) -> Round:
    """Give the round; an event of a round never comes without one."""
    assert match.round is not None
    return match.round


def with_game(table: Table, **changes: Any) -> Table:
    """Change the game."""
    return replace(table, game=replace(table.game, **changes))


def with_match(table: Table, **changes: Any) -> Table:
    """Change the match."""
    return with_game(table, match=replace(the_match(table), **changes))


def put(mapping: Mapping[K, V], key: K, value: V) -> dict[K, V]:
    """Give the mapping with this entry set."""
    return {**mapping, key: value}


def drop(mapping: Mapping[K, V], key: K) -> Mapping[K, V]:
    """Give the mapping without this entry."""
    if key not in mapping:
        return mapping
    return {k: v for k, v in mapping.items() if k != key}
