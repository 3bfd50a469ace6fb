"""A contact's edges become pushes: changes in, presses, releases and faults out.

Nothing here reads a clock, a pin or a thread, so a recorded trace of edges can be played again.
"""

from __future__ import annotations

from companion.referee.commands import (
    ButtonCommand,
    Fault,
    PushButton,
    PutBack,
    Release,
    SetAside,
)
from hardware.contact.bounce_history import BounceHistory, Tracing
from hardware.contact.edges import HAND, Dating, Edge, HandLimits, Level
from hardware.contact.movement import Doubt, Movement
from hardware.contact.oddities import Oddities


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
        self.touched: PushButton | None = None
        """The push that the latest edge has begun, as far as anybody can tell so early."""
        self.racing = False
        """Whether a race is on, for which a hand may lie on the button."""
        self.slap: int | None = None
        """The date of the press that a race has used, however long its hand stays."""
        self._tracing = Tracing(dating)
        self._oddities = Oddities(hand)
        self._doubt = Doubt(button, dating, hand)
        self._movement: Movement | None = None
        self._last: int | None = None
        self._press: PushButton | None = None
        self._opened_at: int | None = None
        self._held_since = 0
        self._contradicted_since: int | None = None
        self._after_gap = False

    def begin(self, now: int, pressed: bool) -> list[ButtonCommand]:
        """Take the level at the start; a button that is already down is stuck."""
        self.resume(now, pressed)
        return self._set_aside("stuck", now) if pressed else []

    def edge(self, edge: Edge) -> list[ButtonCommand]:
        """Follow one edge."""
        reports: list[ButtonCommand] = []
        moved = self._movement
        resting = self._last is None or edge.at - self._last >= self.hand.quiet
        if moved is None or resting:
            reports += [] if moved is None else self._rest(moved)
            reports += self._end(edge.at)
            self._tracing.note(edge, begins=not self.down)
            numbered = self.dating.numbered
            moved = Movement(edge, level=self.level, from_down=self.down, numbered=numbered)
            self._movement = moved
        else:
            self._tracing.note(edge, begins=False)
            moved.follow(edge)
        self._last = moved.last
        self.level = edge.pressed
        self._contradicted_since = None
        if moved.closed >= self.hand.spike:
            reports += self._confirm(moved)
        if edge.at - moved.since > self.hand.unsettled or moved.edges > self.hand.most_edges:
            self.unsettled = True
            self._oddities.restless(edge.at)
            reports += self._set_aside("noise", moved.since)
        self.touched = self._touch(moved)
        return reports

    def rest(self, level: Level) -> list[ButtonCommand]:
        """Compare with a level that was read when every edge before it had been followed.

        One that agrees proves that the contact stayed as it was since its last edge. One that
        disagrees may have its edge still on the way, so it counts as a loss only when it stays.
        """
        if self._last is not None and level.asked <= self._last:
            return []
        quiet = self._last is None or level.asked - self._last >= self.hand.quiet
        reports: list[ButtonCommand] = []
        if level.pressed == self.level:
            reports += self._agree(level, quiet)
        elif quiet and self._contradicted_since is None:
            self._contradicted_since = level.read
        elif quiet and level.read - (self._contradicted_since or 0) >= self.hand.lost:
            reports += self._lost(level.read, level.pressed)
        if self.racing:
            self._held_since = level.read
        if self._idle_hand and level.read - self._held_since >= self.hand.stuck:
            reports += self._set_aside("stuck", level.read)
        return reports

    def gap(self, until: int) -> list[ButtonCommand]:
        """Say that edges are missing since this contact was last sure of itself."""
        self.record.gaps += 1
        self._after_gap = True
        return [self._doubt.missed(until)] if self.fault is None else []

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
        self._last = self._opened_at = self._contradicted_since = None
        self._held_since = now
        self._oddities.restless(now)
        self._doubt.certain(now, now)

    def _touch(self, moved: Movement) -> PushButton | None:
        """The push that a movement has just begun.

        It may be a spike. So it is only for showing, and only on a contact that never had one.
        """
        if moved.edges > 1 or not moved.level or moved.from_down:
            return None
        if self.fault is not None or self.record.blips:
            return None
        return PushButton(self.button, moved.since, self.dating.base, self.dating.source)

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
        used = self._press is not None and self._press.at == self.slap
        return self.down and self._opened_at is None and self.fault is None and not used

    def _agree(self, level: Level, quiet: bool) -> list[ButtonCommand]:
        """Take a level that agrees with the edges."""
        reports: list[ButtonCommand] = []
        moved = self._movement
        self._contradicted_since = None
        if moved is not None and moved.closed_by(level.asked) >= self.hand.spike:
            reports += self._confirm(moved)
        if quiet:
            reports += [] if moved is None else self._rest(moved)
            reports += self._end(level.asked)
            self._doubt.certain(level.asked, level.read)
        return reports

    def _confirm(self, moved: Movement) -> list[ButtonCommand]:
        """The contact was closed for longer than a spike: a push, unless one is on already."""
        if moved.from_down or moved.pushed:
            return []
        moved.pushed = True
        flutters = self._oddities.push(moved.since)
        if self.fault is not None:
            return []
        if flutters is not None:
            return self._set_aside("chatter", flutters)
        self._press = self._doubt.press(moved)
        self.record.pressed(self._press.at, self._press.uncertainty)
        return [*self._hidden_push(moved), self._press]

    def _hidden_push(self, moved: Movement) -> list[ButtonCommand]:
        """Where so long a time is hidden, a hand may have let go and come back in it."""
        hidden = self.fault is None and moved.hides(self.hand.recoil)
        return [self._doubt.missed(moved.since)] if hidden else []

    def _rest(self, moved: Movement) -> list[ButtonCommand]:
        """End the present movement with the contact at its level."""
        self._movement = None
        self.unsettled = False
        self._doubt.certain(moved.last, moved.last)
        after_gap, self._after_gap = self._after_gap, False
        if moved.from_down:
            return self._rest_from_down(moved, after_gap)
        if not moved.pushed and not moved.level:
            return self._blip(moved)
        reports = self._confirm(moved)
        self.down = True
        self._held_since = moved.since
        if not moved.level:
            self._opened_at = moved.last
        elif self.fault is None:
            self.record.bounced(moved.edges - 1, moved.last - moved.since)
        return reports

    def _rest_from_down(self, moved: Movement, after_gap: bool) -> list[ButtonCommand]:
        """End a movement in which the contact opened, or bounced from having opened."""
        reports: list[ButtonCommand] = []
        opened_at, self._opened_at = self._opened_at, None
        if opened_at is not None:
            flutters = self._oddities.closing(moved.since)
            reports += [] if flutters is None else self._set_aside("chatter", flutters)
        if moved.level:
            return reports + (self._doubtful_hold(moved) if after_gap else self._flicker(moved))
        self._opened_at = moved.since if opened_at is None else opened_at
        return reports + (self._hidden_push(moved) if opened_at is None else [])

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
        sound = self._oddities.sound_push(at)
        # A stuck button that is let go has shown that it moves; the others are tried by a push.
        if self.fault != "stuck" and not sound:
            return []
        self.fault = None
        self._oddities.clear()
        return [PutBack(button=self.button, at=at)]

    def _let_go(self, at: int) -> Release:
        """End the push that was reported, and bring along what its contact did."""
        assert self._press is not None
        began, self._press = self._press.at, None
        return Release(self.button, at, began, self._tracing.trace(began))

    def _flicker(self, moved: Movement) -> list[ButtonCommand]:
        """A held contact was lost for a moment; with an edge missing, it may have been let go."""
        self.record.flickers += 1
        if moved.whole or self.fault is not None:
            return self._odd_movement(moved)
        return [self._doubt.missed(moved.last, before=moved.since), *self._odd_movement(moved)]

    def _odd_movement(self, moved: Movement) -> list[ButtonCommand]:
        """Take note of a movement that a hand does not make; a few of them are chatter."""
        since = self._oddities.movement(moved.since)
        return [] if since is None else self._set_aside("chatter", since)

    def _blip(self, moved: Movement) -> list[ButtonCommand]:
        """The contact closed for no longer than a spike, as far as its edges tell.

        Where all edges were seen, it was one. Otherwise it can hide a push, whose date is lost.
        """
        self.record.blips += 1
        if moved.whole:
            since = self._oddities.spike(moved.since)
            return [] if since is None else self._set_aside("noise", since)
        self._doubt.unreadable(moved)
        if self.fault is not None:
            return []
        return [self._doubt.missed(moved.last, before=moved.since), *self._odd_movement(moved)]

    def _doubtful_hold(self, moved: Movement) -> list[ButtonCommand]:
        """After lost edges a held button moved and is held: perhaps let go and pressed again."""
        reports = [*self.gap(moved.last), *self._release(moved.since)]
        self._after_gap = False
        self._held_since = moved.since
        return reports

    def _lost(self, now: int, pressed: bool) -> list[ButtonCommand]:
        """The level shows that edges never arrived; what was missed is not guessed."""
        reports = self.gap(now)
        self._after_gap = False
        self.resume(now, pressed)
        return reports if pressed else reports + self._release(now)

    def _set_aside(self, fault: Fault, at: int) -> list[ButtonCommand]:
        """Take the button out of play; a push under way ends with it."""
        if self.fault is not None:
            return []
        reports: list[ButtonCommand] = []
        if self._press is not None:
            reports.append(self._let_go(max(at, self._press.at, self._last or at)))
        self.fault = fault
        self._oddities.set_aside()
        self.record.faults += 1
        return [*reports, SetAside(button=self.button, fault=fault, at=at)]
