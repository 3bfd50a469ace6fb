"""Touches that may have been a call or a catch in the turns of refereed play before a race."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from companion.referee.evidence.material import Material
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Timing
from companion.referee.model.table import NamedRace


def said_in_turns(
    material: Material, named: NamedRace, seat: int, touches: Sequence[Touch], timing: Timing
) -> list[Touch]:
    """What of these touches of a seat may have called in its turns, or caught others in theirs.

    A call serves a turn that left one card; two touches catch whoever has one. The turn of the
    race's own card is left out.
    """
    own = (named.number, named.card)
    turns = [turn for turn in material.turns if turn.number not in own and turn.at <= named.at]
    words: list[Touch] = []
    ends = [*(turn.at for turn in turns[1:]), named.at]
    for turn, end in zip(turns, ends, strict=False):
        if turn.left != 1:
            continue
        left = [touch for touch in touches if touch not in words]
        if turn.seat == seat:
            earliest = turn.at - timing.look_back - timing.call_lead
            words += [touch for touch in left if earliest <= touch.at <= end][:1]
            continue
        for first, second in pairwise(left):
            apart = second.at - first.at
            if first.at <= end and timing.catch_least <= apart <= timing.catch_most:
                words += [first, second]
    return words
