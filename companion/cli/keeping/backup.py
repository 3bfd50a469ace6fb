"""`companion backup` and `companion restore`: keep the matches safe, and take them back."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.cli.options import FILE, folder_of, hall_option, place_options
from companion.cli.problems import Misuse, problems_told
from companion.common.whole_file import sync
from companion.hall import kinds as kinds  # the journal may be that of a hall
from companion.journal.damage.verify import NoJournal
from companion.journal.file import JournalError
from companion.journal.opening import JOURNAL
from companion.keeping import backups
from companion.keeping.restore import CannotRestore, begin_anew, find
from companion.keeping.restore import restore as put_back


@click.command()
@place_options
@hall_option
@click.option("--output", type=FILE, help="Write it to a new file; - is the screen.")
def backup(config: Path | None, data: Path | None, hall: bool, output: Path | None) -> None:
    """Copy the journal now; the table may be running.

    The table makes a backup by itself every day that it is used, and before each upgrade.
    """
    with problems_told():
        folder = folder_of(config, data, hall=hall)
        if not (folder / JOURNAL).exists():
            raise NoJournal(f"There is no journal in {folder}.")
        if str(output) == "-":
            _print(folder)
            return
        if output is None:
            output = backups.make(folder, "asked")
        elif output.exists():
            raise Misuse(f"{output} is there already; choose another name.")
        else:
            backups.copy(folder / JOURNAL, output)
            sync(output)
        click.echo(f"{output}: {described(output)}.")


@click.command()
@place_options
@hall_option
@click.argument("file", required=False)
@click.option("--anew", is_flag=True, help="Begin with an empty journal instead.")
def restore(
    config: Path | None, data: Path | None, hall: bool, file: str | None, anew: bool
) -> None:
    """Go back to a backup, or to an export of everything.

    FILE is a name from the list that this command gives without it, the path of a file, or - for
    what is piped in. It is checked first, and the present journal is kept aside. The table must be
    closed: on a Pi, sudo systemctl stop table-companion.
    """
    with problems_told():
        folder, who = folder_of(config, data, hall=hall), "hall" if hall else "table"
        if anew:
            _begin_anew(folder, file, who)
            return
        if file is None:
            show_list(folder)
            return
        try:
            with restored_file(folder, file) as source:
                done = put_back(folder, source)
        except CannotRestore as refused:
            raise Misuse(str(refused)) from None
    went = f"with {done.contents.matches} matches" if not hall else "again"
    click.echo(f"The {who} goes on {went}, up to {done.contents.last}.")
    _tell_kept(done.kept)
    if done.configuration is not None:
        click.echo(f"The configuration of that table is beside it, as {done.configuration}.")


def _begin_anew(folder: Path, file: str | None, who: str) -> None:
    if file is not None:
        raise Misuse(f"Choose either {file} or an empty journal, not both.")
    kept = begin_anew(folder)
    click.echo(f"The {who} begins with an empty journal.")
    _tell_kept(kept)


def _tell_kept(kept: Path | None) -> None:
    if kept is not None:
        click.echo(f"The journal that was here is kept as {kept}.")


@contextmanager
def restored_file(folder: Path, file: str) -> Iterator[Path]:
    """Find the file to restore; what is piped in is kept in a file meanwhile."""
    if file != "-":
        yield find(folder, file)
        return
    with tempfile.NamedTemporaryFile(prefix="restoring-") as piped:
        shutil.copyfileobj(sys.stdin.buffer, piped)
        piped.flush()
        yield Path(piped.name)


def _print(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        copied = Path(scratch) / "copy.db"
        backups.copy(folder / JOURNAL, copied)
        sys.stdout.buffer.write(copied.read_bytes())


def show_list(folder: Path) -> None:
    """List the backups with what is in them."""
    kept = backups.listed(folder)
    if not kept:
        click.echo(f"There are no backups in {folder / backups.FOLDER}.")
        return
    width = max(len(one.path.name) for one in kept)
    for one in kept:
        click.echo(f"{one.path.name:{width}}  {backups.KINDS[one.kind]}: {described(one.path)}")
    click.echo("To go back to one of them: companion restore NAME")


def described(path: Path) -> str:
    """Tell what is in a backup, or what is wrong with it."""
    try:
        return backups.contents(path).told
    except JournalError as trouble:
        return f"cannot be restored: {trouble}"
