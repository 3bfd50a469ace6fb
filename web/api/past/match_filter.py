"""The filter of past matches, as every address that tells of them reads it from its query."""

from __future__ import annotations

from collections.abc import Collection

from werkzeug.datastructures import MultiDict

from companion.past.briefs import MatchFilter
from companion.referee.commands import Scoring
from web.api.command_door import Reply, error

KNOWN = ("from", "to", "player", "group", "edition", "scoring")
MOST_PLAYERS = 32
LONGEST_NUMBER = 11
LONGEST_WORD = 80


def read_wanted(asked: MultiDict[str, str], also: Collection[str] = ()) -> MatchFilter | Reply:
    """Read which matches are asked for, or say what is wrong; `also` names what is read elsewhere.

    Nothing is passed over: a filter with a slip of the pen would otherwise choose every match.
    """
    try:
        return _read(asked, also)
    except _Wrong as wrong:
        return error(400, "wrong_value", str(wrong))


class _Wrong(Exception):
    """What was asked makes no sense, for the reason that the sentence gives."""


def _read(asked: MultiDict[str, str], also: Collection[str]) -> MatchFilter:
    for name in asked:
        if name not in KNOWN and name not in also:
            raise _Wrong(f"Matches are chosen by {', '.join((*KNOWN, *also))}, by nothing else.")
        if name != "player" and len(asked.getlist(name)) > 1:
            raise _Wrong(f"Say {name} only once.")
    players = tuple(dict.fromkeys(asked.getlist("player")))
    if len(players) > MOST_PLAYERS or not all(0 < len(name) <= LONGEST_WORD for name in players):
        raise _Wrong("A player is one name, and another one goes into another: ?player=A&player=B.")
    if asked.get("group", "1") != "1":
        raise _Wrong("A group is asked for with group=1, or not at all.")
    if "group" in asked and not players:
        raise _Wrong("A group is its players: ?player=Ana&player=Ben&group=1.")
    return MatchFilter(
        since=_number(asked.get("from")),
        until=_number(asked.get("to")),
        players=players,
        alone="group" in asked,
        edition=_edition(asked.get("edition")),
        scoring=_scoring(asked.get("scoring")),
    )


def _number(said: str | None) -> int | None:
    if said is None:
        return None
    if said.isascii() and said.isdigit() and len(said) <= LONGEST_NUMBER:
        return int(said)
    raise _Wrong("Matches are numbers: ?from=1&to=3.")


def _edition(said: str | None) -> str | None:
    """An edition that is no longer printed here may still have been played; so any word will do."""
    if said is None or 0 < len(said) <= LONGEST_WORD:
        return said
    raise _Wrong("An edition goes by its key, which /api/editions tells.")


def _scoring(said: str | None) -> Scoring | None:
    match said:
        case None | "classic" | "alternative":
            return said
        case _:
            raise _Wrong("A scoring is classic or alternative.")
