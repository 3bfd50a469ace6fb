"""Notices of presses: lamps and screens show at once that a hand landed, whatever the disk does."""

from __future__ import annotations

from msgspec import Struct

from companion.referee.model.presses import Source


class PressNotice(Struct, frozen=True):
    """A push was seen; nothing is decided by it yet, and it may be shown but not counted."""

    button: int | None
    seat: int | None
    at: int
    source: Source
