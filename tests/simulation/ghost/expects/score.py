"""What the ghost expects of the score sheet, in both ways of counting."""

from __future__ import annotations

from math import floor

from tests.simulation.ghost.truth import Match

Totals = dict[int, int]


Lines = list[tuple[Totals, Totals]]
"""Classic and alternative totals by player: at first, and after every round."""


class Reckoning:
    """The sheet as it was added up last, for as long as nothing on it changes."""

    def __init__(self) -> None:
        self._of: tuple[object, ...] = ()
        self._lines: Lines = []
        self._winners: tuple[int, ...] = ()

    def of(self, match: Match) -> tuple[Lines, tuple[int, ...]]:
        """Give all lines of the sheet, and the winners."""
        sheet_now = ([*match.scored], [*match.entrants], match.scoring, match.house, match.sheet)
        if sheet_now != self._of:
            self._of, self._lines = sheet_now, sheet(match)
            self._winners = winners(match, self._lines)
        return self._lines, self._winners


def sheet(match: Match) -> Lines:
    """R17 and R19. Add everything up, in both ways."""
    classic: Totals = {}
    own: Totals = {}
    _admit(match, 0, classic, own)
    lines = [(dict(classic), dict(own))]
    for done, scored in enumerate(match.scored, start=1):
        classic[scored.out] += sum(count.points for count in scored.counts.values())
        for player, count in scored.counts.items():
            own[player] += count.points
        _admit(match, done, classic, own)
        lines.append((dict(classic), dict(own)))
    return lines


def winners(match: Match, lines: Lines | None = None) -> tuple[int, ...]:
    """R18 and R19. Who has won, since the first round in which the target was reached."""
    for done, (classic, own) in enumerate((lines or sheet(match))[1:], start=1):
        tally = classic if match.scoring == "classic" else own
        if max(tally.values()) < match.target:
            continue
        there = present(match, done - 1)
        if match.scoring == "classic":
            won = [player for player in there if classic[player] >= match.target]
        elif any(own[player] >= match.target for player in there):
            lowest = min(own[player] for player in there)
            won = [player for player in there if own[player] == lowest]
        else:
            won = []
        if len(won) == 1 or (won and match.house.lowest_tie == "share"):
            return tuple(won)
    return ()


def present(match: Match, done: int) -> list[int]:
    """Who plays the round that follows so many."""
    return [
        entrant.player
        for entrant in match.entrants
        if entrant.joined <= done and (entrant.left is None or entrant.left > done)
    ]


def tally_to_begin_with(match: Match, player: int) -> int | None:
    """Who was away for a round or never here begins where the house says; none keeps the own."""
    done = len(match.scored)
    mine = [entrant for entrant in match.entrants if entrant.player == player]
    if mine and mine[-1].left == done:
        return None
    own = sheet(match)[-1][1]
    here = [
        own[entrant.player]
        for entrant in match.entrants
        if entrant.left is None and (entrant.joined < done or entrant.start is None)
    ]
    begin = {
        "highest": max(here, default=0),
        "average": floor(sum(here) / max(1, len(here)) + 0.5),
        "zero": 0,
    }
    return max(begin[match.house.late_start], own.get(player, 0))


def _admit(match: Match, done: int, classic: Totals, own: Totals) -> None:
    """Who comes late begins with nothing, or with the tally that was agreed on then."""
    for entrant in match.entrants:
        if entrant.joined == done:
            classic.setdefault(entrant.player, 0)
            own.setdefault(entrant.player, 0)
            if entrant.start is not None:
                own[entrant.player] = entrant.start
