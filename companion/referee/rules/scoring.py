"""Points and totals: R16 to R19, both scorings always from the same hands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from companion.referee.model.cards import Card
from companion.referee.model.edition import Edition
from companion.referee.model.table import Left, Match, ScoredRound


class Standing(Struct, frozen=True):
    """Where everyone stands after the rounds so far, by player number."""

    classic: dict[int, int]
    alternative: dict[int, int]
    winners: tuple[int, ...] = ()
    won_in: int | None = None
    """The round that decided the match."""


class SheetLine(Struct, frozen=True):
    """A line of the score sheet: one scored round, and the totals after it, by player number."""

    number: int
    out: int
    hands: dict[int, Left]
    edited: bool
    classic: dict[int, int]
    alternative: dict[int, int]


def points_of(hand: Mapping[Card, int], edition: Edition) -> int:
    """R16. Numbers count their face, a zero nothing; symbols and wilds what the sheet says."""
    return sum(edition.face(card).points * copies for card, copies in hand.items())


def classic_points(scored: ScoredRound) -> int:
    """R17. The player who went out scores the points of every other hand."""
    return sum(left.points for left in scored.hands.values())


def classic_winner(scored: ScoredRound, totals: Mapping[int, int], target: int) -> tuple[int, ...]:
    """R18. The first to reach the target at the end of a round wins."""
    return (scored.out,) if totals[scored.out] >= target else ()


def lowest_wins(
    tallies: Mapping[int, int], present: Iterable[int], target: int, *, share: bool
) -> tuple[int, ...]:
    """R19. When anyone reaches the target, the lowest tally wins; a tie shares or plays on."""
    here = list(present)
    if all(tallies[player] < target for player in here):
        return ()
    lowest = min(tallies[player] for player in here)
    winners = tuple(player for player in here if tallies[player] == lowest)
    return winners if share or len(winners) == 1 else ()


def standing(match: Match) -> Standing:
    """Add up all rounds in both ways; the match's own scoring decides who has won."""
    return history(match)[-1]


def history(match: Match) -> list[Standing]:
    """The standing before the first round and after each one."""
    now = _with_joiners(match, Standing({}, {}), 0)
    standings = [now]
    for index, scored in enumerate(match.rounds):
        now = _after(match, now, scored, index)
        now = _with_joiners(match, now, index + 1)
        standings.append(now)
    return standings


def present_in(match: Match, index: int) -> list[int]:
    """Who plays the round of this index, in the order in which they joined."""
    return [
        entrant.player
        for entrant in match.entrants
        if any(stint.covers(index) for stint in entrant.stints)
    ]


def _after(match: Match, before: Standing, scored: ScoredRound, index: int) -> Standing:
    classic = dict(before.classic)
    classic[scored.out] += classic_points(scored)
    alternative = dict(before.alternative)
    for player, left in scored.hands.items():
        alternative[player] += left.points
    if before.winners:
        return Standing(classic, alternative, before.winners, before.won_in)
    target = match.target
    if match.scoring == "classic":
        winners = classic_winner(scored, classic, target)
    else:
        share = match.house.lowest_tie == "share"
        winners = lowest_wins(alternative, present_in(match, index), target, share=share)
    return Standing(classic, alternative, winners, scored.number if winners else None)


def late_start(match: Match, player: int) -> int | None:
    """R19. The tally of a late player, by house rule; one who has missed no round keeps their own.

    Only those are asked who have a tally of their own, not others who join in the same break.
    """
    index = len(match.rounds)
    known = next((entrant for entrant in match.entrants if entrant.player == player), None)
    if known is not None and known.stints[-1].left == index:
        return None
    now = standing(match).alternative
    latest = {entrant.player: entrant.stints[-1] for entrant in match.entrants if entrant.present}
    tallies = [
        now[other] for other, stint in latest.items() if stint.joined < index or stint.start is None
    ]
    return max(_start_among(tallies, match.house.late_start), now.get(player, 0))


def _start_among(tallies: list[int], rule: str) -> int:
    if rule == "zero" or not tallies:
        return 0
    if rule == "highest":
        return max(tallies)
    return (2 * sum(tallies) + len(tallies)) // (2 * len(tallies))


def _with_joiners(match: Match, standing: Standing, index: int) -> Standing:
    """A newcomer has nothing in classic scoring, and the tally that was fixed in the other."""
    joiners = [
        (entrant.player, stint)
        for entrant in match.entrants
        for stint in entrant.stints
        if stint.joined == index
    ]
    if not joiners:
        return standing
    classic, alternative = dict(standing.classic), dict(standing.alternative)
    for player, stint in joiners:
        classic.setdefault(player, 0)
        alternative.setdefault(player, 0)
        if stint.start is not None:
            alternative[player] = stint.start
    return Standing(classic, alternative, standing.winners, standing.won_in)
