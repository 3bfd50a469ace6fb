"""Events: what happened, in the past tense, as the journal keeps it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar, TypeVar, get_args

from msgspec import Struct

from companion.referee.commands import Fault, Scoring, Way, snake
from companion.referee.model.cards import Card, Colour
from companion.referee.model.edition import Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Press, Timing
from companion.referee.model.questions import Question
from companion.referee.model.rulings import Ruling
from companion.referee.model.table import (
    Calls,
    Claim,
    Dismissal,
    Left,
    Logged,
    NamedCatch,
    NamedRace,
    Race,
    RaceKey,
    Round,
    Seat,
    Setup,
    Turn,
)
from companion.referee.model.trace import Trace
from companion.referee.sentences import Sentence

T = TypeVar("T", bound="EventBase")
EVERYTHING = "everything"


class EventBase(Struct, frozen=True, tag_field="event", tag=snake, omit_defaults=True):
    """What all events share: their name, and what is declared of them."""

    touched: ClassVar[tuple[str, ...]]
    """What of the table it changes; fields of the event stand in braces."""

    def touches(self) -> tuple[str, ...]:
        """Tell what this one changes, where that depends on what happened."""
        return self.touched


class Naming(EventBase, frozen=True):
    """An event of another room than the referee's that gives a player a name."""

    player: int
    name: str


def touches(*touched: str) -> Callable[[type[T]], type[T]]:
    """Declare what of the table an event changes: a command that relied on it is stale."""

    def declared(event: type[T]) -> type[T]:
        event.touched = touched
        return event

    return declared


@touches()
class TableOpened(EventBase, frozen=True):
    """The service started; presses were not heard since `gap_since`, where that is known."""

    editions: tuple[Edition, ...]
    timing: Timing
    at: int
    gap_since: int | None = None
    players: int = 0
    """Numbers up to this one were given to players before, perhaps in another journal."""


@touches("history")
class StepTaken(EventBase, frozen=True):
    """A step began that can be taken back as a whole."""

    label: Sentence
    at: int
    by_press: bool = False
    """Whether a press alone took it: then what was taken back can still be done again."""


@touches(EVERYTHING)
class Undone(EventBase, frozen=True):
    """The last step was taken back; hands of a race that went with it make none by themselves."""

    label: Sentence
    dismissed: tuple[tuple[int, int], ...] = ()
    """By seat and moment."""


@touches("history")
class PressesDismissed(EventBase, frozen=True):
    """What hands had just done was taken back: these presses mean nothing, or make no race."""

    label: Sentence
    presses: tuple[tuple[int, int], ...]
    """By seat and moment."""
    kind: Dismissal


@touches("race")
class AnswerWithdrawn(EventBase, frozen=True):
    """The press that had named a race was no answer: it may mean anything, and the step is gone."""

    race: NamedRace
    step: int | None
    """How many steps were taken since then; without it, the step had been taken back already."""


@touches(EVERYTHING)
class Redone(EventBase, frozen=True):
    """A step that was taken back was done again."""

    label: Sentence


@touches("seats", "seat {seat}")
class SeatTaken(EventBase, frozen=True):
    """Somebody sat down."""

    seat: int
    player: int
    name: str
    button: int | None = None
    start: int | None = None
    """The tally at which somebody begins who joins a match late; none keeps their own."""


@touches("seats", "seat {seat}")
class SeatLeft(EventBase, frozen=True):
    """Somebody left."""

    seat: int


@touches("seat {seat}")
class PlayerRenamed(EventBase, frozen=True):
    """A player has another name."""

    seat: int
    name: str
    player: int


@touches("seats", "seat {seat}", "seat {other}")
class SeatsSwapped(EventBase, frozen=True):
    """Two players changed places."""

    seat: int
    other: int


@touches("seat {seat}")
class HandicapSet(EventBase, frozen=True):
    """The slaps of a player count so many nanoseconds earlier, from the next race on."""

    seat: int
    handicap: int


