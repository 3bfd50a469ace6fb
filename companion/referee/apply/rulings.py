"""Write down rulings, debts and the counting of hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.nest import drop, put, the_match, the_round, with_match, with_round
from companion.referee.model.rulings import Draws, Ruling
from companion.referee.model.table import Debt, Left, Match, Round, ScoredRound, Table
from companion.referee.sentences import Sentence

RULINGS_KEPT = 60
"""So many are kept beside those of the round that is on; older ones are in the journal."""

NOTHING_DRAWN: Mapping[int, int] = {}


def fold_ruling(table: Table, event: e.RulingEvent) -> Table:
    """Write down a ruling or a counted hand."""
    match event:
        case e.RulingGiven(ruling):
            return _give(table, ruling)
        case e.RulingOverruled(number, by, ruling):
            return _overrule(table, number, by, ruling)
        case e.DebtForgiven(debt):
            return with_round(table, debts=_debts_without(table, debt))
        case e.HandEntered(seat, left):
            return with_round(table, left=put(the_round(table).left, seat, left))
        case e.HandCleared(seat):
            return with_round(table, left=drop(the_round(table).left, seat))
        case e.RoundScored(out, hands):
            scored = _scored(table, out, hands)
            return with_match(table, rounds=(*the_match(table).rounds, scored), round=None)
        case e.RoundEdited(number, out, hands, decides):
            match = the_match(table)
            rounds = tuple(
                replace(r, out=out, hands=hands, edited=True) if r.number == number else r
                for r in match.rounds
            )
            playing_on = match.playing_on and not decides
            return with_match(table, rounds=rounds, playing_on=playing_on)
        case _:
            assert_never(event)


def _scored(table: Table, out: int, hands: Mapping[int, Left]) -> ScoredRound:
    """Close the round, and keep what an edited hand is checked against."""
    round_ = the_round(table)
    players = {seat.number: seat.player for seat in table.game.seats}
    counts = {players[seat]: count for seat, count in round_.hands.items() if seat != round_.out}
    return ScoredRound(round_.number, out, hands, counts=counts, seen=round_.seen)


def _give(table: Table, ruling: Ruling, drawn: Mapping[int, int] = NOTHING_DRAWN) -> Table:
    """Let a ruling stand, and owe what it says less what was drawn already, by seat."""
    match = the_match(table)
    rulings, serial = _kept(match, ruling), ruling.number + len(ruling.draws)
    if not ruling.draws:
        return with_match(table, rulings=rulings, serial=serial)
    round_ = the_round(table)
    debts, paid = [*round_.debts], [*round_.paid]
    for index, drawing in enumerate(ruling.draws):
        debt = Debt(ruling.number + 1 + index, drawing.seat, drawing.cards, ruling.number)
        had = min(drawn.get(debt.seat, 0), debt.cards)
        if had:
            paid.append(replace(debt, cards=had))
        if had < debt.cards:
            debts.append(replace(debt, cards=debt.cards - had))
    round_ = replace(round_, debts=tuple(debts), paid=tuple(paid))
    return with_match(table, rulings=rulings, serial=serial, round=round_)


def _kept(match: Match, ruling: Ruling) -> tuple[Ruling, ...]:
    """Leave out the oldest: what the round on the table led to may still be read again."""
    rulings = (*match.rulings, ruling)
    began = None if match.round is None else match.round.began
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


def _overrule(table: Table, number: int, by: Sentence, ruling: Ruling) -> Table:
    rulings = tuple(
        replace(r, overruled=by) if r.number == number else r for r in the_match(table).rulings
    )
    table = with_match(table, rulings=rulings)
    round_ = the_match(table).round
    if round_ is None:
        return _give(table, ruling)
    drawn = _drawn_for(round_, number)
    table = with_round(
        table,
        debts=tuple(d for d in round_.debts if d.ruling != number),
        paid=tuple(d for d in round_.paid if d.ruling != number),
    )
    for draws in ruling.back if round_.way == "refereed" else ():
        round_ = the_round(table)
        hands = put(round_.hands, draws.seat, round_.hands[draws.seat] - draws.cards)
        table = with_round(table, hands=hands, draw_pile=round_.draw_pile + draws.cards)
    return _give(table, ruling, drawn)


def _debts_without(table: Table, number: int) -> tuple[Debt, ...]:
    return tuple(d for d in the_round(table).debts if d.number != number)
