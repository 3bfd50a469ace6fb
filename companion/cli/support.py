"""`companion support`: one file for someone who helps, without names of players."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.care.support import bundle
from companion.cli.doctor import examined
from companion.cli.options import door_options, place_options, settings_in_spite_of_mistakes
from companion.cli.problems import Misuse, ProblemFound
from companion.settings.configuration import BadConfiguration, parse

NAME = "companion-support.zip"


@click.command()
@place_options
@door_options
@click.option(
    "--output",
    type=click.Path(dir_okay=False, allow_dash=True, path_type=Path),
    default=NAME,
    show_default=True,
    help="The file to write; - is the screen.",
)
def support(
    config: Path | None, data: Path | None, host: str | None, port: int | None, output: Path
) -> None:
    """Pack what somebody who helps you needs to know.

    That is versions, what the doctor found, the log and counts. Names of players are replaced. The
    table may be running.
    """
    packed = packed_for(config, data, host, port)
    if str(output) == "-":
        sys.stdout.buffer.write(packed)
        return
    try:
        with output.open("xb") as file:
            file.write(packed)
    except FileExistsError:
        raise Misuse(f"{output} is there already; choose another name with --output.") from None
    except OSError as error:
        raise ProblemFound(f"{output} cannot be written: {error.strerror}.") from None
    click.echo(f"{output} is ready. Names were replaced; look through it before you send it.")


def packed_for(config: Path | None, data: Path | None, host: str | None, port: int | None) -> bytes:
    """Look at everything and pack it."""
    settings, _ = settings_in_spite_of_mistakes(config, data)
    try:
        configuration = parse(config)
    except BadConfiguration:
        configuration = None
    return bundle(settings.data.folder, configuration, examined(config, data, host, port))
