"""Invitations: the addresses to come to, as text and as codes for a camera.

The address in a code is the number of this machine in its network, because many phones do not know
names that end in `.local`.
"""

from __future__ import annotations

import io
from functools import lru_cache

from companion.settings.configuration import ServerSettings
from web.access.addresses import addresses
from web.access.pairing import Pairing, spoken

LIGHT_ON_DARK = "\x1b[97;40m"
PLAIN = "\x1b[0m"


class Invitations:
    """Writes the links of one table."""

    def __init__(self, server: ServerSettings, port: int, pairing: Pairing) -> None:
        self._server = server
        self._port = port
        self._pairing = pairing

    def places(self) -> list[str]:
        """Where the table can be reached now, the best address first."""
        return addresses(self._server.host, self._port, self._server.names)

    def watch(self) -> str:
        """The link for everyone who wants to look on."""
        return f"{self.places()[0]}/"

    def referee(self) -> str:
        """The link that makes a screen the referee's."""
        return f"{self.places()[0]}/?code={spoken(self._pairing.code)}"

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
