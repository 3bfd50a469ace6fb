"""Limits and fair shares: how much anybody may have of what is scarce.

One address may ask for so much before it has to wait a little. Connections, threads and places at
the table are given out by what is held at that moment: the one that holds most gives way.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Collection, Iterable
from ipaddress import IPv6Address, ip_address
from typing import Any, TypeVar

from msgspec import Struct

ADDRESSES = 4096
"""So many addresses are remembered; those that were quiet longest are forgotten first."""

REFEREE, PLAYER, STRANGER = range(3)
"""Where two hold as much, a stranger gives way first, then a player."""
SHARES = (4, 4, 1)
"""A paired client with so many, in as many windows, counts like a stranger with one."""
HOLDER = "companion.holder"
"""Under this name a request carries its holder."""

T = TypeVar("T")


class Allowance:
    """So much at once for everyone, and so much again with every second that passes."""

    def __init__(
        self, at_once: float, a_second: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.at_once = at_once
        self.a_second = a_second
        self._clock = clock
        self._lock = threading.Lock()
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._spent)

    def charge(self, who: str, amount: float = 1.0) -> float:
        """Take so much, also where it is not there, and tell how long to wait for that."""
        with self._lock:
            wait = self._wait(who, amount)
            self._take(who, amount)
            return wait

    def take(self, who: str, wanted: float = 1.0) -> float:
        """Take so much if it is there; else take nothing, and tell how long to wait."""
        with self._lock:
            wait = self._wait(who, wanted)
            if not wait:
                self._take(who, wanted)
            return wait

    def _wait(self, who: str, wanted: float) -> float:
        return max(0.0, self._spent_by(who) + wanted - self.at_once) / self.a_second

    def _take(self, who: str, amount: float) -> None:
        self._spent[who] = (min(self.at_once, self._spent_by(who) + amount), self._clock())
        self._spent.move_to_end(who)
        while len(self._spent) > ADDRESSES:
            self._spent.popitem(last=False)

    def _spent_by(self, who: str) -> float:
        spent, at = self._spent.get(who, (0.0, 0.0))
        return max(0.0, spent - (self._clock() - at) * self.a_second)


def network(address: str) -> str:
    """Name who asks: one device may have very many IPv6 addresses, all in one network."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    return str(parsed.ipv4_mapped or int(parsed) >> 64)


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
