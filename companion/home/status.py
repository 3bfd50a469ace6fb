"""How the home is reached, as the health of the table tells it."""

from __future__ import annotations

from msgspec import Struct


class HomeStatus(Struct, frozen=True):
    """How the home is reached; it means nothing for the game."""

    connected: bool
    since: str
    reason: str | None = None
    dropped: int = 0
    """Rulings that were never sent, because the broker was away for too long."""
