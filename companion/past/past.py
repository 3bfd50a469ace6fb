"""What was played at a table: read from its journal, beside the worker that writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.journal.match_list import MatchRecord, each_match, read_match
from companion.past.highlights.highlights import Moments
from companion.past.highlights.reader import Chronicle
from companion.past.match_filter import Wanted, chosen
from companion.past.match_index import StoryIndex
from companion.past.review.case_cache import Casebook
from companion.past.score_sheets import Sheets
from companion.past.statistics.shape import Night
from companion.past.statistics.statistics import Statistician
from companion.past.timeline import Story, tell


class Past:
    """The matches of a journal; anybody may ask, on any thread."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._chronicle = Chronicle(journal)
        self.casebook = Casebook(journal)
        self._sheets = Sheets(journal)
        self._statistician = Statistician()
        self._index = StoryIndex(journal)

    def matches(self) -> tuple[MatchRecord, ...]:
        """List all matches, the latest first."""
        return self._sheets.matches()

    def each_match(self) -> Iterator[MatchRecord]:
        """Go through all matches, the earliest first, a few at a time."""
        return each_match(self._journal)

    def match(self, number: int) -> MatchRecord | None:
        """Look one match up."""
        return read_match(self._journal, number)

    def moments(self) -> dict[int, Moments]:
        """Tell the races and catches of every match, by its number."""
        return self._chronicle.moments()

    def statistics(self, wanted: Wanted) -> Night:
        """Sum up the matches that are asked for."""
        return self._statistician.sum_up(chosen(self.matches(), wanted), self.moments())

    def story(self, number: int) -> Story | None:
        """Tell the rounds and rulings of one match."""
        record, span = self.match(number), self._index.span(number)
        return None if record is None or span is None else tell(self._journal, record, span)
