"""The command line: the only place that puts the table, its buttons and its page together."""

from __future__ import annotations

import logging
from importlib import import_module

import click

from companion import __version__
from companion.common.loading import loading

COMMANDS = {
    "run": "run",
    "demo": "demo",
    "backup": "keeping.backup",
    "restore": "keeping.backup",
    "export": "keeping.export",
    "forget": "keeping.forget",
    "verify": "keeping.verify",
    "hardware": "hardware.command",
    "hall": "hall.command",
    "home": "home",
    "doctor": "doctor",
    "support": "support",
    "safe": "run",
}
"""Each command and the module that it lives in; only the one that is asked for is loaded."""


class Commands(click.Group):
    """Loads a command when it is called, so that a table opens without waiting for the others."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Name them for the help."""
        return sorted(COMMANDS)

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """Load one by its name."""
        module = COMMANDS.get(name)
        if module is None:
            return None
        with loading():
            command: click.Command = getattr(import_module(f"{__name__}.{module}"), name)
        return command


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="companion", message="%(prog)s %(version)s")
def main() -> None:
    """A referee for card games on a real table, with one button a player."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
