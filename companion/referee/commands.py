"""Commands: what a screen, a button or the passing of time asks of the table.

Each is a small frozen struct; `kind` names it in JSON. `decide` turns one into events or refuses.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated, ClassVar, Literal, TypeVar, get_args

from msgspec import Meta, Struct

from companion.referee.model.cards import Card, Colour
from companion.referee.model.edition import Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Source, Timing
from companion.referee.model.trace import Trace

T = TypeVar("T", bound="Base")
SeatNumber = Annotated[int, Meta(ge=1, le=10)]
ButtonNumber = Annotated[int, Meta(ge=1, le=32)]
Points = Annotated[int, Meta(ge=0, le=100_000)]
CardName = Annotated[Card, Meta(max_length=40)]
Count = Annotated[int, Meta(ge=0, le=1_000)]
Hand = dict[CardName, Annotated[int, Meta(ge=0, le=1_000)]]
Scoring = Literal["classic", "alternative"]
Way = Literal["free", "refereed"]
Fault = Literal["stuck", "chatter", "noise", "unreachable"]


def snake(name: str) -> str:
    """Spell a class name the way JSON names it."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


Sender = Literal["player", "referee"]
Senders = frozenset[Sender]
REFEREE: Senders = frozenset({"referee"})
PLAYERS: Senders = frozenset({"player", "referee"})
"""A player sends it for the own seat, or when that seat is asked; the referee for everybody."""
NOBODY: Senders = frozenset()
"""No screen sends it: it comes from the buttons or from the service itself."""


class Base(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="kind",
    tag=snake,
    omit_defaults=True,
):
    """What all commands share: a kind, no field that is not known, and what is declared of it."""

    senders: ClassVar[Senders]
    """Who may send it through a screen."""
    relies_on: ClassVar[tuple[str, ...]]
    """What must still be as the sender saw it; fields of the command stand in braces."""


def sent_by(senders: Senders, *relies_on: str) -> Callable[[type[T]], type[T]]:
    """Declare who may send a command, and what makes it stale."""

    def declared(command: type[T]) -> type[T]:
        command.senders, command.relies_on = senders, relies_on
        return command

    return declared


@sent_by(REFEREE, "seat {seat}")
class Sit(Base, frozen=True):
    """Take a seat, with a name and perhaps a button; no number takes the next free one."""

    name: str = ""
    seat: SeatNumber | None = None
    button: ButtonNumber | None = None


@sent_by(REFEREE, "seat {seat}")
class Stand(Base, frozen=True):
    """Leave the table; in the middle of a round, say what becomes of the hand.

    It goes under the draw pile, or it is counted when the round is over.
    """

    seat: SeatNumber
    hand: Literal["under", "counted"] | None = None


@sent_by(REFEREE, "seat {seat}")
class Rename(Base, frozen=True):
    """Change the name of the player at this seat."""

    seat: SeatNumber
    name: str


@sent_by(REFEREE, "seat {seat}", "seat {other}")
class Swap(Base, frozen=True):
    """Let two players change places while the buttons stay, or move one to an empty seat."""

    seat: SeatNumber
    other: SeatNumber


@sent_by(REFEREE, "seat {seat}")
class SetHandicap(Base, frozen=True):
    """Count this seat's slaps as if they were made so many milliseconds earlier."""

    seat: SeatNumber
    milliseconds: int


@sent_by(PLAYERS, "seat {seat}")
class ChooseMark(Base, frozen=True):
    """Give this seat another mark and colour; a seat that has them now gets this one's."""

    seat: SeatNumber
    mark: Annotated[int, Meta(ge=1, le=10)]


@sent_by(REFEREE, "seat {seat}")
class AssignButton(Base, frozen=True):
    """Give a seat another button; without a number, the next press of a free button takes it."""

    seat: SeatNumber
    button: ButtonNumber | None = None


@sent_by(REFEREE, "setup")
class SetUp(Base, frozen=True):
    """Choose edition, scoring, way of playing and house rules; what is left out stays."""

    edition: str | None = None
    scoring: Scoring | None = None
    way: Way | None = None
    house: HouseRules | None = None


@sent_by(REFEREE, "seats", "setup")
class StartMatch(Base, frozen=True):
    """Begin a match with everyone who sits."""


@sent_by(REFEREE, "seats", "deal", "round", "match")
class DrawForDeal(Base, frozen=True):
    """Tell which card each player drew to find the dealer (R2)."""

    cards: dict[SeatNumber, CardName]


@sent_by(REFEREE, "seats", "deal", "round", "match")
class ChooseDealer(Base, frozen=True):
    """Name the dealer without drawing."""

    seat: SeatNumber


@sent_by(REFEREE, "seats", "deal", "round", "match")
class Deal(Base, frozen=True):
    """Begin the next round."""


@sent_by(REFEREE, "round")
class AbandonRound(Base, frozen=True):
    """End the round without a result; nobody scores."""


@sent_by(REFEREE, "way", "round")
class SwitchWay(Base, frozen=True):
    """Change between free and refereed play before the next round."""

    way: Way


