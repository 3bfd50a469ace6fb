"""A match on paper: who played by which rules, and the score sheet."""

from __future__ import annotations

from msgspec import Struct

from companion.referee.commands import Scoring
from companion.referee.model.house import HouseRules
from companion.referee.model.table import Match, Stint
from companion.referee.rules.scoring import SheetLine, history


class PlayerRecord(Struct, frozen=True):
    """A player of a match with both totals."""

    player: int
    name: str
    stints: tuple[Stint, ...]
    """Which rounds they played."""
    classic: int
    alternative: int


class MatchSheet(Struct, frozen=True):
    """What is kept of a match: who played by which rules, and the score sheet."""

    edition: str
    edition_name: str
    target: int
    scoring: Scoring
    house: HouseRules
    players: tuple[PlayerRecord, ...]
    rounds: tuple[SheetLine, ...]
    winners: tuple[int, ...]
    playing_on: bool


class MatchRecord(Struct, frozen=True):
    """A match with its number and when it was, by the clock on the wall."""

    number: int
    started: str
    ended: str | None
    sheet: MatchSheet


def sheet(match: Match) -> MatchSheet:
    """Write down what is kept of a match."""
    standings = history(match)
    now = standings[-1]
    return MatchSheet(
        edition=match.edition.key,
        edition_name=match.edition.name,
        target=match.target,
        scoring=match.scoring,
        house=match.house,
        players=tuple(
            PlayerRecord(
                player=entrant.player,
                name=entrant.name,
                stints=entrant.stints,
                classic=now.classic.get(entrant.player, 0),
                alternative=now.alternative.get(entrant.player, 0),
            )
            for entrant in match.entrants
        ),
        rounds=tuple(
            SheetLine(
                number=scored.number,
                out=scored.out,
                hands=dict(scored.hands),
                edited=scored.edited,
                classic=dict(after.classic),
                alternative=dict(after.alternative),
            )
            for scored, after in zip(match.rounds, standings[1:], strict=True)
        ),
        winners=tuple(now.winners),
        playing_on=match.playing_on,
    )
