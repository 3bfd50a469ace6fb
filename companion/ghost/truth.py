"""What the ghost knows to be true: the seats, the match, the round, and what hands did."""

from __future__ import annotations

from msgspec import Struct, structs

from companion.ghost.felt import Felt
from companion.ghost.moments import Gap, Night, Push
from companion.ghost.sheet import FAST_AND_FURIOUS, Sheet
from companion.referee.house import HouseRules


class Refused(Exception):
    """The ghost knows that this cannot be done, by which rule, and whether insisting helps."""

    def __init__(self, rule: str | None = None, *, insist: bool = False):
        super().__init__(rule)
        self.rule = rule
        self.insist = insist


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
    """When the race was declared that it was lost in."""
    failed: int | None = None
    """When the catch was made that failed."""


class Doubted(Struct, frozen=True):
    """A wild draw card that may be challenged."""

    accused: int
    debt: Owed
    """What the victim owes for it."""
    last_card: bool
    guilty: bool = False
    """The truth of the hand, as it was when the card was laid."""


class OnOne(Struct, frozen=True):
    """Somebody who may be caught, or is being caught."""

    seat: int
    since: int
    call: Push | None = None
    catch: Push | None = None


class Light(Struct, frozen=True):
    """A slap-off: who is in it, and when its light comes."""

    seats: tuple[int, ...]
    started: int
    light_at: int
    deadline: int
    pushes: tuple[Push, ...] = ()
    lit: bool = False


class Raced(Struct, frozen=True):
    """A Street Race."""

    layer: int
    how: str
    at: int
    since: int
    deadline: int
    racers: tuple[int, ...]
    pushes: tuple[Push, ...] = ()
    state: str = "running"
    last: tuple[int, ...] = ()
    """Who drew, or who cannot be told apart."""
    card_seen: bool = False
    light: Light | None = None
    aside: tuple[int, ...] = ()
    gaps: tuple[Gap, ...] = ()
    starts: dict[int, int] = {}
    """The head start that each seat had when the card was laid."""

    def counts(self, push: Push) -> int:
        """When a hand counts as having come down."""
        return push.at - self.starts.get(push.seat, 0)


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
    began: int
    """When the present turn began."""
    ruled_until: int
    turn: int | None = None
    chooser: int | None = None
    debts: list[Owed] = []
    calls: dict[int, tuple[Push, ...]] = {}
    """The calls that each seat has not yet spent by drawing, in the order in which they came."""
    window: OnOne | None = None
    cooldowns: dict[int, int] = {}
    race: Raced | None = None
    doubted: Doubted | None = None
    out: int | None = None
    counts: dict[int, Count] = {}
    owed: int = 0
    """How many debts there were so far."""

    @property
    def seats(self) -> tuple[int, ...]:
        """Who was dealt cards."""
        return self.felt.seats

    def copy(self) -> Round:
        """Remember the round as it stands."""
        return structs.replace(
            self,
            felt=self.felt.copy(),
            debts=[*self.debts],
            calls={**self.calls},
            cooldowns={**self.cooldowns},
            counts={**self.counts},
        )

    def owe(
        self, seat: int, cards: int, rule: str, race: int | None = None, failed: int | None = None
    ) -> Owed:
        """Let a seat owe cards."""
        self.owed += 1
        self.debts.append(Owed(self.owed, seat, cards, rule, race, failed))
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


class Entrant(Struct, frozen=True):
    """A player of the match, and between which rounds."""

    player: int
    name: str
    joined: int
    left: int | None = None


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

    def copy(self) -> Match:
        """Remember the match as it stands."""
        return structs.replace(
            self,
            entrants=[*self.entrants],
            scored=[*self.scored],
            round=None if self.round is None else self.round.copy(),
        )


class Truth(Struct):
    """Everything that an undo takes back, and the night's pushes, which it does not."""

    night: Night
    seats: dict[int, Sitting] = {}
    sheet: Sheet = FAST_AND_FURIOUS
    scoring: str = "classic"
    way: str = "free"
    house: HouseRules = HouseRules()
    players: int = 0
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
