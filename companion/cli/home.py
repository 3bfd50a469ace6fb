"""`companion home`: try the broker, and show what is sent to it."""

from __future__ import annotations

import json
from contextlib import nullcontext
from pathlib import Path

import click

from companion.assembly.home import page_address
from companion.cli.options import place_options, settings_of
from companion.cli.problems import ProblemFound, problems_told
from companion.home.check import readable_by_all, take_all_back, try_broker, would_tell
from companion.home.connection.line import NoBroker, NoPaho
from companion.home.messages import Message, Topics
from companion.journal.folder_lock import hold_folder
from companion.settings.broker import Home

NONE = "No smart home is set up: the configuration has no section [home]. See docs/home.md."


@click.command()
@place_options
@click.option("--discovery", is_flag=True, help="Also show how the table introduces itself.")
@click.option("--remove", is_flag=True, help="Let the broker forget this table; close it first.")
def home(config: Path | None, data: Path | None, discovery: bool, remove: bool) -> None:
    """Try the smart home's broker, and show what the table would tell it.

    Exit code 1 means that the broker was not reached. Without --remove nothing is changed, and the
    table may be running.
    """
    with problems_told():
        settings = settings_of(config, data)
        folder = settings.data.folder
        wish = settings.home
        if wish is None:
            click.echo(NONE)
            return
        if not remove:
            click.echo("\n".join(_described(wish)))
            for message in would_tell(wish, folder, page_address(settings.server)):
                if discovery or message.topic in Topics(wish.topic).retained:
                    click.echo(_shown(message))
        # An open table would not know that the broker has nothing of it any more.
        lock = hold_folder(folder) if remove and folder.is_dir() else nullcontext()
    try:
        if remove:
            with lock:
                take_all_back(wish, folder)
            click.echo("The broker has forgotten this table.")
        else:
            try_broker(wish, folder)
            click.echo("\nThe broker answers.")
    except (NoBroker, NoPaho) as trouble:
        raise ProblemFound(f"\nThe broker cannot be reached: {trouble}.") from None


def _described(home: Home) -> list[str]:
    how = " over TLS" if home.tls else ""
    whom = f" as {home.user}" if home.user else " without a user"
    lines = [f"The broker is {home.host}:{home.port}{how},{whom}."]
    lines.append("Names of players go there." if home.names else "Seats go there, but no names.")
    if home.user and not home.tls:
        lines.append("The password is sent unencrypted; home.tls = true would encrypt it.")
    if readable_by_all(home.password_file):
        lines.append(f"Everybody on this machine can read {home.password_file}: chmod o= it.")
    return [*lines, "The table would tell this broker:"]


def _shown(message: Message) -> str:
    try:
        body = json.dumps(json.loads(message.payload), indent=2, ensure_ascii=False)
    except ValueError:
        body = message.payload.decode() or "(nothing: it is taken back)"
    lines = "\n".join(f"  {line}" for line in body.splitlines())
    return f"\n{message.topic}{'  (retained)' if message.retain else ''}\n{lines}"
