"""Catches in free play: somebody says on the tablet who was caught (R13)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from companion.referee.evidence.catches.claims import Claims, call_stands
from companion.referee.evidence.catches.words import Words
from companion.referee.evidence.scene import Scene
from companion.referee.model.presses import Press
from companion.referee.model.table import Claim, NamedCatch


class FreeCatches:
    """Reads one catch after the other, as they were tapped in."""

    def __init__(self, scene: Scene, words: Words, claims: Claims, race_until: int | None) -> None:
        """A race may be open until then."""
        self.scene = scene
        self.material = scene.material
        self.timing = scene.timing
        self.now = scene.now
        self.words = words
        self.claims = claims
        self.race_until = race_until

    def take(self, named: NamedCatch) -> None:
        """A catch counts from the catcher's press, or where there is none from the tap."""
        timing, at, seat = self.timing, named.at, named.seat
        catchers = [named.by] if named.by is not None else self.material.seats
        presses = [press for by in catchers if by != seat for press in self._catching(by, at)]
        if presses:
            claim = self._from_presses(seat, presses, at)
        else:
            tap = Press(named.by or 0, at, timing.tablet_uncertainty, "tablet", at)
            claim = self._from_tap(seat, tap)
        if claim.outcome == "caught" and self._may_have_called_again(claim):
            claim = replace(claim, outcome=None)
        claim = replace(claim, record=named.number)
        answer = self.material.answers.get(named.number)
        if answer is not None:
            claim = replace(claim, outcome=answer)
        elif claim.outcome is None:
            self.claims.ask(claim)
        elif self.now < at + timing.settle:
            claim = replace(claim, outcome=None, due=at + timing.settle)
        elif claim.outcome == "caught" and self._waits_for_a_race(claim):
            claim = replace(claim, outcome=None, due=self.race_until)
        self.claims.add(claim)
        self.words.catching.add((claim.catch.seat, claim.catch.at))

    def _waits_for_a_race(self, claim: Claim) -> bool:
        """Whether a hand that would have saved somebody may be a slap; that is open as yet."""
        since, at = self._reach(claim)
        return self.race_until is not None and self.words.may_have_called(claim.seat, since, at)

    def _may_have_called_again(self, claim: Claim) -> bool:
        """Whether who was caught pressed after a slap: twice to be sure, or to call."""
        return self.words.pressed_again(claim.seat, *self._reach(claim))

    def _reach(self, claim: Claim) -> tuple[int, int]:
        """From when to when a call would have saved somebody."""
        at = claim.catch.at
        return max(at - self.timing.call_reach, self.words.spent(claim.seat, at) + 1), at

    def _catching(self, seat: int, tapped: int) -> list[Press]:
        """The presses with which this seat may have caught somebody before the tap."""
        since = tapped - self.timing.catch_look_back
        return [touch.press for touch in self.words.of(seat) if since <= touch.at <= tapped]

    def _from_presses(self, seat: int, presses: Sequence[Press], tapped: int) -> Claim:
        """The latest press dates the catch.

        Ask where one before it would save somebody, or where the caught player's press came so
        long after it that it answers nothing: that may be the call, and the catcher never pressed.
        """
        latest = max(presses, key=lambda press: press.at)
        claim = self._from_press(seat, latest)
        sooner = (self._from_press(seat, press) for press in presses if press is not latest)
        saved = [other.call for other in sooner if other.outcome == "called"]
        saved += self.words.calls(seat, latest.at + self.timing.look_ahead, tapped)
        if claim.outcome == "caught" and saved:
            return replace(claim, call=saved[-1], outcome=None)
        return claim

    def _from_press(self, seat: int, catch: Press) -> Claim:
        timing = self.timing
        since = max(catch.at - timing.call_reach, self.words.spent(seat, catch.at) + 1)
        calls = [
            call
            for call in self.words.calls(seat, since, catch.at + timing.look_ahead)
            if call_stands(call, catch, timing, self.scene.house)
        ]
        later = self.words.calls(seat, catch.at, self.now)
        call = calls[-1] if calls else (later[0] if later else None)
        return Claim(seat, catch, call=call, outcome="called" if calls else "caught")

    def _from_tap(self, seat: int, tap: Press) -> Claim:
        timing = self.timing
        since = max(tap.at - timing.call_reach_tap, self.words.spent(seat, tap.at) + 1)
        calls = self.words.calls(seat, since, tap.at)
        sure = [call for call in calls if call.at < tap.at - timing.call_doubt_tap]
        said = [call for call in calls if call in self.material.said]
        if said or sure:
            return Claim(seat, tap, call=(said or sure)[-1], outcome="called")
        if calls:
            return Claim(seat, tap, call=calls[-1])
        return Claim(seat, tap, outcome="caught")
