"""Words: the touches of each seat that can say something, and who has called by them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence

from companion.referee.evidence.races.bunches import WAVERING
from companion.referee.evidence.races.races import RacesRead
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Press
from companion.referee.model.table import Calls, Window


class Words:
    """The touches that are neither slaps nor restless, by seat, and the calls among them."""

    def __init__(self, scene: Scene, races: RacesRead, heard_from: int) -> None:
        """Presses are known from `heard_from` on; some may be slaps of a race that is undecided."""
        self.material = scene.material
        self.timing, self.now = scene.timing, scene.now
        self.undecided = races.undecided
        self._again = races.again
        self.over = scene.now if scene.material.ended is None else scene.material.ended
        """Who presses after the end of the round says nothing."""
        began = self.material.began
        self.known_from = began if heard_from <= began else heard_from + self.timing.restless
        """From here on it is known whether a touch is one of too many."""
        self.catching: set[tuple[int, int]] = set()
        """Touches that caught somebody, and so call nothing."""
        self.taken_for_calls: set[tuple[int, int]] = set()
        """Touches that were given as calls when somebody asked."""
        self.by_seat = {
            seat: self._of(scene.hands.by_seat.get(seat, []), races.used)
            for seat in self.material.seats
        }

    def _of(self, hands: Sequence[Touch], used: frozenset[tuple[int, int]]) -> list[Touch]:
        free = [touch for touch in hands if touch.key not in used]
        return [
            touch
            for index, touch in enumerate(free)
            if self.known_from <= touch.at <= self.over
            and (index < WAVERING or touch.at - free[index - WAVERING].at > self.timing.restless)
        ]

    def of(self, seat: int) -> list[Touch]:
        """All that a seat has said."""
        return self.by_seat.get(seat, [])

    def calls(self, seat: int, since: int, until: int) -> list[Press]:
        """The calls of a seat in a stretch of time, both ends included."""
        if not self.by_seat.get(seat) and not self.material.said:
            return []
        since = max(since, self.material.withdrawn.get(seat, -1) + 1)
        touches = [
            touch
            for touch in self.of(seat)
            if since <= touch.at <= until and touch.key not in self.catching
        ]
        self.taken_for_calls.update(touch.key for touch in touches)
        pressed = [touch.press for touch in touches]
        said = [p for p in self.material.said if p.seat == seat and since <= p.at <= until]
        return sorted([*pressed, *said], key=lambda press: press.at) if said else pressed

    def may_have_called(self, seat: int, since: int, until: int) -> bool:
        """Whether a race that is undecided holds a hand that would be a call otherwise."""
        return any(by == seat and since <= at <= until for by, at in self.undecided)

    def pressed_again(self, seat: int, since: int, until: int) -> bool:
        """Whether a seat pressed once more after a slap, which may have been a call."""
        return any(by == seat and since <= at < until for by, at in self._again)

    def spent(self, seat: int, at: int) -> int:
        """When a seat last drew cards before this moment: calls up to then are spent."""
        drew = self.material.drew_at.get(seat, ())
        before = bisect_right(drew, at)
        return drew[before - 1] if before else -1

    def standing(
        self, window: Window | None, closed: Sequence[Window], again: Mapping[int, int]
    ) -> Calls:
        """Who has called by now, and whose second press would be a catch."""
        material, now = self.material, self.now
        called: dict[int, int] = {}
        pending: dict[int, int] = {}
        wait = self.timing.stray_lead if self._may_be_slaps() else 0
        lasts = material.way == "free"
        shown_from = 0 if lasts else now - self.timing.look_back
        for seat in material.seats:
            spent = max(self.spent(seat, now), material.withdrawn.get(seat, -1))
            known = material.calls.called.get(seat)
            if known is not None and lasts and spent < known < self.known_from:
                called[seat] = known
            for call in self.calls(seat, max(spent + 1, shown_from), now):
                if call.at + wait <= now or call in material.said:
                    called[seat] = call.at
                else:
                    pending[seat] = call.at
        dues = [*again.values(), *(at + wait for at in pending.values())]
        return Calls(window, tuple(closed), called, pending, dict(again), min(dues, default=None))

    def _may_be_slaps(self) -> bool:
        """In free play the first hand of a race looks like a call until the others come."""
        material = self.material
        return material.raced and material.way == "free" and len(material.seats) > 2
