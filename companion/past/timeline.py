"""The timeline of one match: its rounds, and in each the rulings in order."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from companion.past.facts import GivenRuling, MatchFacts
from companion.past.records import sheet
from companion.referee.commands import Way
from companion.referee.model.rulings import Calling, Finish, Outcome
from companion.referee.model.table import Seat
from companion.referee.rules.scoring import SheetLine
from companion.referee.sentences import Sentence


class Sitter(Struct, frozen=True):
    """Who sat at a seat, under the name that they had then."""

    seat: int
    player: int
    name: str


class Drawing(Struct, frozen=True):
    """So many cards for somebody."""

    who: Sitter
    cards: int


class RaceTold(Struct, frozen=True):
    """A race as one line tells it; the number of its ruling opens the whole of it."""

    how: str
    """How it became known: `tablet`, `card`, `hands`, or `slap_off`."""
    layer: Sitter | None
    order: tuple[Sitter, ...]
    """The hands in the order in which they came."""
    last: tuple[Sitter, ...]
    margin: int | None
    doubt: int | None
    of: int = 0
    """The first ruling of the Street Race that this belongs to, itself or as its slap-off."""
    stands: bool = False
    """Whether it decides the race; one that was judged again has others, which do not."""


class RulingTold(Struct, frozen=True):
    """A ruling with the people whom it concerned."""

    number: int
    rule: str
    outcome: Outcome
    sentence: Sentence
    wall: str
    """When it was given, by the clock on the wall."""
    seats: tuple[Sitter, ...]
    draws: tuple[Drawing, ...]
    house: tuple[str, ...]
    overruled: Sentence | None
    race: RaceTold | None
    calling: Calling | None


class RoundTold(Struct, frozen=True):
    """A round, with its score where it was counted."""

    number: int
    dealt: str | None = None
    """When it was dealt, by the clock on the wall; nothing while its dealer is still drawn for."""
    way: Way = "free"
    dealer: Sitter | None = None
    players: tuple[Sitter, ...] = ()
    score: SheetLine | None = None
    rulings: tuple[RulingTold, ...] = ()


class Timeline(Struct, frozen=True):
    """The rounds of a match as the table itself would show them: what was undone is left out."""

    match: int
    rounds: tuple[RoundTold, ...]


def timeline_of(facts: MatchFacts) -> Timeline:
    """Tell a match."""
    assert facts.match is not None
    scores = {line.number: line for line in sheet(facts.match).rounds}
    rulings: dict[int, list[RulingTold]] = {}
    for given in facts.rulings:
        rulings.setdefault(given.round, []).append(_told(facts, given))
    numbers = sorted(facts.dealt.keys() | rulings.keys() | scores.keys())
    return Timeline(
        match=facts.number,
        rounds=tuple(
            replace(
                _round(facts, number),
                score=scores.get(number),
                rulings=tuple(rulings.get(number, ())),
            )
            for number in numbers
        ),
    )


def _round(facts: MatchFacts, number: int) -> RoundTold:
    dealt = facts.dealt.get(number)
    if dealt is None:
        return RoundTold(number)
    return RoundTold(
        number=number,
        dealt=dealt.wall,
        way=dealt.way,
        dealer=None if dealt.dealer is None else _sitter(dealt.dealer),
        players=tuple(_sitter(seat) for seat in dealt.players),
    )


def _told(facts: MatchFacts, given: GivenRuling) -> RulingTold:
    ruling, evidence = given.ruling, given.ruling.evidence
    sitters = {seat.number: _sitter(seat) for seat in given.seats}
    return RulingTold(
        number=ruling.number,
        rule=ruling.rule,
        outcome=ruling.outcome,
        sentence=ruling.sentence,
        wall=given.wall,
        seats=_sitters(given, ruling.seats),
        draws=tuple(
            Drawing(sitters[drawing.seat], drawing.cards)
            for drawing in ruling.draws
            if drawing.seat in sitters
        ),
        house=ruling.house,
        overruled=ruling.overruled,
        race=_race(facts, given, evidence) if isinstance(evidence, Finish) else None,
        calling=evidence if isinstance(evidence, Calling) else None,
    )


def _race(facts: MatchFacts, given: GivenRuling, finish: Finish) -> RaceTold:
    """Tell of a ruling which race it is of, and whether it decides it."""
    number = given.ruling.number
    came = (place.seat for place in finish.places if place.press is not None)
    told = RaceTold(
        how="",
        layer=next((_sitter(seat) for seat in given.seats if seat.number == finish.layer), None),
        order=_sitters(given, came),
        last=_sitters(given, finish.last),
        margin=finish.margin,
        doubt=finish.doubt,
        of=finish.start,
    )
    race = next((one.race for one in reversed(facts.races) if number in one.rulings), None)
    if race is None:
        return told
    same = (one.rulings for one in facts.races if one.race.key == race.key)
    lit = any(finish.start in one.lights for one in facts.races)
    decides = race.ruling == number and race.state != "void" and not given.ruling.overruled
    return replace(
        told,
        how="slap_off" if lit else race.how,
        of=min(first for rulings in same for first in rulings),
        stands=decides,
    )


def _sitter(seat: Seat) -> Sitter:
    return Sitter(seat.number, seat.player, seat.name)


def _sitters(given: GivenRuling, numbers: Iterable[int]) -> tuple[Sitter, ...]:
    sitters = {seat.number: _sitter(seat) for seat in given.seats}
    return tuple(sitters[number] for number in numbers if number in sitters)
