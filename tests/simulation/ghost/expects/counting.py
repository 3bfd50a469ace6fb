"""What the ghost expects when a round is over: hands left, points, the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import structs

from companion.referee import commands as c
from companion.referee.model.cards import Card
from tests.simulation.ghost.expects.calls import spend
from tests.simulation.ghost.expects.races import lay, refuse_if_open
from tests.simulation.ghost.expects.score import winners
from tests.simulation.ghost.expects.seating import go
from tests.simulation.ghost.expects.turns import forget_challenge, pay_all
from tests.simulation.ghost.sheet import face, worth
from tests.simulation.ghost.truth import Count, Doubted, Match, Refused, Round, Scored, Truth


def go_out(truth: Truth, command: c.GoOut) -> None:
    """R14. Somebody is said to have no cards left."""
    round_ = truth.playing()
    if command.seat not in round_.seats:
        raise Refused
    sheet = round_.felt.sheet
    if command.card is not None and command.card not in sheet.copies:
        raise Refused("R1")
    if round_.way == "refereed":
        _doubt_out(round_, command)
        raise AssertionError("in refereed play the last card says it")
    listed = command.card is not None and face(command.card) in sheet.last_draws
    draws = sheet.draws(command.card) if command.card is not None and listed else 0
    if draws:
        if command.next is None or command.next == command.seat:
            raise Refused("R14")
        if command.next not in round_.seats:
            raise Refused
    _let_go(round_, command.seat)
    round_.told = command.card
    if command.next is not None and draws:
        debt = round_.owe(command.next, draws, "R14")
        if command.card == "wild-draw":
            round_.doubted = Doubted(command.seat, debt, last_card=True)
    round_.out, round_.turn = command.seat, None
    if command.card == "street-race" and truth.the_match().house.race_on_last_card:
        lay(truth, command.seat, "card")


def _doubt_out(round_: Round, command: c.GoOut) -> None:
    """R14. Whoever holds more than the one card to lay, or is not on turn, can hardly be out."""
    if not round_.felt.discard:
        raise Refused("R3")
    holds = len(round_.felt.hands[command.seat]) + round_.owes(command.seat)
    if not command.confirm and (holds > 1 or round_.turn != command.seat):
        raise Refused("R14", insist=True)


def _let_go(round_: Round, seat: int) -> None:
    """Nobody ticked off what was drawn long ago."""
    for debt in [debt for debt in round_.debts if debt.seat == seat]:
        forget_challenge(round_, debt)
        round_.debts.remove(debt)
        spend(round_, seat)


def enter_hand(truth: Truth, command: c.EnterHand) -> None:
    """R16. A hand is laid open, card by card."""
    round_ = _counting(truth, command.seat)
    refuse_if_open(round_)
    for card in command.cards:
        if card not in round_.felt.sheet.copies:
            raise Refused("R1")
    cards = _tidy(command.cards)
    _check_deck(round_.felt.sheet.copies, cards, _others(round_, command.seat))
    pay_all(round_, command.seat)
    if not command.confirm and _cannot_be(round_, command.seat, cards):
        raise Refused(insist=True)
    round_.counts[command.seat] = Count(_points(cards), cards)


def enter_points(truth: Truth, command: c.EnterPoints) -> None:
    """A hand is told as a bare total."""
    round_ = _counting(truth, command.seat)
    refuse_if_open(round_)
    pay_all(round_, command.seat)
    round_.counts[command.seat] = Count(command.points)


def clear_hand(truth: Truth, command: c.ClearHand) -> None:
    """A count is taken back."""
    round_ = _counting(truth, command.seat)
    if command.seat not in round_.counts:
        raise Refused
    del round_.counts[command.seat]


def score_round(truth: Truth) -> None:
    """The round is closed and goes on the sheet."""
    match, round_ = truth.the_match(), truth.the_round()
    if round_.out is None:
        raise Refused("R14")
    refuse_if_open(round_)
    if set(round_.counts) != {*round_.seats, *round_.gone} - {round_.out}:
        raise Refused
    counts = {truth.seats[seat].player: count for seat, count in round_.counts.items()}
    held = {
        truth.seats[seat].player: len(round_.felt.hands[seat])
        for seat in round_.counts
        if round_.way == "refereed"
    }
    out = truth.seats[round_.out].player
    match.scored.append(Scored(round_.number, out, counts, held=held, shown=_shown(round_)))
    match.round = None
    for seat in round_.gone:
        go(truth, seat)


def edit_round(truth: Truth, command: c.EditRound) -> None:
    """An earlier round was written down wrong."""
    match = truth.the_match()
    scored = next((s for s in match.scored if s.number == command.round), None)
    if scored is None:
        raise Refused
    took_part = {scored.out, *scored.counts}
    out = command.out or scored.out
    hands, points = command.hands or {}, command.points or {}
    if out not in took_part or not (set(hands) | set(points)) <= took_part:
        raise Refused
    if out in hands or out in points:
        raise Refused("R17")
    counts = {player: count for player, count in scored.counts.items() if player != out}
    for player, total in points.items():
        counts[player] = Count(total)
    for player, hand in hands.items():
        cards = _tidy(hand)
        counts[player] = Count(_points(_known(match, cards)), cards)
    if set(counts) != took_part - {out}:
        raise Refused
    _check_deck(match.sheet.copies, {}, [count.cards or {} for count in counts.values()])
    if not command.confirm and any(_cannot_have_been(match, scored, counts, one) for one in hands):
        raise Refused(insist=True)
    won = winners(match)
    match.scored = [
        structs.replace(s, out=out, counts=counts, edited=True) if s is scored else s
        for s in match.scored
    ]
    if set(winners(match)) != set(won):
        match.playing_on = False


def _counting(truth: Truth, seat: int) -> Round:
    round_ = truth.the_round()
    if round_.out is None:
        raise Refused("R14")
    if seat not in (*round_.seats, *round_.gone):
        raise Refused
    if seat == round_.out:
        raise Refused("R17")
    return round_


def _others(round_: Round, seat: int) -> list[dict[str, int]]:
    return [count.cards or {} for other, count in round_.counts.items() if other != seat]


def _shown(round_: Round) -> tuple[str | None, ...]:
    """The cards of the discard pile that the table knows."""
    return tuple(round_.felt.discard) if round_.way == "refereed" else (round_.told,)


def _cannot_be(round_: Round, seat: int, cards: dict[str, int]) -> bool:
    """Whether the table knows that this is not the hand: by its count, or by cards elsewhere."""
    felt = round_.felt
    if round_.way == "refereed" and sum(cards.values()) != len(felt.hands[seat]):
        return True
    uncounted = {*round_.seats, *round_.gone} - {seat, round_.out} - set(round_.counts)
    others = _others(round_, seat)
    return _ruled_out(felt.sheet.copies, cards, others, len(uncounted), _shown(round_))


def _cannot_have_been(match: Match, scored: Scored, counts: dict[int, Count], player: int) -> bool:
    """The same of a hand of an earlier round."""
    cards = counts[player].cards or {}
    if player in scored.held and sum(cards.values()) != scored.held[player]:
        return True
    others = [count.cards or {} for other, count in counts.items() if other != player]
    return _ruled_out(match.sheet.copies, cards, others, 0, scored.shown)


def _ruled_out(
    copies: dict[str, int],
    cards: dict[str, int],
    others: list[dict[str, int]],
    uncounted: int,
    shown: tuple[str | None, ...],
) -> bool:
    """Whether the deck has no such hand: an empty one, or cards that are elsewhere."""
    counted = sum(cards.values())
    held = sum(sum(other.values()) for other in others) + uncounted
    if not counted or counted + held >= sum(copies.values()):
        return True
    return any(
        count + sum(other.get(card, 0) for other in others) + shown.count(card) > copies[card]
        for card, count in cards.items()
    )


def _known(match: Match, cards: dict[str, int]) -> dict[str, int]:
    for card in cards:
        if card not in match.sheet.copies:
            raise Refused("R1")
    return cards


def _check_deck(copies: dict[str, int], hand: dict[str, int], others: list[dict[str, int]]) -> None:
    """R1. No deck holds more copies of a card than were printed."""
    seen = Counter(hand)
    for other in others:
        seen.update(other)
    for card, count in seen.items():
        if count > copies.get(card, 0):
            raise Refused("R1")


def _tidy(hand: Mapping[Card, int]) -> dict[str, int]:
    return {card: copies for card, copies in hand.items() if copies}


def _points(cards: dict[str, int]) -> int:
    return sum(worth(card) * copies for card, copies in cards.items())


def play_on(truth: Truth) -> None:
    """The match is won, and the table goes on."""
    match = truth.the_match()
    if match.playing_on or not winners(match):
        raise Refused
    match.playing_on = True
