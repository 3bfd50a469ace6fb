"""What a hall asks of its broker, its own or one that is configured, and what a table is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

from companion.settings.broker import Home


class BrokerAccess(Struct, frozen=True):
    """What a table is told, this once, to reach the broker."""

    port: int
    password: str
    certificate: str
    """The authority that the table has to trust; empty where its system trusts it already."""
    host: str | None = None
    """None for the hall's own machine, under the name by which the table found it."""
    tls: bool = True

    def __repr__(self) -> str:
        """Show where, and never the secret."""
        return f"BrokerAccess({self.host}:{self.port})"


class BrokerSide(Protocol):
    """What a hall asks of its broker, its own or another."""

    def start(self, tables: Mapping[str, str], /) -> None:
        """Begin, with these users."""

    def let_in(self, tables: Mapping[str, str], /) -> None:
        """Let these tables in from now on, and no others."""

    def access(self, number: int, password: str, /) -> BrokerAccess:
        """Tell a table how to reach it, with its password or, where that is empty, a new one."""

    def as_hall(self) -> Home:
        """Tell how the hall itself reaches it."""

    def close(self) -> None:
        """End what was started."""
