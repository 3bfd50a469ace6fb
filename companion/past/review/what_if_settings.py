"""What somebody asks to see a past match judged by: other house rules, durations, head starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.referee.commands import Scoring
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, Timing
from companion.referee.model.table import Match, Table

AS_THEY_SAT = ("most_players", "late_start", "target")
"""Rules about joining and winning, which stay as they were when the match was played."""
HOUSE = tuple(name for name in HouseRules.__struct_fields__ if name not in AS_THEY_SAT)
TIMING = tuple(
    name for name in Timing.__struct_fields__ if name not in ("slap_off_least", "slap_off_most")
)
"""Every duration that the evidence is read by; how long it was dark before a light is past."""
LONGEST = 60_000
LARGEST_HANDICAP = 2_000
MOST_NAMES = 40


class WrongWish(Exception):
    """What is asked makes no sense, for the reason that the sentence gives."""


class Wish(Struct, frozen=True):
    """Other rules; what is not named stays as it was played."""

    house: Mapping[str, Any] = {}
    timing: Mapping[str, int] = {}
    """In nanoseconds."""
    handicaps: Mapping[str, int] = {}
    """By player's name, in nanoseconds."""
    scoring: Scoring | None = None

    def table(self, table: Table) -> Table:
        """The same table, by these rules."""
        match = table.game.match
        if match is not None:
            table = replace(table, game=replace(table.game, match=self.match(match)))
        return replace(table, timing=replace(table.timing, **self.timing))

    def match(self, match: Match) -> Match:
        """The same match, by these rules."""
        house = replace(match.house, **self.house)
        return replace(match, house=house, scoring=self.scoring or match.scoring)


class _Said(Struct, frozen=True, forbid_unknown_fields=True):
    house: dict[str, Any] = {}
    timing: dict[str, float] = {}
    handicaps: dict[str, float] = {}
    scoring: Scoring | None = None


def read_wish(said: Mapping[str, Any]) -> Wish:
    """Read what is asked, in milliseconds, or say what is wrong with it."""
    try:
        asked = msgspec.convert(dict(said), _Said)
    except msgspec.ValidationError as wrong:
        raise WrongWish(f"That cannot be judged by: {wrong}.") from wrong
    _only(asked.house, HOUSE, "House rules to judge by are")
    _only(asked.timing, tuple(f"{name}_ms" for name in TIMING), "Durations to judge by are")
    if len(asked.handicaps) > MOST_NAMES:
        raise WrongWish("So many people do not sit at one table.")
    try:
        whole = {**msgspec.to_builtins(HouseRules()), **asked.house}
        house = msgspec.convert(whole, HouseRules)
    except msgspec.ValidationError as wrong:
        raise WrongWish(f"No house rule says that: {wrong}.") from wrong
    return Wish(
        house={name: getattr(house, name) for name in asked.house},
        timing={name.removesuffix("_ms"): _ns(ms, LONGEST) for name, ms in asked.timing.items()},
        handicaps={name: _ns(ms, LARGEST_HANDICAP) for name, ms in asked.handicaps.items()},
        scoring=asked.scoring,
    )


def _only(said: Mapping[str, Any], known: tuple[str, ...], words: str) -> None:
    if not set(said) <= set(known):
        raise WrongWish(f"{words} {', '.join(known)}.")


def _ns(milliseconds: float, most: int) -> int:
    if not 0 <= milliseconds <= most:
        raise WrongWish(f"A duration is at least 0 and at most {most} milliseconds.")
    return round(milliseconds * MILLISECOND)
