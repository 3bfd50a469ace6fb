"""`companion verify`: check the journal's chain and that a replay leads to the same table."""

from __future__ import annotations

from pathlib import Path

import click

from companion.cli.keeping.progress import ProgressLine
from companion.cli.options import folder_of, hall_option, place_options
from companion.cli.problems import ProblemFound, problems_told
from companion.hall.draw.checking import checked_draws
from companion.hall.events import DrawWay
from companion.hall.keeper import events_of  # which also lets a journal hold a hall's events
from companion.journal.damage import verify as checking

DRAWS: dict[DrawWay, str] = {
    "drawn": "Round {round} was drawn from the seed {seed}.",
    "by_hand": "Round {round}: two people changed places at the desk.",
    "corrected": "Round {round}: a corrected result changed who sits where.",
}


@click.command()
@place_options
@hall_option
def verify(config: Path | None, data: Path | None, hall: bool) -> None:
    """Check every seal of the journal, and replay it; with --hall, make every draw again.

    Nothing is changed, and the table may be running. Exit code 1 means that a problem was found.
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
        _make_draws_again(folder)
        return
    click.echo(
        f"The journal is whole: {verdict.events} events of {verdict.commands} commands, "
        f"{verdict.matches} matches. The replay leads to the same table."
    )


def _make_draws_again(folder: Path) -> None:
    """Tell of each draw whether it follows from the evening before it and its seed."""
    with problems_told():
        draws = list(checked_draws(events_of(folder)))
    for made in draws:
        click.echo(f"  {DRAWS[made.way].format(round=made.round, seed=made.seed)}")
    wrong = dict.fromkeys(made.round for made in draws if not made.same)
    if wrong:
        rounds = ", ".join(map(str, wrong))
        raise ProblemFound(f"Drawn again, these rounds come out differently: {rounds}.")
