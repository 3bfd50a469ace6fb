"""`companion export`: the matches as JSON or as lines for a spreadsheet."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, get_args

import click

from companion.cli.keeping.progress import ProgressLine
from companion.cli.options import FILE, place_options, settings_of
from companion.cli.problems import Misuse, ProblemFound, problems_told
from companion.journal.damage.verify import NoJournal, Progress
from companion.journal.opening import JOURNAL
from companion.keeping.archive import pack
from companion.past.briefs import MatchFilter
from companion.past.past import Past
from companion.past.records import MatchRecord
from companion.referee.commands import Scoring
from companion.settings.configuration import default_file


@click.command()
@place_options
@click.option("--match", "number", type=click.IntRange(1), help="Only this match.")
@click.option("--from", "since", type=click.IntRange(1), help="This match and later ones.")
@click.option("--to", "until", type=click.IntRange(1), help="This match and earlier ones.")
@click.option("--player", "players", multiple=True, help="With this player; several: with all.")
@click.option("--group", is_flag=True, help="With those players and nobody else.")
@click.option("--edition", help="Of this edition, by its key.")
@click.option("--scoring", type=click.Choice(get_args(Scoring)), help="By this scoring.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["json", "csv", "races"]),
    default="json",
    show_default=True,
    help="Everything, the score sheets for a spreadsheet, or the races for one.",
)
@click.option("--output", type=FILE, help="Write to a new file instead of the screen.")
@click.option("--everything", is_flag=True, help="Everything in one file, for restore.")
def export(
    config: Path | None,
    data: Path | None,
    number: int | None,
    since: int | None,
    until: int | None,
    players: tuple[str, ...],
    group: bool,
    edition: str | None,
    scoring: Scoring | None,
    kind: str,
    output: Path | None,
    everything: bool,
) -> None:
    """Write the matches and their score sheets; the table may be running."""
    if everything:
        if output is None:
            raise Misuse("Everything goes into a file: name a new one with --output.")
        _write_everything(config, data, output)
        return
    if group and not players:
        raise Misuse("A group is its players: --player Ana --player Ben --group.")
    wanted = MatchFilter(number or since, number or until, players, group, edition, scoring)
    with problems_told():
        folder = settings_of(config, data).data.folder
        if not (folder / JOURNAL).exists():
            raise NoJournal(f"There is no journal in {folder}.")
        if number is not None and Past(folder / JOURNAL).match(number) is None:
            raise Misuse(f"There is no match {number} in {folder}.")
        if output is None:
            # A spreadsheet needs the mark at the beginning; whatever reads the screen does not.
            from companion.past.match_files import MARK

            for piece in _pieces(folder / JOURNAL, wanted, kind):
                click.echo(piece.removeprefix(MARK), nl=False)
            return
        with _new(output, "x") as file, ProgressLine("Writing the matches:") as progress:
            file.writelines(_pieces(folder / JOURNAL, wanted, kind, progress))


def _write_everything(config: Path | None, data: Path | None, output: Path) -> None:
    with problems_told():
        folder = settings_of(config, data).data.folder
        if not (folder / JOURNAL).exists():
            raise NoJournal(f"There is no journal in {folder}.")
        if str(output) == "-":
            pack(folder, config or default_file(), sys.stdout.buffer)
            return
        with _new(output, "xb") as file:
            pack(folder, config or default_file(), file)


@contextmanager
def _new(output: Path, mode: str) -> Iterator[IO[Any]]:
    """Open a file that is not there yet; what could not be written whole does not stay."""
    encoding, newline = (None, None) if "b" in mode else ("utf-8", "")
    try:
        file = output.open(mode, encoding=encoding, newline=newline)
    except FileExistsError:
        raise Misuse(f"{output} is there already; choose another name.") from None
    except OSError as error:
        raise ProblemFound(f"{output} cannot be written: {error.strerror}.") from None
    try:
        with file:
            yield file
    except BaseException as error:
        output.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise ProblemFound(f"{output} cannot be written: {error.strerror}.") from None
        raise


def _pieces(
    path: Path,
    wanted: MatchFilter,
    kind: str,
    progress: Progress = lambda _done, _all: None,
) -> Iterator[str]:
    # Imported late: the other commands need nothing of the page.
    from companion.past.match_files import matches_csv, matches_json, races_csv

    past = Past(path)
    records = _counted(past, wanted, progress)
    match kind:
        case "csv":
            return matches_csv(records)
        case "races":
            return races_csv(records, past.highlights)
        case _:
            return matches_json(records, past)


def _counted(past: Past, wanted: MatchFilter, progress: Progress) -> Iterator[MatchRecord]:
    """Tell with every match how many there are already, of how many."""
    matches = len(past.briefs(wanted))
    for done, record in enumerate(past.each_match(wanted)):
        progress(done, matches)
        yield record
    progress(matches, matches)
