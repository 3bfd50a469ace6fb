"""A contact's edges become pushes: changes in, presses, releases and faults out.

Nothing here reads a clock, a pin or a thread, so that any trace of edges can be told again.
"""

from __future__ import annotations

from collections import deque

from companion.referee.commands import (
    ButtonCommand,
    Fault,
    MissPresses,
    Press,
    PutBack,
    Release,
    SetAside,
)
from hardware.edges import HAND, SECOND, Dating, Edge, Hand
from hardware.record import Record
from hardware.tracing import Tracing


class Contact:
    """One button's contact, followed edge by edge.

    Edges with less than `quiet` between them are one movement. The first edge of a movement away
    from a released, resting contact dates the push; the first edge that reads "pressed" confirms
    it. Every press that is reported ends in exactly one release.
    """

    def __init__(self, button: int, dating: Dating, hand: Hand = HAND) -> None:
        self.button = button
        self.dating = dating
        self.hand = hand
        self.record = Record()
        self._tracing = Tracing(dating)
        self.fault: Fault | None = None
        self.down = False
        self.level = False
        self.moving = False
        self.unsettled = False
        self._from = 0
        self._last: int | None = None
        self._edges = 0
        self._doubt = self._doubt_least = self._spread = 0
        self._began_down = False
        self._confirmed = False
        self._press: Press | None = None
        self._pushed_at: int | None = None
        self._held_since = 0
        self._calm_since = 0
        self._sure: deque[tuple[int, int]] = deque(maxlen=16)
        self._moved_until: int | None = None
        self._odd_since: int | None = None
        self._after_gap = False
        self._unread: tuple[int, int] | None = None
        self._recent: list[int] = []
        self._odd_movements: list[int] = []
        self._spikes: list[int] = []

    def begin(self, now: int, pressed: bool) -> list[ButtonCommand]:
        """Take the level at the start; a button that is already down is stuck."""
        self.down = self.level = pressed
        self.moving = False
        self._held_since = self._calm_since = now
        self._sure.append((now, now))
        return self._set_aside("stuck", now) if pressed else []

    def edge(self, edge: Edge) -> list[ButtonCommand]:
        """Follow one edge."""
        said: list[ButtonCommand] = []
        resting = self._last is None or edge.at - self._last >= self.hand.quiet
        if self.moving and resting:
            said += self._rest(self.level)
        if resting:
            self._moved_until = self._last
            self._from, self._edges = edge.at, 0
            self._doubt, self._doubt_least, self._spread = edge.doubt, edge.doubt_least, edge.spread
            self._began_down, self._confirmed = self.down, False
        self.moving = True
        self._last = edge.at
        self._edges += 1
        self.level = edge.pressed
        self._odd_since = None
        if edge.pressed and not self._began_down and not self._confirmed:
            said += self._push()
        self._tracing.note(edge, begins=resting and not self._began_down)
        if edge.at - self._from > self.hand.unsettled or self._edges > self.hand.most_edges:
            self.unsettled = True
            self._calm_since = edge.at
            said += self._set_aside("noise", self._from)
        return said

    def rest(self, now: int, pressed: bool, asked_at: int | None = None) -> list[ButtonCommand]:
        """Compare with the level read by `now` and asked for a little before, after a pause.

        A level that agrees ends the movement. One that disagrees may have its edge still on the
        way, so it counts as a loss only when it stays.
        """
        if self._last is not None and now - self._last < self.hand.quiet:
            return []
        said: list[ButtonCommand] = []
        if pressed == self.level:
            self._odd_since = None
            if self.moving:
                said += self._rest(pressed)
            self._sure.append((now if asked_at is None else asked_at, now))
        elif self._odd_since is None:
            self._odd_since = now
        elif now - self._odd_since >= self.hand.lost:
            said += self._lost(now, pressed)
        if self.down and self.fault is None and now - self._held_since >= self.hand.stuck:
            said += self._set_aside("stuck", now)
        return said

    def gap(self, until: int) -> list[ButtonCommand]:
        """Say that edges are missing since this contact was last sure of itself."""
        self.record.gaps += 1
        self._after_gap = True
        return [self._missed(until)] if self.fault is None else []

    def lose(self, now: int) -> list[ButtonCommand]:
        """Take note that the line cannot be reached any more."""
        if self.fault == "unreachable":
            return []
        self.fault = None
        return self._set_aside("unreachable", now)

    def find(self, now: int, pressed: bool) -> list[ButtonCommand]:
        """Take note that the line can be reached again."""
        self.fault = None
        self._last = None
        return [PutBack(button=self.button, at=now), *self.begin(now, pressed)]

    def resume(self, now: int, pressed: bool) -> None:
        """Listen to a line again that was muted for its noise."""
        self.down = self.level = pressed
        self.moving = self.unsettled = False
        self._last = None
        self._calm_since = self._held_since = now
        self._sure.append((now, now))

    @property
    def resting_at(self) -> int | None:
        """When the present movement is over unless another edge comes."""
        return self._last + self.hand.quiet if self.moving and self._last is not None else None

    @property
    def _whole(self) -> bool:
        """Whether a movement that ended where it began can have been seen in full."""
        return self._edges % 2 == 0 and not self._doubt

    def _push(self) -> list[ButtonCommand]:
        self._confirmed = True
        self._pushed_at = self._from
        self._recent = [at for at in self._recent if self._from - at <= self.hand.flutter_span]
        self._recent.append(self._from)
        if self.fault is not None:
            return []
        if len(self._recent) >= self.hand.flutter:
            return self._set_aside("chatter", self._recent[0])
        self._press = Press(
            button=self.button,
            at=self._from,
            uncertainty=self._uncertainty(),
            source=self.dating.source,
        )
        self.record.pressed(self._press.at, self._press.uncertainty)
        return [self._press]

    def _uncertainty(self) -> int:
        """Add what an overwritten date can hide: never more than this contact's own bounce."""
        hidden = self.record.likely_bounce()
        if self.dating.numbered:
            hidden = min(self._doubt, hidden) if self._doubt_least <= hidden else 0
        if self._unread is not None and self._from - self._unread[1] < self.hand.recoil:
            hidden += self._from - self._unread[0]
        return self.dating.base + self._spread + hidden

    def _rest(self, pressed: bool) -> list[ButtonCommand]:
        """End the present movement with the contact at this level."""
        self.moving = self.unsettled = False
        last = self._from if self._last is None else self._last
        span = last - self._from
        after_gap, self._after_gap = self._after_gap, False
        if self._began_down:
            self.down = pressed
            if pressed and after_gap:
                return self._doubtful_hold(last)
            return self._flicker(last) if pressed else self._release(self._from)
        if not self._confirmed and not pressed:
            return self._blip(last)
        said = [] if self._confirmed else self._push()
        self.down = pressed
        self._held_since = self._from
        if pressed:
            if self.fault is None:
                self.record.bounced(self._edges - 1, span, whole=not self._doubt)
            return said
        if span < self.hand.spike:
            said += self._spike()
        return said + self._release(last)

    def _release(self, at: int) -> list[ButtonCommand]:
        if self._press is not None:
            self.record.released(at - self._press.at)
            return [self._let_go(at)]
        if self.fault in (None, "unreachable"):
            return []
        began = self._from if self._pushed_at is None else self._pushed_at
        wait = 0 if self.fault == "stuck" else self.hand.calm
        clean = self._pushed_at is not None and began - self._calm_since >= wait
        self._calm_since = at
        self._pushed_at = None
        if not clean:
            return []
        self.fault = None
        self._recent.clear()
        self._spikes.clear()
        self._odd_movements.clear()
        return [PutBack(button=self.button, at=at)]

    def _let_go(self, at: int) -> Release:
        """End the push that was reported, and bring along what its contact did."""
        assert self._press is not None
        began, self._press = self._press.at, None
        return Release(self.button, at, began, self._tracing.told(began))

    def _flicker(self, last: int) -> list[ButtonCommand]:
        """A held contact was lost for a moment; with an edge missing, it may have been let go."""
        self.record.flickers += 1
        if self._whole or self.fault is not None:
            return self._odd_movement()
        return [self._missed(last, before=self._from), *self._odd_movement()]

    def _odd_movement(self) -> list[ButtonCommand]:
        """Take note of a movement that a hand does not make; a few of them are chatter."""
        self._calm_since = self._from
        recent = [at for at in self._odd_movements if self._from - at < SECOND]
        self._odd_movements = [*recent, self._from]
        if len(self._odd_movements) < self.hand.oddities:
            return []
        return self._set_aside("chatter", self._odd_movements[0])

    def _spike(self) -> list[ButtonCommand]:
        """The contact closed for less time than any finger needs."""
        recent = [at for at in self._spikes if self._from - at < self.hand.spike_span]
        self._spikes = [*recent, self._from]
        if len(self._spikes) < self.hand.spikes:
            return []
        return self._set_aside("noise", self._spikes[0])

    def _blip(self, last: int) -> list[ButtonCommand]:
        """The contact moved and never read as pressed: a spike, or a push that was read too late.

        Two edges close together are a spike. Anything else can hide a push, whose date is lost.
        """
        self.record.blips += 1
        self._unread = (self._from, last)
        if self.fault is not None:
            return []
        if self._whole and last - self._from < self.hand.spike:
            return self._spike()
        return [self._missed(last, before=self._from), *self._odd_movement()]

    def _missed(self, until: int, before: int | None = None) -> MissPresses:
        """Say that a push may be missing since the level was last known for certain."""
        before = until if before is None else before
        known = [asked for asked, read in self._sure if read < before]
        known += [at for at in (self._moved_until, self._last) if at is not None and at < before]
        since = max(known, default=before)
        return MissPresses(buttons=(self.button,), since=since, until=until)

    def _doubtful_hold(self, until: int) -> list[ButtonCommand]:
        """After lost edges a held button moved and is held: perhaps let go and pressed again."""
        said = [*self.gap(until), *self._release(self._from)]
        self._after_gap = False
        self._held_since = self._from
        return said

    def _lost(self, now: int, pressed: bool) -> list[ButtonCommand]:
        """The level shows that edges never arrived; what was missed is not guessed."""
        said = self.gap(now)
        self._odd_since = None
        self._after_gap = False
        self.moving = False
        self.down = self.level = pressed
        self._held_since = self._from = now
        if not pressed:
            said += self._release(now)
        return said

    def _set_aside(self, fault: Fault, at: int) -> list[ButtonCommand]:
        """Take the button out of play; a push under way ends with it."""
        if self.fault is not None:
            return []
        said: list[ButtonCommand] = []
        if self._press is not None:
            said.append(self._let_go(max(at, self._press.at, self._last or at)))
        self.fault = fault
        self._pushed_at = None
        self.record.faults += 1
        return [*said, SetAside(button=self.button, fault=fault, at=at)]
