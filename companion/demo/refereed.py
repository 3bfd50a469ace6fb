"""A refereed match with real cards: every turn, race, call, catch and challenge until it is won.

People here never err about the cards, and they accept every ruling.
"""

from __future__ import annotations

from companion.demo import hands
from companion.demo.cards import Cards
from companion.demo.people import STEADY, DemoPeople, Habits
from companion.demo.steps import Steps
from companion.referee import commands as c
from companion.referee.model.cards import COLOURS, Card, Colour, colour_of
from companion.referee.model.edition import Edition
from companion.referee.model.table import Match, Round, Table
from companion.referee.rules.scoring import standing
from companion.referee.rules.turns import goes_on


class TableDisturbed(Exception):
    """Another person has changed the table, and these people cannot go on."""


class RefereedMatch:
    """One match; those who play already sit, each with the button of the seat's number."""

    def __init__(
        self, edition: Edition, seats: tuple[int, ...], seed: int, habits: Habits = STEADY
    ) -> None:
        self.turns = 0
        self._edition = edition
        self._seats = seats
        self._people = DemoPeople(seed, habits)

    def steps(self) -> Steps:
        """Play from the start of the match until it is won and closed."""
        yield from self._people.say(c.StartMatch())
        table = yield from self._find_dealer()
        while not standing(_match(table)).winners:
            table = yield from self._round()
        return (yield from self._people.say(c.CloseMatch()))

    def _find_dealer(self) -> Steps:
        """R2. Each player draws a card, and those who tie for the highest draw again."""
        seats = self._seats
        while seats:
            cards = Cards(self._edition, self._seats, self._people.random)
            drawn = {seat: cards.hands[seat][0] for seat in seats}
            table = yield from self._people.say(c.DrawForDeal(drawn))
            seats = _match(table).deal_tied
        return table

    def _round(self) -> Steps:
        cards = Cards(self._edition, self._seats, self._people.random)
        yield from self._people.say(c.Deal())
        table = yield from self._first_card(cards)
        while _round(table).out is None:
            table = yield from self._turn(table, cards)
        for seat in self._seats:
            table = yield from self._draw_what_is_owed(table, seat, cards)
            if seat != _round(table).out:
                table = yield from self._people.say(c.EnterHand(seat, cards.left(seat)))
        return (yield from self._people.say(c.ScoreRound()))

    def _first_card(self, cards: Cards) -> Steps:
        while True:
            card = cards.turn_up()
            table = yield from self._people.say(c.TurnUp(card))
            if _round(table).top is not None:
                return (yield from self._name_colour(table, cards))
            cards.put_back()

    def _turn(self, table: Table, cards: Cards) -> Steps:
        seat = _round(table).turn
        if seat is None:
            raise TableDisturbed("It is nobody's turn.")
        table = yield from self._draw_what_is_owed(table, seat, cards)
        round_ = _round(table)
        if round_.turn != seat:
            return table
        self.turns += 1
        hand = cards.hands[seat]
        fitting = [card for card in hand if self._fits(card, round_)]
        drawn = not fitting
        if drawn:
            kept = self._people.chance(self._people.habits.keep_what_was_drawn)
            before = len(hand)
            cards.draw(seat, 1)
            if kept or len(hand) == before or not self._fits(hand[-1], round_):
                return (yield from self._people.say(c.Draw()))
            fitting = hand[-1:]
        card = self._people.random.choice(fitting)
        cards.lay(seat, card)
        colour = self._colour_for(card, hand)
        table = yield from self._lay(c.Play(card, colour=colour, drawn=drawn), hand)
        return (yield from self._aftermath(table, round_, seat, cards))

    def _lay(self, command: c.Play, hand: list[Card]) -> Steps:
        """Lay a card; now and then it is taken back and laid again."""
        if len(hand) == 1 or command.card == self._edition.race_card:
            self._people.rest()
        table = yield from self._people.say(command)
        if self._people.chance(self._people.habits.slip):
            yield from self._people.say(c.Undo())
            table = yield from self._people.say(command)
        return table

    def _aftermath(self, table: Table, before: Round, seat: int, cards: Cards) -> Steps:
        """See to what the card led to, before the next turn."""
        table = yield from hands.race(self._people, table)
        round_ = _round(table)
        window = round_.calls.window
        if window is not None and window.seat == seat:
            others = [other for other in self._seats if other != seat]
            table = yield from hands.last_card_but_one(self._people, table, seat, others)
        table = yield from self._name_colour(table, cards)
        if round_.challenge is not None and self._people.chance(self._people.habits.challenge):
            held = (colour_of(card) == before.colour for card in cards.hands[seat])
            guilty = not round_.challenge.last_card and any(held)
            table = yield from self._people.say(c.Challenge(guilty))
        return table

    def _name_colour(self, table: Table, cards: Cards) -> Steps:
        chooser = _round(table).chooser
        if chooser is not None:
            colour = self._any_colour(cards.hands[chooser])
            table = yield from self._people.say(c.NameColour(colour))
        return table

    def _draw_what_is_owed(self, table: Table, seat: int, cards: Cards) -> Steps:
        """Draw, one debt after the other, and put back what a ruling that was replaced had cost.

        A ruling can be replaced between two of them, so what is owed is looked up each time.
        """
        while owed := [debt for debt in _round(table).debts if debt.seat == seat]:
            table = yield from self._people.say(c.Drawn(owed[0].number))
        cards.follow(_round(table).hands)
        return table

    def _fits(self, card: Card, round_: Round) -> bool:
        if round_.top is None:
            raise TableDisturbed("The first card is gone.")
        return goes_on(card, round_.top, round_.colour, self._edition)

    def _colour_for(self, card: Card, hand: list[Card]) -> Colour | None:
        """Name the colour of a wild at once, or wait until the table asks for it."""
        wild = self._edition.face(card).wild
        if not wild or self._people.chance(self._people.habits.name_colour_later):
            return None
        return self._any_colour(hand)

    def _any_colour(self, hand: list[Card]) -> Colour:
        """Choose a colour that is in the hand, if there is one."""
        held = [colour for card in hand if (colour := colour_of(card)) is not None]
        return self._people.random.choice(held or COLOURS)


def _match(table: Table) -> Match:
    if table.game.match is None:
        raise TableDisturbed("The match is gone.")
    return table.game.match


def _round(table: Table) -> Round:
    round_ = _match(table).round
    if round_ is None:
        raise TableDisturbed("The round is gone.")
    return round_
