"""Who tells the table what happened: late, in bursts, sometimes wrongly and then corrected."""

from __future__ import annotations

from random import Random

from companion.referee import commands as c
from companion.referee.model.cards import Card, face_of
from companion.referee.model.presses import SECOND
from companion.referee.undoing import hands_to_take_back
from tests.simulation.people import SEEN_LATE, UNCERTAINTY, between
from tests.simulation.pile import Pile
from tests.simulation.playing import FIRST, RACE_CARD
from tests.simulation.table import Playground
from tests.simulation.truth import TrueTurn, Truth

LATEST = 15.0
"""No card is recorded later than this, in seconds."""
QUICKLY = 0.5
"""Two taps of one person are at least so many seconds apart."""
SLIP = 0.05
"""So often a card that changes no order of turns is tapped in wrongly at first,"""
SECOND_THOUGHTS = 0.02
"""and so often a right one is taken back and done again."""
COLOUR_LATER = 0.5
"""So often the colour of a wild is named only a while after the card."""


def press_buttons(ground: Playground, truth: Truth, chance: Random) -> None:
    """Every touch reaches the table a little after it was made, in any order."""
    for touch in truth.touches:
        press = c.PushButton(touch.seat, touch.at, UNCERTAINTY)
        release = c.Release(touch.seat, touch.until, touch.at)
        seen = touch.at + chance.randrange(SEEN_LATE)
        ground.plan(seen, press)
        ground.plan(max(seen + 1, touch.until + chance.randrange(SEEN_LATE)), release)


