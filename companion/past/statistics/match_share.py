"""One match summed up: from its sheet and its moments to a share for each name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from companion.journal.match_list import MatchRecord, MatchSheet, RoundRecord
from companion.past.highlights.highlights import ONE_CALL, CallHighlight, Highlights
from companion.past.statistics.races import add_races
from companion.past.statistics.share import Comeback, Part, Share
from companion.referee.rules.scoring import lowest_wins

Names = Mapping[int, str]


def sum_up_match(record: MatchRecord, moments: Highlights) -> Part:
    """Work out what a match adds."""
    sheet = record.sheet
    names = {player.player: player.name for player in sheet.players}
    part = Part(
        number=record.number,
        edition=sheet.edition,
        edition_name=sheet.edition_name,
        scoring=sheet.scoring,
        shares={name: Share() for name in names.values()},
        winners=frozenset(names[player] for player in sheet.winners),
        rounds=len(sheet.rounds),
        comebacks=list(_comebacks(record, names)),
    )
    _add_points(part, sheet, names)
    _add_calls(part, moments.calls, names)
    _add_catches(part, moments, names)
    add_races(part, moments.races, names)
    return part


def _add_points(part: Part, sheet: MatchSheet, names: Names) -> None:
    for line in sheet.rounds:
        for player, left in line.hands.items():
            part.shares[names[player]].left.append(left.points)
        won = sum(left.points for left in line.hands.values())
        part.shares[names[line.out]].won.append(won)


def _add_calls(part: Part, calls: Sequence[CallHighlight], names: Names) -> None:
    """Pushes of one hand close to each other are one call."""
    whose = sorted(calls, key=lambda call: (call.player, call.round, call.at))
    for (player, _), pushes in groupby(whose, key=lambda call: (call.player, call.round)):
        before: int | None = None
        for push in pushes:
            if player in names and (before is None or push.at - before > ONE_CALL):
                part.shares[names[player]].calls += 1
            before = push.at


def _add_catches(part: Part, moments: Highlights, names: Names) -> None:
    for catch in moments.catches:
        if catch.by is not None and catch.by in names:
            by = part.shares[names[catch.by]]
            by.caught += catch.caught
            by.missed += not catch.caught
        if catch.player is not None and catch.player in names:
            accused = part.shares[names[catch.player]]
            accused.forgot += catch.caught
            accused.saved += catch.called


def _comebacks(record: MatchRecord, names: Names) -> Iterator[Comeback]:
    """A winner who was behind after some round, and how far at the worst.

    Behind whom: the best of those who played that round. Of equal depths the latest counts, which
    was made up in the fewest rounds.
    """
    sheet = record.sheet
    decisive = _decisive(sheet)
    if decisive is None:
        return
    for player in sheet.winners:
        leads: list[tuple[int, int]] = []
        for index, line in enumerate(sheet.rounds[: decisive + 1]):
            lead = _lead(sheet, line, player)
            if lead is not None:
                leads.append((index, lead))
        worst = min(leads[:-1], key=lambda one: (one[1], -one[0]), default=(0, 0))
        if worst[1] < 0:
            yield Comeback(
                name=names[player],
                match=record.number,
                scoring=sheet.scoring,
                behind=-worst[1],
                rounds=decisive - worst[0],
                leads=tuple(lead for _, lead in leads),
            )


def _lead(sheet: MatchSheet, line: RoundRecord, player: int) -> int | None:
    """Tell how far ahead somebody was after a round that they played with others."""
    totals = line.classic if sheet.scoring == "classic" else line.alternative
    others = {line.out, *line.hands} - {player}
    if not others or (player != line.out and player not in line.hands):
        return None
    if sheet.scoring == "classic":
        return totals[player] - max(totals[other] for other in others)
    return min(totals[other] for other in others) - totals[player]


def _decisive(sheet: MatchSheet) -> int | None:
    """Find the round that decided the match, by its place on the sheet."""
    if not sheet.winners:
        return None
    share = sheet.house.lowest_tie == "share"
    for index, line in enumerate(sheet.rounds):
        if sheet.scoring == "classic":
            decided = line.classic[line.out] >= sheet.target
        else:
            present = [
                player.player
                for player in sheet.players
                if any(stint.covers(index) for stint in player.stints)
            ]
            decided = bool(lowest_wins(line.alternative, present, sheet.target, share=share))
        if decided:
            return index
    return None
