"""Counting the hands left, closing the round, and editing one that was closed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card
from companion.referee.model.rulings import Count
from companion.referee.model.table import Left, Round, Seat
from companion.referee.rules.deck import check_card, check_copies, pay_debts
from companion.referee.rules.race import refuse_if_open
from companion.referee.rules.scoring import classic_points, points_of, standing
from companion.referee.sentences import refuse, say

TOP_CARD = 1
"""The card that lies on the discard pile is in nobody's hand."""


def enter_hand(draft: Draft, command: c.EnterHand) -> None:
    """Enter the cards left in a hand, checked against the deck and the counted hands."""
    seat = _counting(draft, command.seat)
    refuse_if_open(draft)
    cards = _tidy(draft, command.cards)
    others = [left.cards for s, left in draft.round.left.items() if s != seat.number and left.cards]
    check_copies(draft, [*others, cards])
    draft.step("step_enter_hand", name=seat.name)
    pay_debts(draft, seat.number)
    if not command.confirm:
        _check_counts(draft, seat, cards, others)
    draft.add(e.HandEntered(seat.number, Left(points_of(cards, draft.edition), cards)))


def enter_points(draft: Draft, command: c.EnterPoints) -> None:
    """Enter a hand as a bare total, which stays marked as unchecked."""
    seat = _counting(draft, command.seat)
    refuse_if_open(draft)
    draft.step("step_enter_hand", name=seat.name)
    pay_debts(draft, seat.number)
    draft.add(e.HandEntered(seat.number, Left(command.points)))


def clear_hand(draft: Draft, command: c.ClearHand) -> None:
    """Take back what was entered for a seat."""
    seat = _counting(draft, command.seat)
    if seat.number not in draft.round.left:
        raise refuse("no_hand_entered", name=seat.name)
    draft.step("step_clear_hand", name=seat.name)
    draft.add(e.HandCleared(seat.number))


def score_round(draft: Draft, _command: c.ScoreRound) -> None:
    """Close the round and say what it changed, in the match's own scoring."""
    round_ = draft.round
    if round_.out is None:
        raise refuse("nobody_out", "R14")
    refuse_if_open(draft)
    missing = missing_hands(round_)
    if missing:
        raise refuse("hands_missing", names=draft.names(missing))
    out = draft.seat(round_.out)
    hands = {draft.seat(seat).player: left for seat, left in round_.left.items()}
    before = standing(draft.match)
    draft.step("step_score_round", number=round_.number)
    draft.add(e.RoundScored(out.player, hands))
    for seat in round_.gone:
        draft.add(e.SeatLeft(seat))
    scored = draft.match.rounds[-1]
    after = standing(draft.match)
    if draft.match.scoring == "classic":
        points = classic_points(scored)
        total = after.classic[out.player]
        sentence = say("scored_classic", name=out.name, points=points, total=total)
        draft.rule("R17", "scored", sentence, seats=(out.number,), evidence=Count(after.classic))
    else:
        sentence = say("scored_alternative", number=scored.number)
        draft.rule("R19", "scored", sentence, evidence=Count(after.alternative))
    if after.winners and not before.winners:
        _announce(draft, after.winners)


def edit_round(draft: Draft, command: c.EditRound) -> None:
    """Change an earlier round; totals, and perhaps the winner, follow."""
    match = draft.match
    scored = next((r for r in match.rounds if r.number == command.round), None)
    if scored is None:
        raise refuse("no_such_round", number=command.round)
    players = {scored.out, *scored.hands}
    out = scored.out if command.out is None else command.out
    for player in (out, *(command.hands or {}), *(command.points or {})):
        if player not in players:
            raise refuse("not_in_that_round", player=player, number=scored.number)
    hands = {player: left for player, left in scored.hands.items() if player != out}
    for player, typed in (command.hands or {}).items():
        cards = _tidy(draft, typed)
        hands[player] = Left(points_of(cards, match.edition), cards)
    for player, points in (command.points or {}).items():
        hands[player] = Left(points)
    if out in hands:
        raise refuse("hand_of_winner", "R17", name=_name_of(draft, out))
    missing = players - {out} - hands.keys()
    if missing:
        names = ", ".join(_name_of(draft, player) for player in sorted(missing))
        raise refuse("hands_missing", names=names)
    check_copies(draft, [left.cards for left in hands.values() if left.cards])
    before = standing(match)
    edited = replace(scored, out=out, hands=hands)
    rounds = tuple(edited if other is scored else other for other in match.rounds)
    after = standing(replace(match, rounds=rounds))
    decides = after.winners != before.winners
    draft.step("step_edit_round", number=scored.number)
    draft.add(e.RoundEdited(scored.number, out, hands, decides))
    draft.rule("R17", "edited", say("edited", number=scored.number))
    if after.winners and decides:
        _announce(draft, after.winners)


def play_on(draft: Draft, _command: c.PlayOn) -> None:
    """Go on although the match is won."""
    match = draft.match
    if not standing(match).winners or match.playing_on:
        raise refuse("not_won")
    draft.step("step_play_on")
    draft.add(e.PlayedOn())


def missing_hands(round_: Round) -> tuple[int, ...]:
    """The seats whose hand has still to be entered."""
    hands = (*round_.seats, *round_.gone)
    return tuple(s for s in sorted(hands) if s != round_.out and s not in round_.left)


def _announce(draft: Draft, winners: tuple[int, ...]) -> None:
    names = ", ".join(_name_of(draft, player) for player in winners)
    classic = draft.match.scoring == "classic"
    used = ("lowest_tie",) if len(winners) > 1 else ()
    draft.rule("R18" if classic else "R19", "won", say("won", names=names), house=used)


def _counting(draft: Draft, number: int) -> Seat:
    round_ = draft.round
    if round_.out is None:
        raise refuse("nobody_out", "R14")
    seat = draft.seat(number) if number in round_.gone else draft.player_in_round(number)
    if number == round_.out:
        raise refuse("hand_of_winner", "R17", name=seat.name)
    return seat


def _tidy(draft: Draft, typed: Mapping[Card, int]) -> dict[Card, int]:
    for card in typed:
        check_card(draft, card)
    return {card: copies for card, copies in typed.items() if copies}


def _check_counts(
    draft: Draft, seat: Seat, cards: Mapping[Card, int], others: list[Mapping[Card, int]]
) -> None:
    """Ask about a hand that cannot be, by the deck or where hands were followed by the count."""
    round_ = draft.round
    counted = sum(cards.values())
    expected = round_.hands.get(seat.number, counted)
    if counted != expected:
        raise refuse(
            "count_differs", insist=True, name=seat.name, counted=counted, expected=expected
        )
    if not counted:
        raise refuse("hand_empty", insist=True, name=seat.name)
    missing = len(set(missing_hands(round_)) - {seat.number})
    elsewhere = sum(sum(other.values()) for other in others) + missing + TOP_CARD
    if counted + elsewhere > draft.edition.size:
        raise refuse("hands_exceed_deck", insist=True, size=draft.edition.size)
    for card, copies in cards.items():
        held = copies + sum(other.get(card, 0) for other in others)
        if held + round_.seen.get(card, 0) > draft.edition.deck[card]:
            title = draft.title(card)
            raise refuse("card_was_played", insist=True, name=seat.name, card=card, title=title)


def _name_of(draft: Draft, player: int) -> str:
    return next(entrant.name for entrant in draft.match.entrants if entrant.player == player)
