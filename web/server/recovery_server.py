"""Serves the safe page, by the same server and behind the same guard as the table's own page."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

import click

from companion.care.failed_starts import Failure
from companion.settings.configuration import Settings
from web.access.codes import new_code, spoken
from web.access.invitations import addresses
from web.access.pairing import Pairing
from web.server.recovery_page import RecoveryApplication
from web.server.server import FAREWELL, SESSIONS_FILE, TableServer, listen


def serve_safely(
    settings: Settings,
    failures: tuple[Failure, ...],
    support: Callable[[], bytes],
    say: Callable[[str], None] = click.echo,
) -> bool:
    """Serve the safe page until it is stopped; tell whether the table shall be tried again."""
    process = os.getpid()
    server = RecoveryServer(settings, failures, support, say)
    try:
        server.run()
    except SystemExit as end:
        if os.getpid() != process or end.code:
            raise
    return server.shall_try_again()


class RecoveryServer(TableServer):
    """Starts the same server around another application."""

    def __init__(
        self,
        settings: Settings,
        failures: tuple[Failure, ...],
        support: Callable[[], bytes],
        say: Callable[[str], None],
    ) -> None:
        door = listen(settings.server.host, settings.server.port)
        self._failures = failures
        self._support = support
        self._wish_out, self._wish_in = os.pipe()
        super().__init__(_no_table, settings, door, new_code(), say)

    def load(self) -> Any:
        """Make the page; this runs in the serving process."""
        return RecoveryApplication(
            self._settings.data.folder,
            self._failures,
            Pairing(
                self._settings.data.folder / SESSIONS_FILE,
                self._code,
                renewed=self._renewed,
                proxies=self._settings.server.proxies,
            ),
            port=self._port,
            names=self._settings.server.all_names,
            try_again=self._try_again,
            support=self._support,
        )

    def shall_try_again(self) -> bool:
        """Whether the referee has asked for another try."""
        os.set_blocking(self._wish_out, False)
        try:
            return bool(os.read(self._wish_out, 1))
        except BlockingIOError:
            return False

    def _try_again(self) -> None:
        os.write(self._wish_in, b"!")
        threading.Timer(FAREWELL, os.kill, (os.getppid(), signal.SIGTERM)).start()

    def _invitation(self) -> str:
        places = addresses(self._settings.server, self._port)
        lines = ["The table does not open. This page shows why, and leads back:"]
        return "\n".join(lines + [f"  {place}/?code={spoken(self._code)}" for place in places])


def _no_table() -> Any:
    raise AssertionError("the safe page has no table")
