"""`companion verify`: check the journal's chain and that a replay leads to the same table."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.keeping.progress import ProgressLine
from companion.cli.options import folder_of, hall_option, place_options
from companion.cli.problems import ProblemFound, problems_told
from companion.hall import kinds as kinds  # the journal may be that of a hall
from companion.journal.damage import verify as checking


@click.command()
@place_options
@hall_option
def verify(config: Path | None, data: Path | None, hall: bool) -> None:
    """Check every seal of the journal, and replay it.

    Nothing is changed, and the table may be running. Exit code 1 tells that a problem was found.
    """
    with problems_told():
        folder = folder_of(config, data, hall=hall)
        with ProgressLine("Checking the journal:") as progress:
            verdict = checking.verify(folder, progress)
    if verdict.problems:
        lines = "\n".join(f"  - {problem}" for problem in verdict.problems)
        raise ProblemFound(f"The journal in {folder} is not as it was written:\n{lines}")
    if hall or verdict.hall:
        click.echo(f"The hall's journal is whole: {verdict.events} events.")
        return
    click.echo(
        f"The journal is whole: {verdict.events} events of {verdict.commands} commands, "
        f"{verdict.matches} matches. The replay leads to the same table."
    )
