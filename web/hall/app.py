"""The hall's application: its doors and the guard around them."""

from __future__ import annotations

import mimetypes
from pathlib import Path

from flask import Flask, Request

from companion.hall.opening import Hall
from companion.settings.configuration import ServerSettings
from web.access.guard import Guard, GuardedApp
from web.access.invitations import addresses
from web.access.pairing import Pairing
from web.access.permissions import Sender
from web.api.bundles import keep_by_name
from web.hall.doors import HallDoors
from web.transport.compression import Compression

WEB = Path(__file__).parent.parent
LARGEST = 256 * 1024
"""Bytes: a list of all people that a hall has room for, with their clubs."""


class HallApplication(GuardedApp):
    """One open hall, served; called by the web server for every request."""

    def __init__(self, hall: Hall, pairing: Pairing, server: ServerSettings, port: int) -> None:
        self.hall = hall
        self.pairing = pairing
        self.holders = pairing.holders
        self.cookie = f"companion-{port}"
        self.flask = Flask(
            "web.hall", template_folder=str(WEB / "templates"), static_folder=str(WEB / "static")
        )
        self.flask.config["MAX_CONTENT_LENGTH"] = LARGEST
        keep_by_name(self.flask)
        mimetypes.add_type("text/javascript", ".js")

        def join_at() -> str:
            return f"{addresses(server, port)[0]}/join"

        HallDoors(hall, pairing, self.cookie, join_at).open(self.flask)
        self.flask.after_request(Compression())
        self._guarded = Guard(
            self.flask,
            names=server.all_names,
            places=server.clients,
            who=self._who,
            holder=self.holder,
            believe=self.holders.believe,
            largest=LARGEST,
        )

    def moved(self) -> None:
        """Every page asks for the address when it shows it."""

    def hang_up(self) -> None:
        """There are no live connections here; pages ask again."""

    def close(self) -> None:
        """Stop serving and close the hall."""
        self.hall.close()

    def _who(self, request: Request) -> Sender:
        session = self.pairing.session(request.cookies.get(self.cookie))
        if session is None or session == "referee":
            return Sender(session or "watcher")
        return Sender("player", player=session)
