"""How the service itself is doing, as anybody may know it."""

from __future__ import annotations

from msgspec import Struct


class Status(Struct, frozen=True):
    """What can be told without looking at the game."""

    version: int
    storage: str
    """`ok`, or a sentence about what cannot be saved."""
    damage: str | None
    """A sentence for the screen when the journal was found damaged."""
    bugs: int
    waiting: int
