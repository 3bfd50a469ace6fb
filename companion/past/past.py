"""What was played at a table: read from its journal, beside the worker that writes it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from companion.journal.match_list import MatchRecord, each_match, read_match
from companion.past.highlights.highlights import Highlights
from companion.past.highlights.reader import HighlightsReader
from companion.past.match_filter import MatchFilter, chosen
from companion.past.match_index import MatchIndex
from companion.past.review.case_cache import CaseCache
from companion.past.score_sheets import ScoreSheets
from companion.past.statistics.shape import Night
from companion.past.statistics.statistics import StatisticsMaker
from companion.past.timeline import Timeline, tell


class Past:
    """The matches of a journal; anybody may ask, on any thread."""

    def __init__(self, journal: Path) -> None:
        self._journal = journal
        self._highlights = HighlightsReader(journal)
        self.casebook = CaseCache(journal)
        self._sheets = ScoreSheets(journal)
        self._statistician = StatisticsMaker()
        self._index = MatchIndex(journal)

    def matches(self) -> tuple[MatchRecord, ...]:
        """List all matches, the latest first."""
        return self._sheets.matches()

    def each_match(self) -> Iterator[MatchRecord]:
        """Go through all matches, the earliest first, a few at a time."""
        return each_match(self._journal)

    def match(self, number: int) -> MatchRecord | None:
        """Look one match up."""
        return read_match(self._journal, number)

    def moments(self) -> dict[int, Highlights]:
        """Tell the races and catches of every match, by its number."""
        return self._highlights.moments()

    def statistics(self, wanted: MatchFilter) -> Night:
        """Sum up the matches that are asked for."""
        return self._statistician.sum_up(chosen(self.matches(), wanted), self.moments())

    def story(self, number: int) -> Timeline | None:
        """Tell the rounds and rulings of one match."""
        record, span = self.match(number), self._index.span(number)
        return None if record is None or span is None else tell(self._journal, record, span)
