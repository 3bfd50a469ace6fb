"""Messages to the broker, and the topics that they go to."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

ONLINE, OFFLINE = b"online", b"offline"
DELIVERED = 1
"""At least once: the broker confirms the message, or it is sent again."""


class Message(Struct, frozen=True):
    """One message, always acknowledged by the broker."""

    topic: str
    payload: bytes
    retain: bool = False
    keep: bool = False
    """Whether it is sent after an outage too."""
    until: float | None = None
    """When it is too late to tell it."""


class Topics(Struct, frozen=True):
    """The topic of each kind of message."""

    prefix: str

    @property
    def availability(self) -> str:
        """Whether the table is there at all."""
        return f"{self.prefix}/availability"

    @property
    def state(self) -> str:
        """How the match stands."""
        return f"{self.prefix}/state"

    @property
    def race(self) -> str:
        """Whether a Street Race is on."""
        return f"{self.prefix}/race"

    @property
    def ruling(self) -> str:
        """What was ruled last."""
        return f"{self.prefix}/ruling"

    @property
    def event(self) -> str:
        """What happens, as it happens."""
        return f"{self.prefix}/event"

    @property
    def retained(self) -> tuple[str, ...]:
        """All that the broker keeps."""
        return (self.availability, self.state, self.race, self.ruling)


def packed(value: Any) -> bytes:
    """Write a value as JSON."""
    return msgspec.json.encode(value)
