"""What was played at a table: read from its journal, beside the worker that writes it."""

from __future__ import annotations

from pathlib import Path

from companion.matches import MatchRecord, read_match, read_matches
from companion.moments import Chronicle, Moments


class Past:
    """The matches of a journal; anybody may ask, on any thread."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._chronicle = Chronicle(journal)

    def matches(self) -> tuple[MatchRecord, ...]:
        """List all matches, the latest first."""
        return read_matches(self._journal)

    def match(self, number: int) -> MatchRecord | None:
        """Look one match up."""
        return read_match(self._journal, number)

    def moments(self) -> dict[int, Moments]:
        """Tell the races and catches of every match, by its number."""
        return self._chronicle.moments()
