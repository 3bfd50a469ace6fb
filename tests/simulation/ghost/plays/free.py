"""How ghosts play a free round: with real cards, and hardly a word to the table."""

from __future__ import annotations

from companion.referee import commands as c
from companion.referee.model.cards import Card
from tests.simulation.ghost.ghost import Ghost
from tests.simulation.ghost.plays import deciding, racing, uno
from tests.simulation.ghost.plays.racing import ms
from tests.simulation.ghost.plays.refereed import any_colour
from tests.simulation.ghost.sheet import WILDS, face, fits
from tests.simulation.ghost.truth import Refused, Round


def act(ghost: Ghost) -> None:
    """Do the next thing on the felt, and tell the table what it must know."""
    round_ = ghost.round
    felt = round_.felt
    if round_.race is not None and round_.race.state == "undecided":
        deciding.tend(ghost, round_.race)
        return
    if not felt.discard:
        _begin(ghost, round_)
        return
    empty = next((seat for seat in felt.seats if not felt.hands[seat]), None)
    if empty is not None:
        _go_out(ghost, round_, empty)
        return
    ghost.wait(ms(ghost, 100, 1_500))
    _take_turn(ghost, round_)


def _begin(ghost: Ghost, round_: Round) -> None:
    """R4. The first card is turned over; nobody tells the table."""
    felt = round_.felt
    while not felt.discard:
        felt.turn = felt.turn_up(round_.dealer)
    if felt.sheet.draws(felt.top):
        felt.take(felt.left_of(round_.dealer), felt.sheet.draws(felt.top))
    if felt.top in WILDS:
        felt.colour = any_colour(ghost, [])


def _take_turn(ghost: Ghost, round_: Round) -> None:
    felt = round_.felt
    seat = felt.turn
    assert seat is not None
    if round_.owes(seat) and ghost.chance(ghost.temper.tick):
        place = next(at for at, debt in enumerate(round_.debts) if debt.seat == seat)
        ghost.say(c.Drawn(ghost.oracle.handles[place][0]))
        return
    fitting = [card for card in felt.hands[seat] if fits(card, felt.top, felt.colour)]
    if not fitting or ghost.chance(ghost.temper.draw):
        felt.take(seat, 1)
        felt.turn = felt.beyond(seat)
        return
    card = ghost.luck.choice(fitting)
    laid = felt.lay(seat, card)
    felt.turn = laid.turn
    if card in WILDS:
        felt.colour = any_colour(ghost, felt.hands[seat])
    if laid.victim is not None and felt.hands[seat]:
        felt.take(laid.victim, laid.cards)
    if len(felt.hands[seat]) == 1:
        uno.on_one_in_free_play(ghost, seat)
    if card == "street-race" and felt.hands[seat]:
        racing.by_hands(ghost, seat)
        deciding.quarrel(ghost)


def _go_out(ghost: Ghost, round_: Round, seat: int) -> None:
    """R14. Say who is out, with which card, and who comes next; or keep the card to oneself."""
    felt = round_.felt
    card = felt.top
    follows = felt.beyond(seat)
    draws = felt.sheet.draws(card) if face(card) in felt.sheet.last_draws else 0
    if not ghost.chance(0.8):
        refused = ghost.say(c.GoOut(seat))
        if refused is None and draws:
            ghost.round.felt.take(follows, draws)
    else:
        if draws and ghost.chance(ghost.temper.nonsense * 6):
            ghost.say(c.GoOut(seat, Card(card)))
        refused = _say_out(ghost, c.GoOut(seat, Card(card), follows))
    if refused is not None:
        ghost.wait(ms(ghost, 100, 1_000))


def _say_out(ghost: Ghost, command: c.GoOut) -> Refused | None:
    """By house rule a Street Race as the last card is raced, once it is told."""
    raced = command.card == "street-race" and ghost.match.house.race_on_last_card
    if raced:
        ghost.hush(racing.FORGOTTEN)
    if not raced:
        return ghost.say(command)
    racing.last_card(ghost, command.seat, lambda: ghost.say(command))
    return None
