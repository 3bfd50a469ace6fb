"""`companion safe`: the page that tells why the table does not open, and leads back."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import click
from msgspec.structs import replace

from companion.care.failed_starts import Starts
from companion.cli.bundler import takeaways
from companion.cli.options import door_options, place_options
from companion.cli.problems import problem, problems_told
from companion.common.log_file import LogFile
from companion.settings.configuration import (
    BadConfiguration,
    DataFolder,
    ServerSettings,
    Settings,
    examine,
    parse,
)

TRIED_BY_HAND = "COMPANION_TRY_AGAIN"
"""Tells a start that somebody wants it in spite of everything."""
AS_STARTED = {name: value for name, value in os.environ.items() if name != TRIED_BY_HAND}
"""The environment before the server takes systemd's address out of it."""


@click.command()
@place_options
@door_options
@click.option("--simulate", is_flag=True, hidden=True)
def safe(
    config: Path | None, data: Path | None, host: str | None, port: int | None, simulate: bool
) -> None:
    """Show on a page why the table does not open.

    The page has the log and the backups, and leads back. `companion run` does this by itself when
    the table has failed to open three times in a row.
    """
    # Imported late: the other commands need no web server.
    from web.server.recovery_server import serve_safely
    from web.server.server import CannotServe

    settings, starts = lenient(config, data, host, port)
    with problems_told(), LogFile(settings.data.folder).following():
        try:
            again = serve_safely(settings, starts.failures, takeaways(config, settings)["support"])
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None
    if again:
        become("run", config, data, host, port, simulate, by_hand=True)


def lenient(
    config: Path | None, data: Path | None, host: str | None = None, port: int | None = None
) -> tuple[Settings, Starts]:
    """Read what can be read of a configuration, however wrong it is.

    Where it is wrong, the page is served where the table last was.
    """
    try:
        settings, mistakes = examine(parse(config))
    except BadConfiguration as bad:
        settings, mistakes = examine({})[0], list(bad.mistakes)
    folder = settings.data.folder if data is None else data
    starts = starts_in(folder)
    server = settings.server
    if mistakes and starts.door is not None:
        server = ServerSettings(starts.door.host, starts.door.port, starts.door.names)
    server = server if host is None else replace(server, host=host)
    server = server if port is None else replace(server, port=port)
    return replace(settings, data=DataFolder(folder), server=server), starts


def starts_in(folder: Path) -> Starts:
    """Find the record of a folder's starts, or of this boot's where the folder is out of order."""
    spare = AS_STARTED.get("RUNTIME_DIRECTORY")
    return Starts(folder, None if spare is None else Path(spare.partition(":")[0]))


def become(
    command: str,
    config: Path | None,
    data: Path | None,
    host: str | None,
    port: int | None,
    simulate: bool,
    *,
    by_hand: bool = False,
) -> NoReturn:
    """Go on as another command in the same process, which systemd knows."""
    said = {"--config": config, "--data": data, "--host": host, "--port": port}
    words = [f"{name}={value}" for name, value in said.items() if value is not None]
    words += ["--simulate"] if simulate else []
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {**AS_STARTED, TRIED_BY_HAND: "yes"} if by_hand else AS_STARTED
    os.execve(sys.executable, [sys.executable, "-m", "companion", command, *words], environment)
