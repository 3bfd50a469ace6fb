"""The timeline of one match, from the journal: its rounds, and in each the rulings in order."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from companion.journal.chain import Row
from companion.journal.file import reader
from companion.journal.match_list import MatchRecord, RoundRecord
from companion.past.match_index import SEATING, Seats, Sitter, Span, Steps, named_rows, seated
from companion.referee import events as e
from companion.referee.commands import Way
from companion.referee.model.rulings import Calling, DealCards, Finish, Outcome, Ruling
from companion.referee.model.table import Race, RaceKey
from companion.referee.sentences import Sentence

TOLD = SEATING | {
    "round_dealt",
    "round_scored",
    "play_changed",
    "race_read",
    "ruling_given",
    "ruling_overruled",
}


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
    score: RoundRecord | None = None
    rulings: tuple[RulingTold, ...] = ()


class Timeline(Struct, frozen=True):
    """The rounds of a match as the table itself would show them: what was undone is left out."""

    match: int
    rounds: tuple[RoundTold, ...]


class _Scene(Struct, frozen=True):
    seats: Seats
    rounds: Mapping[int, RoundTold] = {}
    round: int = 0
    """The latest round that was dealt."""
    playing: bool = False
    races: Mapping[int, Race] = {}
    """By ruling, its race as it was last read."""
    lights: frozenset[int] = frozenset()
    """The lights of slap-offs."""


def tell(path: Path, record: MatchRecord, span: Span) -> Timeline:
    """Read the story of a match whose place in the journal is known."""
    scenes = Steps(_Scene(span.seats))
    with closing(reader(path)) as connection:
        for name, row in named_rows(connection, TOLD, span.begin, span.end):
            if not scenes.follow(name):
                scenes.now = _after(scenes.now, row)
    scores = {line.number: line for line in record.sheet.rounds}
    told = scenes.now.rounds
    return Timeline(
        match=record.number,
        rounds=tuple(
            _whole(told.get(number, RoundTold(number)), scenes.now, scores.get(number))
            for number in sorted(told.keys() | scores.keys())
        ),
    )


def _after(scene: _Scene, row: Row) -> _Scene:
    match event := row.event():
        case e.RoundDealt(round=number):
            begun = replace(
                scene.rounds.get(number, RoundTold(number)),
                dealt=row.wall,
                way=event.way,
                dealer=scene.seats.get(event.dealer),
                players=_sitters(scene.seats, event.seats),
            )
            rounds = {**scene.rounds, number: begun}
            return replace(scene, rounds=rounds, round=number, playing=True)
        case e.RoundScored():
            return replace(scene, playing=False)
        case e.RaceRead(race, was):
            return _with_race(scene, race, was)
        case e.PlayChanged(round=round_):
            for race in round_.races:
                scene = _with_race(scene, race, race.key)
            return scene
        case e.RulingGiven(ruling):
            return _with_ruling(scene, ruling, row.wall)
        case e.RulingOverruled(number, by, ruling):
            return _with_ruling(_overruled(scene, number, by), ruling, row.wall)
        case _:
            return replace(scene, seats=seated(scene.seats, event))


def _with_ruling(scene: _Scene, ruling: Ruling, wall: str) -> _Scene:
    number = _round_of(scene, ruling)
    round_ = scene.rounds.get(number, RoundTold(number))
    told = replace(round_, rulings=(*round_.rulings, _told(scene, ruling, wall)))
    return replace(scene, rounds={**scene.rounds, number: told})


def _round_of(scene: _Scene, ruling: Ruling) -> int:
    """A draw for the deal belongs to the round to come, what follows a count to the one counted."""
    if ruling.outcome == "edited":
        return int(ruling.sentence.parts["number"])
    ahead = not scene.playing and isinstance(ruling.evidence, DealCards)
    return scene.round + 1 if ahead else max(1, scene.round)


def _told(scene: _Scene, ruling: Ruling, wall: str) -> RulingTold:
    evidence = ruling.evidence
    return RulingTold(
        number=ruling.number,
        rule=ruling.rule,
        outcome=ruling.outcome,
        sentence=ruling.sentence,
        wall=wall,
        seats=_sitters(scene.seats, ruling.seats),
        draws=tuple(
            Drawing(scene.seats[drawing.seat], drawing.cards)
            for drawing in ruling.draws
            if drawing.seat in scene.seats
        ),
        house=ruling.house,
        overruled=ruling.overruled,
        race=_race(scene, evidence) if isinstance(evidence, Finish) else None,
        calling=evidence if isinstance(evidence, Calling) else None,
    )


def _race(scene: _Scene, finish: Finish) -> RaceTold:
    came = tuple(place.seat for place in finish.places if place.press is not None)
    return RaceTold(
        how="",
        layer=scene.seats.get(finish.layer),
        order=_sitters(scene.seats, came),
        last=_sitters(scene.seats, finish.last),
        margin=finish.margin,
        doubt=finish.doubt,
        of=finish.start,
    )


def _with_race(scene: _Scene, race: Race, was: RaceKey | None) -> _Scene:
    """A race is read again and again; `was` is how it was known before."""
    lights = scene.lights
    if race.slap_off is not None:
        lights |= {race.slap_off.light_at}
    races = {n: race if one.key == was else one for n, one in scene.races.items()}
    if race.ruling is not None:
        races[race.ruling] = race
    return replace(scene, races=races, lights=lights)


def _whole(round_: RoundTold, scene: _Scene, score: RoundRecord | None) -> RoundTold:
    rulings = tuple(_linked(ruling, scene) for ruling in round_.rulings)
    return replace(round_, rulings=rulings, score=score)


def _linked(ruling: RulingTold, scene: _Scene) -> RulingTold:
    """Tell of a ruling which race it is of, and whether it decides it."""
    race, told = scene.races.get(ruling.number), ruling.race
    if race is None or told is None:
        return ruling
    told = replace(
        told,
        how="slap_off" if told.of in scene.lights else race.how,
        of=min(number for number, one in scene.races.items() if one.key == race.key),
        stands=race.ruling == ruling.number and race.state != "void" and not ruling.overruled,
    )
    return replace(ruling, race=told)


def _overruled(scene: _Scene, number: int, by: Sentence) -> _Scene:
    def marked(round_: RoundTold) -> RoundTold:
        rulings = (replace(r, overruled=by) if r.number == number else r for r in round_.rulings)
        return replace(round_, rulings=tuple(rulings))

    return replace(scene, rounds={key: marked(value) for key, value in scene.rounds.items()})


def _sitters(seats: Seats, numbers: tuple[int, ...]) -> tuple[Sitter, ...]:
    return tuple(seats[number] for number in numbers if number in seats)