@sent_by(REFEREE, "turn", "round")
class TurnUp(Base, frozen=True):
    """Tell the first card of the discard pile (R4)."""

    card: CardName
    colour: Colour | None = None


@sent_by(REFEREE, "turn", "round")
class Play(Base, frozen=True):
    """Lay a card; `drawn` when it was just drawn, `insist` to record it although it is illegal.

    `last` says that no card is left in the hand, whatever the count says.
    """

    card: CardName
    seat: SeatNumber | None = None
    colour: Colour | None = None
    drawn: bool = False
    insist: bool = False
    last: bool = False


@sent_by(REFEREE, "turn", "round")
class Draw(Base, frozen=True):
    """Draw one card and keep it (R5)."""

    seat: SeatNumber | None = None


@sent_by(REFEREE, "turn", "round")
class NameColour(Base, frozen=True):
    """Name the colour of the wild that was laid or turned up, or another one for it."""

    colour: Colour


@sent_by(REFEREE, "challenge", "round")
class Challenge(Base, frozen=True):
    """Challenge a wild draw card, and say what the accused hand showed (R11)."""

    guilty: bool


@sent_by(REFEREE, "turn", "round")
class Correct(Base, frozen=True):
    """Set right what the companion believes of the round; what is left out stays."""

    hands: dict[SeatNumber, Count] | None = None
    turn: SeatNumber | None = None
    direction: Literal[1, -1] | None = None
    top: CardName | None = None
    colour: Colour | None = None
    draw_pile: Count | None = None


@sent_by(PLAYERS, "round")
class Call(Base, frozen=True):
    """Call UNO for a seat from a screen."""

    seat: SeatNumber


@sent_by(REFEREE, "round", "call {seat}")
class WithdrawCall(Base, frozen=True):
    """Take a call off the record."""

    seat: SeatNumber


@sent_by(REFEREE, "round")
class Catch(Base, frozen=True):
    """Catch a seat that has not called; `by` is who noticed.

    Naming both takes several taps; `ago_ms` tells how long before this one the first of them was.
    """

    seat: SeatNumber
    by: SeatNumber | None = None
    ago_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0


@sent_by(PLAYERS, "question {question}")
class Answer(Base, frozen=True):
    """Answer a question of the table with one of the choices that it offers."""

    question: int
    answer: Annotated[str, Meta(max_length=40)]


@sent_by(REFEREE, "turn", "round")
class ChangePlay(Base, frozen=True):
    """Change an earlier card of the round; everything after it is read again.

    `turn` is the number of its turn, `seat` somebody else who played it. No card means that the
    player drew and kept it; `remove` takes the turn out altogether.
    """

    turn: int
    card: CardName | None = None
    seat: SeatNumber | None = None
    colour: Colour | None = None
    drawn: bool = False
    remove: bool = False


@sent_by(REFEREE, "race named", "round")
class DeclareRace(Base, frozen=True):
    """Say that a Street Race was laid, and by whom."""

    layer: SeatNumber


@sent_by(REFEREE, "race", "round")
class ChangeLayer(Base, frozen=True):
    """Say who else laid the last race; it is judged again from the same presses."""

    layer: SeatNumber


@sent_by(REFEREE, "race", "round")
class RerunRace(Base, frozen=True):
    """Void the last race and run it again from now."""


@sent_by(REFEREE, "race", "round")
class CancelRace(Base, frozen=True):
    """Void the last race; nobody draws for it."""


@sent_by(REFEREE, "race", "race ruling", "round")
class SlapOff(Base, frozen=True):
    """Let those who tied slap again, at a light that comes at an unknown moment."""


@sent_by(REFEREE, "race", "race ruling", "round")
class PickLast(Base, frozen=True):
    """Name who of an undecided race draws."""

    seats: tuple[SeatNumber, ...]


@sent_by(REFEREE, "debt {debt}")
class Drawn(Base, frozen=True):
    """Tick a debt: the cards were drawn."""

    debt: int


@sent_by(REFEREE, "debt {debt}")
class Forgive(Base, frozen=True):
    """Let a debt go; nothing is drawn."""

    debt: int


@sent_by(REFEREE, "ruling {ruling}")
class Overrule(Base, frozen=True):
    """Replace the consequence of a ruling; no seats means that nobody draws."""

    ruling: int
    seats: tuple[SeatNumber, ...] = ()
    draws: Count = 0


@sent_by(REFEREE, "round")
class GoOut(Base, frozen=True):
    """Say who has no cards left, and perhaps with which last card (R14).

    In free play nobody follows the direction, so a card that makes somebody draw needs `next`.
    `confirm` keeps it although the count or the turn speaks against it.
    """

    seat: SeatNumber
    card: CardName | None = None
    next: SeatNumber | None = None
    confirm: bool = False


@sent_by(PLAYERS, "round", "hand {seat}")
class EnterHand(Base, frozen=True):
    """Enter the cards left in a hand; `confirm` keeps it although the count differs."""

    seat: SeatNumber
    cards: Hand
    confirm: bool = False


