"""Catches in refereed play: the cards tell who is on one, two presses of one seat catch (R13)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evidence.catches.claims import Claims, call_stands
from companion.referee.evidence.catches.words import Words
from companion.referee.evidence.scene import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.model.presses import Press
from companion.referee.model.table import Claim, NamedCatch, Race, Turn, Window


class OpenWindow(Struct, frozen=True):
    """A seat on one card: from when a call counts, and until when it may be caught."""

    turn: Turn
    laid_from: int
    next_turn: int | None
    until: int | None
    call: Press | None = None


class RefereedCatches:
    """Reads every window, and every catch of two presses or of a tap."""

    def __init__(self, scene: Scene, races: Sequence[Race], words: Words, claims: Claims) -> None:
        self.scene = scene
        self.material = scene.material
        self.timing = scene.timing
        self.now = scene.now
        self.races = races
        self.words = words
        self.claims = claims
        self.since = claims.since
        calls = scene.material.calls
        windows = (*calls.closed, *(() if calls.window is None else (calls.window,)))
        self._calls_before = {window.number: window.call for window in windows}
        self._races_of_cards = [
            (race.record, race.anchor)
            for race in races
            if race.record is not None and race.how == "card" and race.slaps
        ]
        self._pairs = sorted(
            (pair for seat in self.material.seats for pair in self._pairs_of(seat)),
            key=lambda pair: (pair[0].at, pair[0].seat),
        )
        self.window: Window | None = None
        self.closed: list[Window] = []

    def read(self) -> None:
        """Read every catch; then once more where what caught somebody was taken for a call."""
        self._read_catches()
        caught = {(c.catch.seat, c.catch.at) for c in self.claims.read if c.outcome or c.due}
        if caught:
            seconds = {second.key for first, second in self._pairs if first.key in caught}
            self.words.catching = caught | seconds | self._seconds_of_old(caught)
            if not self.words.catching.isdisjoint(self.words.taken_for_calls):
                self.claims.forget()
                self._read_catches()

    def _seconds_of_old(self, caught: set[tuple[int, int]]) -> set[tuple[int, int]]:
        """The second touches of catches whose first one is too long ago to be known."""
        known_from, apart = self.words.known_from, self.timing.catch_most
        taps = {(c.catch.seat, c.catch.at) for c in self.claims.read if c.record is not None}
        return {
            touch.key
            for seat, at in caught - taps
            for touch in self.words.of(seat)[:1]
            if at < known_from and touch.at - at <= apart
        }

    def _read_catches(self) -> None:
        self.window = None
        windows = self._windows()
        over: dict[int, int] = {}
        """By window, the moment of the catch that ended it."""
        known = {(c.catch.seat, c.catch.at) for c in self.claims.read if c.record is None}
        for claim in self.claims.read:
            if claim.outcome == "caught" and claim.window is not None:
                over[claim.window] = claim.catch.at
        taps = [named for named in self.material.catches if not self.claims.settled(named.number)]
        for first, second in self._pairs:
            while taps and taps[0].at < first.at:
                self._named(windows, taps.pop(0), over)
            if first.key not in known and first.at >= self.since:
                self._catch(windows, first, second, over)
        for named in taps:
            self._named(windows, named, over)
        over |= {
            c.window: c.catch.at for c in self.claims.read if c.outcome == "caught" and c.window
        }
        for window in windows:
            turn = window.turn
            if window.until is None and turn.number not in over:
                self.window = Window(turn.number, turn.seat, window.call)
            elif window.call is not None:
                self.closed.append(Window(turn.number, turn.seat, window.call))

    def _windows(self) -> list[OpenWindow]:
        """Every turn that left one card and can still matter, with the call that serves it."""
        turns = self.material.turns
        since = self.since - self.timing.catch_look_back
        live = max(0, bisect_left(turns, since, key=lambda turn: turn.at) - 1)
        first = turns[live].number if live < len(turns) else 0
        self.closed = [window for window in self.material.calls.closed if window.number < first]
        served = {(w.call.seat, w.call.at) for w in self.closed if w.call is not None}
        found: list[OpenWindow] = []
        for index in range(live, len(turns)):
            turn = turns[index]
            if turn.left == 1:
                following = turns[index + 1].at if index + 1 < len(turns) else None
                window = self._window(turn, following, served)
                found.append(window)
                if window.call is not None:
                    served.add((window.call.seat, window.call.at))
        return found

    def _window(
        self, turn: Turn, following: int | None, served: set[tuple[int, int]]
    ) -> OpenWindow:
        until = self._over_at(turn, following)
        laid = self._laid_from(turn)
        calls = self.words.calls(
            turn.seat, laid - self.timing.call_lead, self.now if until is None else until
        )
        call = self._known_call(turn)
        if call is None:
            call = next((one for one in calls if (one.seat, one.at) not in served), None)
        return OpenWindow(turn, laid, following, until, call)

    def _over_at(self, turn: Turn, following: int | None) -> int | None:
        """When a catch was too late: the next turn, the end, or cards in the hand."""
        drew = self.material.drew_at.get(turn.seat, ())
        index = bisect_right(drew, turn.at)
        over = drew[index] if index < len(drew) else None
        for at in (following, self.material.ended):
            if at is not None and at >= turn.at and (over is None or at < over):
                over = at
        return over

    def _known_call(self, turn: Turn) -> Press | None:
        """The call of a window, where it is too old to be read again or waits for a race."""
        known = self._calls_before.get(turn.number)
        if known is None or known.at <= self.material.withdrawn.get(turn.seat, -1):
            return None
        waits = (known.seat, known.at) in self.words.undecided
        return known if waits or known.at < self.words.known_from else None

    def _laid_from(self, turn: Turn) -> int:
        """The earliest moment at which a card can have been laid, however late its record is.

        A race before it was over by then; of a race of its own the hands came right after it.
        """
        laid = max(self.material.began, turn.at - self.timing.look_back)
        for record, anchor in self._races_of_cards:
            if record < turn.number:
                laid = max(laid, anchor)
            elif record == turn.number:
                laid = max(laid, anchor - self.timing.bunch)
        return laid

    def _pairs_of(self, seat: int) -> list[tuple[Touch, Touch]]:
        """Two touches of one seat that are a catch."""
        own = self.words.of(seat)
        pairs: list[tuple[Touch, Touch]] = []
        index = 0
        while index + 1 < len(own):
            apart = own[index + 1].at - own[index].at
            if self.timing.catch_least <= apart <= self.timing.catch_most:
                pairs.append((own[index], own[index + 1]))
                index += 2
            else:
                index += 1
        return pairs

    def _catch(
        self,
        windows: Sequence[OpenWindow],
        first: Touch,
        second: Touch,
        over: dict[int, int],
    ) -> None:
        """Give a catch to the earliest window that it can belong to."""
        if self.claims.silenced(first.seat):
            return
        for window in windows:
            turn = window.turn
            if not self._can_catch(window, first, over) or _called_with(windows, first, turn):
                continue
            claim = Claim(turn.seat, first.press, window=turn.number, call=window.call)
            due = second.at + self.timing.settle
            if call_stands(window.call, first.press, self.timing, self.scene.house):
                claim = replace(claim, outcome="called")
            else:
                answer = self.material.answers.get(turn.number)
                over[turn.number] = first.at
                if answer is not None:
                    claim = replace(claim, outcome=answer)
                elif self._in_doubt(window, windows, first, second):
                    self.claims.add(claim)
                    self.claims.ask(claim)
                    return
                else:
                    claim = replace(claim, outcome="caught")
            if self.now < due:
                claim = replace(claim, outcome=None, due=due)
            self.claims.add(claim)
            return

    def _can_catch(self, window: OpenWindow, first: Touch, over: Mapping[int, int]) -> bool:
        turn = window.turn
        if turn.seat == first.seat or first.at < window.laid_from:
            return False
        if first.at < turn.at - self.timing.catch_look_back:
            return False
        if window.until is not None and first.at > window.until:
            return False
        if first.at >= over.get(turn.number, first.at + 1):
            return False
        call = window.call
        if call is None or not first.at < call.at <= turn.at:
            return True
        return call.at - first.at <= self.timing.catch_before_call

    def _in_doubt(
        self, window: OpenWindow, windows: Iterable[OpenWindow], first: Touch, second: Touch
    ) -> bool:
        """Whether the next turn may have begun already, or the presses were its player's call."""
        following = window.next_turn
        if following is not None and first.at >= following - self.timing.turn_doubt:
            return True
        reach = self.timing.catch_look_back
        return any(
            other.turn.seat == first.seat
            and other.turn.at == following
            and first.at >= other.turn.at - reach
            and other.call is not None
            and (other.call.seat, other.call.at) == first.key
            and not self.words.calls(first.seat, second.at + 1, other.until or self.now)
            for other in windows
        )

    def _named(
        self, windows: Sequence[OpenWindow], named: NamedCatch, over: dict[int, int]
    ) -> None:
        """A catch that was tapped in for a seat."""
        at = named.at
        tap = Press(named.by or 0, at, self.timing.tablet_uncertainty, "tablet", at)
        claim = Claim(named.seat, tap, record=named.number)
        reach = self.timing.catch_look_back
        own = [w for w in windows if w.turn.seat == named.seat and at >= w.turn.at - reach]
        window = own[-1] if own else None
        closed = window is not None and window.until is not None and at > window.until
        if window is None or closed or window.turn.number in over:
            late = self._was_on_one(named.seat, at)
            claim = replace(claim, outcome="too_late" if late else "not_on_one")
        else:
            stands = call_stands(window.call, tap, self.timing, self.scene.house)
            claim = replace(
                claim,
                window=window.turn.number,
                call=window.call,
                outcome="called" if stands else "caught",
            )
        if claim.outcome == "caught" and claim.window is not None:
            over[claim.window] = at
        if self.now < at + self.timing.settle and claim.window is not None:
            claim = replace(claim, outcome=None, due=at + self.timing.settle)
        self.claims.add(claim)

    def _was_on_one(self, seat: int, at: int) -> bool:
        """Whether a seat came down to one card once, and has neither played nor drawn since."""
        own = [turn for turn in self.material.turns if turn.seat == seat and turn.at <= at]
        return bool(own) and own[-1].left == 1 and self.words.spent(seat, at) <= own[-1].at

    def press_again(self) -> dict[int, int]:
        """Whose lamp asks for a second press while somebody who has not called may be caught."""
        if self.window is None or self.window.call is not None:
            return {}
        again: dict[int, int] = {}
        used = {(claim.catch.seat, claim.catch.at) for claim in self.claims.read}
        for seat, own in self.words.by_seat.items():
            if seat == self.window.seat or not own or self.claims.silenced(seat):
                continue
            until = own[-1].at + self.timing.catch_most
            second = len(own) > 1 and (seat, own[-2].at) in used
            if self.now < until and own[-1].key not in used and not second:
                again[seat] = until
        return again


def _called_with(windows: Iterable[OpenWindow], first: Touch, turn: Turn) -> bool:
    """Whether presses before this turn's end were the call of somebody who played before it."""
    return any(
        other.turn.number < turn.number
        and other.call is not None
        and (other.call.seat, other.call.at) == first.key
        for other in windows
    )
