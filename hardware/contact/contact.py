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
from hardware.contact.bounce_history import BounceHistory
from hardware.contact.edges import HAND, Dating, Edge, HandLimits, Level
from hardware.contact.movement import Movement
from hardware.contact.oddities import Oddities
from hardware.contact.tracing import Tracing


class Contact:
    """One button's contact, followed edge by edge.

    Edges with less than `quiet` between them are one movement. A movement away from a released
    contact is a push once the contact was closed for as long as a spike can be, in all; its first
    edge dates the push. A push ends when the contact has stayed open for the time of a recoil, and
    its release is dated by the first edge of the movement that opened it. Every press that is
    reported ends in exactly one release.
    """

    def __init__(self, button: int, dating: Dating, hand: HandLimits = HAND) -> None:
        self.button = button
        self.dating = dating
        self.hand = hand
        self.record = BounceHistory()
        self.fault: Fault | None = None
        self.down = False
        self.level = False
        self.unsettled = False
        self.racing = False
        """Whether a race is on, for which a hand may lie on the button."""
        self._tracing = Tracing(dating)
        self._oddities = Oddities(hand)
        self._movement: Movement | None = None
        self._last: int | None = None
        self._press: Press | None = None
        self._pushed_at: int | None = None
        self._opened_at: int | None = None
        self._held_since = 0
        self._slap: int | None = None
        self._calm_since = 0
        self._sure: deque[tuple[int, int]] = deque(maxlen=16)
        self._odd_since: int | None = None
        self._after_gap = False
        self._unread: tuple[int, int] | None = None

    def begin(self, now: int, pressed: bool) -> list[ButtonCommand]:
        """Take the level at the start; a button that is already down is stuck."""
        self.resume(now, pressed)
        return self._set_aside("stuck", now) if pressed else []

    def edge(self, edge: Edge) -> list[ButtonCommand]:
        """Follow one edge."""
        said: list[ButtonCommand] = []
        moved = self._movement
        resting = self._last is None or edge.at - self._last >= self.hand.quiet
        if moved is None or resting:
            said += [] if moved is None else self._rest(moved)
            said += self._end(edge.at)
            self._tracing.note(edge, begins=not self.down)
            numbered = self.dating.numbered
            moved = Movement(edge, level=self.level, from_down=self.down, numbered=numbered)
            self._movement = moved
        else:
            self._tracing.note(edge, begins=False)
            moved.follow(edge)
        self._last = moved.last
        self.level = edge.pressed
        self._odd_since = None
        if moved.closed >= self.hand.spike:
            said += self._confirm(moved)
        if edge.at - moved.since > self.hand.unsettled or moved.edges > self.hand.most_edges:
            self.unsettled = True
            self._calm_since = edge.at
            said += self._set_aside("noise", moved.since)
        return said

    def rest(self, level: Level) -> list[ButtonCommand]:
        """Compare with a level that was read when every edge before it had been followed.

        One that agrees proves that the contact stayed as it was since its last edge. One that
        disagrees may have its edge still on the way, so it counts as a loss only when it stays.
        """
        if self._last is not None and level.asked <= self._last:
            return []
        quiet = self._last is None or level.asked - self._last >= self.hand.quiet
        said: list[ButtonCommand] = []
        if level.pressed == self.level:
            said += self._agree(level, quiet)
        elif quiet and self._odd_since is None:
            self._odd_since = level.read
        elif quiet and level.read - (self._odd_since or 0) >= self.hand.lost:
            said += self._lost(level.read, level.pressed)
        if self.racing:
            self._held_since = level.read
        if self._idle_hand and level.read - self._held_since >= self.hand.stuck:
            said += self._set_aside("stuck", level.read)
        return said

    def excuse(self, slap: int) -> None:
        """Take note that a race has used the press of this date, however long the hand stays."""
        self._slap = slap

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
        return [PutBack(button=self.button, at=now), *self.begin(now, pressed)]

    def resume(self, now: int, pressed: bool) -> None:
        """Begin anew from a level, as on a line that was muted for its noise."""
        self.down = self.level = pressed
        self.unsettled = False
        self._movement = None
        self._last = self._opened_at = self._odd_since = None
        self._held_since = self._calm_since = now
        self._sure.append((now, now))

    @property
    def look_at(self) -> int | None:
        """From when on a level would tell something, unless another edge comes."""
        moved = self._movement
        if moved is None:
            return None if self._opened_at is None else self._opened_at + self.hand.recoil
        unsure = moved.level and not moved.from_down and not moved.pushed
        return moved.last + (self.hand.spike - moved.closed if unsure else self.hand.quiet)

    @property
    def _idle_hand(self) -> bool:
        """Whether the button is down though no race has used its press."""
        used = self._press is not None and self._press.at == self._slap
        return self.down and self._opened_at is None and self.fault is None and not used

    def _agree(self, level: Level, quiet: bool) -> list[ButtonCommand]:
        """Take a level that is as the edges have told."""
        said: list[ButtonCommand] = []
        moved = self._movement
        self._odd_since = None
        if moved is not None and moved.closed_by(level.asked) >= self.hand.spike:
            said += self._confirm(moved)
        if quiet:
            said += [] if moved is None else self._rest(moved)
            said += self._end(level.asked)
            self._sure.append((level.asked, level.read))
        return said

    def _confirm(self, moved: Movement) -> list[ButtonCommand]:
        """The contact was closed for longer than a spike: a push, unless one is on already."""
        if moved.from_down or moved.pushed:
            return []
        moved.pushed = True
        self._pushed_at = moved.since
        flutters = self._oddities.push(moved.since)
        if self.fault is not None:
            return []
        if flutters is not None:
            return self._set_aside("chatter", flutters)
        late = self._late(moved)
        self._press = Press(
            button=self.button,
            at=moved.since - late // 2,
            uncertainty=self.dating.base + moved.spread + late - late // 2,
            source=self.dating.source,
        )
        self.record.pressed(self._press.at, self._press.uncertainty)
        return [*self._hidden_push(moved), self._press]

    def _late(self, moved: Movement) -> int:
        """How much earlier than its first edge a push may have begun.

        A date that was overwritten is late, never early. So a press is dated in the middle of the
        time in which it can have been, and is uncertain by half of that.
        """
        late = min(moved.doubt, self.hand.longest_bounce)
        if self._unread is not None and moved.since - self._unread[1] < self.hand.recoil:
            late = max(late, moved.since - self._unread[0])
        return late

    def _hidden_push(self, moved: Movement) -> list[ButtonCommand]:
        """Where so long a time is hidden, a hand may have let go and come back in it."""
        hidden = self.fault is None and moved.hides(self.hand.recoil)
        return [self._missed(moved.since)] if hidden else []

    def _rest(self, moved: Movement) -> list[ButtonCommand]:
        """End the present movement with the contact at its level."""
        self._movement = None
        self.unsettled = False
        self._sure.append((moved.last, moved.last))
        after_gap, self._after_gap = self._after_gap, False
        if moved.from_down:
            return self._rest_from_down(moved, after_gap)
        if not moved.pushed and not moved.level:
            return self._blip(moved)
        said = self._confirm(moved)
        self.down = True
        self._held_since = moved.since
        if not moved.level:
            self._opened_at = moved.last
        elif self.fault is None:
            self.record.bounced(moved.edges - 1, moved.last - moved.since)
        return said

    def _rest_from_down(self, moved: Movement, after_gap: bool) -> list[ButtonCommand]:
        """End a movement in which the contact opened, or bounced from having opened."""
        said: list[ButtonCommand] = []
        opened_at, self._opened_at = self._opened_at, None
        if opened_at is not None:
            flutters = self._oddities.closing(moved.since)
            said += [] if flutters is None else self._set_aside("chatter", flutters)
        if moved.level:
            return said + (self._doubtful_hold(moved) if after_gap else self._flicker(moved))
        self._opened_at = moved.since if opened_at is None else opened_at
        return said + (self._hidden_push(moved) if opened_at is None else [])

    def _end(self, now: int) -> list[ButtonCommand]:
        """End the push whose contact has stayed open, so that nothing more bounces from it."""
        if self._opened_at is None or now - self._opened_at < self.hand.recoil:
            return []
        at, self._opened_at = self._opened_at, None
        self.down = False
        return self._release(at)

    def _release(self, at: int) -> list[ButtonCommand]:
        if self._press is not None:
            self.record.released(at - self._press.at)
            return [self._let_go(at)]
        if self.fault in (None, "unreachable"):
            return []
        pushed_at, self._pushed_at = self._pushed_at, None
        calm_since, self._calm_since = self._calm_since, at
        # Whoever lets a stuck button go has shown that it moves; the others are tried by a push.
        tried = pushed_at is not None and pushed_at - calm_since >= self.hand.calm
        if self.fault != "stuck" and not tried:
            return []
        self.fault = None
        self._oddities.clear()
        return [PutBack(button=self.button, at=at)]

    def _let_go(self, at: int) -> Release:
        """End the push that was reported, and bring along what its contact did."""
        assert self._press is not None
        began, self._press = self._press.at, None
        return Release(self.button, at, began, self._tracing.told(began))

    def _flicker(self, moved: Movement) -> list[ButtonCommand]:
        """A held contact was lost for a moment; with an edge missing, it may have been let go."""
        self.record.flickers += 1
        if moved.whole or self.fault is not None:
            return self._odd_movement(moved)
        return [self._missed(moved.last, before=moved.since), *self._odd_movement(moved)]

    def _odd_movement(self, moved: Movement) -> list[ButtonCommand]:
        """Take note of a movement that a hand does not make; a few of them are chatter."""
        self._calm_since = moved.since
        since = self._oddities.movement(moved.since)
        return [] if since is None else self._set_aside("chatter", since)

    def _blip(self, moved: Movement) -> list[ButtonCommand]:
        """The contact closed for no longer than a spike, as far as anybody could see.

        Seen in full it was one. Anything else can hide a push, whose date is lost.
        """
        self.record.blips += 1
        if moved.whole:
            since = self._oddities.spike(moved.since)
            return [] if since is None else self._set_aside("noise", since)
        self._unread = (moved.since, moved.last)
        if self.fault is not None:
            return []
        return [self._missed(moved.last, before=moved.since), *self._odd_movement(moved)]

    def _missed(self, until: int, before: int | None = None) -> MissPresses:
        """Say that a push may be missing since the level was last known for certain."""
        before = until if before is None else before
        known = [asked for asked, read in self._sure if read < before]
        since = max(known, default=before)
        return MissPresses(buttons=(self.button,), since=since, until=until)

    def _doubtful_hold(self, moved: Movement) -> list[ButtonCommand]:
        """After lost edges a held button moved and is held: perhaps let go and pressed again."""
        said = [*self.gap(moved.last), *self._release(moved.since)]
        self._after_gap = False
        self._held_since = moved.since
        return said

    def _lost(self, now: int, pressed: bool) -> list[ButtonCommand]:
        """The level shows that edges never arrived; what was missed is not guessed."""
        said = self.gap(now)
        self._after_gap = False
        self.resume(now, pressed)
        return said if pressed else said + self._release(now)

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
