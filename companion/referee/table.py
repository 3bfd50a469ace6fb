"""The table: everything the referee knows, as one value that never changes in place."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.referee.cards import Card, Colour
from companion.referee.commands import Fault, Scoring, Way
from companion.referee.edition import PRINTED, Edition
from companion.referee.house import HouseRules
from companion.referee.presses import Gap, Press, Timing
from companion.referee.rulings import Finish, RaceState, Ruling
from companion.referee.sentences import Sentence


class Seat(Struct, frozen=True):
    """A taken place at the table."""

    number: int
    player: int
    name: str
    button: int | None = None
    handicap: int = 0
    """How many nanoseconds earlier the player's slaps count than they were made."""


class Debt(Struct, frozen=True):
    """Cards a seat still has to draw, and the ruling that said so."""

    number: int
    seat: int
    cards: int
    ruling: int


class Window(Struct, frozen=True):
    """The time in which a seat on its last card may be caught, or one catch being looked at."""

    seat: int
    since: int
    """Calls from here on count."""
    call: Press | None = None
    catch: Press | None = None
    """The earliest catch; its seat is 0 when nobody was named."""


class SlapOffLight(Struct, frozen=True):
    """A tie-break: dark until `light_at`, then the last hand loses; an early one too."""

    seats: tuple[int, ...]
    started_at: int
    light_at: int
    deadline: int
    presses: tuple[Press, ...] = ()
    lit: bool = False


class Race(Struct, frozen=True):
    """One Street Race, from its declaration to its ruling."""

    layer: int
    declared_at: int
    since: int
    """Slaps from here on count."""
    deadline: int
    racers: tuple[int, ...]
    how: str
    presses: tuple[Press, ...] = ()
    """Every press since `since`, of any seat, so that another layer can be judged from them."""
    gaps: tuple[Gap, ...] = ()
    aside: tuple[int, ...] = ()
    state: RaceState = "running"
    finish: Finish | None = None
    tied: tuple[int, ...] = ()
    ruling: int | None = None
    card_seen: bool = False
    """Whether the Street Race card of this race was recorded in refereed play."""
    slap_off: SlapOffLight | None = None
    handicaps: Mapping[int, int] = {}
    """By seat, as they held at the declaration; whatever is set later changes no old race."""


class OpenChallenge(Struct, frozen=True):
    """A wild draw card that may still be challenged."""

    accused: int
    victim: int
    cards: int
    ruling: int
    last_card: bool
    """A card laid last cannot be guilty."""


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
    turn_began: int = 0
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
    calls: Mapping[int, tuple[Press, ...]] = {}
    """The calls that each seat has not spent by drawing, in the order in which they came."""
    window: Window | None = None
    cooldowns: Mapping[int, int] = {}
    race: Race | None = None
    ruled_until: int = 0
    """The last ruling that used presses; no race looks back past it."""
    challenge: OpenChallenge | None = None
    out: int | None = None
    left: Mapping[int, Left] = {}


class ScoredRound(Struct, frozen=True):
    """A round that was counted, by player number."""

    number: int
    out: int
    hands: Mapping[int, Left]
    edited: bool = False


class Stint(Struct, frozen=True):
    """A stretch of rounds that somebody played: from the first to before the last, by index."""

    joined: int
    left: int | None = None

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
    players: int = 0
    """How many players have sat down so far; the next one gets the next number."""
    matches: int = 0

    def seat(self, number: int) -> Seat | None:
        """Who sits at this number."""
        return next((seat for seat in self.seats if seat.number == number), None)

    def seat_of_button(self, button: int) -> Seat | None:
        """Whose button this is."""
        return next((seat for seat in self.seats if seat.button == button), None)


class Step(Struct, frozen=True):
    """One step that can be taken back: what it was, and the game before it."""

    label: Sentence
    game: Game
    below: Step | None = None


class Heard(Struct, frozen=True):
    """A press with what it was taken to mean."""

    press: Press
    meaning: str
    """`slap`, `extra`, `ignored`, `catch`, `cooldown`, `call`, or `called` once it has served."""
    claimed: bool = False
    """Whether a race took it, or was on when it was made: held, it lays no other one."""


class Table(Struct, frozen=True):
    """The game, the way back through it, and what buttons did, which nothing takes back."""

    version: int = 0
    game: Game = Game()
    past: Step | None = None
    future: Step | None = None
    presses: tuple[Heard, ...] = ()
    gaps: tuple[Gap, ...] = ()
    """The latest spans in which nobody could listen."""
    aside: Mapping[int, Fault] = {}
    """Broken buttons."""
    awaiting_button: int | None = None
    """The seat that takes the next free button pressed."""
    editions: tuple[Edition, ...] = PRINTED
    timing: Timing = Timing()
    forgotten: tuple[int, ...] = ()
    """The numbers of matches that are gone for good."""

    def edition(self, key: str) -> Edition | None:
        """Look an edition up by its key."""
        return next((edition for edition in self.editions if edition.key == key), None)
