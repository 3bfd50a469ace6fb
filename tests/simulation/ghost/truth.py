"""What the ghost knows to be true: the seats, the match, the round, and what hands really did."""

from __future__ import annotations

from msgspec import Struct, structs

from companion.referee.model.house import HouseRules
from tests.simulation.ghost.felt import Felt
from tests.simulation.ghost.sheet import FAST_AND_FURIOUS, Sheet

MILLISECOND = 1_000_000
SECOND = 1_000 * MILLISECOND


class Refused(Exception):
    """The ghost knows that this cannot be done, by which rule, and whether insisting helps."""

    def __init__(self, rule: str | None = None, *, insist: bool = False):
        super().__init__(rule)
        self.rule = rule
        self.insist = insist


class Night(Struct):
    """What no undo takes back: broken buttons, a seat that waits for one, and who has pressed."""

    aside: dict[int, str] = {}
    awaiting: int | None = None
    pressed: dict[int, int] = {}
    """By seat, the latest press."""
    players: int = 0
    """The highest number that a player was given."""

    def copy(self) -> Night:
        """Remember the night so far."""
        return structs.replace(self, aside={**self.aside}, pressed={**self.pressed})


class Sitting(Struct, frozen=True):
    """Who sits somewhere, and with which button."""

    player: int
    name: str
    button: int | None = None
    start: int = 0
    """The head start of who sits there, in nanoseconds."""


class Owed(Struct, frozen=True):
    """Cards that somebody has yet to draw."""

    number: int
    seat: int
    cards: int
    rule: str
    race: int | None = None
    """The number of the race that it was lost in."""


class Doubted(Struct, frozen=True):
    """A wild draw card that may be challenged."""

    accused: int
    debt: Owed
    """What the victim owes for it."""
    last_card: bool
    guilty: bool = False
    """The truth of the hand, as it was when the card was laid."""


class OnOne(Struct, frozen=True):
    """Somebody on one card who may be caught, and when they called."""

    seat: int
    call: int | None = None


class Slap(Struct, frozen=True):
    """A hand on a button: when it came down, and how far off its date may be."""

    at: int
    doubt: int


class Light(Struct, frozen=True):
    """A slap-off: who is in it, when its light came, and who slapped when."""

    seats: tuple[int, ...]
    at: int
    slaps: dict[int, Slap] = {}


class Raced(Struct, frozen=True):
    """A Street Race: who laid it, who really slapped when, and what has become of it."""

    number: int
    layer: int
    how: str
    racers: tuple[int, ...]
    starts: dict[int, int]
    """The head start that each seat had when the card was laid."""
    slaps: dict[int, Slap] = {}
    mute: tuple[int, ...] = ()
    """Racers whose button could not be used, and who slapped on no screen either."""
    state: str = "running"
    last: tuple[int, ...] = ()
    """Who drew, or who cannot be told apart."""
    light: Light | None = None

    def counts(self, seat: int, slap: Slap) -> int:
        """When a hand counts as having come down."""
        return slap.at - self.starts.get(seat, 0)


class Count(Struct, frozen=True):
    """A hand left: its points, and its cards unless only a total was told."""

    points: int
    cards: dict[str, int] | None = None


class Round(Struct):
    """One deal."""

    number: int
    dealer: int
    way: str
    felt: Felt
    turn: int | None = None
    chooser: int | None = None
    debts: list[Owed] = []
    calls: dict[int, int | None] = {}
    """By seat, when it last called; None where a press may stand as a call, or may not."""
    window: OnOne | None = None
    races: list[Raced] = []
    raced: int = 0
    """How many races there were so far, with those that were none."""
    failed: dict[int, int] = {}
    """How often each seat has pressed twice to catch somebody."""
    tapped: dict[int, int] = {}
    """By seat, when somebody last tapped in that it was caught."""
    caught: dict[int, tuple[int, int]] = {}
    """By seat, the debt for its latest catch, and when that was tapped in."""
    disputed: bool = False
    """Whether people have decided something that does not happen again by itself."""
    saved: frozenset[int] = frozenset()
    """Whom a call has saved from being caught."""
    doubted: Doubted | None = None
    out: int | None = None
    counts: dict[int, Count] = {}
    owed: int = 0
    """How many debts there were so far."""
    told: str | None = None
    """The last card of a free round, where somebody told it."""
    gone: tuple[int, ...] = ()
    """Who left, with a hand that is still to be counted."""
    drawn: dict[int, dict[int, int]] = {}
    """By race, how many cards each seat has really drawn for it."""

    @property
    def seats(self) -> tuple[int, ...]:
        """Who was dealt cards."""
        return self.felt.seats

    @property
    def race(self) -> Raced | None:
        """The latest race that counts."""
        return self.races[-1] if self.races else None

    def copy(self) -> Round:
        """Remember the round as it stands."""
        return structs.replace(
            self,
            felt=self.felt.copy(),
            debts=[*self.debts],
            calls={**self.calls},
            races=[*self.races],
            failed={**self.failed},
            tapped={**self.tapped},
            caught={**self.caught},
            counts={**self.counts},
            drawn={race: {**cards} for race, cards in self.drawn.items()},
        )

    def owe(self, seat: int, cards: int, rule: str, race: int | None = None) -> Owed:
        """Let a seat owe cards."""
        self.owed += 1
        self.debts.append(Owed(self.owed, seat, cards, rule, race))
        return self.debts[-1]

    def owes(self, seat: int) -> int:
        """How many cards a seat has yet to draw."""
        return sum(debt.cards for debt in self.debts if debt.seat == seat)


