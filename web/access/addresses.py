"""The addresses under which the table can be reached on its network."""

from __future__ import annotations

import socket
from collections.abc import Iterable

ANY_ADDRESS = ("", "0.0.0.0", "::")


def addresses(host: str, port: int, names: Iterable[str] = ()) -> list[str]:
    """The addresses under which the table can be reached, the best one for a tablet first."""
    if host not in ANY_ADDRESS:
        return [f"http://{_bracketed(host)}:{port}"]
    short = socket.gethostname().partition(".")[0].lower()
    own = f"{short}.local" if short != "localhost" else None
    found = dict.fromkeys([own_address(), *names, own, "localhost"])
    return [f"http://{name}:{port}" for name in found if name]


def own_address() -> str | None:
    """This machine's address on its network; nothing is sent to find it out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address: str = probe.getsockname()[0]
        except OSError:
            return None
    return None if address.startswith(("127.", "0.")) else address


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
