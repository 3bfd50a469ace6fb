"""Tables on the hall's own machine, with phones as buttons: a club can begin with a laptop."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import click
from msgspec.structs import replace

from companion.common.processes import close_all, started_with
from companion.hall.opening import Hall
from companion.hall.table.membership import (
    CERTIFICATE,
    Membership,
    keep_membership,
    read_membership,
)
from companion.hall.table.tonight import before_tonight
from companion.keeping.folder_files import HOSTED


def host_tables(
    count: int, folder: Path, host: str | None, first_port: int
) -> Callable[[Hall], None]:
    """Give what opens so many tables beside a hall, each with a data folder and a port."""

    def opened(hall: Hall) -> None:
        places = [folder / HOSTED / str(number) for number in range(1, count + 1)]
        programs = [
            program
            for at, place in enumerate(places)
            for program in hosted_table(place, first_port + at, host, hall)
        ]
        hall.closing.append(lambda: close_all(programs))

    return opened


def hosted_table(folder: Path, port: int, host: str | None, hall: Hall) -> list[int]:
    """Open a table beside the hall; one that outlived an earlier hall goes on as it is."""
    words = ["-m", "companion", "run", "--data", str(folder), "--port", str(port)]
    words += ["--simulate", *(() if host is None else ("--host", host))]
    programs = [os.pidfd_open(one) for one in started_with(words)]
    number, same = belongs_to(hall, folder)
    if not same:
        # It speaks to a broker that is no more, and would never find the new one.
        close_all(programs)
        programs = []
    if not programs:
        programs = [os.pidfd_open(subprocess.Popen([sys.executable, *words]).pid)]
    hall.hosted[number] = port
    click.echo(f"Table {number} of the hall is on this machine, at port {port}.")
    return programs


def belongs_to(hall: Hall, folder: Path) -> tuple[int, bool]:
    """Let a table of this machine belong to the hall, under the number that it had before.

    Tells that number, and whether everything that the table needs to know is as it was.
    """
    membership = read_membership(folder)
    identity = secrets.token_hex(8) if membership is None else membership.identity
    # Asked for at every start: the broker may be another one, or at another port.
    password = "" if membership is None else membership.password
    table, access = hall.join(None, identity, password, before_tonight(folder))
    title = hall.keeper.evening.plan.title
    host = access.host or "127.0.0.1"
    member = Membership(
        table.number, identity, host, access.port, access.password, title, access.tls
    )
    same = membership is not None and replace(membership, title=title) == member
    with suppress(OSError):
        same = same and access.certificate == (folder / CERTIFICATE).read_text()
    keep_membership(folder, member, access.certificate)
    return member.table, same
