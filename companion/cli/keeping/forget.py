"""`companion forget`: let a match or a player's name go for good, while the table is closed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.cli.options import place_options, settings_of
from companion.cli.problems import Misuse, ProblemFound, problems_told
from companion.common.clock import spoken
from companion.common.refusals import service_refusal
from companion.hall.forgetting import forget_in_hall
from companion.journal.damage.verify import NoJournal
from companion.journal.folder_lock import FolderInUse, hold_folder
from companion.journal.opening import JOURNAL
from companion.keeping.folder_files import HALL, places
from companion.keeping.forgetting.forgetting import Forgetting, ForgettingPreview, LeftCopy
from companion.keeping.forgetting.plan import ForgetWish
from companion.referee.sentences import Refusal

CLOSE_TABLE = (
    "The table is open. Its referee can forget this on the page of past matches; or close it "
    "first: on a Pi, sudo systemctl stop table-companion."
)

yes = click.option("--yes", is_flag=True, help="Do not ask.")
remove = click.option("--remove-left", is_flag=True, help="Remove copies that cannot be changed.")


@click.group()
def forget() -> None:
    """Forget a match or a player's name for good.

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
        there = [place for place in places(folder) if (place / JOURNAL).exists()]
        if wish.match is not None:
            there = [place for place in there if place == folder]
        if not there:
            raise NoJournal(f"There is no journal in {folder}.")
        unknown: list[Refusal] = []
        for place in there:
            try:
                if place.name == HALL or _is_hall(place):
                    _forget_in_hall(place, wish, yes, remove_left)
                else:
                    _forget_at(place, wish, yes, remove_left)
            except Refusal as refusal:
                if refusal.kind != "missing":
                    raise ProblemFound(str(refusal)) from None
                unknown.append(refusal)
        if len(unknown) == len(there):
            raise ProblemFound(str(unknown[0]))


def _is_hall(folder: Path) -> bool:
    return (folder / "broker").is_dir()


def _forget_at(folder: Path, wish: ForgetWish, yes: bool, remove_left: bool) -> None:
    with _held(folder, CLOSE_TABLE):
        forgetting = Forgetting(folder)
        prospect = forgetting.prospect(wish)
        _tell(wish, prospect, remove_left)
        if not yes:
            click.confirm("Forget it for good?", abort=True)
        done = forgetting.forget(wish, remove=remove_left)
    _told_done(done.backups, done.removed, done.left)


def _forget_in_hall(folder: Path, wish: ForgetWish, yes: bool, remove_left: bool) -> None:
    name = wish.name or ""
    if not yes:
        click.confirm(f"Forget {name} in the hall in {folder} for good?", abort=True)
    try:
        done = forget_in_hall(folder, name, remove=remove_left)
    except FolderInUse:
        raise Misuse("The hall is open; its desk can forget a name, or close it first.") from None
    if done is None:
        raise service_refusal("forget_no_name", name=name)
    click.echo(f"{name} becomes {done.instead} in the hall.")
    _told_done(done.backups, done.removed, done.left)


def _told_done(
    copies: tuple[str, ...], removed: tuple[str, ...], left: tuple[LeftCopy, ...]
) -> None:
    too = f", from {_count(len(copies), 'backup')} too" if copies else ""
    click.echo(f"Forgotten{too}.")
    for name in removed:
        click.echo(f"Removed: {name}")
    _warn(left)


@contextmanager
def _held(folder: Path, advice: str) -> Iterator[None]:
    try:
        lock = hold_folder(folder)
    except FolderInUse:
        raise Misuse(advice) from None
    with lock:
        yield


def _tell(wish: ForgetWish, prospect: ForgettingPreview, remove_left: bool) -> None:
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
