"""Write down cards, piles, hands and turns, and how a round begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.evidence import begin_evidence
from companion.referee.apply.parts import drop, put, the_match, the_round, with_match
from companion.referee.model.cards import colour_of
from companion.referee.model.table import Left, OpenChallenge, Round, ScoredRound, Table, Turn


def fold_round(table: Table, event: e.RoundEvent) -> Table:
    """Write down that a round was dealt, is another one from here on, was counted, or is none."""
    match event:
        case e.RoundDealt():
            table = with_match(table, round=_dealt(event), dealer=event.dealer, dealer_chosen=False)
            return begin_evidence(table, event.at)
        case e.PlayerLeft():
            rest = _without(the_round(the_match(table)), event)
            return begin_evidence(with_match(table, round=replace(rest, base=rest)), event.at)
        case e.RoundAbandoned():
            # The same dealer deals again: it is as if it had not been dealt.
            return with_match(table, round=None, dealer_chosen=True)
        case e.PlayChanged():
            return with_match(table, round=event.round, serial=event.serial)
        case e.RoundScored(out, hands):
            scored = _scored(table, out, hands)
            return with_match(table, rounds=(*the_match(table).rounds, scored), round=None)
        case _:
            assert_never(event)


def fold_turn(round_: Round, event: e.TurnEvent) -> Round:
    """Write down what happened to the cards, the most frequent first."""
    match event:
        case e.TurnMoved():
            return replace(round_, turn=event.seat)
        case e.Entered():
            entry = event.entry
            records = max(round_.records, entry.number)
            return replace(round_, log=(*round_.log, entry), records=records)
        case e.CardPlayed():
            return _played(round_, event.turn)
        case e.CardsDrawn():
            return _drawn(round_, event)
        case e.CardKept(turn):
            return replace(
                round_, turns=(*round_.turns, turn), records=max(round_.records, turn.number)
            )
        case e.CardTurnedUp(card):
            return replace(
                round_,
                top=card,
                colour=colour_of(card),
                draw_pile=round_.draw_pile - 1,
                discard_pile=1,
                seen={card: 1},
            )
        case e.ColourAwaited(seat):
            return replace(round_, chooser=seat)
        case e.ColourNamed(colour):
            return replace(round_, colour=colour, chooser=None)
        case e.PileReshuffled():
            assert round_.top is not None
            return replace(
                round_,
                draw_pile=round_.draw_pile + round_.discard_pile - 1,
                discard_pile=1,
                seen={round_.top: 1},
            )
        case e.DirectionTurned(direction):
            return replace(round_, direction=direction)
        case e.ChallengeOpened(accused, victim, cards, ruling, last_card):
            challenge = OpenChallenge(accused, victim, cards, ruling, last_card)
            return replace(round_, challenge=challenge)
        case e.ChallengeClosed():
            return replace(round_, challenge=None)
        case e.RoundCorrected():
            return _corrected(round_, event)
        case e.RoundEnded(seat, at):
            return replace(round_, out=seat, ended=at, turn=None, chooser=None)
        case _:
            assert_never(event)


def _dealt(event: e.RoundDealt) -> Round:
    refereed = event.way == "refereed"
    return Round(
        number=event.round,
        seats=event.seats,
        dealer=event.dealer,
        way=event.way,
        began=event.at,
        hands=dict.fromkeys(event.seats, event.dealt) if refereed else {},
        draw_pile=event.draw_pile if refereed else 0,
    )


def _scored(table: Table, out: int, hands: Mapping[int, Left]) -> ScoredRound:
    """Close the round, and keep what an edited hand is checked against."""
    round_ = the_round(the_match(table))
    players = {seat.number: seat.player for seat in table.game.seats}
    counts = {players[seat]: count for seat, count in round_.hands.items() if seat != round_.out}
    return ScoredRound(round_.number, out, hands, counts=counts, seen=round_.seen)


def _without(round_: Round, event: e.PlayerLeft) -> Round:
    """Play goes on without somebody, as if what lies there had been dealt so."""
    seat = event.seat
    hands, draw_pile, challenge = round_.hands, round_.draw_pile, round_.challenge
    if not event.counted:
        draw_pile += hands.get(seat, 0)
        hands = drop(hands, seat)
    if challenge is not None and seat in (challenge.accused, challenge.victim):
        challenge = None
    return Round(
        number=round_.number,
        seats=tuple(other for other in round_.seats if other != seat),
        dealer=round_.dealer,
        way=round_.way,
        direction=round_.direction,
        turn=round_.turn,
        top=round_.top,
        colour=round_.colour,
        chooser=None if round_.chooser == seat else round_.chooser,
        hands=hands,
        draw_pile=draw_pile,
        discard_pile=round_.discard_pile,
        seen=round_.seen,
        debts=tuple(debt for debt in round_.debts if debt.seat != seat),
        paid=round_.paid,
        began=event.at,
        records=round_.records,
        challenge=challenge,
        gone=(*round_.gone, seat) if event.counted else round_.gone,
    )


def _played(round_: Round, turn: Turn) -> Round:
    assert turn.card is not None
    return replace(
        round_,
        turns=(*round_.turns, turn),
        records=max(round_.records, turn.number),
        top=turn.card,
        colour=colour_of(turn.card),
        chooser=None,
        hands=put(round_.hands, turn.seat, turn.left),
        discard_pile=round_.discard_pile + 1,
        seen=put(round_.seen, turn.card, round_.seen.get(turn.card, 0) + 1),
    )


def _drawn(round_: Round, event: e.CardsDrawn) -> Round:
    """Cards in the hand end the time in which its one card mattered."""
    seat = event.seat
    hands, draw_pile = round_.hands, round_.draw_pile
    if round_.way == "refereed":
        hands = put(hands, seat, hands[seat] + event.cards)
        draw_pile -= event.cards
    return replace(
        round_,
        hands=hands,
        draw_pile=draw_pile,
        debts=tuple(d for d in round_.debts if d.number != event.debt),
        paid=(
            *round_.paid,
            *(replace(d, cards=event.cards) for d in round_.debts if d.number == event.debt),
        ),
        drew_at=put(round_.drew_at, seat, (*round_.drew_at.get(seat, ()), event.at)),
    )


def _corrected(round_: Round, event: e.RoundCorrected) -> Round:
    return replace(
        round_,
        hands=event.hands,
        turn=event.turn,
        direction=event.direction,
        top=event.top,
        colour=event.colour,
        chooser=None if event.colour is not None else round_.chooser,
        draw_pile=event.draw_pile,
        discard_pile=event.discard_pile,
        seen=round_.seen if event.seen is None else event.seen,
        turns=_counted_again(round_.turns, event.left) if event.left else round_.turns,
    )


def _counted_again(turns: tuple[Turn, ...], left: Mapping[int, int]) -> tuple[Turn, ...]:
    return tuple(replace(turn, left=left.get(turn.number, turn.left)) for turn in turns)
