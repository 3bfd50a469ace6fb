"""What the ghost expects of every card that is told: the turn, the piles, who owes what."""

from __future__ import annotations

from companion.referee import commands as c
from tests.simulation.ghost.expects.calls import JUST_NOW, UNSURE, spend
from tests.simulation.ghost.expects.races import lay
from tests.simulation.ghost.sheet import WILDS, colour, fits
from tests.simulation.ghost.truth import Doubted, OnOne, Owed, Refused, Round, Truth


def turn_up(truth: Truth, command: c.TurnUp) -> None:
    """R4. The first card, and whom it strikes before anyone has played."""
    round_ = refereed(truth)
    felt = round_.felt
    if felt.discard:
        raise Refused("R4")
    if command.card not in felt.sheet.copies:
        raise Refused("R1")
    card = felt.pile[-1]
    assert command.card == card, "the dealer tells the card that lies there"
    starts = felt.turn_up(round_.dealer)
    if starts is None:
        return
    round_.turn = starts
    if card in WILDS:
        _name_or_wait(round_, starts, command.colour)
    elif felt.sheet.draws(card):
        left = felt.left_of(round_.dealer)
        round_.owe(left, felt.sheet.draws(card), "R4")


def play(truth: Truth, command: c.Play, at: int) -> None:
    """R5 to R10, R14. A card is laid."""
    round_ = _in_turns(truth)
    felt = round_.felt
    seat = command.seat or round_.turn
    assert seat is not None
    card = command.card
    _check(round_, seat, card, insist=command.insist)
    told = round_.felt.colour
    call = round_.calls.get(seat)
    _begin(round_)
    pay_all(round_, seat)
    if command.drawn:
        assert card == felt.next_card(), "the drawn card is the one that lies there"
        felt.take(seat, 1)
        spend(round_, seat)
    if not command.insist and felt.discard.count(card) == felt.sheet.copies[card]:
        raise Refused("R1", insist=True)
    assert card in felt.hands[seat], "nobody lays a card out of thin air"
    laid = felt.lay(seat, card)
    guilty = any(colour(other) == told for other in felt.hands[seat])
    last = not felt.hands[seat]
    round_.chooser = None
    if card in WILDS and not last:
        _name_or_wait(round_, seat, command.colour)
    if laid.victim is not None:
        debt = round_.owe(laid.victim, laid.cards, _rule(card, last=last))
        if card == "wild-draw":
            round_.doubted = Doubted(seat, debt, last, guilty)
    if last:
        round_.out, round_.turn = seat, None
    else:
        if len(felt.hands[seat]) == 1:
            round_.window = OnOne(seat, _call_for(truth, seat, call, at))
        round_.turn = laid.turn
    if card == "street-race" and (not last or truth.the_match().house.race_on_last_card):
        lay(truth, seat, "card")


def draw(truth: Truth, command: c.Draw) -> None:
    """R5. A card is drawn and kept."""
    round_ = _in_turns(truth)
    seat = command.seat or round_.turn
    assert seat is not None
    if seat not in round_.seats:
        raise Refused
    if seat != round_.turn:
        raise Refused("R5")
    _begin(round_)
    pay_all(round_, seat)
    round_.felt.take(seat, 1)
    spend(round_, seat)
    round_.turn = round_.felt.beyond(seat)


def name_colour(truth: Truth, command: c.NameColour) -> None:
    """R9. The colour of the wild on top, or another one for it."""
    round_ = truth.playing()
    felt = round_.felt
    if round_.way == "free" or not felt.discard or felt.top not in WILDS:
        raise Refused("R9")
    felt.colour, round_.chooser = command.colour, None


def challenge(truth: Truth, command: c.Challenge) -> None:
    """R11. The hand was shown."""
    round_ = truth.the_round()
    doubted = round_.doubted
    if doubted is None:
        raise Refused("R11")
    if command.guilty and doubted.last_card:
        raise Refused("R11")
    sheet = round_.felt.sheet
    victim = doubted.debt.seat
    round_.debts.remove(doubted.debt)
    round_.doubted = None
    if not command.guilty:
        round_.owe(victim, sheet.innocent, "R11")
        return
    round_.owe(doubted.accused, sheet.wild_draw, "R11")
    if truth.the_match().house.guilty_gives_turn_back:
        round_.turn = victim


def pay(round_: Round, place: int) -> None:
    """Draw what is owed, as far as there are cards; the rest is let go."""
    debt = round_.debts.pop(place)
    forget_challenge(round_, debt)
    cards = round_.felt.take(debt.seat, debt.cards)
    if debt.race is not None:
        mine = round_.drawn.setdefault(debt.race, {})
        mine[debt.seat] = mine.get(debt.seat, 0) + cards
    spend(round_, debt.seat)
    if round_.window is not None and round_.window.seat == debt.seat:
        round_.window = None


def pay_all(round_: Round, seat: int) -> None:
    """Draw everything a seat owes."""
    while round_.owes(seat):
        pay(round_, next(at for at, debt in enumerate(round_.debts) if debt.seat == seat))


def forget_challenge(round_: Round, debt: Owed) -> None:
    """Who has drawn the cards of a wild draw card, or was let off, cannot challenge it any more."""
    if round_.doubted is not None and debt == round_.doubted.debt:
        round_.doubted = None


def refereed(truth: Truth) -> Round:
    """Give the round if it is refereed and nobody is out."""
    round_ = truth.the_round()
    if round_.way != "refereed" or round_.out is not None:
        raise Refused
    return round_


def _call_for(truth: Truth, seat: int, call: int | None, at: int) -> int | None:
    """The call that was made just before a card; whether an older press counts is not asked."""
    if call is not None and at - call <= JUST_NOW:
        return call
    pressed = truth.night.pressed.get(seat)
    return None if pressed is None or at - pressed > JUST_NOW * 7 else UNSURE


def _rule(card: str, *, last: bool) -> str:
    if last:
        return "R14"
    return "R10" if card in WILDS else "R6"


def _in_turns(truth: Truth) -> Round:
    """Give the round if cards may be told now."""
    round_ = refereed(truth)
    if not round_.felt.discard:
        raise Refused("R3")
    return round_


def _check(round_: Round, seat: int, card: str, *, insist: bool) -> None:
    felt = round_.felt
    if seat not in round_.seats:
        raise Refused
    if card not in felt.sheet.copies:
        raise Refused("R1")
    if insist:
        return
    if seat != round_.turn:
        raise Refused("R5", insist=True)
    if not fits(card, felt.top, felt.colour):
        raise Refused("R5", insist=True)


def _name_or_wait(round_: Round, seat: int, shade: str | None) -> None:
    round_.felt.colour = shade
    round_.chooser = seat if shade is None else None


def _begin(round_: Round) -> None:
    """A turn has begun: too late to catch, too late to challenge."""
    round_.window = None
    round_.doubted = None
