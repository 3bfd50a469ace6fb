"""The cases of past matches, read when somebody asks and kept for a while."""

from __future__ import annotations

import threading
from collections import OrderedDict
from pathlib import Path

from companion.past.replay import MatchReplay
from companion.past.review.cases import Cases, collect
from companion.past.review.race_review import RaceReview, second_look

KEPT = 32
"""So many matches stay at hand, as many as are ever judged at one asking: whoever moves a slider
asks for the same ones again and again."""


class CaseCache:
    """Reads beside the worker and writes nothing; anybody may ask, on any thread."""

    def __init__(self, journal: Path) -> None:
        self._replay = MatchReplay(journal)
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, tuple[bytes, Cases]] = OrderedDict()

    def cases(self, number: int) -> Cases | None:
        """Give the cases of a match as far as it has got; None where there is no such match."""
        with self._lock:
            reach = self._replay.reach(number)
            if reach is None:
                return None
            known = self._kept.get(number)
            if known is None or known[0] != reach:
                found = self._replay.match(number, collect)
                if found is None:
                    return None
                known = self._kept[number] = (reach, found)
            self._kept.move_to_end(number)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            return known[1]

    def race(self, match: int, ruling: int) -> RaceReview | None:
        """Look at one past race again."""
        cases = self.cases(match)
        return None if cases is None else second_look(cases, ruling)