class Scored(Struct, frozen=True):
    """A round that was counted, by player number."""

    number: int
    out: int
    counts: dict[int, Count]
    edited: bool = False
    held: dict[int, int] = {}
    """How many cards each really held at the end, where the table followed that."""
    shown: tuple[str | None, ...] = ()
    """The cards that the table saw in the discard pile."""


class Entrant(Struct, frozen=True):
    """A player of the match, and between which rounds."""

    player: int
    name: str
    joined: int
    left: int | None = None
    start: int | None = None
    """Where a late player's own tally began; none goes on with the one they had."""


class Match(Struct):
    """Rounds to the target."""

    number: int
    sheet: Sheet
    scoring: str
    way: str
    house: HouseRules
    entrants: list[Entrant]
    dealer: int | None = None
    tied: tuple[int, ...] = ()
    chosen: bool = False
    scored: list[Scored] = []
    playing_on: bool = False
    round: Round | None = None

    @property
    def target(self) -> int:
        """What they play to, printed or their own."""
        return self.sheet.target if self.house.target is None else self.house.target

    def copy(self) -> Match:
        """Remember the match as it stands."""
        return structs.replace(
            self,
            entrants=[*self.entrants],
            scored=[*self.scored],
            round=None if self.round is None else self.round.copy(),
        )


class Truth(Struct):
    """Everything that an undo takes back, and the night, which it does not."""

    night: Night
    seats: dict[int, Sitting] = {}
    sheet: Sheet = FAST_AND_FURIOUS
    scoring: str = "classic"
    way: str = "free"
    house: HouseRules = HouseRules()
    matches: int = 0
    match: Match | None = None

    def copy(self) -> Truth:
        """Remember all that could be taken back."""
        match = None if self.match is None else self.match.copy()
        return structs.replace(self, seats={**self.seats}, match=match)

    @property
    def round(self) -> Round | None:
        """The round in play or being counted."""
        return None if self.match is None else self.match.round

    def the_match(self) -> Match:
        """Give the match, or refuse: there is none."""
        if self.match is None:
            raise Refused
        return self.match

    def the_round(self) -> Round:
        """Give the round, or refuse: nothing was dealt."""
        round_ = self.the_match().round
        if round_ is None:
            raise Refused
        return round_

    def playing(self) -> Round:
        """Give the round while nobody has gone out."""
        round_ = self.the_round()
        if round_.out is not None:
            raise Refused
        return round_

    def broken_seats(self) -> tuple[int, ...]:
        """The seats whose button is set aside."""
        return tuple(s for s in self.ordered() if self.seats[s].button in self.night.aside)

    def can_press(self, seat: int) -> bool:
        """Whether a seat has a button that works."""
        button = self.seats[seat].button
        return button is not None and button not in self.night.aside

    def starts(self) -> dict[int, int]:
        """The head starts of everybody at the table."""
        return {seat: sitting.start for seat, sitting in self.seats.items()}

    def ordered(self) -> tuple[int, ...]:
        """The taken seats, each to the left of the one before it."""
        return tuple(sorted(self.seats))


def become(one: Struct, other: Struct) -> None:
    """Put everything back into the very things that changed, so that whoever holds them sees it."""
    for name in one.__struct_fields__:
        mine, kept = getattr(one, name), getattr(other, name)
        if isinstance(mine, Match | Round | Felt) and type(kept) is type(mine):
            become(mine, kept)
        else:
            setattr(one, name, kept)
