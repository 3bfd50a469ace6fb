"""What the read model keeps of one match for statistics: rows of its tables, by player number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, groupby

import msgspec

from companion.past.facts import ONE_CALL, GivenRuling
from companion.past.highlights import Highlights, RaceHighlight
from companion.past.records import MatchSheet
from companion.referee.rules.scoring import SheetLine, lowest_wins

Row = tuple[str | int | None, ...]
Rows = Iterator[Row]

TABLES = """
CREATE TABLE players (
    match INTEGER, place INTEGER, player INTEGER, winner INTEGER, decided INTEGER,
    played INTEGER, outs INTEGER, points INTEGER, PRIMARY KEY (match, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE rounds (
    match INTEGER, number INTEGER, out INTEGER, won INTEGER, edited INTEGER,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE hands (
    match INTEGER, round INTEGER, player INTEGER, points INTEGER,
    PRIMARY KEY (match, round, player)
) STRICT, WITHOUT ROWID;
CREATE TABLE rulings (
    match INTEGER, number INTEGER, round INTEGER, rule TEXT, outcome TEXT, overruled INTEGER,
    PRIMARY KEY (match, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE comebacks (
    match INTEGER, player INTEGER, behind INTEGER, rounds INTEGER, leads TEXT,
    PRIMARY KEY (match, player)
) STRICT, WITHOUT ROWID;
CREATE TABLE races (
    match INTEGER, ruling INTEGER, round INTEGER, head INTEGER, how TEXT, outcome TEXT,
    heat INTEGER, margin INTEGER, PRIMARY KEY (match, ruling)
) STRICT, WITHOUT ROWID;
CREATE TABLE racers (
    match INTEGER, place INTEGER, player INTEGER, first INTEGER, lost INTEGER,
    PRIMARY KEY (match, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE slaps (
    match INTEGER, ruling INTEGER, place INTEGER, player INTEGER, how TEXT, after INTEGER,
    handicap INTEGER, early INTEGER, hammered INTEGER, PRIMARY KEY (match, ruling, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE pairs (
    match INTEGER, ruling INTEGER, behind INTEGER, ahead INTEGER,
    PRIMARY KEY (match, ruling, behind, ahead)
) STRICT, WITHOUT ROWID;
CREATE TABLE duels (
    match INTEGER, ruling INTEGER, round INTEGER, loser INTEGER, saved INTEGER, margin INTEGER,
    PRIMARY KEY (match, ruling)
) STRICT, WITHOUT ROWID;
CREATE TABLE calls (
    match INTEGER, round INTEGER, player INTEGER, at INTEGER, fresh INTEGER,
    PRIMARY KEY (match, round, player, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE catches (
    match INTEGER, ruling INTEGER, round INTEGER, player INTEGER, by INTEGER, caught INTEGER,
    called INTEGER, PRIMARY KEY (match, ruling)
) STRICT, WITHOUT ROWID;
"""
"""Every table begins with the match, and its rows go when that goes.

A player's `outs` are the rounds in which they went out, and `won` the points in the hands left
then. A race is a `head` unless it is the slap-off of another. `pairs` are racers whose order is
known; a duel is between the last and the last but one, with a margin where hands alone decided. A
call is `fresh` unless it is one with the call before.
"""


def rows_of(
    sheet: MatchSheet, highlights: Highlights, rulings: Iterable[GivenRuling] = ()
) -> dict[str, Rows]:
    """Give the rows of a match by table, each without the match's number."""
    return {
        "players": _players(sheet),
        "rounds": (
            (line.number, line.out, sum(left.points for left in line.hands.values()), line.edited)
            for line in sheet.rounds
        ),
        "hands": (
            (line.number, player, left.points)
            for line in sheet.rounds
            for player, left in line.hands.items()
        ),
        "rulings": (
            (r.number, given.round, r.rule, r.outcome, r.overruled is not None)
            for given in rulings
            for r in (given.ruling,)
        ),
        "comebacks": _comebacks(sheet),
        "races": _races(highlights),
        "racers": _racers(highlights),
        "slaps": (
            (race.ruling, at, s.player, race.how, s.after, s.handicap, s.early, s.hammered)
            for race in highlights.races
            for at, s in enumerate(race.slaps)
        ),
        "pairs": (
            (race.ruling, behind, ahead)
            for race in highlights.races
            for behind, ahead in _pairs(race)
        ),
        "duels": (
            (race.ruling, race.round, *duel, race.margin if race.outcome == "last" else None)
            for race in highlights.races
            if (duel := _duel(race)) is not None
        ),
        "calls": _calls(highlights),
        "catches": (
            (one.ruling, one.round, one.player, one.by, one.caught, one.called)
            for one in highlights.catches
        ),
    }


def _calls(highlights: Highlights) -> Rows:
    """Pushes of one hand close to each other are one call."""
    whose = sorted(highlights.calls, key=lambda call: (call.player, call.round, call.at))
    for (player, round_), pushes in groupby(whose, key=lambda call: (call.player, call.round)):
        before: int | None = None
        for push in pushes:
            yield round_, player, push.at, before is None or push.at - before > ONE_CALL
            before = push.at


def _players(sheet: MatchSheet) -> Rows:
    outs = [line.out for line in sheet.rounds]
    for place, one in enumerate(sheet.players):
        left = sum(one.player in line.hands for line in sheet.rounds)
        out = outs.count(one.player)
        winner, decided = one.player in sheet.winners, bool(sheet.winners)
        points = one.classic if sheet.scoring == "classic" else one.alternative
        yield place, one.player, winner, decided, left + out, out, points


def _races(highlights: Highlights) -> Rows:
    heads: set[int] = set()
    for race in highlights.races:
        head = race.of not in heads
        heads.add(race.of)
        yield race.ruling, race.round, head, race.how, race.outcome, race.heat, race.margin


def _racers(highlights: Highlights) -> Rows:
    """Who raced, who was first and who lost; the slap-off decides what the race could not."""
    together: dict[int, list[RaceHighlight]] = {}
    for race in highlights.races:
        together.setdefault(race.of, []).append(race)
    place = 0
    for races in together.values():
        head = races[0]
        losers = next((race.last for race in reversed(races) if race.decided), ())
        first = _first(head)
        for player in (*(slap.player for slap in head.slaps), *head.unusable):
            yield place, player, player == first, player in losers
            place += 1


def _first(race: RaceHighlight) -> int | None:
    """Tell whose hand came first; none in doubt, by hammering, or without a second hand."""
    if len(race.slaps) < 2 or race.unusable or any(slap.early for slap in race.slaps):
        return None
    first = race.slaps[0]
    clear = first.after is not None and not first.hammered and first.player not in race.tied
    return first.player if clear else None


def _pairs(race: RaceHighlight) -> Iterator[tuple[int, int]]:
    """Give each pair of racers whose order is known, the one behind first."""
    for ahead, behind in combinations(race.slaps, 2):
        one, other = ahead.player, behind.player
        if one in race.tied and other in race.tied:
            if race.decided and (one in race.last) != (other in race.last):
                yield (one, other) if one in race.last else (other, one)
        elif ahead.early or behind.early:
            if ahead.early != behind.early:
                yield (one, other) if ahead.early else (other, one)
        elif ahead.came:
            yield other, one


def _duel(race: RaceHighlight) -> tuple[int, int] | None:
    """Tell who was last before whom, where both hands came and only one of them lost."""
    if len(race.slaps) < 2 or race.unusable or not all(slap.came for slap in race.slaps):
        return None
    one, other = race.slaps[-2].player, race.slaps[-1].player
    if not race.decided or len(race.last) != 1 or race.last[0] not in (one, other):
        return None
    return (one, other) if race.last[0] == one else (other, one)


def _comebacks(sheet: MatchSheet) -> Rows:
    """A winner who was behind after some round, and how far at the worst.

    Behind whom: the best of those who played that round. Of equal depths the latest counts, which
    was made up in the fewest rounds.
    """
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
            leads_json = msgspec.json.encode([lead for _, lead in leads]).decode()
            yield player, -worst[1], decisive - worst[0], leads_json


def _lead(sheet: MatchSheet, line: SheetLine, player: int) -> int | None:
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
