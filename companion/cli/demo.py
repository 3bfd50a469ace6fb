"""`companion demo`: a whole match plays itself on a live table."""

from __future__ import annotations

import secrets
import tempfile
from pathlib import Path

import click
from msgspec.structs import replace

from companion.cli.options import door_options, place_options, plan_of
from companion.cli.problems import Misuse, ProblemFound, problem, problems_told
from companion.journal.folder_lock import hold_folder
from companion.journal.opening import JOURNAL
from companion.referee.model.edition import PRINTED
from companion.settings.configuration import DataFolder

EDITIONS = {edition.key: edition for edition in PRINTED}


@click.command()
@place_options
@door_options
@click.option("--fast", is_flag=True, help="Play as quickly as the journal can be written.")
@click.option(
    "--edition", type=click.Choice(list(EDITIONS)), default=PRINTED[0].key, show_default=True
)
@click.option("--players", type=click.IntRange(2, 10), default=4, show_default=True)
@click.option("--seed", type=int, help="Deal the same cards again.")
def demo(
    config: Path | None,
    data: Path | None,
    host: str | None,
    port: int | None,
    fast: bool,
    edition: str,
    players: int,
    seed: int | None,
) -> None:
    """Let a whole match play itself on the page.

    It is forgotten afterwards, unless --data names a folder to keep it in. With --fast the table
    closes when the match is over; otherwise it stays open until Ctrl-C.
    """
    # Imported late: the other commands need neither players nor a web server.
    from companion.cli.show import Show
    from web.server.server import CannotServe, serve

    seed = secrets.randbelow(10**6) if seed is None else seed
    with problems_told(), tempfile.TemporaryDirectory(prefix="companion-demo-") as scratch:
        plan = plan_of(config, data, host=host, port=port, simulate=True)
        if data is None:
            plan = replace(plan, settings=replace(plan.settings, data=DataFolder(Path(scratch))))
        elif (data / JOURNAL).exists():
            raise Misuse(f"There are matches in {data} already; a demo needs a folder of its own.")
        hold_folder(plan.settings.data.folder).close()
        show = Show(plan, EDITIONS[edition], players, seed, fast=fast)
        click.echo(f"The cards are dealt by seed {seed}.")
        try:
            serve(show.open_table, plan.settings)
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None
        ending = show.ending()
    if ending is not None and not ending.well:
        raise ProblemFound("The demo did not reach its end.")
