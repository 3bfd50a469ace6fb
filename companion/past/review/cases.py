"""The judgements of a match as cases: each with the table that the referee judged by.

What was taken back is no case any more. Whatever no house rule and no duration can change, such as
who draws two for a card, is not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.past.replay import Told
from companion.referee import events as e
from companion.referee.apply.evidence import same_claim
from companion.referee.model.presses import Press
from companion.referee.model.rulings import Calling, Count, DealCards, Finish, LaidCard, Ruling
from companion.referee.model.table import Claim, Match, Race, RaceKey, Table
from companion.referee.model.trace import Trace
from companion.referee.sentences import Sentence

Kind = Literal[
    "race", "slap_off", "picked", "catch", "deal", "reverse", "challenge", "out", "score"
]
RACES: tuple[Kind, ...] = ("race", "slap_off", "picked")


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


class Dealt(Struct, frozen=True):
    """A round that was dealt by whoever the rules said, not by somebody who was named."""

    round: int
    dealer: int
    before: Table


class Pushed(Struct, frozen=True):
    """A press of the match with its end, and what its contact did."""

    press: Press
    raw: Trace | None = None


class Cases(Struct, frozen=True):
    """All of one match that can be judged again."""

    match: Match
    """As it was at the end."""
    cases: tuple[Case, ...]
    deals: tuple[Dealt, ...]
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


class _Page(Struct, frozen=True):
    """What undo takes back."""

    cases: tuple[Case, ...] = ()
    deals: tuple[Dealt, ...] = ()
    races: Mapping[int, Race] = {}
    """By ruling, the race as it was first read with it,"""
    keys: Mapping[int, RaceKey] = {}
    """and how it was known at last."""
    claims: Mapping[int, Claim] = {}
    """By ruling, the catch as it was first read with it."""


class _Step(Struct, frozen=True):
    page: _Page | None
    """None where only hands were taken back, which changes nothing here."""
    below: _Step | None = None


def collect(story: Iterable[Told]) -> Cases:
    """Gather the cases of one match."""
    clerk = _Clerk()
    for told in story:
        clerk.follow(told)
    assert clerk.match is not None
    page = clerk.page
    linked = [one for case in page.cases if (one := _linked(case, page)) is not None]
    cases = tuple(
        replace(case, replaced=_replaced(case, linked[index + 1 :]))
        for index, case in enumerate(linked)
    )
    return Cases(clerk.match, cases, page.deals, clerk.pushes, frozenset(clerk.calls))


def _linked(case: Case, page: _Page) -> Case | None:
    """The case with its race or catch; None where no reading was ever written down with it."""
    number = case.ruling.number
    if case.kind in RACES:
        race = page.races.get(number)
        return None if race is None else replace(case, race=race, key=page.keys[number])
    if case.kind == "catch":
        claim = page.claims.get(number)
        return None if claim is None else replace(case, claim=claim)
    return case


def _same(one: Case, other: Case) -> bool:
    """Tell whether two cases are about one race, or about one catch."""
    if one.key is not None:
        return one.key == other.key
    if one.claim is None or other.claim is None or one.round != other.round:
        return False
    return same_claim(one.claim, other.claim)


def _pushed(press: Press) -> tuple[int, int]:
    return press.seat, press.at


def _replaced(case: Case, later: Iterable[Case]) -> bool:
    return case.ruling.overruled is not None and any(_same(case, other) for other in later)


class _Clerk:
    """Follows the events of a match and keeps what will be needed to judge it again."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.page = _Page()
        self.pushes: dict[tuple[int, int], Pushed] = {}
        self.calls: set[tuple[int, int]] = set()
        self._past: _Step | None = None
        self._future: _Step | None = None
        self._before: dict[type, Table] = {}
        """The table before the latest event of a kind, while it matters."""
        self._at_step = 0
        """How many cases there were when the latest step began."""

    def follow(self, told: Told) -> None:
        """Take one event."""
        self.match = told.after.game.match or self.match
        event, before = told.event, told.before
        match event:
            case e.MatchStarted():
                # Only the beginning itself can still be taken back.
                self._past = None if self._past is None else _Step(self._past.page)
                self.page, self._future = _Page(), None
            case e.StepTaken():
                self._past = _Step(self.page, self._past)
                self._before[e.StepTaken] = before
                self._at_step = len(self.page.cases)
            case e.Undone():
                assert self._past is not None
                assert self._past.page is not None
                self._future = _Step(self.page, self._future)
                self.page, self._past = self._past.page, self._past.below
            case e.Redone():
                assert self._future is not None
                later, self._future = self._future.page, self._future.below
                if later is not None:
                    self._past = _Step(self.page, self._past)
                    self.page = later
            case e.PressesDismissed():
                self._future = _Step(None, self._future)
            case e.DirectionTurned() | e.RoundScored():
                self._before[type(event)] = before
            case e.RaceRead(race, was):
                self._link(race, was)
            case e.ClaimRead(claim):
                self._link_claim(claim)
            case e.PlayChanged(round=round_):
                for race in round_.races:
                    self._link(race, race.key)
                for claim in round_.claims:
                    self._link_claim(claim)
                self._move_to(told.after)
            case e.CallsRead(calls):
                self.calls |= set(calls.called.items())
            case e.PressRecorded(press):
                self.pushes[_pushed(press)] = Pushed(press)
            case e.PressReleased(seat, pressed_at, at, raw):
                self._let_go((seat, pressed_at), at, raw)
            case e.RoundDealt(round=number, dealer=dealer):
                match = before.game.match
                if match is not None and not match.dealer_chosen:
                    deal = Dealt(number, dealer, _bare(before))
                    self.page = replace(self.page, deals=(*self.page.deals, deal))
            case e.RulingGiven(ruling):
                self._judge(ruling, before)
            case e.RulingOverruled(number, by, ruling):
                self._overrule(number, by)
                self._judge(ruling, before)
            case _:
                pass

    def _judge(self, ruling: Ruling, before: Table) -> None:
        found = self._kind(ruling, before)
        match = before.game.match
        if found is None or match is None:
            return
        kind, table = found
        round_ = match.round.number if match.round is not None else len(match.rounds) + 1
        case = Case(kind, ruling, round_, _bare(table))
        self.page = replace(self.page, cases=(*self.page.cases, case))

    def _kind(self, ruling: Ruling, before: Table) -> tuple[Kind, Table] | None:
        """Tell what kind of a case a ruling is, and from which table it was found."""
        if ruling.outcome in ("overruled", "void"):
            return None
        match ruling.rule, ruling.evidence:
            case "R2", DealCards():
                return "deal", before
            case "R7", LaidCard():
                turned = self._before.get(e.DirectionTurned)
                just = turned is not None and turned.version + 1 == before.version
                return ("reverse", turned) if turned is not None and just else None
            case "R11", _:
                return "challenge", self._before[e.StepTaken]
            case "R12", Finish() as finish:
                return _race_kind(ruling, finish, before), before
            case "R13", Calling():
                return "catch", before
            case "R14", _:
                return "out", before
            case ("R17" | "R19", Count()):
                return "score", self._before[e.RoundScored]
            case _:
                return None

    def _link(self, race: Race, was: RaceKey | None) -> None:
        page = self.page
        keys = {n: race.key if key == was else key for n, key in page.keys.items()}
        races = page.races
        if race.ruling is not None:
            keys[race.ruling] = race.key
            races = {race.ruling: race, **races}
        self.page = replace(page, races=races, keys=keys)

    def _link_claim(self, claim: Claim) -> None:
        if claim.ruling is not None:
            claims = {claim.ruling: claim, **self.page.claims}
            self.page = replace(self.page, claims=claims)

    def _move_to(self, table: Table) -> None:
        """What was judged because an earlier card is another one was judged from this table.

        Only hands can be judged again by it; the cards have been played by then.
        """
        known = self.page.cases
        judged = tuple(
            replace(case, before=_bare(table))
            for case in known[self._at_step :]
            if case.kind in (*RACES, "catch")
        )
        self.page = replace(self.page, cases=(*known[: self._at_step], *judged))

    def _overrule(self, number: int, by: Sentence) -> None:
        cases = tuple(
            replace(case, ruling=replace(case.ruling, overruled=by))
            if case.ruling.number == number
            else case
            for case in self.page.cases
        )
        self.page = replace(self.page, cases=cases)

    def _let_go(self, key: tuple[int, int], at: int, raw: Trace | None) -> None:
        known = self.pushes.get(key)
        if known is not None:
            press = replace(known.press, released_at=at)
            self.pushes[key] = replace(known, press=press, raw=raw)


def _race_kind(ruling: Ruling, finish: Finish, before: Table) -> Kind:
    if ruling.outcome == "picked":
        return "picked"
    match = before.game.match
    named = match.round.named if match is not None and match.round is not None else ()
    lights = {light.light_at for race in named for light in race.lights}
    return "slap_off" if finish.start in lights else "race"


def _bare(table: Table) -> Table:
    """The table without the way back, which nobody needs to judge by."""
    return replace(table, past=None, future=None)
