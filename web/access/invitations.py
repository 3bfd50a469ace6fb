"""Invitations: the addresses to come to, as text and as codes for a camera.

The address in a code is the number of this machine in its network, because many phones do not know
names that end in `.local`.
"""

from __future__ import annotations

import io
import socket
from collections.abc import Callable
from functools import lru_cache

from companion.settings.configuration import ServerSettings
from web.access.codes import spoken
from web.access.network import hotspot, own_addresses
from web.access.pairing import Pairing

ANY_ADDRESS = ("", "0.0.0.0", "::")
LIGHT_ON_DARK = "\x1b[97;40m"
PLAIN = "\x1b[0m"


class Invitations:
    """Writes the links of one table."""

    def __init__(
        self, server: ServerSettings, port: int, pairing: Pairing, shown: Callable[[], str | None]
    ) -> None:
        self._server = server
        self._port = port
        self._pairing = pairing
        self._shown = shown

    def places(self) -> list[str]:
        """Where the table can be reached now, the best address first."""
        return addresses(self._server, self._port)

    def watch(self) -> str:
        """The link for everyone: to take a seat until the cards are dealt, or to look on."""
        return f"{self.places()[0]}/"

    def place(self) -> str:
        """Name the place that people are invited to, with or without a Wi-Fi to join first."""
        return self.watch() if hotspot() is None else f"{self.watch()}wifi"

    def referee(self) -> str:
        """The link on the board that makes one screen the referee's."""
        return f"{self.places()[0]}/?code={spoken(self._shown() or '')}"

    def phone(self, seat: int, player: int) -> str:
        """The link that pairs a phone with the player who sits there."""
        return f"{self.places()[0]}/seat/{seat}?code={spoken(self._pairing.code_of(player))}"


@lru_cache(maxsize=64)
def picture(link: str) -> bytes:
    """Draw a link as a code for a camera; dark on light in every theme, or cameras fail."""
    # Imported late: a table should open before anybody asks for a code.
    import segno

    drawn = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(
        drawn,
        kind="svg",
        border=4,
        dark="#000",
        light="#fff",
        omitsize=True,
        svgclass=None,
        lineclass=None,
    )
    return drawn.getvalue()


def in_letters(link: str) -> str:
    """Draw a link as a code in a terminal, light on dark whatever its colours are."""
    import segno

    drawn = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(drawn, border=2, compact=True)
    return "\n".join(f"{LIGHT_ON_DARK}{line}{PLAIN}" for line in drawn.getvalue().splitlines())


def addresses(server: ServerSettings, port: int) -> list[str]:
    """The addresses under which the table can be reached, the best one for a tablet first."""
    if server.address is not None:
        return [server.address]
    host = server.host
    if host not in ANY_ADDRESS:
        return [f"http://{_bracketed(host)}:{port}"]
    short = socket.gethostname().partition(".")[0].lower()
    own = f"{short}.local" if short != "localhost" else None
    all_names = dict.fromkeys([*own_addresses(), *server.names, own, "localhost"])
    return [f"http://{name}:{port}" for name in all_names if name]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
