"""Ask what if of the journal: one race, or all of the matches that are chosen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.past.facts import RACES
from companion.past.review.cases import Cases
from companion.past.review.what_if import RaceIf, WhatIf, race_if, what_if
from companion.past.review.what_if_settings import Wish

MOST_MATCHES = 30
"""More matches are not judged again at one asking; the latest ones are."""
PATIENCE = 2.0


class WhatIfBusy(Exception):
    """Somebody else is being answered, and it takes longer than one should wait."""


class WhatIfQueries:
    """Answers one asker after the other, so that the table never works for many at once."""

    def __init__(self, cases: Callable[[int], Cases | None]) -> None:
        self._cases = cases
        self._turn = threading.Lock()

    def race(self, match: int, ruling: int, wish: Wish) -> RaceIf | None:
        """Judge one race or one catch again; None where it was neither."""
        with _in_turn(self._turn):
            cases = self._cases(match)
            case = cases.case(ruling) if cases is not None else None
            if cases is None or case is None or case.kind not in (*RACES, "catch"):
                return None
            return race_if(cases, case, wish)

    def matches(self, numbers: tuple[int, ...], wish: Wish, round_: int | None = None) -> WhatIf:
        """Judge these matches again, or one round of them."""
        with _in_turn(self._turn):
            found = (self._cases(number) for number in sorted(numbers)[-MOST_MATCHES:])
            return what_if((cases for cases in found if cases is not None), wish, round_)


@contextmanager
def _in_turn(turn: threading.Lock) -> Iterator[None]:
    if not turn.acquire(timeout=PATIENCE):
        raise WhatIfBusy
    try:
        yield
    finally:
        turn.release()
