"""The table: everything the referee knows, as one value that never changes in place."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from companion.referee.commands import Fault, RoundCommand, Scoring, Way
from companion.referee.model.cards import Card, Colour
from companion.referee.model.edition import PRINTED, Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Gap, Press, Timing
from companion.referee.model.questions import AnsweredByPress, Question
from companion.referee.model.rulings import Finish, Outcome, RaceState, Ruling
from companion.referee.sentences import Sentence, Who


class Seat(Struct, frozen=True):
    """A taken place at the table."""

    number: int
    player: int
    name: str
    button: int | None = None
    handicap: int = 0
    """How many nanoseconds earlier the player's slaps count than they were made."""
    mark: int | None = None
    """The mark that was chosen, from 1 to 10; without one it is that of the seat."""

    @property
    def who(self) -> Who:
        """Who sits there, as a sentence names them."""
        return (self.player,)


class Debt(Struct, frozen=True):
    """Cards a seat still has to draw, and the ruling that said so."""

    number: int
    seat: int
    cards: int
    ruling: int


How = Literal["tablet", "card", "hands"]
"""How a race became known: named on the tablet, by its card, or by everybody's hands."""


class SlapOffLight(Struct, frozen=True):
    """A tie-break: dark until `light_at`, then the last hand loses; an early one too."""

    seats: tuple[int, ...]
    started_at: int
    light_at: int
    deadline: int
    lit: bool = False


class NamedRace(Struct, frozen=True, omit_defaults=True):
    """A record that a Street Race was laid, and what people have decided about it."""

    number: int
    at: int
    layer: int | None
    how: How
    anchor: int | None = None
    """The first hand of the race that was pointed at, where it was there already."""
    since: int | None = None
    """The race is run again: only hands from here on count."""
    picked: tuple[int, ...] = ()
    """Who was last by the referee's word."""
    excused: tuple[int, ...] = ()
    """Seats without a usable button of which the table said that they were not last."""
    lights: tuple[SlapOffLight, ...] = ()
    """The slap-offs so far; the latest one decides."""
    spent: int = 0
    """So many of them decide nothing any more, because somebody else laid the race."""
    void: bool = False
    until: int | None = None
    """It was cancelled then: hands from later on belong to something else."""
    rerun: bool = False
    """Whether it was cancelled to be run again, so that its hands were slaps all the same."""
    card: int | None = None
    """The number of its card, where that was recorded only after the race had been named."""
    answer: AnsweredByPress | None = None
    """The press that named it, as long as no person has decided anything about the race."""


class NamedCatch(Struct, frozen=True, omit_defaults=True):
    """A record that somebody says this seat has not called."""

    number: int
    at: int
    seat: int
    by: int | None = None


class Turn(Struct, frozen=True, omit_defaults=True):
    """A record of one turn in refereed play; no card means that one was drawn and kept."""

    number: int
    at: int
    seat: int
    left: int
    """Cards left in the hand after it."""
    card: Card | None = None


RaceKey = tuple[int, int | None]
"""The anchor of a race and its record, by which it is known among the races of a round."""


class Race(Struct, frozen=True, omit_defaults=True):
    """What the evidence says of one Street Race by now."""

    anchor: int
    """The first hand, or where there is none yet the moment at which it was named."""
    how: How
    racers: tuple[int, ...]
    state: RaceState
    deadline: int
    record: int | None = None
    """The record that named it; none where the table saw it by itself."""
    named_at: int | None = None
    layer: int | None = None
    layers: tuple[int, ...] = ()
    """Who may have laid it, while that is not known."""
    slaps: tuple[Press, ...] = ()
    """One for each racer who has slapped, in the order in which they count."""
    hammered: tuple[int, ...] = ()
    unusable: tuple[int, ...] = ()
    """Racers without a slap whose button could not be used."""
    gaps: tuple[Gap, ...] = ()
    handicaps: Mapping[int, int] = {}
    """The head starts, and who had no button, as it was when the race was first seen."""
    buttonless: tuple[int, ...] = ()
    outcome: Outcome | None = None
    finish: Finish | None = None
    tied: tuple[int, ...] = ()
    slap_off: SlapOffLight | None = None
    due: int | None = None
    """When time alone may change it."""
    ruling: int | None = None

    @property
    def key(self) -> RaceKey:
        """What it is known by."""
        return self.anchor, self.record


class Window(Struct, frozen=True, omit_defaults=True):
    """A seat on its last card that may be caught, in refereed play."""

    number: int
    """Of the turn that left one card."""
    seat: int
    call: Press | None = None


