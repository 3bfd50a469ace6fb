"""Matches as files: a table for spreadsheets, one of their races, and everything as JSON.

Each is written piece by piece, so that a thousand matches need no more room than one.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta

from msgspec import Struct

from companion import __version__
from companion.past.highlights import Highlights, RaceHighlight, SlapHighlight
from companion.past.past import Past
from companion.past.records import MatchRecord, MatchSheet
from companion.past.timeline import Timeline
from companion.referee.sentences import spoken_json

COLUMNS = (
    "match",
    "round",
    "player",
    "name",
    "went_out",
    "points_left",
    "classic_total",
    "alternative_total",
    "edited",
    "date",
    "edition",
    "scoring",
)
RACE_COLUMNS = (
    "match",
    "round",
    "ruling",
    "how",
    "layer",
    "place",
    "player",
    "name",
    "counted_ms",
    "handicap_ms",
    "last",
    "verdict",
    "margin_ms",
    "date",
    "doubt_ms",
    "hand",
)
MARK = "\ufeff"
"""What a spreadsheet needs to see to read the letters of every language."""
DAWN = timedelta(hours=6)
"""A match that began after midnight belongs to the evening before."""
FORMULA = ("=", "+", "-", "\u2212", "@", "\t", "\r")

Line = tuple[str | int, ...]


class WholeMatch(Struct, frozen=True):
    """A match with its sheet, the story of its rounds, and every hand of its races."""

    number: int
    started: str
    ended: str | None
    sheet: MatchSheet
    story: Timeline | None
    moments: Highlights


def matches_csv(records: Iterable[MatchRecord]) -> Iterator[str]:
    """Write score sheets, one line per player and round, with the header line first."""
    yield MARK + _lines([COLUMNS])
    for record in records:
        yield _lines(_score(record))


def races_csv(
    records: Iterable[MatchRecord], highlights: Callable[[int], Highlights]
) -> Iterator[str]:
    """Write races, one line per racer, with the header line first."""
    yield MARK + _lines([RACE_COLUMNS])
    for record in records:
        races = highlights(record.number).races
        yield _lines(line for race in races for line in _race(record, race))


def matches_json(records: Iterable[MatchRecord], past: Past) -> Iterator[str]:
    """Write everything that is known of matches, one in a line, as `companion export` does."""
    names = past.names()
    yield f'{{"companion":"{__version__}","matches":['
    for at, record in enumerate(records):
        whole = WholeMatch(
            number=record.number,
            started=record.started,
            ended=record.ended,
            sheet=record.sheet,
            story=past.story(record.number),
            moments=past.highlights(record.number),
        )
        yield (",\n" if at else "\n") + spoken_json(whole, names).decode()
    yield "\n]}\n"


def _score(record: MatchRecord) -> Iterator[Line]:
    sheet = record.sheet
    name_of = _names(record)
    for line in sheet.rounds:
        for player in sorted({line.out, *line.hands}):
            left = line.hands.get(player)
            yield (
                record.number,
                line.number,
                player,
                as_text(name_of[player]),
                "yes" if player == line.out else "no",
                left.points if left else 0,
                line.classic[player],
                line.alternative[player],
                "yes" if line.edited else "no",
                evening(record.started),
                as_text(sheet.edition_name),
                sheet.scoring,
            )


def _race(record: MatchRecord, race: RaceHighlight) -> Iterator[Line]:
    name_of = _names(record)
    for place, slap in enumerate(race.slaps, 1):
        yield (
            record.number,
            race.round,
            race.ruling,
            race.how,
            as_text(name_of.get(race.layer or 0, "")),
            place if slap.came and not slap.early else "",
            slap.player,
            as_text(name_of.get(slap.player, "")),
            _ms(slap.after),
            _ms(slap.handicap),
            "yes" if slap.player in race.last else "no",
            race.outcome,
            _ms(race.margin),
            evening(record.started),
            _ms(race.doubt),
            _hand(slap),
        )


def _hand(slap: SlapHighlight) -> str:
    """How a racer's hand came, where that is not simply once."""
    if slap.early or slap.hammered:
        return "early" if slap.early else "hammered"
    return "once" if slap.came else "none"


def evening(label: str) -> str:
    """Name the evening that a match belongs to, where the table stands."""
    try:
        return (datetime.fromisoformat(label).astimezone() - DAWN).date().isoformat()
    except (ValueError, OverflowError):
        return ""


def _names(record: MatchRecord) -> dict[int, str]:
    return {player.player: player.name for player in record.sheet.players}


def _ms(nanoseconds: int | None) -> str:
    return "" if nanoseconds is None else f"{nanoseconds / 1e6:.3f}"


def _lines(lines: Iterable[Line]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(lines)
    return text.getvalue()


def as_text(name: str) -> str:
    """Keep a spreadsheet from taking a name for a formula, however wide its signs are."""
    plain = unicodedata.normalize("NFKC", name).lstrip(" ")
    return f"'{name}" if plain.startswith(FORMULA) else name