@touches("seat {seat}")
class MarkChosen(EventBase, frozen=True):
    """A player has another mark and colour."""

    seat: int
    mark: int


@touches("seat {seat}")
class ButtonAwaited(EventBase, frozen=True):
    """The next free button that is pressed goes to this seat."""

    seat: int


@touches("seat {seat}")
class ButtonAssigned(EventBase, frozen=True):
    """A seat has another button."""

    seat: int
    button: int
    at: int


@touches("setup")
class TableSetUp(EventBase, frozen=True):
    """Edition, scoring, way and house rules were chosen."""

    setup: Setup


@touches(EVERYTHING)
class MatchStarted(EventBase, frozen=True):
    """A match began, or began again; what came before it can no longer be taken back."""

    match: int
    edition: Edition
    scoring: Scoring
    way: Way
    house: HouseRules
    as_step: bool = False
    """Whether its beginning itself can still be taken back."""
    seats: tuple[Seat, ...] = ()
    """Who sat where, so that the match can be told without all that came before it."""
    setup: Setup | None = None
    """What was set up, where the match is played by something else."""


@touches("deal")
class DealTied(EventBase, frozen=True):
    """Several drew the highest number and draw again."""

    seats: tuple[int, ...]


@touches("deal")
class DealerNamed(EventBase, frozen=True):
    """It is known who deals."""

    seat: int


@touches("way")
class WaySwitched(EventBase, frozen=True):
    """The next rounds are played free or refereed."""

    way: Way


@touches("round", "turn", "deal", "challenge", "hands", "race", "race named", "race ruling")
class RoundDealt(EventBase, frozen=True):
    """A round began."""

    round: int
    seats: tuple[int, ...]
    dealer: int
    way: Way
    dealt: int
    draw_pile: int
    at: int


@touches("seats", "seat {seat}", "turn", "challenge", "race", "race named")
class PlayerLeft(EventBase, frozen=True):
    """Somebody left in the middle of a round; from here on it is read without them."""

    seat: int
    counted: bool
    """Whether the hand stays to be counted; otherwise it went under the draw pile."""
    at: int


@touches("round", "turn", "deal", "challenge", "hands", "race", "race named")
class RoundAbandoned(EventBase, frozen=True):
    """The round ended without a result."""


@touches("turn")
class CardTurnedUp(EventBase, frozen=True):
    """The first card of the discard pile is known."""

    card: Card


@touches("turn")
class ColourAwaited(EventBase, frozen=True):
    """A seat has to name the colour of a wild."""

    seat: int


@touches("turn")
class ColourNamed(EventBase, frozen=True):
    """The colour in play was named."""

    colour: Colour


@touches("turn")
class CardPlayed(EventBase, frozen=True):
    """A card was laid on the discard pile."""

    turn: Turn


@touches("turn", "debt {debt}")
class CardsDrawn(EventBase, frozen=True):
    """Cards went from the draw pile into a hand, perhaps for a debt."""

    seat: int
    cards: int
    at: int
    debt: int | None = None

    def touches(self) -> tuple[str, ...]:
        """A player who pays a debt is not on turn for it."""
        return ("turn",) if self.debt is None else ("debt {debt}",)


@touches()
class PileReshuffled(EventBase, frozen=True):
    """The discard pile, less its top card, became the draw pile."""


@touches("turn")
class DirectionTurned(EventBase, frozen=True):
    """Play runs the other way."""

    direction: int


@touches("turn")
class TurnMoved(EventBase, frozen=True):
    """It is this seat's turn."""

    seat: int


@touches("challenge")
class ChallengeOpened(EventBase, frozen=True):
    """A wild draw card may be challenged."""

    accused: int
    victim: int
    cards: int
    ruling: int
    last_card: bool


@touches("challenge")
class ChallengeClosed(EventBase, frozen=True):
    """The wild draw card can no longer be challenged."""


