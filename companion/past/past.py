"""What was played at a table: read from its journal, beside the worker that writes it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path
from sqlite3 import Connection

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.past.briefs import Brief, ListedMatch, MatchFilter, read_briefs
from companion.past.facts import MatchFacts, Touches
from companion.past.highlights import Highlights
from companion.past.names import PlayerNames
from companion.past.records import MatchRecord, MatchSheet
from companion.past.review.cases import Cases, cases_of
from companion.past.review.race_review import RaceReview, second_look
from companion.past.statistics.answers import StatisticsAnswers
from companion.past.tables.read_model import ReadModel
from companion.past.timeline import Timeline, timeline_of

KEPT = 32
"""How many matches stay in memory: as many as one question can judge. Moving a slider asks for the
same ones again and again."""
EVERY_MATCH = MatchFilter()
LARGEST = 2**63 - 1


class ToldMatch(Struct, frozen=True):
    """A match that was replayed, and how far it had got."""

    reach: tuple[int, int, int]
    facts: MatchFacts
    cases: Cases


class Past:
    """The matches of a journal; anybody may ask, on any thread."""

    def __init__(self, journal: Path) -> None:
        self.model = ReadModel(journal)
        self._statistics = StatisticsAnswers()
        self._listed: tuple[int, dict[int, ListedMatch], int] = (0, {}, -1)
        """The matches in brief, in which generation of the tables, and how far they were read."""
        self._told: OrderedDict[int, ToldMatch] = OrderedDict()

    def briefs(self, wanted: MatchFilter = EVERY_MATCH) -> tuple[Brief, ...]:
        """List the matches that are asked for in brief, the latest first."""
        return tuple(one.brief for one in self.model.ask(lambda tables: self._list(tables, wanted)))

    def matches(self, wanted: MatchFilter = EVERY_MATCH) -> tuple[MatchRecord, ...]:
        """List the matches that are asked for with their sheets, the latest first."""
        numbers = [brief.number for brief in self.briefs(wanted)]

        def read(tables: Connection) -> tuple[MatchRecord, ...]:
            records = (_record(tables, self.model.names(), number) for number in numbers)
            return tuple(record for record in records if record is not None)

        return self.model.ask(read)

    def each_match(self, wanted: MatchFilter = EVERY_MATCH) -> Iterator[MatchRecord]:
        """Go through the matches that are asked for, the earliest first, one at a time."""
        records = (self.match(brief.number) for brief in reversed(self.briefs(wanted)))
        return (record for record in records if record is not None)

    def match(self, number: int) -> MatchRecord | None:
        """Look one match up."""
        return self.model.ask(lambda tables: _record(tables, self.model.names(), number))

    def names(self) -> dict[int, str]:
        """Tell how everybody is called who has played here, by number."""
        return self.model.ask(lambda _: self.model.names().latest())

    def highlights(self, number: int) -> Highlights:
        """Tell the races, catches and calls of a match that was played."""
        query = "SELECT highlights FROM matches WHERE number = ?"
        row = self.model.ask(lambda tables: tables.execute(query, (number,)).fetchone())
        return Highlights() if row is None else msgspec.json.decode(row[0], type=Highlights)

    def story(self, number: int) -> Timeline | None:
        """Tell the rounds and rulings of one match."""
        told = self._tell(number)
        return None if told is None else timeline_of(told.facts)

    def cases(self, number: int) -> Cases | None:
        """Give the cases of a match as far as it has got; None where there is no such match."""
        told = self._tell(number)
        return None if told is None else told.cases

    def race(self, match: int, ruling: int) -> RaceReview | None:
        """Look at one past race again."""
        cases = self.cases(match)
        return None if cases is None else second_look(cases, ruling)

    def statistics(self, wanted: MatchFilter) -> dict[str, object]:
        """Answer every statistic for the matches that are asked for."""
        return self.model.ask(
            lambda tables: self._statistics.answer(tables, self._list(tables, wanted))
        )

    def close(self) -> None:
        """Close the read model's file."""
        self.model.close()

    def _list(self, tables: Connection, wanted: MatchFilter) -> list[ListedMatch]:
        """Keep what is listed, and read only what was written since."""
        generation, known, after = self._listed
        if generation != self.model.generation:
            known, after = {}, -1
        there = tables.execute("SELECT number FROM matches ORDER BY number DESC").fetchall()
        known |= read_briefs(tables, self.model.names(), after)
        self._listed = (
            self.model.generation,
            {number: known[number] for (number,) in there},
            self.model.place.position,
        )
        return [one for one in self._listed[1].values() if wanted.has(one.brief)]

    def _tell(self, number: int) -> ToldMatch | None:
        return self.model.ask(lambda tables: self._tell_from(tables, number))

    def _tell_from(self, tables: Connection, number: int) -> ToldMatch | None:
        """Keep the latest matches that were asked for, each as long as nothing is added to it."""
        if not 0 < number <= LARGEST:
            return None
        query = "SELECT begin, end FROM matches WHERE number = ?"
        row = tables.execute(query, (number,)).fetchone()
        if row is None:
            return None
        reach = (self.model.generation, row[0], row[1] or self.model.place.position)
        match = self._told.get(number)
        if match is None or match.reach != reach:
            facts = self._running(number) or self.model.replay(number)
            if facts is None:
                return None
            match = self._told[number] = ToldMatch(reach, facts, cases_of(facts))
        self._told.move_to_end(number)
        while len(self._told) > KEPT:
            self._told.popitem(last=False)
        return match

    def _running(self, number: int) -> MatchFacts | None:
        """Give the facts of the match that is on, with what hands did up to now."""
        facts = self.model.current()
        if facts is None or facts.number != number:
            return None
        touches = Touches(dict(facts.touches.pushes), set(facts.touches.calls))
        return replace(facts, touches=touches)


def _record(tables: Connection, names: PlayerNames, number: int) -> MatchRecord | None:
    if not 0 < number <= LARGEST:
        return None
    query = "SELECT started, ended, end, sheet FROM matches WHERE number = ?"
    row = tables.execute(query, (number,)).fetchone()
    if row is None:
        return None
    started, ended, end, sheet = row
    paper = names.on_sheet(msgspec.json.decode(sheet, type=MatchSheet), end)
    return MatchRecord(number, started, ended, paper)
