"""Calls and catches: who called UNO when, who was caught, and what has to be asked (R13)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.evidence.asking import Asking
from companion.referee.evidence.racing import Scene
from companion.referee.evidence.touches import Touch
from companion.referee.house import HouseRules
from companion.referee.presses import Press, Timing, together
from companion.referee.table import Calls, Claim, NamedCatch, Race, Turn, Window

FAILED = 3
"""So many failed catches silence a button for the round."""
WAVERING = 2
"""So many touches within the restless time still say something; one more does not."""


class CallsRead(Struct, frozen=True):
    """What was read of calls and catches."""

    calls: Calls
    claims: tuple[Claim, ...]
    asking: tuple[Asking, ...]


class OpenWindow(Struct, frozen=True):
    """A seat on one card: from when a call counts, and until when it may be caught."""

    turn: Turn
    laid_from: int
    next_turn: int | None
    until: int | None
    call: Press | None = None


def call_stands(call: Press | None, catch: Press, timing: Timing, house: HouseRules) -> bool:
    """R13. A call before the catch saves its caller; too close to tell, the house decides."""
    if call is None:
        return False
    if together(call, catch, timing):
        return house.tie_goes_to == "caller"
    return call.at < catch.at


def read_calls(
    scene: Scene,
    races: Sequence[Race],
    used: frozenset[tuple[int, int]],
    since: int,
    heard_from: int,
) -> CallsRead:
    """Read the calls and catches from this moment on; older catches stay as they were read.

    Presses are known from `heard_from` on.
    """
    reader = _Reader(scene, races, used, since, heard_from)
    if scene.material.way == "refereed":
        reader.refereed()
    else:
        for named in scene.material.catches:
            if not reader.settled(named.number):
                reader.free(named)
    return CallsRead(reader.standing(), tuple(reader.claims), tuple(reader.asking))


class _Reader:
    def __init__(
        self,
        scene: Scene,
        races: Sequence[Race],
        used: frozenset[tuple[int, int]],
        since: int,
        heard_from: int,
    ) -> None:
        self.scene = scene
        self.material = scene.material
        self.timing = scene.timing
        self.now = scene.now
        self.races = races
        self.since = since
        self.known_from = heard_from + self.timing.restless
        """From here on it is known whether a touch is one of too many."""
        if heard_from <= self.material.began:
            self.known_from = self.material.began
        self.claims: list[Claim] = []
        self.asking: list[Asking] = []
        for claim in self.material.claims:
            if self._is_settled(claim):
                self._keep(claim)
        self.catching: set[tuple[int, int]] = set()
        """Touches that caught somebody, and so call nothing."""
        self.window: Window | None = None
        self.closed: list[Window] = []
        self.words = {seat: self._words(seat, used) for seat in self.material.seats}
        """The touches of each seat that can say something: neither slaps nor restless ones."""

    def _words(self, seat: int, used: frozenset[tuple[int, int]]) -> list[Touch]:
        free = [t for t in self.scene.hands.by_seat.get(seat, []) if t.key not in used]
        return [
            touch
            for index, touch in enumerate(free)
            if touch.at >= self.known_from
            and (index < WAVERING or touch.at - free[index - WAVERING].at > self.timing.restless)
        ]

    def _is_settled(self, claim: Claim) -> bool:
        """Whether a catch is so old that nothing new bears on it."""
        named = (c.at for c in self.material.catches if c.number == claim.record)
        return claim.due is None and next(named, claim.catch.at) < self.since

    def _keep(self, claim: Claim) -> None:
        """Keep an old catch as it was read, and what was asked about it open."""
        record = claim.window if claim.record is None else claim.record
        answer = self.material.answers.get(record or 0)
        if claim.outcome is None and answer is not None:
            claim = replace(claim, outcome=answer)
        self.claims.append(claim)
        if claim.outcome is None:
            self._ask(claim)

    def settled(self, record: int) -> bool:
        return any(claim.record == record for claim in self.claims)

    def _calls(self, seat: int, since: int, until: int) -> list[Press]:
        """The calls of a seat in a stretch of time, both ends included."""
        since = max(since, self.material.withdrawn.get(seat, -1) + 1)
        pressed = [
            touch.press
            for touch in self.words.get(seat, [])
            if since <= touch.at <= until and touch.key not in self.catching
        ]
        said = [p for p in self.material.said if p.seat == seat and since <= p.at <= until]
        return sorted([*pressed, *said], key=lambda press: press.at)

    # Free play: somebody says on the tablet who was caught.

    def free(self, named: NamedCatch) -> None:
        """A catch counts from the catcher's press, or where there is none from the tap."""
        timing, at, seat = self.timing, named.at, named.seat
        catchers = [named.by] if named.by is not None else self.material.seats
        presses = [
            press for by in catchers if by != seat and (press := self._catching(by, at)) is not None
        ]
        if presses:
            claim = self._from_press(seat, max(presses, key=lambda press: press.at))
        else:
            tap = Press(named.by or 0, at, timing.tablet_uncertainty, "tablet", at)
            claim = self._from_tap(seat, tap)
        claim = replace(claim, record=named.number)
        answer = self.material.answers.get(named.number)
        if answer is not None:
            claim = replace(claim, outcome=answer)
        elif claim.outcome is None:
            self._ask(claim)
        elif self.now < at + timing.settle:
            claim = replace(claim, outcome=None, due=at + timing.settle)
        self.claims.append(claim)
        self.catching.add((claim.catch.seat, claim.catch.at))

    def _catching(self, seat: int, tapped: int) -> Press | None:
        """The press with which this seat caught somebody before the tap."""
        since = tapped - self.timing.catch_look_back
        own = [touch.press for touch in self.words.get(seat, []) if since <= touch.at <= tapped]
        return own[-1] if own else None

    def _from_press(self, seat: int, catch: Press) -> Claim:
        timing = self.timing
        since = max(catch.at - timing.call_reach, self._spent(seat, catch.at) + 1)
        calls = [
            call
            for call in self._calls(seat, since, catch.at + timing.look_ahead)
            if call_stands(call, catch, timing, self.scene.house)
        ]
        later = self._calls(seat, catch.at, self.now)
        call = calls[-1] if calls else (later[0] if later else None)
        return Claim(seat, catch, call=call, outcome="called" if calls else "caught")

    def _spent(self, seat: int, at: int) -> int:
        """When a seat last drew cards before this moment: calls up to then are spent."""
        return max((drew for drew in self.material.drew_at.get(seat, ()) if drew <= at), default=-1)

    def _from_tap(self, seat: int, tap: Press) -> Claim:
        timing = self.timing
        since = max(tap.at - timing.call_reach_tap, self._spent(seat, tap.at) + 1)
        calls = self._calls(seat, since, tap.at)
        sure = [call for call in calls if call.at < tap.at - timing.call_doubt_tap]
        said = [call for call in calls if call in self.material.said]
        if said or sure:
            return Claim(seat, tap, call=(said or sure)[-1], outcome="called")
        if calls:
            return Claim(seat, tap, call=calls[-1])
        return Claim(seat, tap, outcome="caught")

    # Refereed play: the cards tell who is on one, and two presses of one seat are a catch.

    def refereed(self) -> None:
        """Read every catch; then once more, because whoever caught has not called with that."""
        settled, asked = tuple(self.claims), tuple(self.asking)
        self._read_catches()
        caught = {(c.catch.seat, c.catch.at) for c in self.claims if c.outcome or c.due}
        if caught:
            self.catching = caught | {
                second.key
                for seat in self.material.seats
                for first, second in self._pairs(seat)
                if first.key in caught
            }
            self.claims, self.asking = list(settled), list(asked)
            self._read_catches()

    def _read_catches(self) -> None:
        self.window, self.closed = None, []
        windows = self._windows()
        pairs = sorted(
            (pair for seat in self.material.seats for pair in self._pairs(seat)),
            key=lambda pair: (pair[0].at, pair[0].seat),
        )
        over: dict[int, int] = {}
        """By window, the moment of the catch that ended it."""
        known = {(c.catch.seat, c.catch.at) for c in self.claims if c.record is None}
        for claim in self.claims:
            if claim.outcome == "caught" and claim.window is not None:
                over[claim.window] = claim.catch.at
        taps = [named for named in self.material.catches if not self.settled(named.number)]
        for first, second in pairs:
            while taps and taps[0].at < first.at:
                self._named(windows, taps.pop(0), over)
            if first.key not in known and first.at >= self.since:
                self._catch(windows, first, second, over)
        for named in taps:
            self._named(windows, named, over)
        over |= {c.window: c.catch.at for c in self.claims if c.outcome == "caught" and c.window}
        for window in windows:
            turn = window.turn
            if window.until is None and turn.number not in over:
                self.window = Window(turn.number, turn.seat, window.call)
            else:
                self.closed.append(Window(turn.number, turn.seat, window.call))

    def _windows(self) -> list[OpenWindow]:
        """Every turn that left one card and can still matter, with the call that serves it."""
        turns = self.material.turns
        since = self.since - self.timing.catch_look_back
        live = next((i for i, turn in enumerate(turns) if turn.at >= since), len(turns))
        served: set[tuple[int, int]] = set()
        found: list[OpenWindow] = []
        for index in range(max(0, live - 1), len(turns)):
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
        drew = [at for at in self.material.drew_at.get(turn.seat, ()) if at > turn.at]
        ends = [at for at in (following, self.material.ended) if at is not None and at >= turn.at]
        until = min((*ends, *(at for at in drew if at > turn.at)), default=None)
        laid = self._laid_from(turn)
        calls = self._calls(
            turn.seat, laid - self.timing.call_lead, self.now if until is None else until
        )
        free = [call for call in calls if (call.seat, call.at) not in served]
        call = self._known_call(turn) or (free[0] if free else None)
        return OpenWindow(turn, laid, following, until, call)

    def _known_call(self, turn: Turn) -> Press | None:
        """The call of a window that is so old that its presses are not read again."""
        calls = self.material.calls
        windows = (*calls.closed, *(() if calls.window is None else (calls.window,)))
        known: Press | None = next((w.call for w in windows if w.number == turn.number), None)
        withdrawn = self.material.withdrawn.get(turn.seat, -1)
        if known is None or known.at >= self.known_from or known.at <= withdrawn:
            return None
        return known

    def _laid_from(self, turn: Turn) -> int:
        """The earliest moment at which a card can have been laid, however late its record is.

        A race before it was over by then; of a race of its own the hands came right after it.
        """
        bounds = [self.material.began, turn.at - self.timing.look_back]
        for race in self.races:
            if race.record is None or race.how != "card" or not race.slaps:
                continue
            if race.record < turn.number:
                bounds.append(race.anchor)
            elif race.record == turn.number:
                bounds.append(race.anchor - self.timing.bunch)
        return max(bounds)

    def _pairs(self, seat: int) -> list[tuple[Touch, Touch]]:
        """Two touches of one seat that are a catch."""
        own = self.words.get(seat, [])
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
        if self._failures(first.seat) >= FAILED:
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
                    self.claims.append(claim)
                    self._ask(claim)
                    return
                else:
                    claim = replace(claim, outcome="caught")
            if self.now < due:
                claim = replace(claim, outcome=None, due=due)
            self.claims.append(claim)
            return

    def _failures(self, seat: int) -> int:
        return sum(
            1
            for claim in self.claims
            if claim.catch.seat == seat and claim.outcome == "called" and claim.record is None
        )

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
            and not self._calls(first.seat, second.at + 1, other.until or self.now)
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
        self.claims.append(claim)

    def _was_on_one(self, seat: int, at: int) -> bool:
        """Whether a seat came down to one card once, and has neither played nor drawn since."""
        own = [turn for turn in self.material.turns if turn.seat == seat and turn.at <= at]
        return bool(own) and own[-1].left == 1 and self._spent(seat, at) <= own[-1].at

    # Both ways of playing.

    def _ask(self, claim: Claim) -> None:
        """Ask what presses leave open: whether the call, or the next turn, came first."""
        if claim.record is None:
            about = f"catch {claim.window}"
            asking = Asking("caught_in_time", about, ("caught", "too_late"), (claim.seat,), 0)
        else:
            about = f"catch {claim.record}"
            asking = Asking("called_in_time", about, ("called", "caught"), (claim.seat,), 0)
        self.asking.append(asking)

    def standing(self) -> Calls:
        """Who has called by now, and whose second press would be a catch."""
        called: dict[int, int] = {}
        pending: dict[int, int] = {}
        wait = self.timing.stray_lead if self._may_be_slaps() else 0
        lasts = self.material.way == "free"
        shown_from = 0 if lasts else self.now - self.timing.look_back
        for seat in self.material.seats:
            spent = max(self._spent(seat, self.now), self.material.withdrawn.get(seat, -1))
            known = self.material.calls.called.get(seat)
            if known is not None and lasts and spent < known < self.known_from:
                called[seat] = known
            for call in self._calls(seat, max(spent + 1, shown_from), self.now):
                if call.at + wait <= self.now or call in self.material.said:
                    called[seat] = call.at
                else:
                    pending[seat] = call.at
        again = self._asked_again()
        dues = [*again.values(), *(at + wait for at in pending.values())]
        closed = tuple(self.closed)
        return Calls(self.window, closed, called, pending, again, min(dues, default=None))

    def _may_be_slaps(self) -> bool:
        """In free play the first hand of a race looks like a call until the others come."""
        material = self.material
        return material.raced and material.way == "free" and len(material.seats) > 2

    def _asked_again(self) -> dict[int, int]:
        """Whose lamp asks for a second press while somebody who has not called may be caught."""
        if self.window is None or self.window.call is not None:
            return {}
        again: dict[int, int] = {}
        used = {(claim.catch.seat, claim.catch.at) for claim in self.claims}
        for seat, own in self.words.items():
            if seat == self.window.seat or not own or self._failures(seat) >= FAILED:
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
