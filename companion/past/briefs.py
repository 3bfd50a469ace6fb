"""A past match in brief: what a list of a thousand of them needs, and no more."""

from __future__ import annotations

from msgspec import Struct

from companion.journal.match_list import MatchRecord
from companion.referee.commands import Scoring


class BriefPlayer(Struct, frozen=True):
    """Somebody who played, with the points of the match's own scoring."""

    name: str
    points: int
    rounds: int
    """How many rounds they won."""


class Brief(Struct, frozen=True):
    """A match without its sheet."""

    number: int
    started: str
    ended: str | None
    edition: str
    edition_name: str
    scoring: Scoring
    rounds: int
    players: tuple[BriefPlayer, ...]
    winners: tuple[str, ...]


def brief(record: MatchRecord) -> Brief:
    """Leave out what is only read when a match is opened."""
    sheet = record.sheet
    outs = [line.out for line in sheet.rounds]
    return Brief(
        number=record.number,
        started=record.started,
        ended=record.ended,
        edition=sheet.edition,
        edition_name=sheet.edition_name,
        scoring=sheet.scoring,
        rounds=len(sheet.rounds),
        players=tuple(
            BriefPlayer(
                name=one.name,
                points=one.classic if sheet.scoring == "classic" else one.alternative,
                rounds=outs.count(one.player),
            )
            for one in sheet.players
        ),
        winners=tuple(one.name for one in sheet.players if one.player in sheet.winners),
    )
