"""What the ghost expects of every card that is told: the turn, the piles, who owes what."""

from __future__ import annotations

from msgspec import structs

from companion.ghost.calls import close_window
from companion.ghost.races import lay_card, lay_last_card, refuse_if_open
from companion.ghost.sheet import WILDS, colour, fits
from companion.ghost.truth import Doubted, OnOne, Owed, Refused, Round, Truth
from companion.referee import commands as c


def turn_up(truth: Truth, command: c.TurnUp, at: int) -> None:
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
    round_.turn, round_.began = starts, at
    if card in WILDS:
        round_.chooser = starts
        if command.colour is not None:
            _name(round_, command.colour)
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
    if not _is_card_of_race(round_, card):
        refuse_if_open(round_)
    _check(round_, seat, card, insist=command.insist)
    told = round_.felt.colour
    _close(truth, round_)
    pay_all(round_, seat)
    if command.drawn:
        assert card == felt.next_card(), "the drawn card is the one that lies there"
        felt.take(seat, 1)
        _spend_call(round_, seat)
    if not command.insist and felt.discard.count(card) == felt.sheet.copies[card]:
        raise Refused("R1", insist=True)
    assert card in felt.hands[seat], "nobody lays a card out of thin air"
    laid = felt.lay(seat, card)
    if card != "street-race":
        _race_card_not_laid(round_, seat)
    guilty = any(colour(other) == told for other in felt.hands[seat])
    last = not felt.hands[seat]
    if card in WILDS and not last:
        round_.chooser = seat
        if command.colour is not None:
            _name(round_, command.colour)
    if laid.victim is not None:
        debt = round_.owe(laid.victim, laid.cards, _rule(card, last=last))
        if card == "wild-draw":
            round_.doubted = Doubted(seat, debt, last, guilty)
    if last:
        round_.out, round_.turn, round_.chooser = seat, None, None
        if card == "street-race":
            lay_last_card(truth, seat, at)
        return
    if len(felt.hands[seat]) == 1:
        since = round_.began
        calls = [call for call in round_.calls.get(seat, ()) if call.at >= since]
        round_.window = OnOne(seat, since, min(calls, key=lambda call: call.at, default=None))
    round_.turn, round_.began = laid.turn, at
    if card == "street-race":
        lay_card(truth, seat, at)


def draw(truth: Truth, command: c.Draw, at: int) -> None:
    """R5. A card is drawn and kept."""
    round_ = _in_turns(truth)
    seat = command.seat or round_.turn
    assert seat is not None
    refuse_if_open(round_)
    if seat not in round_.seats:
        raise Refused
    if seat != round_.turn:
        raise Refused("R5")
    _close(truth, round_)
    pay_all(round_, seat)
    round_.felt.take(seat, 1)
    _spend_call(round_, seat)
    _race_card_not_laid(round_, seat)
    round_.turn, round_.began = round_.felt.beyond(seat), at


def name_colour(truth: Truth, command: c.NameColour) -> None:
    """R9. The colour of a wild."""
    round_ = truth.playing()
    if round_.chooser is None:
        raise Refused("R9")
    _name(round_, command.colour)


def challenge(truth: Truth, command: c.Challenge, at: int) -> None:
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
        round_.turn, round_.began = victim, at


def pay(round_: Round, place: int) -> None:
    """Draw what is owed, as far as there are cards; the rest is let go."""
    debt = round_.debts.pop(place)
    forget_challenge(round_, debt)
    round_.felt.take(debt.seat, debt.cards)
    _spend_call(round_, debt.seat)
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


def _rule(card: str, *, last: bool) -> str:
    if last:
        return "R14"
    return "R10" if card in WILDS else "R6"


def refereed(truth: Truth) -> Round:
    """Give the round if it is refereed and nobody is out."""
    round_ = truth.the_round()
    if round_.way != "refereed" or round_.out is not None:
        raise Refused
    return round_


def _in_turns(truth: Truth) -> Round:
    """Give the round if cards may be told now."""
    round_ = refereed(truth)
    if not round_.felt.discard:
        raise Refused("R3")
    if round_.chooser is not None:
        raise Refused("R9")
    return round_


def _is_card_of_race(round_: Round, card: str) -> bool:
    """Whether this is the card of a race that was declared before it was told."""
    race = round_.race
    return (
        card == "street-race" and race is not None and race.state != "void" and not race.card_seen
    )


def _race_card_not_laid(round_: Round, seat: int) -> None:
    """Who has told another turn since will not tell the card of the race any more."""
    if round_.race is not None and round_.race.layer == seat:
        round_.race = structs.replace(round_.race, card_seen=True)


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


def _name(round_: Round, shade: str) -> None:
    round_.felt.colour = shade
    round_.chooser = None


def _close(truth: Truth, round_: Round) -> None:
    """A turn has begun: too late to catch, too late to challenge."""
    close_window(truth)
    round_.doubted = None


def _spend_call(round_: Round, seat: int) -> None:
    """R13. Drawing makes a call worthless, unless it was made in this very turn."""
    calls = round_.calls.pop(seat, ())
    fresh = tuple(call for call in calls if round_.turn == seat and call.at >= round_.began)
    if fresh:
        round_.calls[seat] = fresh