@touches("turn")
class RoundCorrected(EventBase, frozen=True):
    """The referee set right what is believed of the round."""

    hands: Mapping[int, int]
    turn: int | None
    direction: int
    top: Card | None
    colour: Colour | None
    draw_pile: int
    discard_pile: int
    seen: Mapping[Card, int] | None = None
    """The cards known to lie in the discard pile; none where they stay as they were."""
    left: Mapping[int, int] = {}
    """By turn, how many cards its player kept, where that had been counted wrong."""


@touches("race ruling")
class RulingGiven(EventBase, frozen=True):
    """The referee ruled; a player who draws by it has a debt."""

    ruling: Ruling

    def touches(self) -> tuple[str, ...]:
        """Only what is ruled of a race is what somebody may be about to decide."""
        return self.touched if self.ruling.rule == "R12" else ()


@touches("ruling {number}", "race ruling")
class RulingOverruled(EventBase, frozen=True):
    """A ruling was replaced; its open debts are gone, and what was drawn for it counts on."""

    number: int
    by: Sentence
    ruling: Ruling

    def touches(self) -> tuple[str, ...]:
        """The ruling itself; and the race, if it was about one."""
        return self.touched if self.ruling.rule == "R12" else self.touched[:1]


@touches("debt {debt}")
class DebtForgiven(EventBase, frozen=True):
    """A debt was let go, nothing was drawn."""

    debt: int


@touches()
class PressRecorded(EventBase, frozen=True):
    """A seat's button was pushed; what that means is read from all the evidence."""

    press: Press


@touches()
class PressReleased(EventBase, frozen=True):
    """A push ended."""

    seat: int
    pressed_at: int
    at: int
    raw: Trace | None = None
    """What the contact did, where a contact was read edge by edge."""


@touches()
class Entered(EventBase, frozen=True):
    """Something was entered of the cards of a refereed round."""

    entry: Logged


@touches("turn")
class CardKept(EventBase, frozen=True):
    """A card was drawn and kept, and that was the turn."""

    turn: Turn


@touches("turn", "challenge", "race", "race named", "race ruling")
class PlayChanged(EventBase, frozen=True):
    """An earlier entry was changed; this is the round as it is read from the changed log."""

    round: Round
    serial: int
    """The last number that was given to a ruling or a debt."""


@touches("race", "race named")
class RaceNamed(EventBase, frozen=True):
    """Somebody named a race, or decided something about it."""

    race: NamedRace


@touches()
class CatchNamed(EventBase, frozen=True):
    """Somebody says on a screen that a seat has not called."""

    catch: NamedCatch


@touches()
class CallSaid(EventBase, frozen=True):
    """Somebody called aloud, and it was tapped in on a screen."""

    press: Press


@touches("call {seat}")
class CallWithdrawn(EventBase, frozen=True):
    """Calls of a seat up to this moment do not count."""

    seat: int
    at: int


@touches()
class CatchAnswered(EventBase, frozen=True):
    """The table answered what was asked about a catch: `caught`, `called` or `too_late`."""

    record: int
    answer: str


@touches()
class RaceDenied(EventBase, frozen=True):
    """The table said that these hands, by seat and moment, were no race."""

    presses: tuple[tuple[int, int], ...]


@touches()
class PressesAnswered(EventBase, frozen=True):
    """These presses, by seat and moment, answered a question and mean nothing else."""

    presses: tuple[tuple[int, int], ...]


@touches("race")
class RaceRead(EventBase, frozen=True):
    """This is what the evidence says of a race by now."""

    race: Race
    was: RaceKey | None = None
    """By which the same race was known before."""

    def touches(self) -> tuple[str, ...]:
        """A race that was known is only read again with each hand that lands."""
        return self.touched if self.was is None else ()


@touches("race")
class RaceUnread(EventBase, frozen=True):
    """The evidence no longer shows a race."""

    was: RaceKey


@touches()
class ClaimRead(EventBase, frozen=True):
    """This is what the evidence says of a catch by now."""

    claim: Claim


@touches()
class ClaimUnread(EventBase, frozen=True):
    """The evidence no longer shows this catch."""

    claim: Claim


