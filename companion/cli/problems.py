"""Problems on the command line: a sentence on the error stream, and an exit code.

0 is well, 1 means that a problem was found, 2 that the call or the configuration is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

import click

from companion.journal.damage.lost import JournalLost
from companion.journal.damage.verify import NoJournal
from companion.journal.file import JournalError
from companion.journal.folder_lock import FolderInUse, FolderUnusable
from companion.settings.configuration import BadConfiguration


class ProblemFound(click.ClickException):
    """A problem was found."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the sentence alone, without "Error:"."""
        click.echo(self.message, file=file, err=file is None)


class Misuse(ProblemFound):
    """The call, the configuration or the place is wrong."""

    exit_code = 2


class LostJournal(ProblemFound):
    """There was a journal, and it is not at its place."""


def problem(sentence: str, exit_code: int) -> ProblemFound:
    """Make a problem of a sentence and the exit code that goes with it."""
    kinds = {Misuse.exit_code: Misuse, JournalLost.exit_code: LostJournal}
    return kinds.get(exit_code, ProblemFound)(sentence)


def listed(heading: str, mistakes: Sequence[str]) -> Misuse:
    """Name all mistakes of a file or a folder under one heading."""
    return Misuse("\n".join([heading, *(f"  - {mistake}" for mistake in mistakes)]))


@contextmanager
def problems_told() -> Iterator[None]:
    """Turn what can go wrong with the files into sentences and exit codes."""
    try:
        yield
    except BadConfiguration as bad:
        raise listed(f"The configuration {bad.where} cannot be used:", bad.mistakes) from None
    except (FolderInUse, FolderUnusable, NoJournal) as trouble:
        raise problem(str(trouble), trouble.exit_code) from None
    except JournalError as trouble:
        raise problem(trouble.sentence, trouble.exit_code) from None
