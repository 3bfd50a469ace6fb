"""Limits: how much one address may ask for before it has to wait a little."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address

ADDRESSES = 4096
"""So many addresses are remembered; those that were quiet longest are forgotten first."""


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