class Claim(Struct, frozen=True, omit_defaults=True):
    """A catch, and what the evidence says of it by now."""

    seat: int
    catch: Press
    """Its seat is 0 where no player was named."""
    record: int | None = None
    """The record that named it; none for a catch by pressing twice."""
    window: int | None = None
    """The turn that left one card, where it is known."""
    call: Press | None = None
    outcome: Outcome | None = None
    """None while it is looked at, or asked about."""
    due: int | None = None
    ruling: int | None = None


class Calls(Struct, frozen=True, omit_defaults=True):
    """Who has called and who may be caught, by what the evidence says by now."""

    window: Window | None = None
    closed: tuple[Window, ...] = ()
    """Windows that are over, and were served by a call."""
    called: Mapping[int, int] = {}
    """By seat, the moment of its latest call."""
    pending: Mapping[int, int] = {}
    """By seat, the moment of a touch that will be a call unless others follow it."""
    again: Mapping[int, int] = {}
    """By seat, until when a second press would make its first one a catch."""
    due: int | None = None
    """When time alone may change any of it."""


Dismissal = Literal["nothing", "no_race"]
"""A press that means nothing; or hands that make no race of their own, but serve a named one."""


class Unusable(Struct, frozen=True, omit_defaults=True):
    """A span in which a seat's button could not be believed."""

    seat: int
    since: int
    fault: Fault
    until: int | None = None


class Evidence(Struct, frozen=True, omit_defaults=True):
    """What hands did in one round. Nothing takes it back, and each seat has its own place in it.

    The presses of a seat are kept in small runs, so that adding one costs the same all round.
    """

    round_began: int
    presses: Mapping[int, tuple[tuple[Press, ...], ...]] = {}
    gaps: tuple[Gap, ...] = ()
    unusable: tuple[Unusable, ...] = ()
    dismissed: Mapping[int, Mapping[int, Dismissal]] = {}
    """By seat and moment."""


class OpenChallenge(Struct, frozen=True):
    """A wild draw card that may still be challenged."""

    accused: int
    victim: int
    cards: int
    ruling: int
    last_card: bool
    """A card laid last cannot be guilty."""


class Logged(Struct, frozen=True, omit_defaults=True):
    """One entry of the round's log."""

    number: int
    """The record that it made, where it made one that something else refers to."""
    at: int
    command: RoundCommand
    seat: int | None = None
    """The seat that it was for, where the command itself does not say."""


class Left(Struct, frozen=True):
    """What was left in a hand: its cards, or a bare total that nothing could check."""

    points: int
    cards: Mapping[Card, int] | None = None


class Round(Struct, frozen=True):
    """One deal, from the first card to the counting of hands."""

    number: int
    seats: tuple[int, ...]
    dealer: int
    way: Way
    direction: int = 1
    turn: int | None = None
    top: Card | None = None
    colour: Colour | None = None
    chooser: int | None = None
    """Who has yet to name the colour of a wild."""
    hands: Mapping[int, int] = {}
    draw_pile: int = 0
    discard_pile: int = 0
    seen: Mapping[Card, int] = {}
    """The cards known to lie in the discard pile."""
    debts: tuple[Debt, ...] = ()
    paid: tuple[Debt, ...] = ()
    """Debts for which cards were drawn, and how many really were."""
    began: int = 0
    """When it was dealt; its evidence is known by it."""
    records: int = 0
    """The last number given to a record."""
    turns: tuple[Turn, ...] = ()
    named: tuple[NamedRace, ...] = ()
    catches: tuple[NamedCatch, ...] = ()
    said: tuple[Press, ...] = ()
    """Calls that were said and tapped in on a screen."""
    withdrawn: Mapping[int, int] = {}
    """By seat, the moment up to which calls do not count."""
    drew_at: Mapping[int, tuple[int, ...]] = {}
    """By seat, when cards were drawn into the hand."""
    answers: Mapping[int, str] = {}
    """By record, what the table answered when it was asked about a catch."""
    denied: tuple[tuple[int, int], ...] = ()
    """Hands, by seat and moment, of which the table said that they were no race."""
    races: tuple[Race, ...] = ()
    claims: tuple[Claim, ...] = ()
    calls: Calls = Calls()
    questions: tuple[Question, ...] = ()
    lapsed: tuple[Question, ...] = ()
    """The latest that lamps asked and that are gone: a press made in time may still be coming."""
    log: tuple[Logged, ...] = ()
    """What was entered in this round, in its order, so that an earlier entry can be changed."""
    challenge: OpenChallenge | None = None
    out: int | None = None
    ended: int | None = None
    """When somebody went out."""
    left: Mapping[int, Left] = {}
    gone: tuple[int, ...] = ()
    """Who left in the middle of it with a hand that is still to be counted."""
    base: Round | None = None
    """The round as it was when somebody left: nothing from before is read or changed again."""


