"""A refereed match with real cards: every turn, race, call, catch and challenge until it is won.

People here never err about the cards; what the referee costs is the question, not whether it is
right.
"""

from __future__ import annotations

from random import Random

from bench.cards import Cards
from bench.steps import Doings, Step, Steps, reactions, taps
from companion.referee import commands as c
from companion.referee.model.cards import COLOURS, Card, Colour, colour_of
from companion.referee.model.edition import Edition
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import Match, Round, Table
from companion.referee.rules.scoring import standing
from companion.referee.rules.turns import goes_on

PLAYS_WHAT_WAS_DRAWN, FORGETS_UNO, CHALLENGES, SLIPS = 0.7, 0.2, 0.3, 0.02
"""How often people do these things, when they can."""


class RefereedMatch:
    """One match; those who play already sit, each with the button of the seat's number."""

    def __init__(self, edition: Edition, seats: tuple[int, ...], seed: int) -> None:
        self.turns = 0
        self._edition = edition
        self._seats = seats
        self._random = Random(seed)
        self._now = 0

    def steps(self) -> Steps:
        """Play from the start of the match until it is won and closed."""
        yield from self._do(c.StartMatch())
        table = yield from self._do(c.ChooseDealer(self._seats[0]))
        while not standing(_match(table)).winners:
            table = yield from self._round()
        return (yield from self._do(c.CloseMatch()))

    def _do(self, command: c.Command, after: int = 800 * MILLISECOND) -> Steps:
        self._now += after
        table = yield Step(self._now, command)
        return table

    def _press(self, table: Table, pushes: list[tuple[int, int]]) -> Steps:
        for step in taps(pushes):
            self._now = step.at
            table = yield step
        return table

    def _round(self) -> Steps:
        cards = Cards(self._edition, self._seats, self._random)
        yield from self._do(c.Deal())
        table = yield from self._first_card(cards)
        while (round_ := _round(table)).out is None:
            table = yield from self._turn(table, round_, cards)
        for seat in self._seats:
            yield from self._draw_what_is_owed(round_, seat, cards)
            if seat != round_.out:
                yield from self._do(c.EnterHand(seat, cards.left(seat)))
        return (yield from self._do(c.ScoreRound()))

    def _first_card(self, cards: Cards) -> Steps:
        while True:
            card = cards.turn_up()
            table = yield from self._do(c.TurnUp(card, self._colour_for(card)))
            if _round(table).top is not None:
                return table
            cards.put_back()

    def _turn(self, table: Table, round_: Round, cards: Cards) -> Steps:
        self.turns += 1
        seat = round_.turn
        assert seat is not None
        assert round_.top is not None
        yield from self._draw_what_is_owed(round_, seat, cards)
        hand = cards.hands[seat]
        fitting = [one for one in hand if goes_on(one, round_.top, round_.colour, self._edition)]
        drawn = not fitting
        if drawn:
            kept = self._random.random() > PLAYS_WHAT_WAS_DRAWN
            cards.draw(seat, 1)
            if kept or not goes_on(hand[-1], round_.top, round_.colour, self._edition):
                return (yield from self._do(c.Draw()))
            fitting = hand[-1:]
        card = self._random.choice(fitting)
        command = c.Play(card, colour=self._colour_for(card), drawn=drawn)
        cards.lay(seat, card)
        table = yield from self._do(command)
        if self._random.random() < SLIPS:
            yield from self._do(c.Undo())
            table = yield from self._do(command)
        return (yield from self._aftermath(table, round_, seat, cards))

    def _aftermath(self, table: Table, before: Round, seat: int, cards: Cards) -> Steps:
        """See to what the card led to, before the next turn."""
        round_ = _round(table)
        race = next((race for race in round_.races if race.state == "running"), None)
        if race is not None:
            racers = reactions(self._random, race.racers, self._now)
            yield from self._press(table, racers)
            table = yield from self._do(c.PassTime(), after=2 * SECOND)
            round_ = _round(table)
        window = round_.calls.window
        if window is not None and window.seat == seat:
            table = yield from self._last_card_but_one(table, seat)
        if round_.challenge is not None and self._random.random() < CHALLENGES:
            held = (colour_of(card) == before.colour for card in cards.hands[seat])
            guilty = not round_.challenge.last_card and any(held)
            table = yield from self._do(c.Challenge(guilty))
        return table

    def _last_card_but_one(self, table: Table, seat: int) -> Steps:
        """The holder taps for UNO, or forgets it and somebody else notices and taps twice."""
        at = self._now + self._random.randrange(300, 600) * MILLISECOND
        pushes = [(seat, at)]
        if self._random.random() < FORGETS_UNO:
            catcher = self._random.choice([one for one in self._seats if one != seat])
            pushes = [(catcher, at), (catcher, at + 500 * MILLISECOND)]
        yield from self._press(table, pushes)
        return (yield from self._do(c.PassTime(), after=3 * SECOND))

    def _draw_what_is_owed(self, round_: Round, seat: int, cards: Cards) -> Doings:
        for debt in round_.debts:
            if debt.seat == seat:
                cards.draw(seat, debt.cards)
                yield from self._do(c.Drawn(debt.number))

    def _colour_for(self, card: Card) -> Colour | None:
        return self._random.choice(COLOURS) if self._edition.face(card).wild else None


def _match(table: Table) -> Match:
    assert table.game.match is not None
    return table.game.match


def _round(table: Table) -> Round:
    round_ = _match(table).round
    assert round_ is not None
    return round_
