"""`companion export`: the matches as JSON or as lines for a spreadsheet."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click
import msgspec

from companion import __version__
from companion.backup_archive import pack
from companion.checking import NoJournal
from companion.cli.options import FILE, place_options, settings_of
from companion.cli.problems import Misuse, Problem, problems_told
from companion.configuration import default_file
from companion.matches import MatchRecord, read_match, read_matches
from companion.opening import JOURNAL


@click.command()
@place_options
@click.option("--match", "number", type=click.IntRange(1), help="Only this match.")
@click.option(
    "--format", "kind", type=click.Choice(["json", "csv"]), default="json", show_default=True
)
@click.option("--output", type=FILE, help="Write to a new file instead of the screen.")
@click.option("--everything", is_flag=True, help="All that there is as one file, for restore.")
def export(
    config: Path | None,
    data: Path | None,
    number: int | None,
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
    with problems_told():
        records = _records(settings_of(config, data).data.folder, number)
    text = _csv(records) if kind == "csv" else _json(records)
    if output is None:
        click.echo(text, nl=False)
        return
    with _new(output, "x") as file:
        file.write(text)


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
        raise Problem(f"{output} cannot be written: {error.strerror}.") from None
    try:
        with file:
            yield file
    except BaseException as error:
        output.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise Problem(f"{output} cannot be written: {error.strerror}.") from None
        raise


def _records(folder: Path, number: int | None) -> list[MatchRecord]:
    path = folder / JOURNAL
    if not path.exists():
        raise NoJournal(f"There is no journal in {folder}.")
    if number is None:
        return list(reversed(read_matches(path)))
    record = read_match(path, number)
    if record is None:
        raise Misuse(f"There is no match {number} in {folder}.")
    return [record]


def _json(records: list[MatchRecord]) -> str:
    whole = {"companion": __version__, "matches": records}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode() + "\n"


def _csv(records: list[MatchRecord]) -> str:
    # Imported late: the other commands need nothing of the page.
    from web.matches import COLUMNS, match_csv

    heading = ",".join(COLUMNS) + "\r\n"
    return heading + "".join(match_csv(record).removeprefix(heading) for record in records)