class ScoredRound(Struct, frozen=True):
    """A round that was counted, by player number."""

    number: int
    out: int
    hands: Mapping[int, Left]
    edited: bool = False
    counts: Mapping[int, int] = {}
    """How many cards each hand held when somebody went out, where the table followed that."""
    seen: Mapping[Card, int] = {}
    """The cards that were known to lie in the discard pile then."""


class Stint(Struct, frozen=True):
    """A stretch of rounds that somebody played: from the first to before the last, by index."""

    joined: int
    left: int | None = None
    start: int | None = None
    """The tally at which a late player began, fixed then; none keeps their own."""

    def covers(self, index: int) -> bool:
        """Whether the round of this index was played."""
        return self.joined <= index and (self.left is None or self.left > index)


class Entrant(Struct, frozen=True):
    """A player of this match, who may leave and come back."""

    player: int
    name: str
    stints: tuple[Stint, ...]

    @property
    def present(self) -> bool:
        """Whether they sit at the table now."""
        return self.stints[-1].left is None


class Match(Struct, frozen=True):
    """Rounds to the target."""

    number: int
    edition: Edition
    scoring: Scoring
    way: Way
    house: HouseRules
    entrants: tuple[Entrant, ...]
    dealer: int | None = None
    dealer_chosen: bool = False
    """Whether the dealer was drawn or named for the next round, and has not dealt yet."""
    deal_tied: tuple[int, ...] = ()
    """Who must draw again for the deal."""
    rounds: tuple[ScoredRound, ...] = ()
    round: Round | None = None
    rulings: tuple[Ruling, ...] = ()
    """The latest, newest last."""
    serial: int = 0
    """The last number given to a ruling or a debt."""
    playing_on: bool = False

    @property
    def target(self) -> int:
        """The points to play to."""
        return self.house.target or self.edition.target


class Setup(Struct, frozen=True):
    """What the next match will be played by."""

    edition: str = PRINTED[0].key
    scoring: Scoring = "classic"
    way: Way = "free"
    house: HouseRules = HouseRules()


class Game(Struct, frozen=True):
    """All that undo can take back."""

    seats: tuple[Seat, ...] = ()
    setup: Setup = Setup()
    match: Match | None = None
    matches: int = 0

    def seat(self, number: int) -> Seat | None:
        """Who sits at this number."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def who(self, *numbers: int) -> Who:
        """The players at these seats, as a sentence names them; an empty seat is left out."""
        players = {seat.number: seat.player for seat in self.seats}
        return tuple(players[number] for number in numbers if number in players)

    def seat_of_button(self, button: int) -> Seat | None:
        """Whose button this is."""
        return next((seat for seat in self.seats if seat.button == button), None)


class Step(Struct, frozen=True):
    """One step that can be taken back: what it was, and the game before it."""

    label: Sentence
    at: int
    game: Game
    below: Step | None = None
    dismissed: tuple[tuple[int, int], ...] = ()
    """Presses, by seat and moment, that were dismissed in taking it back."""
    hands_only: bool = False
    """Whether it was nothing but presses: the game stays as it is."""
    by_press: bool = False
    """Whether a press alone took it, by answering a question."""


class Table(Struct, frozen=True):
    """The game, the way back through it, and what buttons did, which nothing takes back."""

    version: int = 0
    game: Game = Game()
    past: Step | None = None
    future: Step | None = None
    evidence: tuple[Evidence, ...] = ()
    """Of the latest rounds, the current one last."""
    aside: Mapping[int, Fault] = {}
    """Broken buttons."""
    awaiting_button: int | None = None
    """The seat that takes the next free button pressed."""
    editions: tuple[Edition, ...] = PRINTED
    timing: Timing = Timing()
    forgotten: tuple[int, ...] = ()
    """The numbers of matches that are gone for good."""
    players: int = 0
    """The highest number that a player was given; no number is given twice, not after an undo."""

    def edition(self, key: str) -> Edition | None:
        """Look an edition up by its key."""
        return next((edition for edition in self.editions if edition.key == key), None)


def marks(seats: tuple[Seat, ...]) -> dict[int, int]:
    """Tell which mark each seat has: the chosen one, its own, or where that is taken a free one."""
    held = {seat.number: seat.mark for seat in seats if seat.mark is not None}
    free = [mark for mark in range(1, 11) if mark not in held.values()]
    others = [seat.number for seat in seats if seat.mark is None]
    for number in sorted(others, key=lambda number: number not in free):
        held[number] = number if number in free else free[0]
        free.remove(held[number])
    return held


def names_at(table: Table) -> dict[int, str]:
    """How players are called, by number: who sits here, plays in this match, or just left."""
    steps = (table.past, table.future)
    names: dict[int, str] = {}
    for game in (*(step.game for step in steps if step is not None), table.game):
        if game.match is not None:
            names |= {entrant.player: entrant.name for entrant in game.match.entrants}
        names |= {seat.player: seat.name for seat in game.seats}
    return names
