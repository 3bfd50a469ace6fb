"""The shape of the view, field by field, as it goes out in JSON.

Times are nanoseconds of the table's clock; scores belong to player numbers, all else to seats.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.referee.commands import Fault, Scoring, Way
from companion.referee.model.cards import Card, Colour
from companion.referee.model.edition import Act
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Gap, Press, Source
from companion.referee.model.questions import Choice, QuestionKind
from companion.referee.model.rulings import Finish, Outcome, RaceState, Ruling
from companion.referee.model.table import Debt, How, Left, OpenChallenge, Setup
from companion.referee.rules.scoring import SheetLine
from companion.referee.sentences import Sentence

Phase = Literal["seating", "deal", "between", "first_card", "play", "hands", "won"]
"""Where the table stands, which decides what a screen offers."""
StepWord = Literal[
    "sit",
    "one_more",
    "start",
    "awaiting_button",
    "draw_for_deal",
    "draw_again",
    "deal",
    "turn_up",
    "proposed",
    "slap",
    "all_slapped",
    "undecided",
    "no_slaps",
    "no_order",
    "unusable",
    "slap_off",
    "catch",
    "question",
    "colour",
    "turn",
    "turn_colour",
    "free",
    "free_race",
    "hands",
    "hands_owed",
    "score",
    "won",
]
"""What to do next, in one word, by which a screen may choose what it says to whom."""


class CardShown(Struct, frozen=True):
    """One card of an edition, as a grid needs it."""

    card: Card
    title: str
    face: str
    colour: Colour | None
    copies: int
    points: int
    act: Act
    draws: int
    """Cards that it makes the next player draw."""
    draws_when_last: bool


class EditionShown(Struct, frozen=True):
    """An edition that can be chosen."""

    key: str
    name: str
    target: int
    dealt: int
    size: int
    race: bool
    """Whether it has a Street Race."""
    cards: tuple[CardShown, ...]


class SeatShown(Struct, frozen=True):
    """A taken seat and all that is true of it right now."""

    number: int
    player: int
    name: str
    button: int | None
    aside: Fault | None
    """What is wrong with its button."""
    playing: bool
    """Whether it was dealt into the round, and has not left it."""
    scored: bool
    """Whether its hand is counted when the round is over, be its player here or not."""
    turn: bool
    dealer: bool
    hand: int | None
    """Cards in the hand, where they are counted."""
    owes: int
    called: bool
    on_one: bool
    """Whether it may be caught for a missing call."""
    racing: bool
    """Whether its slap is awaited."""
    slapped: bool
    last: bool
    """Whether it was last in the latest race and has not drawn for it yet."""
    out: bool
    classic: int | None
    alternative: int | None
    handicap: int = 0
    """How many nanoseconds earlier its slaps count."""
    phone: bool = False
    """Whether a phone is paired with its player."""
    press_again: bool = False
    """Whether a second press would make its first one a catch."""
    asked: bool = False
    """Whether the table asks something that a press of this seat answers."""
    usable: bool = False
    """Whether it has a button that works."""
    mark: int = 0
    """Which mark and colour it has, from 1 to 10; no other seat has the same."""


class PlayerShown(Struct, frozen=True):
    """A player of the match, also one who has left."""

    player: int
    name: str
    seat: int | None
    present: bool
    joined: int
    """Rounds that were over when they joined."""
    classic: int
    alternative: int


class MatchShown(Struct, frozen=True):
    """The match, and its score sheet."""

    number: int
    edition: str
    scoring: Scoring
    way: Way
    house: HouseRules
    target: int
    players: tuple[PlayerShown, ...]
    winners: tuple[int, ...]
    leaders: tuple[int, ...]
    """Who is ahead by the match's own scoring; empty before the first round is scored."""
    playing_on: bool
    dealer: int | None
    """Who deals this round, or the next one."""
    deal_tied: tuple[int, ...]
    rounds: tuple[SheetLine, ...]


