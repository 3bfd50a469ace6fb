"""The score sheet: totals after every round, and what the round at hand would give."""

from __future__ import annotations

from functools import lru_cache
from operator import is_

from msgspec.structs import replace

from companion.referee.model.table import Game, Match, Round, ScoredRound, Seat
from companion.referee.rules.counting import missing_hands
from companion.referee.rules.dealing import dealer_now
from companion.referee.rules.scoring import SheetLine, Standing, history, standing
from companion.view.shape import MatchShown, PlayerShown, Preview


def match_shown(game: Game, match: Match) -> MatchShown:
    """Show a match with its score sheet."""
    sheet = _SameSheet(match, game.seats)
    now = _added_up(sheet)[-1]
    players = _players(sheet)
    return MatchShown(
        number=match.number,
        edition=match.edition.key,
        scoring=match.scoring,
        way=match.way,
        house=match.house,
        target=match.target,
        players=players,
        winners=tuple(now.winners),
        leaders=_leaders(match, players),
        playing_on=match.playing_on,
        dealer=dealer(game, match),
        deal_tied=match.deal_tied,
        rounds=_lines(sheet),
    )


class _SameSheet:
    """A match, equal to another as long as its sheet is the very same one."""

    def __init__(self, match: Match, seats: tuple[Seat, ...]) -> None:
        self.match = match
        self.seats = seats
        self._parts = (match.rounds, match.entrants, match.edition, match.house, seats)

    def __hash__(self) -> int:
        return hash((id(self.match.rounds), id(self.match.entrants), self.match.scoring))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _SameSheet)
            and self.match.scoring == other.match.scoring
            and all(map(is_, self._parts, other._parts))
        )


@lru_cache(maxsize=4)
def _added_up(sheet: _SameSheet) -> list[Standing]:
    """Add a sheet up once, not at every press of the round that follows."""
    return history(sheet.match)


@lru_cache(maxsize=4)
def _players(sheet: _SameSheet) -> tuple[PlayerShown, ...]:
    """Show who plays, with the totals so far."""
    now = _added_up(sheet)[-1]
    seat_of = {seat.player: seat.number for seat in sheet.seats}
    return tuple(
        PlayerShown(
            player=entrant.player,
            name=entrant.name,
            seat=seat_of.get(entrant.player),
            present=entrant.present,
            joined=entrant.stints[0].joined,
            classic=now.classic.get(entrant.player, 0),
            alternative=now.alternative.get(entrant.player, 0),
        )
        for entrant in sheet.match.entrants
    )


@lru_cache(maxsize=4)
def _lines(sheet: _SameSheet) -> tuple[SheetLine, ...]:
    """The lines of a sheet, the very same ones until a round is scored or changed."""
    after = _added_up(sheet)[1:]
    return tuple(_round_shown(sheet.match, at, total) for at, total in enumerate(after))


def dealer(game: Game, match: Match) -> int | None:
    """Tell who deals this round, or who will deal the next one."""
    if match.round is not None:
        return match.round.dealer
    return dealer_now(match, game.seats) if match.dealer is not None and game.seats else None


def count(game: Game, match: Match, round_: Round) -> tuple[tuple[int, ...], Preview | None]:
    """Name the seats whose hand has yet to be counted, or tell what the round would give."""
    if round_.out is None:
        return (), None
    missing = missing_hands(round_)
    return missing, None if missing else _preview(game, match, round_, round_.out)


def _preview(game: Game, match: Match, round_: Round, seat: int) -> Preview:
    player_of = {seat.number: seat.player for seat in game.seats}
    left = {player_of[seat]: left for seat, left in round_.left.items()}
    out = player_of[seat]
    scored = ScoredRound(round_.number, out, left)
    after = standing(replace(match, rounds=(*match.rounds, scored), round=None))
    won = sum(hand.points for hand in left.values())
    players = [player_of[seat] for seat in (*round_.seats, *round_.gone)]
    return Preview(
        classic={player: won if player == out else 0 for player in players},
        alternative={player: left[player].points if player in left else 0 for player in players},
        classic_totals=dict(after.classic),
        alternative_totals=dict(after.alternative),
        winners=tuple(after.winners),
    )


def _round_shown(match: Match, at: int, after: Standing) -> SheetLine:
    """One line of the sheet; a player who joined later has no total in it."""
    scored = match.rounds[at]
    there = {entrant.player for entrant in match.entrants if entrant.stints[0].joined <= at}
    return SheetLine(
        number=scored.number,
        out=scored.out,
        hands=dict(scored.hands),
        edited=scored.edited,
        classic={player: total for player, total in after.classic.items() if player in there},
        alternative={
            player: total for player, total in after.alternative.items() if player in there
        },
    )


def _leaders(match: Match, players: tuple[PlayerShown, ...]) -> tuple[int, ...]:
    present = [player for player in players if player.present]
    if not match.rounds or not present:
        return ()
    if match.scoring == "classic":
        best = max(player.classic for player in present)
        return tuple(player.player for player in present if player.classic == best)
    lowest = min(player.alternative for player in present)
    return tuple(player.player for player in present if player.alternative == lowest)
