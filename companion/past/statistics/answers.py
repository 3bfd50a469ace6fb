"""The statistics of the matches that are asked for."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from operator import is_
from sqlite3 import Connection

from companion.past.briefs import ListedMatch
from companion.past.statistics.registry import STATISTICS

ANSWERS = 8
"""So many choices of matches stay answered."""
TEMPORARY = """
CREATE TEMP TABLE IF NOT EXISTS chosen (match INTEGER PRIMARY KEY);
CREATE TEMP TABLE IF NOT EXISTS people (
    match INTEGER, place INTEGER, player INTEGER, name TEXT, PRIMARY KEY (match, player)
) WITHOUT ROWID;
DELETE FROM chosen;
DELETE FROM people;
"""
HAPPENED = """
SELECT match FROM rounds UNION SELECT match FROM races
UNION SELECT match FROM calls UNION SELECT match FROM catches
"""
"""A match that was started by mistake does not count."""


class StatisticsAnswers:
    """Answers every statistic; the same question is answered at once until something changes."""

    def __init__(self) -> None:
        self._answers: deque[tuple[Sequence[ListedMatch], dict[str, object]]] = deque(
            maxlen=ANSWERS
        )

    def answer(self, tables: Connection, matches: Sequence[ListedMatch]) -> dict[str, object]:
        """Answer for these matches; each is another object as soon as it has changed."""
        for known, figures in self._answers:
            if len(known) == len(matches) and all(map(is_, known, matches)):
                return figures
        figures = answer(tables, matches)
        self._answers.append((matches, figures))
        return figures


def answer(tables: Connection, matches: Sequence[ListedMatch]) -> dict[str, object]:
    """Answer every declared statistic, and say how the page draws those without an own picture."""
    tables.executescript(TEMPORARY)
    happened = {number for (number,) in tables.execute(HAPPENED)}
    counting = [match for match in reversed(matches) if match.brief.number in happened]
    numbers = [(match.brief.number,) for match in counting]
    people = [
        (match.brief.number, place, match.players[place], player.name)
        for match in counting
        for place, player in enumerate(match.brief.players)
    ]
    tables.execute("BEGIN")
    tables.executemany("INSERT INTO chosen VALUES (?)", numbers)
    tables.executemany("INSERT INTO people VALUES (?, ?, ?, ?)", people)
    tables.execute("COMMIT")
    told = {
        one.key: one.tell(*(tables.execute(query).fetchall() for query in one.queries))
        for one in STATISTICS
    }
    drawn = {one.key: one.picture for one in STATISTICS if one.picture != "own"}
    return {**told, "pictures": drawn}
