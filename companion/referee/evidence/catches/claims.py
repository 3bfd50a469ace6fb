"""Claims: everything that was read of catches, and what has to be asked about them."""

from __future__ import annotations

from msgspec.structs import replace

from companion.referee.evidence.material import Material
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Press, Timing, together
from companion.referee.model.questions import Asking
from companion.referee.model.table import Claim

FAILED = 3
"""So many failed catches silence a button for the round."""


class Claims:
    """The catches of a round, the old ones as they were read."""

    def __init__(
        self, material: Material, since: int, undecided: frozenset[tuple[int, int]]
    ) -> None:
        """What was ruled stays while a race that may take its hands is undecided."""
        self.material = material
        self.since = since
        self._undecided = undecided
        self.read: list[Claim] = []
        self.asking: list[Asking] = []
        for claim in material.claims:
            if self._is_settled(claim):
                self._keep(claim)
        self.old = tuple(self.read), tuple(self.asking)

    def forget(self) -> None:
        """Begin anew, with the old ones alone."""
        self.read, self.asking = list(self.old[0]), list(self.old[1])

    def add(self, claim: Claim) -> None:
        """Take a catch as it was read now."""
        self.read.append(claim)

    def ask(self, claim: Claim) -> None:
        """Ask what presses leave open: whether the call, or the next turn, came first."""
        if claim.record is None:
            about = f"catch {claim.window}"
            asking = Asking("caught_in_time", about, ("caught", "too_late"), (claim.seat,), 0)
        else:
            about = f"catch {claim.record}"
            asking = Asking("called_in_time", about, ("called", "caught"), (claim.seat,), 0)
        self.asking.append(asking)

    def settled(self, record: int) -> bool:
        """Whether what somebody tapped in has been read."""
        return any(claim.record == record for claim in self.read)

    def silenced(self, seat: int) -> bool:
        """Whether a seat has failed so often that its button makes no catches any more."""
        failures = sum(
            1
            for claim in self.read
            if claim.catch.seat == seat and claim.outcome == "called" and claim.record is None
        )
        return failures >= FAILED

    def _is_settled(self, claim: Claim) -> bool:
        """Whether a catch is so old that nothing new bears on it, or has to wait for a race."""
        hands = (claim.catch, *(() if claim.call is None else (claim.call,)))
        if claim.outcome and any((hand.seat, hand.at) in self._undecided for hand in hands):
            return True
        named = (c.at for c in self.material.catches if c.number == claim.record)
        return claim.due is None and next(named, claim.catch.at) < self.since

    def _keep(self, claim: Claim) -> None:
        """Keep an old catch as it was read, and what was asked about it open."""
        record = claim.window if claim.record is None else claim.record
        answer = self.material.answers.get(record or 0)
        if claim.outcome is None and answer is not None:
            claim = replace(claim, outcome=answer)
        self.add(claim)
        if claim.outcome is None:
            self.ask(claim)


def call_stands(call: Press | None, catch: Press, timing: Timing, house: HouseRules) -> bool:
    """R13. A call before the catch saves its caller; too close to tell, the house decides."""
    if call is None:
        return False
    if together(call, catch, timing):
        return house.tie_goes_to == "caller"
    return call.at < catch.at
