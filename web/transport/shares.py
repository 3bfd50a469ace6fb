"""Fair shares: who holds how much of what is scarce, and what has to go for a newcomer.

Connections, threads and places at the table are all given out by the same rule, from what is held
at that moment: the one that holds most gives way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any, TypeVar

from msgspec import Struct

from web.transport.limits import ADDRESSES, network

REFEREE, PLAYER, STRANGER = range(3)
"""Where two hold as much, a stranger gives way first, then a player."""
SHARES = (4, 4, 1)
"""A paired client with so many, in as many windows, counts like a stranger with one."""
HOLDER = "companion.holder"
"""Under this name a request carries its holder."""

T = TypeVar("T")


class Holder(Struct, frozen=True):
    """Somebody who holds a share: a referee's device, a player, or a stranger's address."""

    rank: int
    name: str
    seen: int = 0
    """How many the table had met before."""


class Holders:
    """Knows who asks, and remembers who was here first."""

    def __init__(self, proxies: Collection[str] = ()) -> None:
        self._proxies = frozenset(network(proxy) for proxy in proxies)
        self._seen: dict[str, int] = {}

    def address(self, peer: str, forwarded: str = "") -> str:
        """Tell the address of a client; only a proxy that the configuration names is believed."""
        if network(peer) in self._proxies and forwarded:
            return forwarded.rpartition(",")[2].strip()
        return peer

    def believe(self, environ: dict[str, Any]) -> None:
        """Take over what a proxy that the configuration names says of a request's client."""
        peer = str(environ.get("REMOTE_ADDR", ""))
        if network(peer) not in self._proxies:
            return
        environ["REMOTE_ADDR"] = self.address(peer, str(environ.get("HTTP_X_FORWARDED_FOR", "")))
        if host := environ.get("HTTP_X_FORWARDED_HOST"):
            environ["HTTP_HOST"] = host
        if environ.get("HTTP_X_FORWARDED_PROTO") == "https":
            environ["wsgi.url_scheme"] = "https"

    def person(self, rank: int, name: str) -> Holder:
        """Name somebody who is paired."""
        return self._met(rank, name)

    def stranger(self, address: str) -> Holder:
        """Name somebody who is known by an address alone."""
        return self._met(STRANGER, network(address))

    def _met(self, rank: int, name: str) -> Holder:
        """Those who came first are remembered, however many come after them."""
        seen = self._seen.get(name, ADDRESSES)
        if seen == ADDRESSES and len(self._seen) < ADDRESSES:
            seen = self._seen[name] = len(self._seen)
        return Holder(rank, name, seen)


def held_by_most(held: Iterable[tuple[T, Holder]], newcomer: Holder | None = None) -> list[T]:
    """List what the one holds who holds most, when a newcomer wants one more.

    Of two who hold as much, the lower rank gives way, then who came later. The list is empty when
    that would be the newcomer.
    """
    things = list(held)
    counts = Counter(holder for _, holder in things)
    if newcomer is not None:
        counts[newcomer] += 1
    if not counts:
        return []
    most = max(counts, key=lambda one: (counts[one] / SHARES[one.rank], one.rank, one.seen))
    return [] if most == newcomer else [thing for thing, holder in things if holder == most]
