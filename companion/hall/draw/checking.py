"""Makes every draw of an evening again, from nothing but the events before it and its seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from companion.hall.draw.drawing import NoDraw, draw
from companion.hall.draw.mending import redrawn
from companion.hall.evening import DrawnRound, Evening
from companion.hall.events import (
    DrawWay,
    HallEvent,
    ResultStruck,
    ResultWritten,
    RoundDrawn,
    apply,
)


class CheckedDraw(Struct, frozen=True):
    """One draw of the evening, and whether it comes out the same when it is made again."""

    round: int
    seed: int
    way: DrawWay
    same: bool


def checked_draws(events: Iterable[HallEvent]) -> Iterator[CheckedDraw]:
    """Follow the events of a hall, and make each draw again where it was made.

    Where people changed places by hand, all that can be checked is that the same ones are seated.
    """
    evening, earlier = Evening(), Evening()
    latest: HallEvent | None = None
    for event in events:
        if isinstance(event, RoundDrawn):
            drawn = event.round
            if event.way == "by_hand":
                round_ = evening.round
                same = round_ is not None and sorted(round_.people) == sorted(drawn.people)
            else:
                again = _again(evening, earlier, latest, event)
                same = again is not None and _seats(again) == _seats(drawn)
            yield CheckedDraw(drawn.number, drawn.seed, event.way, same)
        evening, earlier, latest = apply(evening, event), evening, event


def _again(
    evening: Evening, earlier: Evening, latest: HallEvent | None, event: RoundDrawn
) -> DrawnRound | None:
    """The same round once more, by its seed or by the correction just before it."""
    if isinstance(latest, ResultWritten | ResultStruck) and event.way == "corrected":
        return redrawn(earlier, latest)
    try:
        return draw(evening, event.round.seed, event.round.chosen, event.round.number)
    except NoDraw:
        return None


def _seats(drawn: DrawnRound) -> tuple[list[tuple[int, tuple[int, ...]]], tuple[int, ...]]:
    return [(seating.table, seating.people) for seating in drawn.tables], drawn.byes
