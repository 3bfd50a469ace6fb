"""The judgements of a match as cases: each with the table that the referee judged by.

What was taken back is no case any more. Whatever no house rule and no duration can change, such as
who draws two for a card, is none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.past.facts import RACES, GivenRuling, Kind, MatchFacts, Pushed, RuledDeal
from companion.referee.apply.reading import same_claim
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import Claim, Match, Race, RaceKey, Table


class Case(Struct, frozen=True):
    """One ruling, with the table that it was found from."""

    kind: Kind
    ruling: Ruling
    round: int
    before: Table
    race: Race | None = None
    """The race of this case, as it was read for the ruling."""
    key: RaceKey | None = None
    """By which that race was known at last; all cases of one race have the same."""
    claim: Claim | None = None
    """The catch of this case, as it was read for the ruling."""
    replaced: bool = False
    """Whether more became known later, and the same was judged again."""


class Cases(Struct, frozen=True):
    """All of one match that can be judged again."""

    match: Match
    """As it was at the end."""
    cases: tuple[Case, ...]
    deals: tuple[RuledDeal, ...]
    pushes: Mapping[tuple[int, int], Pushed]
    """By seat and moment."""
    calls: frozenset[tuple[int, int]] = frozenset()
    """What was shown as calls, by seat and moment."""

    def case(self, ruling: int) -> Case | None:
        """Look a ruling up."""
        return next((case for case in self.cases if case.ruling.number == ruling), None)

    def of_race(self, case: Case) -> tuple[Case, ...]:
        """All cases of the same race, in the order in which they were judged."""
        return tuple(other for other in self.cases if _same(case, other))


def cases_of(facts: MatchFacts) -> Cases:
    """Give the cases of one match."""
    assert facts.match is not None
    found = [case for given in facts.rulings if (case := _case(facts, given)) is not None]
    cases = tuple(
        replace(case, replaced=_replaced(case, found[index + 1 :]))
        for index, case in enumerate(found)
    )
    touches = facts.touches
    return Cases(facts.match, cases, facts.deals, touches.pushes, frozenset(touches.calls))


def _case(facts: MatchFacts, given: GivenRuling) -> Case | None:
    """The case with its race or catch; None where no reading was ever written down with it."""
    if given.kind is None:
        return None
    number = given.ruling.number
    case = Case(given.kind, given.ruling, given.round, given.table)
    if given.kind in RACES:
        read = next((one for one in facts.races if number in one.rulings), None)
        if read is None:
            return None
        return replace(case, race=read.rulings[number], key=read.race.key)
    if given.kind == "catch":
        claim = facts.claims.get(number)
        return None if claim is None else replace(case, claim=claim)
    return case


def _same(one: Case, other: Case) -> bool:
    """Tell whether two cases are about one race, or about one catch."""
    if one.key is not None:
        return one.key == other.key
    if one.claim is None or other.claim is None or one.round != other.round:
        return False
    return same_claim(one.claim, other.claim)


def _replaced(case: Case, later: Iterable[Case]) -> bool:
    return case.ruling.overruled is not None and any(_same(case, other) for other in later)
