"""Commands: what a screen, a button or the passing of time asks of the table.

Each is a small frozen struct; `kind` names it in JSON. `decide` turns one into events or refuses.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.referee.model.cards import Card, Colour
from companion.referee.model.edition import Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import Source, Timing
from companion.referee.model.trace import Trace

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


class Base(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag=snake):
    """What all commands share: a kind, and no field that is not known."""


class Sit(Base, frozen=True):
    """Take a seat, with a name and perhaps a button; no number takes the next free one."""

    name: str = ""
    seat: SeatNumber | None = None
    button: ButtonNumber | None = None


class Stand(Base, frozen=True):
    """Leave the table; in the middle of a round, say what becomes of the hand.

    It goes under the draw pile, or it is counted when the round is over.
    """

    seat: SeatNumber
    hand: Literal["under", "counted"] | None = None


class Rename(Base, frozen=True):
    """Change the name of who sits there."""

    seat: SeatNumber
    name: str


class Swap(Base, frozen=True):
    """Let two players change places while the buttons stay, or move one to an empty seat."""

    seat: SeatNumber
    other: SeatNumber


class SetHandicap(Base, frozen=True):
    """Let the slaps of who sits there count as if made so many milliseconds earlier."""

    seat: SeatNumber
    milliseconds: int


class AssignButton(Base, frozen=True):
    """Give a seat another button; without a number, the next press of a free button takes it."""

    seat: SeatNumber
    button: ButtonNumber | None = None


class SetUp(Base, frozen=True):
    """Choose edition, scoring, way of playing and house rules; what is left out stays."""

    edition: str | None = None
    scoring: Scoring | None = None
    way: Way | None = None
    house: HouseRules | None = None


class StartMatch(Base, frozen=True):
    """Begin a match with everyone who sits."""


class DrawForDeal(Base, frozen=True):
    """Tell which card each player drew to find the dealer (R2)."""

    cards: dict[SeatNumber, CardName]


class ChooseDealer(Base, frozen=True):
    """Name the dealer without drawing."""

    seat: SeatNumber


class Deal(Base, frozen=True):
    """Begin the next round."""


class AbandonRound(Base, frozen=True):
    """End the round without a result; nobody scores."""


class SwitchWay(Base, frozen=True):
    """Change between free and refereed play before the next round."""

    way: Way


class TurnUp(Base, frozen=True):
    """Tell the first card of the discard pile (R4)."""

    card: CardName
    colour: Colour | None = None


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


class Draw(Base, frozen=True):
    """Draw one card and keep it (R5)."""

    seat: SeatNumber | None = None


class NameColour(Base, frozen=True):
    """Name the colour of the wild that was laid or turned up, or another one for it."""

    colour: Colour


class Challenge(Base, frozen=True):
    """Challenge a wild draw card, and say what the accused hand showed (R11)."""

    guilty: bool


class Correct(Base, frozen=True):
    """Set right what the companion believes of the round; what is left out stays."""

    hands: dict[SeatNumber, Count] | None = None
    turn: SeatNumber | None = None
    direction: Literal[1, -1] | None = None
    top: CardName | None = None
    colour: Colour | None = None
    draw_pile: Count | None = None


class Call(Base, frozen=True):
    """Call UNO for a seat from a screen."""

    seat: SeatNumber


class WithdrawCall(Base, frozen=True):
    """Take a call off the record."""

    seat: SeatNumber


class Catch(Base, frozen=True):
    """Catch a seat that has not called; `by` is who noticed.

    Naming both takes several taps; `ago_ms` tells how long before this one the first of them was.
    """

    seat: SeatNumber
    by: SeatNumber | None = None
    ago_ms: Annotated[int, Meta(ge=0, le=60_000)] = 0


class Answer(Base, frozen=True):
    """Answer a question of the table with one of the choices that it offers."""

    question: int
    answer: Annotated[str, Meta(max_length=40)]


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


class DeclareRace(Base, frozen=True):
    """Say that a Street Race was laid, and by whom."""

    layer: SeatNumber


class ChangeLayer(Base, frozen=True):
    """Say who else laid the last race; it is judged again from the same presses."""

    layer: SeatNumber


class RerunRace(Base, frozen=True):
    """Void the last race and run it again from now."""


class CancelRace(Base, frozen=True):
    """Void the last race; nobody draws for it."""


class SlapOff(Base, frozen=True):
    """Let those who tied slap again, at a light that comes when nobody knows."""


class PickLast(Base, frozen=True):
    """Name who of an undecided race draws."""

    seats: tuple[SeatNumber, ...]


class Drawn(Base, frozen=True):
    """Tick a debt: the cards were drawn."""

    debt: int


class Forgive(Base, frozen=True):
    """Let a debt go; nothing is drawn."""

    debt: int


class Overrule(Base, frozen=True):
    """Replace the consequence of a ruling; no seats means that nobody draws."""

    ruling: int
    seats: tuple[SeatNumber, ...] = ()
    draws: Count = 0


class GoOut(Base, frozen=True):
    """Say who has no cards left, and perhaps with which last card (R14).

    In free play nobody follows the direction, so a card that makes somebody draw needs `next`.
    `confirm` keeps it although the count or the turn speaks against it.
    """

    seat: SeatNumber
    card: CardName | None = None
    next: SeatNumber | None = None
    confirm: bool = False


class EnterHand(Base, frozen=True):
    """Enter the cards left in a hand; `confirm` keeps it although the count differs."""

    seat: SeatNumber
    cards: Hand
    confirm: bool = False


class EnterPoints(Base, frozen=True):
    """Enter a hand as a bare total, which nothing can check."""

    seat: SeatNumber
    points: Points


class ClearHand(Base, frozen=True):
    """Take back what was entered for a seat."""

    seat: SeatNumber


class ScoreRound(Base, frozen=True):
    """Close the round with the hands as entered."""


class EditRound(Base, frozen=True):
    """Change an earlier round: who went out, or hands by player number; totals follow."""

    round: int
    out: int | None = None
    hands: dict[int, Hand] | None = None
    points: dict[int, Points] | None = None


class PlayOn(Base, frozen=True):
    """Go on although the match is won."""


class CloseMatch(Base, frozen=True):
    """End the match, won or not, and go back to the seats."""


class Rematch(Base, frozen=True):
    """Start anew with the same players and rules."""


class Undo(Base, frozen=True):
    """Take back the last step."""


class Redo(Base, frozen=True):
    """Do again what was last taken back."""


class PressSeat(Base, frozen=True):
    """Press for a seat from a screen, where its button cannot be used.

    A phone tells the moment on its own clock, in milliseconds, and in which stretch between two
    sleeps that was. The door dates the press from it, as far as a phone can be believed.
    """

    seat: SeatNumber
    moment: Annotated[float, Meta(ge=0, le=1e12)] | None = None
    wake: Annotated[int, Meta(ge=0, le=1_000_000_000)] | None = None


class PhonePress(Base, frozen=True):
    """A press on a phone for a seat, dated by the door that it came through."""

    seat: int
    at: int
    uncertainty: int


class Press(Base, frozen=True):
    """One push of a physical button, dated at its first edge."""

    button: ButtonNumber
    at: int
    uncertainty: int
    source: Source = "button"


class Release(Base, frozen=True):
    """The end of the push that began at `pressed_at`."""

    button: ButtonNumber
    at: int
    pressed_at: int
    raw: Trace | None = None


class SetAside(Base, frozen=True):
    """A button is broken and must decide nothing until it is put back."""

    button: ButtonNumber
    fault: Fault
    at: int


class PutBack(Base, frozen=True):
    """A button that was set aside works again."""

    button: ButtonNumber
    at: int


class MissPresses(Base, frozen=True):
    """Presses of these buttons may have gone unseen in a span of time."""

    buttons: tuple[ButtonNumber, ...]
    since: int
    until: int


class PassTime(Base, frozen=True):
    """Time has passed; whatever was due is ruled now."""


class OpenTable(Base, frozen=True):
    """The service has started; `gap` is since when nobody listened."""

    editions: tuple[Edition, ...]
    timing: Timing
    gap_since: int | None = None


PersonCommand = (
    Sit
    | Stand
    | Rename
    | Swap
    | SetHandicap
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

ButtonCommand = Press | Release | SetAside | PutBack | MissPresses
"""What the hardware hands over."""

ServiceCommand = PassTime | OpenTable | PhonePress
"""What the service itself brings to the table."""

Command = PersonCommand | ButtonCommand | ServiceCommand
