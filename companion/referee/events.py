"""Events: what happened, in the past tense, as the journal keeps it."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from companion.referee.cards import Card, Colour
from companion.referee.commands import Fault, Scoring, Way, snake
from companion.referee.edition import Edition
from companion.referee.house import HouseRules
from companion.referee.presses import Gap, Press, Timing
from companion.referee.rulings import Finish, RaceState, Ruling
from companion.referee.sentences import Sentence
from companion.referee.table import Left, Seat, Setup
from companion.referee.trace import Trace


class Base(Struct, frozen=True, tag_field="event", tag=snake, omit_defaults=True):
    """What all events share: their name."""


class TableOpened(Base, frozen=True):
    """The service started; nobody listened since `gap_since`, where that is known."""

    editions: tuple[Edition, ...]
    timing: Timing
    at: int
    gap_since: int | None = None


class StepTaken(Base, frozen=True):
    """A step began that can be taken back as a whole."""

    label: Sentence


class Undone(Base, frozen=True):
    """The last step was taken back."""

    label: Sentence


class Redone(Base, frozen=True):
    """A step that was taken back was done again."""

    label: Sentence


class SeatTaken(Base, frozen=True):
    """Somebody sat down."""

    seat: int
    player: int
    name: str
    button: int | None = None


class SeatLeft(Base, frozen=True):
    """Somebody left."""

    seat: int


class PlayerRenamed(Base, frozen=True):
    """A player has another name."""

    seat: int
    name: str


class SeatsSwapped(Base, frozen=True):
    """Two players changed places."""

    seat: int
    other: int


class HandicapSet(Base, frozen=True):
    """The slaps of a player count so many nanoseconds earlier, from the next race on."""

    seat: int
    handicap: int


class ButtonAwaited(Base, frozen=True):
    """The next free button that is pressed goes to this seat."""

    seat: int


class ButtonAssigned(Base, frozen=True):
    """A seat has another button."""

    seat: int
    button: int


class TableSetUp(Base, frozen=True):
    """Edition, scoring, way and house rules were chosen."""

    setup: Setup


class MatchStarted(Base, frozen=True):
    """A match began; what came before it can no longer be taken back."""

    match: int
    edition: Edition
    scoring: Scoring
    way: Way
    house: HouseRules


class DealTied(Base, frozen=True):
    """Several drew the highest number and draw again."""

    seats: tuple[int, ...]


class DealerNamed(Base, frozen=True):
    """It is known who deals."""

    seat: int


class WaySwitched(Base, frozen=True):
    """The next rounds are played free or refereed."""

    way: Way


class RoundDealt(Base, frozen=True):
    """A round began."""

    round: int
    seats: tuple[int, ...]
    dealer: int
    way: Way
    dealt: int
    draw_pile: int
    at: int


class CardTurnedUp(Base, frozen=True):
    """The first card of the discard pile is known."""

    card: Card


class ColourAwaited(Base, frozen=True):
    """A seat has to name the colour of a wild."""

    seat: int


class ColourNamed(Base, frozen=True):
    """The colour in play was named."""

    colour: Colour


class CardPlayed(Base, frozen=True):
    """A card was laid on the discard pile."""

    seat: int
    card: Card


class CardsDrawn(Base, frozen=True):
    """Cards went from the draw pile into a hand, perhaps for a debt."""

    seat: int
    cards: int
    debt: int | None = None


class PileReshuffled(Base, frozen=True):
    """The discard pile, less its top card, became the draw pile."""


class DirectionTurned(Base, frozen=True):
    """Play runs the other way."""

    direction: int


class TurnMoved(Base, frozen=True):
    """It is this seat's turn."""

    seat: int
    at: int


class ChallengeOpened(Base, frozen=True):
    """A wild draw card may be challenged."""

    accused: int
    victim: int
    cards: int
    ruling: int
    last_card: bool


class ChallengeClosed(Base, frozen=True):
    """The wild draw card can no longer be challenged."""


class RoundCorrected(Base, frozen=True):
    """The referee set right what is believed of the round."""

    hands: Mapping[int, int]
    turn: int | None
    direction: int
    top: Card | None
    colour: Colour | None
    draw_pile: int
    discard_pile: int


class RulingGiven(Base, frozen=True):
    """The referee ruled; whoever draws by it has a debt."""

    ruling: Ruling


class RulingOverruled(Base, frozen=True):
    """A ruling was replaced; its open debts are gone."""

    number: int
    by: Sentence
    ruling: Ruling


class DebtForgiven(Base, frozen=True):
    """A debt was let go, nothing was drawn."""

    debt: int


class PressRecorded(Base, frozen=True):
    """A seat's button was pushed, and this is what it was taken to mean."""

    press: Press
    meaning: str


class PressReleased(Base, frozen=True):
    """A push ended."""

    seat: int
    pressed_at: int
    at: int
    raw: Trace | None = None
    """What the contact did, where a contact was read edge by edge."""


class CallWithdrawn(Base, frozen=True):
    """A call is off the record."""

    seat: int


