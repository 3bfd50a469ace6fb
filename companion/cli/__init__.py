"""The command line: the only place that puts the table, its buttons and its page together."""

from __future__ import annotations

import logging

import click

from companion import __version__
from companion.cli.backup import backup, restore
from companion.cli.demo import demo
from companion.cli.doctor import doctor
from companion.cli.export import export
from companion.cli.hardware import hardware
from companion.cli.run import run
from companion.cli.safe import safe
from companion.cli.support import support
from companion.cli.verify import verify


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="companion", message="%(prog)s %(version)s")
def main() -> None:
    """A referee for card games on a real table, with one button a player."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")


for command in (run, demo, backup, restore, export, verify, hardware, doctor, support, safe):
    main.add_command(command)
