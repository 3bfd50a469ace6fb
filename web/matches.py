"""A match as a table for spreadsheets: one line per player and round."""

from __future__ import annotations

import csv
import io

from companion.matches import MatchRecord

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
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def match_csv(record: MatchRecord) -> str:
    """Write the score sheet of a match, with the header line first."""
    sheet = record.sheet
    name_of = {player.player: player.name for player in sheet.players}
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(COLUMNS)
    for line in sheet.rounds:
        for player in sorted({line.out, *line.hands}):
            left = line.hands.get(player)
            lines.writerow(
                (
                    record.number,
                    line.number,
                    player,
                    as_text(name_of[player]),
                    "yes" if player == line.out else "no",
                    left.points if left else 0,
                    line.classic[player],
                    line.alternative[player],
                    "yes" if line.edited else "no",
                )
            )
    return text.getvalue()


def as_text(name: str) -> str:
    """Keep a spreadsheet from taking a name for a formula."""
    return f"'{name}" if name.startswith(FORMULA) else name