class Preview(Struct, frozen=True):
    """What the round would give by both scorings if it were scored as it stands."""

    classic: dict[int, int]
    alternative: dict[int, int]
    classic_totals: dict[int, int]
    alternative_totals: dict[int, int]
    winners: tuple[int, ...]


class TurnShown(Struct, frozen=True):
    """A turn as it was recorded, by the number with which it can be changed."""

    number: int
    seat: int
    card: Card | None
    """None where a card was drawn and kept."""
    left: int
    """Cards left in the hand after it."""


class RoundInPlay(Struct, frozen=True):
    """The round at hand."""

    number: int
    way: Way
    seats: tuple[int, ...]
    dealer: int
    direction: int
    turn: int | None
    top: Card | None
    colour: Colour | None
    chooser: int | None
    draw_pile: int
    discard_pile: int
    challenge: OpenChallenge | None
    out: int | None
    left: dict[int, Left]
    missing_hands: tuple[int, ...]
    preview: Preview | None
    turns: tuple[TurnShown, ...]
    """The latest ones of refereed play, newest last."""


class Uno(Struct, frozen=True):
    """A seat that may be caught, or a catch that is being looked at."""

    seat: int
    call: Press | None
    catch: Press | None


class Slap(Struct, frozen=True):
    """A racer's press: when it was made, and when it counts."""

    seat: int
    at: int
    after: int | None
    """Nanoseconds after the first hand, or after the light of a slap-off; None before that."""
    uncertainty: int
    source: Source
    handicap: int = 0
    early: bool = False
    """Whether it came before the light of a slap-off."""
    hammered: bool = False
    """Whether the seat was hammering its button, and so ranks behind every hand at rest."""


class SlapOffShown(Struct, frozen=True):
    """A tie-break: who slaps, when the light comes, and who has slapped."""

    seats: tuple[int, ...]
    started_at: int
    light_at: int
    deadline: int
    lit: bool
    slaps: tuple[Slap, ...]


class RaceShown(Struct, frozen=True):
    """The latest race of the round that counts."""

    layer: int | None
    layers: tuple[int, ...]
    """Who may have laid it, while that is not known."""
    state: RaceState
    how: How
    anchor: int
    """The first hand, or where there is none yet the moment at which it was named."""
    named_at: int | None
    deadline: int
    racers: tuple[int, ...]
    slaps: tuple[Slap, ...]
    """In the order in which they count; those of the slap-off while one is on."""
    outcome: Outcome | None
    finish: Finish | None
    tied: tuple[int, ...]
    slap_off: SlapOffShown | None
    ruling: int | None
    gaps: tuple[Gap, ...]
    unusable: tuple[int, ...]
    """Racers without a slap whose button could not be used."""


class QuestionShown(Struct, frozen=True):
    """What the table asks, with the answers that it takes; play goes on meanwhile."""

    number: int
    kind: QuestionKind
    sentence: Sentence
    at: int
    choices: tuple[Choice, ...]
    seats: tuple[int, ...]
    """Whose lamps and phones ask; empty where only the tablet does."""
    until: int | None
    """When it goes away by itself."""


class View(Struct, frozen=True):
    """Everything a screen shows, at one version of the table."""

    version: int
    phase: Phase
    step: StepWord
    next: Sentence
    """What to do next, as the table says it."""
    setup: Setup
    editions: tuple[EditionShown, ...]
    seats: tuple[SeatShown, ...]
    awaiting_button: int | None
    match: MatchShown | None
    round: RoundInPlay | None
    debts: tuple[Debt, ...]
    uno: Uno | None
    race: RaceShown | None
    questions: tuple[QuestionShown, ...]
    without_button: tuple[int, ...]
    """Before the first round is scored, seats with neither a button that works nor a phone."""
    rulings: tuple[Ruling, ...]
    undo: Sentence | None
    redo: Sentence | None
    names: dict[int, str]
    """How players are called whom a sentence may name, also who has just left."""
