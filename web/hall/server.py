"""Serving the hall: the same two processes as a table, around another application."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from socket import gethostname
from typing import Any

import click
from msgspec.structs import replace

from companion.hall.commands import MOST_PEOPLE
from companion.hall.opening import Hall
from companion.hall.table.finding import Announcement
from companion.settings.configuration import DataFolder, Settings
from web.access.codes import new_code, spoken
from web.access.invitations import addresses
from web.access.pairing import Pairing
from web.hall.app import HallApplication
from web.server.server import TableServer, allow_many_connections, listen, run_server

HELPERS = 32
"""So many tablets may be paired with the one code of the helpers."""


def serve_hall(
    settings: Settings,
    folder: Path,
    host: str | None,
    port: int,
    broker_port: int,
    opened: Callable[[Hall], None] = lambda _hall: None,
    *,
    announced: bool = True,
) -> None:
    """Serve the hall until it is stopped; `opened` is called in the serving process.

    It is announced to the network that it serves.
    """
    server = replace(settings.server, host=host or settings.server.host, port=port)
    settings = replace(settings, server=server, data=DataFolder(folder))
    names = [place.removeprefix("http://").rpartition(":")[0] for place in addresses(server, port)]
    allow_many_connections()
    door = listen(server.host, port)

    def open_hall() -> Any:
        hall = Hall(folder, broker_port, [name.strip("[]") for name in names], settings.hall)
        if announced and not _is_local(server.host):
            hall.closing.append(Announcement(f"Hall on {gethostname()}", port).close)
        opened(hall)
        return hall

    run_server(HallServer(open_hall, settings, door, new_code(), click.echo))


def _is_local(host: str) -> bool:
    return host == "localhost" or host.startswith("127.") or host == "::1"


class HallServer(TableServer):
    """Starts gunicorn around one hall."""

    idle = MOST_PEOPLE
    """Every phone in the room keeps its connection between two looks at the hall."""
    grace = 12
    """Its broker goes last, after the tables on this machine have had their time to close."""

    def pairing(self, running: Any) -> Pairing:
        """Keep the sessions of everybody in the hall."""
        identity = running.keeper.journal_identity
        return self.kept_sessions(identity, MOST_PEOPLE, HELPERS)

    def application(self, running: Any, pairing: Pairing) -> Any:
        """Make what answers the requests."""
        return HallApplication(running, pairing, self._settings.server, self._port)

    def _invitation(self) -> str:
        place = self._places()[0]
        return "\n".join(
            [
                "The hall is open.",
                f"  Desk:     {place}/desk?code={spoken(self._code)}",
                f"  Screen:   {place}/hall",
                f"  Sign up:  {place}/join",
                "Tables join with the code that the desk shows.",
            ]
        )