@sent_by(PLAYERS, "round", "hand {seat}")
class EnterPoints(Base, frozen=True):
    """Enter a hand as a bare total, which nothing can check."""

    seat: SeatNumber
    points: Points


@sent_by(PLAYERS, "round", "hand {seat}")
class ClearHand(Base, frozen=True):
    """Take back what was entered for a seat."""

    seat: SeatNumber


@sent_by(REFEREE, "round", "hands")
class ScoreRound(Base, frozen=True):
    """Close the round with the hands as entered."""


@sent_by(REFEREE, "scored {round}")
class EditRound(Base, frozen=True):
    """Change an earlier round: who went out, or hands by player number; totals follow.

    A hand comes as cards in `hands` or as a bare total in `points`; `confirm` keeps cards that the
    table doubts, as in `EnterHand`.
    """

    round: int
    out: int | None = None
    hands: dict[int, Hand] | None = None
    points: dict[int, Points] | None = None
    confirm: bool = False


@sent_by(REFEREE, "match", "round", "scores")
class PlayOn(Base, frozen=True):
    """Go on although the match is won."""


@sent_by(REFEREE, "match", "round", "scores")
class CloseMatch(Base, frozen=True):
    """End the match, won or not, and go back to the seats."""


@sent_by(REFEREE, "match", "round", "scores")
class Rematch(Base, frozen=True):
    """Start anew with the same players and rules."""


@sent_by(REFEREE, "history")
class Undo(Base, frozen=True):
    """Take back the last step."""


@sent_by(REFEREE, "history")
class Redo(Base, frozen=True):
    """Do again what was last taken back."""


@sent_by(PLAYERS)
class PressSeat(Base, frozen=True):
    """Press for a seat from a screen, where its button cannot be used.

    A phone tells the moment on its own clock, in milliseconds, and in which stretch between two
    sleeps that was. The door dates the press from it, as far as a phone can be believed.
    """

    seat: SeatNumber
    moment: Annotated[float, Meta(ge=0, le=1e12)] | None = None
    wake: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None


@sent_by(NOBODY)
class PhonePress(Base, frozen=True):
    """A press on a phone for a seat, dated by the door that it came through."""

    seat: int
    at: int
    uncertainty: int


@sent_by(NOBODY)
class PushButton(Base, frozen=True):
    """One push of a physical button, dated at its first edge."""

    button: ButtonNumber
    at: int
    uncertainty: int
    source: Source = "button"


@sent_by(NOBODY)
class Release(Base, frozen=True):
    """The end of the push that began at `pressed_at`."""

    button: ButtonNumber
    at: int
    pressed_at: int
    raw: Trace | None = None


@sent_by(NOBODY)
class SetAside(Base, frozen=True):
    """A button is broken and must decide nothing until it is put back."""

    button: ButtonNumber
    fault: Fault
    at: int


@sent_by(NOBODY)
class PutBack(Base, frozen=True):
    """A button that was set aside works again."""

    button: ButtonNumber
    at: int


@sent_by(NOBODY)
class MissPresses(Base, frozen=True):
    """Presses of these buttons may have gone unseen in a span of time."""

    buttons: tuple[ButtonNumber, ...]
    since: int
    until: int


@sent_by(NOBODY)
class PassTime(Base, frozen=True):
    """Time has passed; whatever was due is ruled now."""


@sent_by(NOBODY)
class OpenTable(Base, frozen=True):
    """The service has started; `gap` is since when presses were not heard."""

    editions: tuple[Edition, ...]
    timing: Timing
    gap_since: int | None = None
    players: int = 0
    """Numbers up to this one were given to players before, perhaps in another journal."""


PersonCommand = (
    Sit
    | Stand
    | Rename
    | Swap
    | SetHandicap
    | ChooseMark
    | AssignButton
    | SetUp
    | StartMatch
    | DrawForDeal
    | ChooseDealer
    | Deal
    | AbandonRound
    | SwitchWay
    | TurnUp
    | Play
    | Draw
    | NameColour
    | Challenge
    | Correct
    | Call
    | WithdrawCall
    | Catch
    | DeclareRace
    | ChangeLayer
    | RerunRace
    | CancelRace
    | SlapOff
    | PickLast
    | Drawn
    | Forgive
    | Overrule
    | GoOut
    | EnterHand
    | EnterPoints
    | ClearHand
    | ScoreRound
    | EditRound
    | PlayOn
    | CloseMatch
    | Rematch
    | Undo
    | Redo
    | Answer
    | ChangePlay
    | PressSeat
)
"""What people may ask for through a screen."""

RoundCommand = TurnUp | Play | Draw | NameColour | Challenge | Correct | Drawn | Forgive | GoOut
"""What is entered of cards in refereed play, and can be changed later."""

ButtonCommand = PushButton | Release | SetAside | PutBack | MissPresses
"""What the hardware hands over."""

ServiceCommand = PassTime | OpenTable | PhonePress
"""What the service itself brings to the table."""

Command = PersonCommand | ButtonCommand | ServiceCommand

for _command in get_args(Command):
    if "senders" not in vars(_command):
        raise TypeError(f"{_command.__name__} does not declare who may send it: see sent_by")