class WindowOpened(Base, frozen=True):
    """A seat is on its last card and may be caught."""

    seat: int
    since: int


class WindowClosed(Base, frozen=True):
    """Nobody can be caught any more."""


class CatchMade(Base, frozen=True):
    """Somebody says that this seat has not called."""

    seat: int
    since: int
    catch: Press


class CatchDropped(Base, frozen=True):
    """A catch was answered, or was none after all."""

    until: int
    """No race looks back past here."""


class CooldownBegan(Base, frozen=True):
    """A failed catch keeps a seat from catching for a while."""

    seat: int
    until: int


class RaceDeclared(Base, frozen=True):
    """A Street Race is on."""

    layer: int
    declared_at: int
    since: int
    deadline: int
    racers: tuple[int, ...]
    how: str
    presses: tuple[Press, ...]
    aside: tuple[int, ...] = ()
    claimed: tuple[int, ...] = ()
    """Seats whose press was shown as a call and is a slap now, or the hold that declared it."""
    pardoned: tuple[int, ...] = ()
    """Seats whose failed catch was a slap after all, and who need not wait any more."""
    gaps: tuple[Gap, ...] = ()
    card_seen: bool = False
    handicaps: Mapping[int, int] = {}
    """By seat, as they held when it was declared."""


class RaceCardSeen(Base, frozen=True):
    """The card of a race that was declared by hand was recorded too, or will never be."""


class RaceSettled(Base, frozen=True):
    """A race was ruled, or found undecided."""

    state: RaceState
    until: int
    """No later race looks back past here."""
    finish: Finish | None = None
    tied: tuple[int, ...] = ()
    ruling: int | None = None


class SlapOffStarted(Base, frozen=True):
    """Those who tied slap again at a light."""

    seats: tuple[int, ...]
    started_at: int
    light_at: int
    deadline: int


class SlapOffLit(Base, frozen=True):
    """The light of the slap-off came on."""


class RoundEnded(Base, frozen=True):
    """Somebody has no cards left."""

    seat: int


class HandEntered(Base, frozen=True):
    """A hand left was counted."""

    seat: int
    left: Left


class HandCleared(Base, frozen=True):
    """A counted hand was taken back."""

    seat: int


class RoundScored(Base, frozen=True):
    """The hands left were counted and the round is closed."""

    out: int
    hands: Mapping[int, Left]


class RoundEdited(Base, frozen=True):
    """An earlier round was changed, and all totals with it."""

    round: int
    out: int
    hands: Mapping[int, Left]


class PlayedOn(Base, frozen=True):
    """The table goes on although the match is won."""


class MatchClosed(Base, frozen=True):
    """The match is over."""


class ButtonSetAside(Base, frozen=True):
    """A broken button decides nothing any more."""

    button: int
    fault: Fault
    at: int


class ButtonPutBack(Base, frozen=True):
    """A button works again."""

    button: int
    at: int


class PressesMissed(Base, frozen=True):
    """Presses may have gone unseen."""

    seats: tuple[int, ...]
    since: int
    until: int


class Forgotten(Base, frozen=True):
    """Something happened here that was forgotten for good; its place stays."""


class MatchForgotten(Base, frozen=True):
    """A whole match was forgotten, and this is all that it left behind."""

    match: int
    seats: tuple[Seat, ...]
    setup: Setup
    players: int
    editions: tuple[Edition, ...]
    timing: Timing
    gaps: tuple[Gap, ...] = ()
    aside: Mapping[int, Fault] = {}
    awaiting_button: int | None = None


SeatingEvent = (
    SeatTaken
    | SeatLeft
    | PlayerRenamed
    | SeatsSwapped
    | HandicapSet
    | ButtonAwaited
    | ButtonAssigned
    | TableSetUp
    | MatchStarted
    | DealTied
    | DealerNamed
    | WaySwitched
    | PlayedOn
    | MatchClosed
)
InRoundEvent = (
    CardTurnedUp
    | ColourAwaited
    | ColourNamed
    | CardPlayed
    | CardsDrawn
    | PileReshuffled
    | DirectionTurned
    | TurnMoved
    | ChallengeOpened
    | ChallengeClosed
    | RoundCorrected
    | RoundEnded
)
TurnEvent = RoundDealt | InRoundEvent
RulingEvent = (
    RulingGiven
    | RulingOverruled
    | DebtForgiven
    | HandEntered
    | HandCleared
    | RoundScored
    | RoundEdited
)
JudgingEvent = (
    CallWithdrawn
    | WindowOpened
    | CatchMade
    | CooldownBegan
    | RaceCardSeen
    | RaceSettled
    | SlapOffStarted
    | SlapOffLit
)
PressEvent = (
    PressRecorded
    | PressReleased
    | WindowClosed
    | CatchDropped
    | RaceDeclared
    | ButtonSetAside
    | ButtonPutBack
    | PressesMissed
    | JudgingEvent
)
HistoryEvent = StepTaken | Undone | Redone | TableOpened | Forgotten | MatchForgotten

Event = SeatingEvent | TurnEvent | RulingEvent | PressEvent | HistoryEvent
