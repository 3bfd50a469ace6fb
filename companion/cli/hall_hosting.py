"""Tables on the hall's own machine, with phones as buttons: a club can begin with a laptop."""

from __future__ import annotations

import secrets
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click

from companion.hall.opening import Hall
from companion.hall.table.membership import Membership, keep_membership, read_membership
from companion.keeping.folder_files import HOSTED

PATIENCE = 15.0
"""Seconds that a table has to close; its journal is safe either way."""


def host_tables(
    count: int, folder: Path, host: str | None, first_port: int
) -> Callable[[Hall], None]:
    """Give what opens so many tables beside a hall, each with a data folder and a port."""

    def opened(hall: Hall) -> None:
        processes = []
        for number in range(1, count + 1):
            place, port = folder / HOSTED / str(number), first_port + number - 1
            belongs_to(hall, place)
            words = ["run", "--data", str(place), "--port", str(port), "--simulate"]
            words += [] if host is None else ["--host", host]
            processes.append(subprocess.Popen([sys.executable, "-m", "companion", *words]))
            click.echo(f"A table of this machine opens at port {port}.")

        def close() -> None:
            for process in processes:
                process.terminate()
            for process in processes:
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()

        hall.closing.append(close)

    return opened


def belongs_to(hall: Hall, folder: Path) -> None:
    """Let a table of this machine belong to the hall, under the number that it had before."""
    known = read_membership(folder)
    identity = secrets.token_hex(8) if known is None else known.identity
    # Asked for at every start: the broker may be another one, or at another port.
    table, access = hall.join(None, identity)
    title = hall.keeper.evening.plan.title
    host = access.host or "127.0.0.1"
    member = Membership(
        table.number, identity, host, access.port, access.password, title, access.tls
    )
    keep_membership(folder, member, access.certificate)
