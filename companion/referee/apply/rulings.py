"""Write down rulings, debts and the counting of hands."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.nest import drop, put, the_match, the_round, with_match, with_round
from companion.referee.rulings import Draws, Ruling
from companion.referee.sentences import Sentence
from companion.referee.table import Debt, ScoredRound, Table

RULINGS_KEPT = 60
"""So many are kept beside those of the round that is on; older ones are in the journal."""


def fold_ruling(table: Table, event: e.RulingEvent) -> Table:
    """Write down a ruling or a counted hand."""
    match event:
        case e.RulingGiven(ruling):
            return _give(table, ruling)
        case e.RulingOverruled(number, by, ruling):
            drawn = () if ruling.outcome == "overruled" else _drawn_for(table, number)
            return _give(_overrule(table, number, by), ruling, drawn)
        case e.DebtForgiven(debt):
            return with_round(table, debts=_debts_without(table, debt))
        case e.HandEntered(seat, left):
            return with_round(table, left=put(the_round(table).left, seat, left))
        case e.HandCleared(seat):
            return with_round(table, left=drop(the_round(table).left, seat))
        case e.RoundScored(out, hands):
            scored = ScoredRound(the_round(table).number, out, hands)
            return with_match(table, rounds=(*the_match(table).rounds, scored), round=None)
        case e.RoundEdited(number, out, hands):
            edited = ScoredRound(number, out, hands, edited=True)
            rounds = the_match(table).rounds
            return with_match(
                table, rounds=tuple(edited if r.number == number else r for r in rounds)
            )
        case _:
            assert_never(event)


def _give(table: Table, ruling: Ruling, drawn: tuple[Draws, ...] = ()) -> Table:
    table = with_match(table, rulings=_kept(table, ruling), serial=ruling.number)
    return _add_debts(table, ruling.number, ruling.draws, drawn) if ruling.draws else table


def _kept(table: Table, ruling: Ruling) -> tuple[Ruling, ...]:
    """Leave out the oldest: what the round on the table led to may still be read again."""
    match = the_match(table)
    rulings = (*match.rulings, ruling)
    began = None if match.round is None else match.round.began
    first = 0
    while len(rulings) - first > RULINGS_KEPT and (began is None or rulings[first].at < began):
        first += 1
    return rulings[first:]


def _add_debts(
    table: Table, ruling: int, draws: tuple[Draws, ...], drawn: tuple[Draws, ...]
) -> Table:
    debts = tuple(
        Debt(ruling + 1 + index, drawing.seat, drawing.cards, ruling)
        for index, drawing in enumerate(draws)
        if drawing not in drawn
    )
    table = with_round(table, debts=(*the_round(table).debts, *debts))
    return with_match(table, serial=ruling + len(draws))


def _drawn_for(table: Table, number: int) -> tuple[Draws, ...]:
    """What was drawn already for a ruling: nobody draws that once more for the one after it."""
    still = {debt.seat for debt in the_round(table).debts if debt.ruling == number}
    return tuple(
        drawing
        for ruling in the_match(table).rulings
        if ruling.number == number
        for drawing in ruling.draws
        if drawing.seat not in still
    )


def _overrule(table: Table, number: int, by: Sentence) -> Table:
    rulings = tuple(
        replace(r, overruled=by) if r.number == number else r for r in the_match(table).rulings
    )
    round_ = the_match(table).round
    if round_ is not None:
        debts = tuple(d for d in round_.debts if d.ruling != number)
        table = with_round(table, debts=debts)
    return with_match(table, rulings=rulings)


def _debts_without(table: Table, number: int) -> tuple[Debt, ...]:
    return tuple(d for d in the_round(table).debts if d.number != number)
