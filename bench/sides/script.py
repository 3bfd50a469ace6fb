"""Refereed matches written down beforehand, so that the same can happen at several tables."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from bench.ground import PLAYERS
from bench.sides.tables import BareTable
from companion.demo.playing import play, seat, set_up
from companion.demo.refereed import RefereedMatch
from companion.demo.steps import TimedCommand
from companion.referee.model.edition import FAST_AND_FURIOUS


def refereed_matches(seed: int) -> Iterator[TimedCommand]:
    """Give the steps of one match after the other, from when all sit and the way is chosen."""
    table = BareTable()
    seats = seat(table, PLAYERS)
    set_up(table, FAST_AND_FURIOUS, "refereed")
    start = table.now
    for match in count():
        begun = table.now - start
        steps = play(table, RefereedMatch(FAST_AND_FURIOUS, seats, 1_000 * seed + match).steps())
        yield from (step.begun_at(begun) for step in steps)
