"""`companion run` serves the table; `companion safe` the page that tells why it does not open."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

import click

from companion import __version__
from companion.assembly.downloads import download_makers
from companion.assembly.running import Running
from companion.care.failed_starts import PageAddress, Starts
from companion.cli.options import (
    AS_STARTED,
    door_options,
    place_options,
    plan_of,
    settings_in_spite_of_mistakes,
)
from companion.cli.problems import LostJournal, ProblemFound, problem, problems_told
from companion.common.loading import loading
from companion.common.log_file import LogFile
from companion.journal.folder_lock import hold_folder

TRIED_BY_HAND = "COMPANION_TRY_AGAIN"
"""Tells a start that a person wants it, although the last ones failed."""


@click.command()
@place_options
@door_options
@click.option("--simulate", is_flag=True, help="Use simulated buttons, whatever is wired.")
def run(
    config: Path | None, data: Path | None, host: str | None, port: int | None, simulate: bool
) -> None:
    """Open the table and serve its page; Ctrl-C closes it.

    Without a Raspberry Pi the buttons are simulated on the page. When the table has failed to open
    three times in a row, the next failure is explained on a page in its place; a lost journal is
    at once.
    """
    settings, starts = settings_in_spite_of_mistakes(config, data, host, port)
    with LogFile(settings.data.folder).following() as log:
        starts.begin()
        explained = starts.enough
        try:
            with failures_counted(starts, log):
                open_and_serve(config, data, host, port, simulate, starts, log)
        except ProblemFound as trouble:
            if not starts.counting or not (explained or isinstance(trouble, LostJournal)):
                raise
            trouble.show()
        else:
            return
    become("safe", config, data, host, port, simulate)


def open_and_serve(
    config: Path | None,
    data: Path | None,
    host: str | None,
    port: int | None,
    simulate: bool,
    starts: Starts,
    log: LogFile,
) -> None:
    """Open the table, and serve it for as long as it goes well."""
    # Imported late: the other commands need no web server.
    with loading():
        from web.server.server import CannotServe, serve

    with problems_told():
        plan = plan_of(config, data, host=host, port=port, simulate=simulate)
        # Whether the folder can be had is known before the port is taken.
        hold_folder(plan.settings.data.folder).close()
        if starts.hopeless and TRIED_BY_HAND not in os.environ:
            raise ProblemFound(starts.failures[-1].reason)
        log.write(f"Version {__version__} starts.")
        server = plan.settings.server

        def opened() -> None:
            starts.opened(PageAddress(server.host, server.port, server.names))
            log.write("The table is open.")

        def open_table() -> Running:
            # Imported late: the process that watches over the table has no buttons.
            from companion.cli.assemble import open_served_table

            return open_served_table(plan, config)

        try:
            serve(open_table, plan.settings, when_open=opened)
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None


@contextmanager
def failures_counted(starts: Starts, log: LogFile) -> Iterator[None]:
    """Note how a start ends."""
    try:
        yield
    except ProblemFound as trouble:
        if starts.counting:
            log.write(trouble.message)
        starts.failed(trouble.message)
        raise
    except Exception as mistake:
        if not starts.counting:
            raise
        logging.getLogger(__name__).exception("The table could not be opened.")
        starts.failed(f"A mistake in the program itself: {mistake!r}.")
        raise ProblemFound(
            f"The table could not be opened because of a mistake in the program: {mistake!r}."
        ) from None
    except BaseException:
        starts.stopped()
        raise
    else:
        starts.stopped()


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

    settings, starts = settings_in_spite_of_mistakes(config, data, host, port)
    with problems_told(), LogFile(settings.data.folder).following():
        try:
            support = download_makers(config, settings)["support"]
            again = serve_safely(settings, starts.failures, lambda: b"".join(support()))
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None
    if again:
        become("run", config, data, host, port, simulate, by_hand=True)


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
    """Go on as another command in the same process, because systemd watches that one."""
    options = {"--config": config, "--data": data, "--host": host, "--port": port}
    words = [f"{name}={value}" for name, value in options.items() if value is not None]
    words += ["--simulate"] if simulate else []
    sys.stdout.flush()
    sys.stderr.flush()
    environment = {name: value for name, value in AS_STARTED.items() if name != TRIED_BY_HAND}
    environment |= {TRIED_BY_HAND: "yes"} if by_hand else {}
    os.execve(sys.executable, [sys.executable, "-m", "companion", command, *words], environment)