class Recorder:
    """Somebody who follows a refereed round on the tablet."""

    def __init__(self, truth: Truth, chance: Random) -> None:
        self.truth = truth
        self.chance = chance
        self.insisting_until = 0
        """While a wrong card stands, the cards after it need insisting."""
        self.busy: list[tuple[int, int]] = []
        """From the tap to its correction, nothing else is touched."""
        self.done = truth.ended

    def plan(self, ground: Playground) -> None:
        """Decide when each turn is tapped in, and what goes wrong with it."""
        pile = Pile(ground.match.edition, FIRST)
        free_from = self.truth.began
        ground.plan(self.truth.began - SECOND, c.Correct(hands=self.truth.hands))
        for turn in self.truth.turns:
            at = max(free_from, turn.at + self._lateness())
            at = max(free_from, min(at, turn.at + int(LATEST * SECOND)))
            free_from = self._enter(ground, turn, at, pile) + int(QUICKLY * SECOND)
            if turn.card is not None:
                pile.lay(turn.card, turn.colour)
        self.done = max(self.done, free_from)

    def _lateness(self) -> int:
        luck = self.chance.random()
        if luck < 0.5:
            return between(self.chance, 0.3, 2.0)
        return between(self.chance, 2.0, 8.0) if luck < 0.85 else between(self.chance, 8.0, LATEST)

    def _enter(self, ground: Playground, turn: TrueTurn, at: int, pile: Pile) -> int:
        """Plan all taps of one turn, and tell when the person is free again."""
        right = self._command(turn)
        entry = Entry(turn, right)
        luck = self.chance.random()
        slips = turn.card is not None and face_of(turn.card) not in ("skip", "reverse")
        if turn.card is not None and slips and luck < SLIP:
            wrong = self._wrong(turn, turn.card, pile)
            if self.chance.random() < 0.5:
                return self._undo_and_again(ground, at, wrong, entry)
            return self._change_later(ground, at, wrong, entry)
        insist = self.insisting_until > at
        ground.plan(at, lambda table: entry.tap(table, right, insist))
        if luck < SLIP + SECOND_THOUGHTS:
            at = self._back_and_forth(ground, at)
        if isinstance(right, c.Play) and right.colour is None and turn.colour is not None:
            named = at + between(self.chance, 0.5, 5.0)
            ground.plan(named, lambda table: self._name_colour(table, entry))
            self.done = max(self.done, named)
            at = max(at, min(named, at + between(self.chance, 0.5, 3.0)))
        return at

    def _name_colour(self, ground: Playground, entry: Entry) -> None:
        """Name a colour while its card is the latest, and in no other business."""
        free = self._free_from(ground.now)
        if free is not None:
            ground.plan(free + SECOND // 2, lambda table: self._name_colour(table, entry))
        elif entry.turn.colour is not None and ground.round.turns[-1].number == entry.number:
            ground.tell(c.NameColour(entry.turn.colour))

    def _free_from(self, now: int) -> int | None:
        """When a correction that is under way will be done; None where there is none."""
        return max((end for since, end in self.busy if since < now <= end), default=None)

    def _command(self, turn: TrueTurn) -> c.Play | c.Draw:
        if turn.card is None:
            return c.Draw(turn.seat)
        later = turn.colour is not None and self.chance.random() < COLOUR_LATER
        return c.Play(turn.card, turn.seat, None if later else turn.colour)

    def _wrong(self, turn: TrueTurn, card: Card, pile: Pile) -> c.Play:
        """Another card than was laid: most often another number, sometimes a race that was none."""
        races = pile.left(RACE_CARD) and self.truth.edition != "express"
        if turn.colour is not None:
            mistaken = RACE_CARD if card != RACE_CARD and races else Card("wild")
            return c.Play(mistaken, turn.seat, turn.colour)
        if races and self.chance.random() < 0.3:
            return c.Play(RACE_CARD, turn.seat, self.chance.choice(("red", "blue")))
        return c.Play(pile.mistaken(self.chance, card), turn.seat)

    def _back_and_forth(self, ground: Playground, at: int) -> int:
        """Take a right card back, see that it was right, and do it again."""
        back = at + between(self.chance, 0.6, 1.5)
        again = back + between(self.chance, 0.6, 1.5)
        taken_back: list[bool] = []

        def undo(table: Playground) -> None:
            if takes_back(table, "step_play", "step_draw"):
                taken_back.append(table.tell(c.Undo()))

        def redo(table: Playground) -> None:
            if taken_back:
                table.tell(c.Redo())

        ground.plan(back, undo)
        ground.plan(again, redo)
        self.busy.append((at, again))
        return again

    def _undo_and_again(self, ground: Playground, at: int, wrong: c.Play, entry: Entry) -> int:
        """The mistake is seen at once: undo, and the right card; or changed, if undo shows more."""
        back = at + between(self.chance, 0.8, 2.5)
        again = back + between(self.chance, 0.6, 1.5)
        insist = self.insisting_until > again

        def undo(table: Playground) -> None:
            if takes_back(table, "step_play"):
                table.tell(c.Undo())
                table.plan(again, lambda later: entry.tap(later, entry.right, insist))
            else:
                entry.change(table)

        ground.plan(at, lambda table: entry.tap(table, wrong, True))
        ground.plan(back, undo)
        self.busy.append((at, again))
        return again

    def _change_later(self, ground: Playground, at: int, wrong: c.Play, entry: Entry) -> int:
        """The mistake is noticed only after some more cards."""
        noticed = at + between(self.chance, 1.0, 9.0)
        self.insisting_until = max(self.insisting_until, noticed + 4 * SECOND)
        self.done = max(self.done, noticed + 4 * SECOND)

        def change(table: Playground) -> None:
            free = self._free_from(table.now)
            if free is None:
                entry.change(table)
            else:
                table.plan(free + SECOND // 2, change)

        ground.plan(at, lambda table: entry.tap(table, wrong, True))
        ground.plan(noticed, change)
        return at


class Entry:
    """One turn on its way into the tablet."""

    def __init__(self, turn: TrueTurn, right: c.Play | c.Draw) -> None:
        self.turn = turn
        self.right = right
        self.number: int | None = None

    def tap(self, ground: Playground, command: c.Play | c.Draw, insist: bool) -> None:
        """Tap it in, after setting the count of cards right where the table is mistaken."""
        self._count(ground)
        if insist and isinstance(command, c.Play):
            command = c.Play(command.card, command.seat, command.colour, insist=True)
        if ground.tell(command):
            self.number = ground.round.turns[-1].number

    def change(self, ground: Playground) -> None:
        """Change what was tapped in to what was really laid."""
        turn = self.turn
        if self.number is not None and turn.card is not None:
            ground.tell(c.ChangePlay(self.number, turn.card, turn.seat, turn.colour))

    def _count(self, ground: Playground) -> None:
        """A player shows how many cards there are; what is still owed comes on top of the count.

        Nobody sets right what a debt of a race that never was would make of it.
        """
        turn, round_ = self.turn, ground.round
        if round_.out is not None:
            return
        true = turn.left + (1 if turn.card is not None else -1)
        owed = sum(debt.cards for debt in round_.debts if debt.seat == turn.seat)
        known = round_.hands[turn.seat]
        if true not in (known, known + owed) and true > owed:
            ground.tell(c.Correct(hands={turn.seat: true - owed}))


def takes_back(ground: Playground, *codes: str) -> bool:
    """Whether the undo button shows one of these; a person reads it before tapping."""
    hands = hands_to_take_back(ground.table)
    if hands is not None:
        return hands[0].code in codes
    return ground.table.past is not None and ground.table.past.label.code in codes
