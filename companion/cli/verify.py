"""`companion verify`: check the journal's chain and that a replay leads to the same table."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.options import place_options, settings_of
from companion.cli.problems import ProblemFound, problems_told
from companion.cli.progress import ProgressLine
from companion.journal import verify as checking


@click.command()
@place_options
def verify(config: Path | None, data: Path | None) -> None:
    """Check every seal of the journal, and replay it.

    Nothing is changed, and the table may be running. Exit code 1 tells that a problem was found.
    """
    with problems_told():
        folder = settings_of(config, data).data.folder
        with ProgressLine("Checking the journal:") as progress:
            verdict = checking.verify(folder, progress)
    if verdict.problems:
        lines = "\n".join(f"  - {problem}" for problem in verdict.problems)
        raise ProblemFound(f"The journal in {folder} is not as it was written:\n{lines}")
    click.echo(
        f"The journal is whole: {verdict.events} events of {verdict.commands} commands, "
        f"{verdict.matches} matches. The replay leads to the same table."
    )
