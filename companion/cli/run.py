"""`companion run`: open the table and serve its page until it is stopped."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.options import door_options, place_options, plan_of
from companion.cli.problems import problem, problems_told
from companion.cli.table import open_whole_table
from companion.service import hold_folder


@click.command()
@place_options
@door_options
@click.option("--simulate", is_flag=True, help="Use simulated buttons, whatever is wired.")
def run(
    config: Path | None, data: Path | None, host: str | None, port: int | None, simulate: bool
) -> None:
    """Open the table and serve its page; Ctrl-C closes it.

    Without a Raspberry Pi the buttons are simulated on the page.
    """
    # Imported late: the other commands need no web server.
    from web.server import CannotServe, serve

    with problems_told():
        plan = plan_of(config, data, host=host, port=port, simulate=simulate)
        # Whether the folder can be had is known before the port is taken.
        hold_folder(plan.settings.data.folder).close()
        try:
            serve(lambda: open_whole_table(plan), plan.settings)
        except CannotServe as refused:
            raise problem(str(refused), refused.exit_code) from None
