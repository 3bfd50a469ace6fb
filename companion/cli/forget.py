"""`companion forget`: let a match or a player's name go for good, while the table is closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.cli.options import place_options, settings_of
from companion.cli.problems import Misuse, ProblemFound, problems_told
from companion.common.clock import spoken
from companion.journal.folder_lock import FolderInUse, hold_folder
from companion.journal.opening import JOURNAL
from companion.journal.verify import NoJournal
from companion.keeping.forgetting.forgetting import Forgetting, LeftCopy, Prospect
from companion.keeping.forgetting.plan import ForgetWish
from companion.referee.sentences import Refusal

yes = click.option("--yes", is_flag=True, help="Do not ask.")
remove = click.option("--remove-left", is_flag=True, help="Remove copies that cannot be changed.")


@click.group()
def forget() -> None:
    """Let a match or a player's name go for good.

    The table must be closed; beside an open one, its page of past matches does the same. It goes
    from the journal and from every backup; all that is left still verifies.
    """


@forget.command()
@place_options
@yes
@remove
@click.argument("number", type=click.IntRange(1, 10**9))
def match(
    config: Path | None, data: Path | None, yes: bool, remove_left: bool, number: int
) -> None:
    """Forget the match of this NUMBER, with its rounds, races and rulings."""
    _forget(config, data, ForgetWish(match=number), yes, remove_left)


@forget.command()
@place_options
@yes
@remove
@click.argument("name")
def name(config: Path | None, data: Path | None, yes: bool, remove_left: bool, name: str) -> None:
    """Forget a player's NAME; the matches stay, and say a number instead."""
    _forget(config, data, ForgetWish(name=name), yes, remove_left)


def _forget(
    config: Path | None, data: Path | None, wish: ForgetWish, yes: bool, remove_left: bool
) -> None:
    with problems_told():
        folder = settings_of(config, data).data.folder
        if not (folder / JOURNAL).exists():
            raise NoJournal(f"There is no journal in {folder}.")
        try:
            lock = hold_folder(folder)
        except FolderInUse:
            raise Misuse(
                "The table is open. Its referee can forget this on the page of past matches; or "
                "close it first: on a Pi, sudo systemctl stop table-companion."
            ) from None
        with lock, _refusals_told():
            forgetting = Forgetting(folder)
            prospect = forgetting.prospect(wish)
            _tell(wish, prospect, remove_left)
            if not yes:
                click.confirm("Forget it for good?", abort=True)
            done = forgetting.forget(wish, remove=remove_left)
    copies = f", from {_count(len(done.backups), 'backup')} too" if done.backups else ""
    click.echo(f"Forgotten{copies}.")
    for name in done.removed:
        click.echo(f"Removed: {name}")
    _warn(done.left)


@contextmanager
def _refusals_told() -> Iterator[None]:
    try:
        yield
    except Refusal as refusal:
        raise ProblemFound(str(refusal)) from None


def _tell(wish: ForgetWish, prospect: Prospect, remove_left: bool) -> None:
    if wish.match is not None:
        for one in prospect.matches:
            rounds = _count(one.rounds, "round")
            who = ", ".join(one.players)
            click.echo(f"Match {one.number}, {spoken(one.started)}, {rounds}: {who}.")
        if prospect.names:
            click.echo(
                f"Played in no other match, so the name goes too: {', '.join(prospect.names)}."
            )
    else:
        played = _count(len(prospect.matches), "match", "matches")
        click.echo(f"{prospect.names[0]} becomes {prospect.instead[0]} in {played}.")
    if prospect.backups:
        click.echo(f"It goes from {_count(len(prospect.backups), 'backup')} too.")
    if not remove_left:
        _warn(prospect.left)


def _warn(left: tuple[LeftCopy, ...]) -> None:
    for one in left:
        click.echo(f"May still hold it, and cannot be changed: {one.file} ({one.said}).")


def _count(number: int, one: str, many: str = "") -> str:
    return f"1 {one}" if number == 1 else f"{number} {many or one + 's'}"
