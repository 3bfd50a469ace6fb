"""This machine's network, and networks apart from it that only tests are in.

A browser breaks off what it loads when an address of this machine comes or goes.
"""

from __future__ import annotations

import ctypes
import fcntl
import itertools
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
NAMES = itertools.count()


def network_stays() -> AbstractContextManager[None]:
    """While this is held, no test on this machine adds or takes away an address."""
    return _holding(fcntl.LOCK_SH)


def network_changes() -> AbstractContextManager[None]:
    """Wait until no browser is at work, and keep browsers waiting meanwhile."""
    return _holding(fcntl.LOCK_EX)


@contextmanager
def _holding(kind: int) -> Iterator[None]:
    with (Path(tempfile.gettempdir()) / "table-companion-network").open("w") as turn:
        fcntl.flock(turn, kind)
        yield


def enter(network: str) -> None:
    """Let this thread, and all that it starts, be in a network apart."""
    new_net = 0x40000000
    with Path("/run/netns", network).open() as place:
        if ctypes.CDLL(None, use_errno=True).setns(place.fileno(), new_net):
            raise OSError(ctypes.get_errno(), f"{network} cannot be entered")


class Network:
    """A network apart, which has only its own loopback until it is connected."""

    def __init__(self) -> None:
        self.name = f"companion-{os.getpid()}-{next(NAMES)}"
        if (
            os.geteuid() != 0
            or subprocess.run(
                ["ip", "netns", "add", self.name], capture_output=True, check=False
            ).returncode
        ):
            pytest.skip("no network of its own can be made here")
        self.ip("link set lo up")
        self._inside = ThreadPoolExecutor(1, initializer=enter, initargs=(self.name,))

    def ip(self, words: str) -> None:
        """Change something of this network."""
        subprocess.run(["ip", "-n", self.name, *words.split()], check=True, capture_output=True)

    def connect(self, other: Network, subnet: str) -> str:
        """Lay a wire to another network; tell its end there, whose address ends with 1."""
        wire = f"wire{next(NAMES)}"
        self.ip(f"link add near type veth peer name {wire} netns {other.name}")
        other.ip(f"address add {subnet}.1/24 dev {wire}")
        other.ip(f"link set {wire} up")
        self.ip(f"address add {subnet}.2/24 dev near")
        self.ip("link set near up")
        return wire

    def run(self, question: Callable[[], T]) -> T:
        """Ask something from inside."""
        return self._inside.submit(question).result()

    def close(self) -> None:
        self._inside.shutdown()
        subprocess.run(["ip", "netns", "del", self.name], check=False, capture_output=True)

    def __enter__(self) -> Network:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
