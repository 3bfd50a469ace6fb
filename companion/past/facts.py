"""What the events of one match tell, gathered as they are replayed.

Undo gives back the facts as they were before a step (`replay.py`), so nothing here knows of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.commands import Way
from companion.referee.model.presses import SECOND, Press
from companion.referee.model.rulings import Calling, Count, DealCards, Finish, LaidCard, Ruling
from companion.referee.model.table import Claim, Match, Race, RaceKey, Seat, Table
from companion.referee.model.trace import Trace
from companion.referee.sentences import Sentence

Kind = Literal[
    "race", "slap_off", "picked", "catch", "deal", "reverse", "challenge", "out", "score"
]
"""What kind of a case a ruling is, where other rules could have changed it."""
RACES: tuple[Kind, ...] = ("race", "slap_off", "picked")
ONE_CALL = 3 * SECOND
"""Calls of one player that follow each other this closely are one."""


class GivenRuling(Struct, frozen=True):
    """A ruling, who sat there, and the table that it was judged from."""

    ruling: Ruling
    round: int
    wall: str
    """When it was given, by the clock on the wall."""
    seats: tuple[Seat, ...]
    kind: Kind | None = None
    """None where no house rule and no duration can change it."""
    table: Table = Table()


class FollowedRace(Struct, frozen=True):
    """A race as it was last read, and every ruling that it had."""

    round: int
    race: Race
    players: Mapping[int, int]
    """By seat, who sat there when it was first read."""
    rulings: Mapping[int, Race] = {}
    """By ruling, the race as it was first read with it."""
    lights: frozenset[int] = frozenset()
    slaps: frozenset[tuple[int, int]] = frozenset()
    """By seat and moment: those that were judged, also before a slap-off began."""
    gone: bool = False
    """Whether the evidence no longer shows it."""


class DealtRound(Struct, frozen=True):
    """A round that was dealt."""

    number: int
    wall: str
    way: Way
    dealer: Seat | None
    players: tuple[Seat, ...]


class RuledDeal(Struct, frozen=True):
    """A round whose dealer followed from the rules and was not named."""

    round: int
    dealer: int
    before: Table


class CallHighlight(Struct, frozen=True):
    """A push or tap that the table took for a call."""

    round: int
    player: int
    at: int


class Pushed(Struct, frozen=True):
    """A press of the match with its end, and what its contact did."""

    press: Press
    raw: Trace | None = None


class Touches(Struct):
    """What hands did in a match. Undo takes none of it back, so all facts of a match share it."""

    pushes: dict[tuple[int, int], Pushed] = field(default_factory=dict)
    """By seat and moment."""
    calls: set[tuple[int, int]] = field(default_factory=set)
    """What was ever shown as calls, by seat and moment."""


class MatchFacts(Struct, frozen=True):
    """All that is told of one match, without what was taken back."""

    number: int = 0
    """0 while no match is on."""
    begin: int = 0
    """The version of the event that started it."""
    before: Table = Table()
    """The table before that event."""
    started: str = ""
    end: int | None = None
    """The version of the event that ended it; none while it is on."""
    ended: str | None = None
    match: Match | None = None
    """As it is at last."""
    dealt: Mapping[int, DealtRound] = {}
    round: int = 0
    """The latest round that was dealt."""
    rulings: tuple[GivenRuling, ...] = ()
    races: tuple[FollowedRace, ...] = ()
    claims: Mapping[int, Claim] = {}
    """By ruling, the catch as it was first read with it."""
    calls: tuple[CallHighlight, ...] = ()
    deals: tuple[RuledDeal, ...] = ()
    touches: Touches = field(default_factory=Touches)


class EventContext(Struct, frozen=True):
    """When an event happened: the table before and after it, and before what led to it."""

    before: Table
    after: Table
    wall: str
    earlier: Mapping[type, Table]
    """The table before the latest event of a kind."""
    at_step: int
    """How many rulings there were when the latest step began."""


def gathered(facts: MatchFacts, event: e.Event, moment: EventContext) -> MatchFacts:
    """Take one event in."""
    seats = moment.before.game.seats
    match event:
        case e.PressRecorded(press):
            facts.touches.pushes[press.seat, press.at] = Pushed(press)
        case e.PressReleased():
            _let_go(facts.touches.pushes, event)
        case e.CallsRead(calls):
            facts.touches.calls.update(calls.called.items())
            return _with_calls(facts, seats, calls.called)
        case e.RaceRead(race, was):
            return _with_race(facts, seats, race, was)
        case e.RaceUnread(was):
            return _without_races(facts, {was})
        case e.ClaimRead(claim):
            return _with_claims(facts, (claim,))
        case e.RulingGiven(ruling):
            return _with_ruling(facts, ruling, moment)
        case e.RulingOverruled(number, by, ruling):
            return _with_ruling(_overruled(facts, number, by), ruling, moment)
        case e.RoundDealt():
            return _with_deal(facts, event, moment)
        case e.PlayChanged():
            return _with_other_play(facts, event, moment)
        case e.CallWithdrawn(seat):
            return _without_call(facts, seats, seat)
        case e.PressesDismissed(presses=presses, kind="nothing") | e.PressesAnswered(presses):
            gone = [_push(facts, seats, *press) for press in presses]
            return replace(facts, calls=tuple(call for call in facts.calls if call not in gone))
        case _:
            pass
    return facts


def _let_go(pushes: dict[tuple[int, int], Pushed], event: e.PressReleased) -> None:
    push = pushes.get((event.seat, event.pressed_at))
    if push is not None:
        press = replace(push.press, released_at=event.at)
        pushes[event.seat, event.pressed_at] = Pushed(press, event.raw)


def _with_race(
    facts: MatchFacts, seats: tuple[Seat, ...], race: Race, was: RaceKey | None
) -> MatchFacts:
    """A race is read again and again; `was` is how it was known before."""
    races = [
        (replace(one, race=race) if one.gone else _read_again(one, race))
        if one.race.key == was
        else one
        for one in facts.races
    ]
    if not any(one.race is race and not one.gone for one in races):
        players = {seat.number: seat.player for seat in seats}
        races.append(_read_again(FollowedRace(facts.round, race, players), race))
    return replace(facts, races=tuple(races))


def _read_again(known: FollowedRace, race: Race) -> FollowedRace:
    rulings, lights, slaps = known.rulings, known.lights, known.slaps
    if race.ruling is not None and race.ruling not in rulings:
        rulings = {**rulings, race.ruling: race}
    if race.slap_off is not None:
        lights |= {race.slap_off.light_at}
    if race.outcome is not None:
        slaps |= {(slap.seat, slap.at) for slap in race.slaps}
    return replace(known, race=race, rulings=rulings, lights=lights, slaps=slaps)


def _without_races(facts: MatchFacts, keys: Iterable[RaceKey]) -> MatchFacts:
    races = (
        replace(one, gone=True) if one.round == facts.round and one.race.key in keys else one
        for one in facts.races
    )
    return replace(facts, races=tuple(races))


def _with_claims(facts: MatchFacts, claims: Iterable[Claim]) -> MatchFacts:
    fresh = {claim.ruling: claim for claim in claims if claim.ruling is not None}
    return replace(facts, claims={**fresh, **facts.claims}) if fresh else facts


def _with_deal(facts: MatchFacts, event: e.RoundDealt, moment: EventContext) -> MatchFacts:
    game = moment.before.game
    seats = {seat.number: seat for seat in game.seats}
    dealt = DealtRound(
        number=event.round,
        wall=moment.wall,
        way=event.way,
        dealer=seats.get(event.dealer),
        players=tuple(seats[seat] for seat in event.seats if seat in seats),
    )
    facts = replace(facts, round=event.round, dealt={**facts.dealt, event.round: dealt})
    if game.match is None or game.match.dealer_chosen:
        return facts
    deal = RuledDeal(event.round, event.dealer, bare(moment.before))
    return replace(facts, deals=(*facts.deals, deal))


def _with_other_play(facts: MatchFacts, event: e.PlayChanged, moment: EventContext) -> MatchFacts:
    """An earlier card is another one: these are the races and catches of the round now.

    What was judged because of that was judged from this table. Only hands can be judged again by
    it; the cards have been played by then.
    """
    round_, seats = event.round, moment.before.game.seats
    there = {race.key for race in round_.races}
    facts = _without_races(facts, {one.race.key for one in facts.races} - there)
    for race in round_.races:
        facts = _with_race(facts, seats, race, race.key)
    facts = _with_calls(_with_claims(facts, round_.claims), seats, round_.calls.called)
    again = tuple(
        replace(one, table=bare(moment.after))
        if one.kind in (*RACES, "catch")
        else replace(one, kind=None)
        for one in facts.rulings[moment.at_step :]
    )
    return replace(facts, rulings=(*facts.rulings[: moment.at_step], *again))


def _with_ruling(facts: MatchFacts, ruling: Ruling, moment: EventContext) -> MatchFacts:
    case = _case(ruling, moment) if moment.before.game.match is not None else None
    kind, table = case or (None, Table())
    given = GivenRuling(
        ruling=ruling,
        round=_round_of(facts, ruling, moment.before),
        wall=moment.wall,
        seats=moment.before.game.seats,
        kind=kind,
        table=bare(table),
    )
    facts = replace(facts, rulings=(*facts.rulings, given))
    calling = ruling.evidence
    if isinstance(calling, Calling) and calling.call is not None and ruling.outcome == "called":
        return _with_calls(facts, given.seats, {calling.seat: calling.call.at})
    return facts


def _round_of(facts: MatchFacts, ruling: Ruling, before: Table) -> int:
    """A draw for the deal belongs to the round to come, what follows a count to the one counted."""
    if ruling.outcome == "edited":
        number = ruling.sentence.parts["number"]
        assert isinstance(number, int)
        return number
    match = before.game.match
    if isinstance(ruling.evidence, DealCards) and match is not None and match.round is None:
        return len(match.rounds) + 1
    return max(1, facts.round)


def _case(ruling: Ruling, moment: EventContext) -> tuple[Kind, Table] | None:
    """Tell what kind of a case a ruling is, and from which table it was found."""
    before, earlier = moment.before, moment.earlier
    if ruling.outcome in ("overruled", "void"):
        return None
    match ruling.rule, ruling.evidence:
        case "R2", DealCards():
            return "deal", before
        case "R7", LaidCard():
            turned = earlier.get(e.DirectionTurned)
            just = turned is not None and turned.version + 1 == before.version
            return ("reverse", turned) if turned is not None and just else None
        case "R11", _:
            return "challenge", earlier[e.StepTaken]
        case "R12", Finish() as finish:
            return _race_kind(ruling, finish, before), before
        case "R13", Calling():
            return "catch", before
        case "R14", _:
            return "out", before
        case ("R17" | "R19", Count()):
            return "score", earlier[e.RoundScored]
        case _:
            return None


def _race_kind(ruling: Ruling, finish: Finish, before: Table) -> Kind:
    if ruling.outcome == "picked":
        return "picked"
    match = before.game.match
    named = match.round.named if match is not None and match.round is not None else ()
    lights = {light.light_at for race in named for light in race.lights}
    return "slap_off" if finish.start in lights else "race"


def _overruled(facts: MatchFacts, number: int, by: Sentence) -> MatchFacts:
    rulings = (
        replace(one, ruling=replace(one.ruling, overruled=by))
        if one.ruling.number == number
        else one
        for one in facts.rulings
    )
    return replace(facts, rulings=tuple(rulings))


def _push(facts: MatchFacts, seats: tuple[Seat, ...], number: int, at: int) -> CallHighlight | None:
    player = next((seat.player for seat in seats if seat.number == number), None)
    return None if player is None else CallHighlight(facts.round, player, at)


def _with_calls(
    facts: MatchFacts, seats: tuple[Seat, ...], called: Mapping[int, int]
) -> MatchFacts:
    shown = (_push(facts, seats, seat, at) for seat, at in called.items())
    fresh = tuple(call for call in shown if call is not None and call not in facts.calls)
    return replace(facts, calls=(*facts.calls, *fresh)) if fresh else facts


def _without_call(facts: MatchFacts, seats: tuple[Seat, ...], number: int) -> MatchFacts:
    """Take back the latest call of a seat, with every push that belongs to it."""
    player = next((seat.player for seat in seats if seat.number == number), None)
    whose = facts.round, player
    own = [call for call in facts.calls if (call.round, call.player) == whose]
    own.sort(key=lambda call: call.at)
    latest = own[-1:]
    for before in reversed(own[:-1]):
        if latest[0].at - before.at > ONE_CALL:
            break
        latest.insert(0, before)
    return replace(facts, calls=tuple(call for call in facts.calls if call not in latest))


def bare(table: Table) -> Table:
    """Give the table without the way back, which no judgement needs."""
    return replace(table, past=None, future=None)
