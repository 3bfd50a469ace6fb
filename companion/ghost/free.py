"""How ghosts play a free round: with real cards, and hardly a word to the table."""

from __future__ import annotations

from companion.ghost import racing
from companion.ghost.ghost import Ghost
from companion.ghost.moments import MILLISECOND
from companion.ghost.racing import ms
from companion.ghost.refereed import any_colour
from companion.ghost.sheet import WILDS, face, fits
from companion.ghost.truth import Round
from companion.referee import commands as c
from companion.referee.cards import Card


def act(ghost: Ghost) -> None:
    """Do the next thing on the felt, and tell the table what it must know."""
    round_ = ghost.round
    felt = round_.felt
    if round_.race is not None and round_.race.state in racing.OPEN:
        racing.tend(ghost, round_.race)
        return
    if not felt.discard:
        _begin(ghost, round_)
        return
    empty = next((seat for seat in felt.seats if not felt.hands[seat]), None)
    if empty is not None:
        _go_out(ghost, round_, empty)
        return
    ghost.wait(ms(ghost, 100, 1_500))
    open_race = round_.race is not None and round_.race.state in racing.OPEN
    if ghost.truth.round is round_ and not open_race:
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
        _one_left(ghost, seat)
    if card == "street-race" and felt.hands[seat]:
        _race(ghost, seat)


def _one_left(ghost: Ghost, seat: int) -> None:
    """Call, or forget it; somebody may look."""
    if ghost.chance(ghost.temper.call):
        if ghost.chance(0.1):
            ghost.say(c.Call(seat))
        else:
            ghost.push(seat, ghost.now() + ms(ghost, 0, 800), ms(ghost, 30, 300))
    if ghost.chance(ghost.temper.catch):
        ghost.wait(ms(ghost, 50, 1_500))
        others = [other for other in ghost.round.seats if other != seat]
        by = ghost.luck.choice(others) if ghost.chance(0.8) else None
        slowly = ghost.luck.choice((0, 0, ghost.luck.randrange(4_000)))
        ghost.wait(slowly * MILLISECOND)
        ghost.say(c.Catch(seat, by, slowly))


def _race(ghost: Ghost, layer: int) -> None:
    way = racing.declare(ghost, layer)
    race = ghost.round.race if ghost.truth.round is not None else None
    known = race is not None and race.layer == layer and race.state in racing.OPEN
    if way == "card" and not known:
        ghost.say(c.DeclareRace(layer))


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
        refused = ghost.say(c.GoOut(seat, Card(card), follows))
    if refused is not None and round_.owes(seat):
        place = next(at for at, debt in enumerate(round_.debts) if debt.seat == seat)
        ghost.say(c.Drawn(ghost.oracle.handles[place][0]))
    elif refused is not None:
        ghost.wait(ms(ghost, 100, 1_000))
