"""The judgements of a match as cases: each with the table that the referee judged by.

What was taken back is no case any more. Whatever no house rule and no duration can change, such as
who draws two for a card, is not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.presses import Press
from companion.referee.rulings import Calling, Count, DealCards, LaidCard, Ruling
from companion.referee.sentences import Sentence
from companion.referee.table import Match, Race, Table
from companion.referee.trace import Trace
from companion.retelling import Told

Kind = Literal[
    "race",
    "slap_off",
    "picked",
    "catch",
    "wrong_catch",
    "deal",
    "reverse",
    "challenge",
    "out",
    "score",
]
RACES: tuple[Kind, ...] = ("race", "slap_off", "picked")


class Declared(Struct, frozen=True):
    """How a race came to be declared, and the table then."""

    event: e.RaceDeclared
    before: Table
    rerun: bool
    """Whether it was an earlier race run again, which looks back at nothing."""


class Case(Struct, frozen=True):
    """One ruling, with the table that it was found from."""

    kind: Kind
    ruling: Ruling
    round: int
    before: Table
    declared: Declared | None = None

    @property
    def race(self) -> Race:
        """The race of this case."""
        match = self.before.game.match
        assert match is not None
        assert match.round is not None
        assert match.round.race is not None
        return match.round.race


class Dealt(Struct, frozen=True):
    """A round that was dealt by whoever the rules said, not by somebody who was named."""

    round: int
    dealer: int
    before: Table


class Pushed(Struct, frozen=True):
    """A press of the match with what it was taken to mean, its end, and what its contact did."""

    press: Press
    meaning: str
    raw: Trace | None = None


class Cases(Struct, frozen=True):
    """All of one match that can be judged again."""

    match: Match
    """As it was at the end."""
    cases: tuple[Case, ...]
    deals: tuple[Dealt, ...]
    pushes: Mapping[tuple[int, int], Pushed]
    """By seat and moment."""

    def case(self, ruling: int) -> Case | None:
        """Look a ruling up."""
        return next((case for case in self.cases if case.ruling.number == ruling), None)


class _Page(Struct, frozen=True):
    """What undo takes back."""

    cases: tuple[Case, ...] = ()
    deals: tuple[Dealt, ...] = ()


class _Step(Struct, frozen=True):
    page: _Page
    below: _Step | None = None


def collect(story: Iterable[Told]) -> Cases:
    """Gather the cases of one match."""
    clerk = _Clerk()
    for told in story:
        clerk.follow(told)
    assert clerk.match is not None
    page = clerk.page
    return Cases(clerk.match, page.cases, page.deals, clerk.pushes)


class _Clerk:
    """Follows the events of a match and keeps what will be needed to judge it again."""

    def __init__(self) -> None:
        self.match: Match | None = None
        self.page = _Page()
        self.pushes: dict[tuple[int, int], Pushed] = {}
        self._past: _Step | None = None
        self._future: _Step | None = None
        self._declared: dict[int, Declared] = {}
        self._before: dict[type, Table] = {}
        """The table before the latest event of a kind, while it matters."""

    def follow(self, told: Told) -> None:
        """Take one event."""
        self.match = told.after.game.match or self.match
        event, before = told.event, told.before
        match event:
            case e.MatchStarted():
                self.page, self._past, self._future = _Page(), None, None
            case e.StepTaken():
                self._past, self._future = _Step(self.page, self._past), None
                self._before[e.StepTaken] = before
            case e.Undone():
                assert self._past is not None
                self._future = _Step(self.page, self._future)
                self.page, self._past = self._past.page, self._past.below
            case e.Redone():
                assert self._future is not None
                self._past = _Step(self.page, self._past)
                self.page, self._future = self._future.page, self._future.below
            case e.RaceDeclared(declared_at=at):
                rerun = before.past is not None and before.past.label.code == "step_rerun_race"
                self._declared.setdefault(at, Declared(event, _bare(before), rerun))
            case e.CatchDropped() | e.DirectionTurned() | e.RoundScored():
                self._before[type(event)] = before
            case e.PressRecorded(press, meaning):
                if meaning != "said":
                    self.pushes[press.seat, press.at] = Pushed(press, meaning)
            case e.PressReleased(seat, pressed_at, at, raw):
                self._let_go((seat, pressed_at), at, raw)
            case e.RoundDealt(round=number, dealer=dealer):
                match = before.game.match
                if match is not None and not match.dealer_chosen:
                    deal = Dealt(number, dealer, _bare(before))
                    self.page = replace(self.page, deals=(*self.page.deals, deal))
            case e.RulingGiven(ruling):
                self._judge(ruling, before)
            case e.RulingOverruled(number, by):
                self._overrule(number, by)
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
        if kind in RACES:
            case = replace(case, declared=self._declared.get(case.race.declared_at))
        self.page = replace(self.page, cases=(*self.page.cases, case))

    def _kind(self, ruling: Ruling, before: Table) -> tuple[Kind, Table] | None:
        """Tell what kind of a case a ruling is, and from which table it was found."""
        evidence = ruling.evidence
        match ruling.rule, evidence:
            case "R2", DealCards():
                return "deal", before
            case "R7", LaidCard():
                return "reverse", self._before[e.DirectionTurned]
            case "R11", _:
                return "challenge", self._before[e.StepTaken]
            case "R12", _:
                return _race_kind(before), before
            case "R13", Calling():
                dropped = self._before.get(e.CatchDropped)
                settled = dropped is not None and dropped.version + 1 == before.version
                return ("catch", dropped) if settled and dropped else ("wrong_catch", before)
            case "R14", _:
                return "out", before
            case ("R17" | "R19", Count()):
                return "score", self._before[e.RoundScored]
            case _:
                return None

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


def _race_kind(before: Table) -> Kind:
    match = before.game.match
    race = match.round.race if match is not None and match.round is not None else None
    match race.state if race is not None else "running":
        case "slap_off":
            return "slap_off"
        case "undecided":
            return "picked"
        case _:
            return "race"


def _bare(table: Table) -> Table:
    """The table without the way back, which nobody needs to judge by."""
    return replace(table, past=None, future=None)
