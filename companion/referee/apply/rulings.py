"""Write down rulings, debts and the counting of hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.parts import drop, put, the_round
from companion.referee.model.rulings import Draws, Ruling
from companion.referee.model.table import Debt, Match, Round
from companion.referee.sentences import Sentence

RULINGS_KEPT = 60
"""So many are kept beside those of the round that is on; older ones are in the journal."""

NOTHING_DRAWN: Mapping[int, int] = {}


def fold_ruling(match_: Match, event: e.RulingEvent) -> Match:
    """Write down a ruling or a counted hand."""
    match event:
        case e.RulingGiven():
            return _give(match_, match_.rulings, event.ruling)
        case e.RulingOverruled(number, by, ruling):
            return _overrule(match_, number, by, ruling)
        case e.DebtForgiven(debt):
            round_ = the_round(match_)
            debts = tuple(d for d in round_.debts if d.number != debt)
            return replace(match_, round=replace(round_, debts=debts))
        case e.HandEntered(seat, left):
            round_ = the_round(match_)
            return replace(match_, round=replace(round_, left=put(round_.left, seat, left)))
        case e.HandCleared(seat):
            round_ = the_round(match_)
            return replace(match_, round=replace(round_, left=drop(round_.left, seat)))
        case e.RoundEdited(number, out, hands, decides):
            rounds = tuple(
                replace(r, out=out, hands=hands, edited=True) if r.number == number else r
                for r in match_.rounds
            )
            return replace(match_, rounds=rounds, playing_on=match_.playing_on and not decides)
        case _:
            assert_never(event)


def _give(
    match_: Match,
    others: tuple[Ruling, ...],
    ruling: Ruling,
    drawn: Mapping[int, int] = NOTHING_DRAWN,
) -> Match:
    """Let a ruling stand, and owe what it says less what was drawn already, by seat."""
    rulings, serial = _kept(match_, others, ruling), ruling.number + len(ruling.draws)
    if not ruling.draws:
        return replace(match_, rulings=rulings, serial=serial)
    round_ = the_round(match_)
    debts, paid = [*round_.debts], [*round_.paid]
    for index, drawing in enumerate(ruling.draws):
        debt = Debt(ruling.number + 1 + index, drawing.seat, drawing.cards, ruling.number)
        had = min(drawn.get(debt.seat, 0), debt.cards)
        if had:
            paid.append(replace(debt, cards=had))
        if had < debt.cards:
            debts.append(replace(debt, cards=debt.cards - had))
    round_ = replace(round_, debts=tuple(debts), paid=tuple(paid))
    return replace(match_, rulings=rulings, serial=serial, round=round_)


def _kept(match_: Match, others: tuple[Ruling, ...], ruling: Ruling) -> tuple[Ruling, ...]:
    """Leave out the oldest: what the round on the table led to may still be read again."""
    rulings = (*others, ruling)
    began = None if match_.round is None else match_.round.began
    first = 0
    while len(rulings) - first > RULINGS_KEPT and (began is None or rulings[first].at < began):
        first += 1
    return rulings[first:]


def too_much(round_: Round, number: int, ruling: Ruling) -> tuple[Draws, ...]:
    """What goes back of the cards drawn for a ruling, where this one takes its place.

    Every hand keeps a card: what was drawn may have been played since then.
    """
    due = {drawing.seat: drawing.cards for drawing in ruling.draws}
    back: list[Draws] = []
    for seat, had in _drawn_for(round_, number).items():
        cards = had - due.get(seat, 0)
        if round_.way == "refereed":
            cards = min(cards, round_.hands[seat] - 1)
        if cards > 0:
            back.append(Draws(seat, cards))
    return tuple(back)


def _drawn_for(round_: Round, number: int) -> dict[int, int]:
    return {debt.seat: debt.cards for debt in round_.paid if debt.ruling == number}


def _overrule(match_: Match, number: int, by: Sentence, ruling: Ruling) -> Match:
    rulings = tuple(replace(r, overruled=by) if r.number == number else r for r in match_.rulings)
    round_ = match_.round
    if round_ is None:
        return _give(match_, rulings, ruling)
    drawn = _drawn_for(round_, number)
    hands, draw_pile = dict(round_.hands), round_.draw_pile
    for draws in ruling.back if round_.way == "refereed" else ():
        hands[draws.seat] -= draws.cards
        draw_pile += draws.cards
    round_ = replace(
        round_,
        debts=tuple(d for d in round_.debts if d.ruling != number),
        paid=tuple(d for d in round_.paid if d.ruling != number),
        hands=hands,
        draw_pile=draw_pile,
    )
    return _give(replace(match_, round=round_), rulings, ruling, drawn)
