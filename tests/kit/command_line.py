"""The command line, called from inside of a test."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from companion.cli import main


def companion(*words: str | Path) -> Result:
    """Say these words to the command; what it did not expect is raised."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result
