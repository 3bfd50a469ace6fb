"""`companion hall`: open a hall for many tables, and let a table join one."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path

import click
from msgspec.structs import replace

from companion.cli.options import place_options, plan_of, settings_of
from companion.cli.problems import Misuse, ProblemFound, problem, problems_told
from companion.hall.broker.mosquitto import PORT as BROKER_PORT
from companion.hall.table.membership import PORT, NotJoined, read_membership
from companion.hall.table.membership import join as join_hall
from companion.hall.table.membership import leave as leave_hall
from companion.journal.opening import JOURNAL
from companion.keeping.folder_files import HALL

FIRST_TABLE = 11
"""So far above the hall's own port the tables begin that it hosts."""


@click.group(invoke_without_command=True)
@place_options
@click.option("--host", help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option(
    "--broker-port", type=click.IntRange(1, 65535), default=BROKER_PORT, show_default=True
)
@click.option(
    "--tables",
    type=click.IntRange(0, 20),
    default=0,
    help="Also open this many tables on this machine, with phones as buttons.",
)
@click.pass_context
def hall(
    context: click.Context,
    config: Path | None,
    data: Path | None,
    host: str | None,
    port: int,
    broker_port: int,
    tables: int,
) -> None:
    """Open a hall: many tables, one evening.

    It keeps a journal of its own in the folder `hall` of the data folder, or in --data, and starts
    a Mosquitto that the tables speak to. `companion hall join` lets a table take part.
    """
    if context.invoked_subcommand is not None:
        return
    # Imported late: to join needs no web server.
    from companion.cli.hall.hosting import host_tables
    from web.hall.server import serve_hall
    from web.server.server import CannotServe

    with problems_told():
        settings = settings_of(config, None)
        folder = settings.data.folder / HALL if data is None else data
        if (folder / JOURNAL).exists() and read_membership(folder) is not None:
            raise Misuse(f"There is a table in {folder}; a hall needs a folder of its own.")
        try:
            opened = host_tables(tables, folder, host, port + FIRST_TABLE)
            serve_hall(settings, folder, host, port, broker_port, opened)
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None


@hall.command()
@place_options
@click.option("--number", type=click.IntRange(1, 9999), help="The table's number in the hall.")
@click.argument("words", nargs=-1, metavar="[ADDRESS] CODE")
def join(
    config: Path | None, data: Path | None, number: int | None, words: tuple[str, ...]
) -> None:
    """Let this table join the hall at ADDRESS with the desk's CODE.

    Without an address the hall is looked for in this network.
    """
    if len(words) not in (1, 2):
        raise click.UsageError("Give the desk’s code, and before it the address if you know it.")
    address, code = ("", *words)[-2:]
    with problems_told():
        folder = settings_of(config, data).data.folder
    try:
        member = join_hall(folder, address, code, number)
    except NotJoined as why:
        raise ProblemFound(str(why)) from None
    click.echo(f"This is table {member.table} of the hall; it takes part from its next start on.")


@hall.command()
@place_options
def leave(config: Path | None, data: Path | None) -> None:
    """Let this table leave its hall; what it has sent stays there."""
    with problems_told():
        folder = settings_of(config, data).data.folder
    if read_membership(folder) is None:
        raise ProblemFound("This table is not in a hall.")
    leave_hall(folder)
    click.echo("This table has left its hall, from its next start on.")


@hall.command()
@click.option("--tables", type=click.IntRange(2, 100), default=12, show_default=True)
@click.option("--host", help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@click.option(
    "--broker-port", type=click.IntRange(1, 65535), default=BROKER_PORT, show_default=True
)
@click.option("--seed", type=int, help="Play the same evening again.")
def demo(tables: int, host: str | None, port: int, broker_port: int, seed: int | None) -> None:
    """Let an evening of many tables play itself; two of them are whole tables to look at.

    Nothing of it is kept.
    """
    from companion.cli.hall.show import demonstrate
    from web.hall.server import serve_hall
    from web.server.server import CannotServe

    seed = secrets.randbelow(10**6) if seed is None else seed
    with problems_told(), tempfile.TemporaryDirectory(prefix="companion-hall-") as scratch:
        # A demonstration keeps to itself, also where a broker is configured.
        settings = replace(settings_of(None, None), hall=None)
        opened = demonstrate(tables, seed, port + FIRST_TABLE)
        try:
            serve_hall(settings, Path(scratch), host, port, broker_port, opened, announced=False)
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None


@hall.command(hidden=True)
@place_options
@click.option("--port", type=click.IntRange(0, 65535), required=True)
@click.option("--seed", type=int, default=1)
def show(config: Path | None, data: Path | None, port: int, seed: int) -> None:
    """Open a whole table of the demonstration, which plays what its hall asks for."""
    from companion.cli.hall.show import HallTableShow
    from web.server.server import CannotServe, serve

    with problems_told():
        plan = plan_of(config, data, host="127.0.0.1", port=port, simulate=True)
        try:
            serve(HallTableShow(plan, seed).open_table, plan.settings, say=lambda _link: None)
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None