@touches()
class CallsRead(EventBase, frozen=True):
    """This is what the evidence says of calls by now."""

    calls: Calls


@touches()
class QuestionAsked(EventBase, frozen=True):
    """The table asks something, and goes on meanwhile."""

    question: Question


@touches("question {number}")
class QuestionClosed(EventBase, frozen=True):
    """A question was answered, or is none any more."""

    number: int


@touches("round")
class RoundEnded(EventBase, frozen=True):
    """Somebody has no cards left."""

    seat: int
    at: int


@touches("hands", "hand {seat}")
class HandEntered(EventBase, frozen=True):
    """A hand left was counted."""

    seat: int
    left: Left


@touches("hands", "hand {seat}")
class HandCleared(EventBase, frozen=True):
    """A counted hand was taken back."""

    seat: int


@touches("round", "hands", "scores")
class RoundScored(EventBase, frozen=True):
    """The hands left were counted and the round is closed."""

    out: int
    hands: Mapping[int, Left]


@touches("scores", "scored {round}")
class RoundEdited(EventBase, frozen=True):
    """An earlier round was changed, and all totals with it."""

    round: int
    out: int
    hands: Mapping[int, Left]
    decides: bool = False
    """Whether others have won by it, or none: then a match that went on after a win ends."""


@touches("match")
class PlayedOn(EventBase, frozen=True):
    """The table goes on although the match is won."""


@touches(EVERYTHING)
class MatchClosed(EventBase, frozen=True):
    """The match is over."""


@touches()
class ButtonSetAside(EventBase, frozen=True):
    """A broken button decides nothing any more."""

    button: int
    fault: Fault
    at: int


@touches()
class ButtonPutBack(EventBase, frozen=True):
    """A button works again."""

    button: int
    at: int


@touches()
class PressesMissed(EventBase, frozen=True):
    """Presses may have gone unseen."""

    seats: tuple[int, ...]
    since: int
    until: int


@touches()
class Forgotten(EventBase, frozen=True):
    """Something happened here that was forgotten for good; its place stays."""


@touches(EVERYTHING)
class MatchForgotten(EventBase, frozen=True):
    """A whole match was forgotten, and this is all that it left behind."""

    match: int
    seats: tuple[Seat, ...]
    setup: Setup
    players: int
    editions: tuple[Edition, ...]
    timing: Timing
    aside: Mapping[int, Fault] = {}
    awaiting_button: int | None = None


SeatingEvent = (
    SeatTaken
    | SeatLeft
    | PlayerRenamed
    | SeatsSwapped
    | HandicapSet
    | MarkChosen
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
TurnEvent = (
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
    | Entered
    | CardKept
)
RoundEvent = RoundDealt | PlayerLeft | RoundAbandoned | PlayChanged | RoundScored
RulingEvent = RulingGiven | RulingOverruled | DebtForgiven | HandEntered | HandCleared | RoundEdited
ReadingEvent = (
    RaceNamed
    | CatchNamed
    | CallSaid
    | CallWithdrawn
    | CatchAnswered
    | RaceDenied
    | RaceRead
    | RaceUnread
    | ClaimRead
    | ClaimUnread
    | CallsRead
    | QuestionAsked
    | QuestionClosed
)
PressEvent = (
    PressRecorded | PressReleased | PressesAnswered | ButtonSetAside | ButtonPutBack | PressesMissed
)
HistoryEvent = (
    StepTaken
    | Undone
    | Redone
    | PressesDismissed
    | AnswerWithdrawn
    | TableOpened
    | Forgotten
    | MatchForgotten
)

Event = (
    SeatingEvent | RoundEvent | TurnEvent | RulingEvent | ReadingEvent | PressEvent | HistoryEvent
)

for _family in get_args(Event):
    for _event in get_args(_family) or (_family,):
        if "touched" not in vars(_event):
            raise TypeError(f"{_event.__name__} does not declare what it touches: see touches")
