"""Counting the hands left, closing the round, and editing one that was closed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card
from companion.referee.model.rulings import Count
from companion.referee.model.table import Left, Round, ScoredRound, Seat
from companion.referee.rules.deck import check_card, check_copies, pay_debts
from companion.referee.rules.race import refuse_if_open
from companion.referee.rules.scoring import classic_points, points_of, standing
from companion.referee.sentences import Who, refuse, say

TOP_CARD = 1
"""The card that lies on the discard pile is in no hand."""


def enter_hand(draft: Draft, command: c.EnterHand) -> None:
    """Enter the cards left in a hand, checked against the deck and the counted hands."""
    seat = _counting(draft, command.seat)
    refuse_if_open(draft)
    cards = _tidy(draft, command.cards)
    others = [left.cards for s, left in draft.round.left.items() if s != seat.number and left.cards]
    check_copies(draft, [*others, cards])
    draft.step("step_enter_hand", name=seat.who)
    pay_debts(draft, seat.number)
    if not command.confirm:
        _check_count(seat.who, cards, draft.round.hands.get(seat.number))
        uncounted = len(set(missing_hands(draft.round)) - {seat.number})
        _check_deck(draft, seat.who, cards, others, draft.round.seen, uncounted)
    draft.add(e.HandEntered(seat.number, Left(points_of(cards, draft.edition), cards)))


def enter_points(draft: Draft, command: c.EnterPoints) -> None:
    """Enter a hand as a bare total, which stays marked as unchecked."""
    seat = _counting(draft, command.seat)
    refuse_if_open(draft)
    draft.step("step_enter_hand", name=seat.who)
    pay_debts(draft, seat.number)
    draft.add(e.HandEntered(seat.number, Left(command.points)))


def clear_hand(draft: Draft, command: c.ClearHand) -> None:
    """Take back what was entered for a seat."""
    seat = _counting(draft, command.seat)
    if seat.number not in draft.round.left:
        raise refuse("no_hand_entered", name=seat.who)
    draft.step("step_clear_hand", name=seat.who)
    draft.add(e.HandCleared(seat.number))


def score_round(draft: Draft, _command: c.ScoreRound) -> None:
    """Close the round and say what it changed, in the match's own scoring."""
    round_ = draft.round
    if round_.out is None:
        raise refuse("nobody_out", "R14")
    refuse_if_open(draft)
    missing = missing_hands(round_)
    if missing:
        raise refuse("hands_missing", names=draft.who(*missing))
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
        sentence = say("scored_classic", name=out.who, points=points, total=total)
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
    out = scored.out if command.out is None else command.out
    hands = _edited_hands(draft, scored, out, command)
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
    classic = draft.match.scoring == "classic"
    used = ("lowest_tie",) if len(winners) > 1 else ()
    draft.rule("R18" if classic else "R19", "won", say("won", names=winners), house=used)


def _counting(draft: Draft, number: int) -> Seat:
    round_ = draft.round
    if round_.out is None:
        raise refuse("nobody_out", "R14")
    seat = draft.seat(number) if number in round_.gone else draft.player_in_round(number)
    if number == round_.out:
        raise refuse("hand_of_winner", "R17", name=seat.who)
    return seat


def _tidy(draft: Draft, typed: Mapping[Card, int]) -> dict[Card, int]:
    for card in typed:
        check_card(draft, card)
    return {card: copies for card, copies in typed.items() if copies}


def _edited_hands(
    draft: Draft, scored: ScoredRound, out: int, command: c.EditRound
) -> dict[int, Left]:
    """All hands of an earlier round with the changed ones in place, checked as in counting."""
    players = {scored.out, *scored.hands}
    points = command.points or {}
    cards = {player: _tidy(draft, typed) for player, typed in (command.hands or {}).items()}
    for player in (out, *cards, *points):
        if player not in players:
            raise refuse("not_in_that_round", player=player, number=scored.number)
    hands = {player: left for player, left in scored.hands.items() if player != out}
    hands |= {player: Left(total) for player, total in points.items()}
    hands |= {player: Left(points_of(hand, draft.edition), hand) for player, hand in cards.items()}
    if out in hands:
        raise refuse("hand_of_winner", "R17", name=(out,))
    missing = players - {out} - hands.keys()
    if missing:
        raise refuse("hands_missing", names=tuple(sorted(missing)))
    check_copies(draft, [left.cards for left in hands.values() if left.cards])
    for player, hand in {} if command.confirm else cards.items():
        _check_count((player,), hand, scored.counts.get(player))
        others = [left.cards for other, left in hands.items() if other != player and left.cards]
        _check_deck(draft, (player,), hand, others, scored.seen)
    return hands


def _check_count(name: Who, cards: Mapping[Card, int], expected: int | None) -> None:
    """Ask about a hand that is empty, or of which the table has followed another count."""
    counted = sum(cards.values())
    if expected is not None and counted != expected:
        raise refuse("count_differs", insist=True, name=name, counted=counted, expected=expected)
    if not counted:
        raise refuse("hand_empty", insist=True, name=name)


def _check_deck(
    draft: Draft,
    name: Who,
    cards: Mapping[Card, int],
    others: list[Mapping[Card, int]],
    seen: Mapping[Card, int],
    uncounted: int = 0,
) -> None:
    """Ask about a hand that the deck rules out, given the other hands and the cards seen."""
    elsewhere = sum(sum(other.values()) for other in others) + uncounted + TOP_CARD
    if sum(cards.values()) + elsewhere > draft.edition.size:
        raise refuse("hands_exceed_deck", insist=True, size=draft.edition.size)
    for card, copies in cards.items():
        held = copies + sum(other.get(card, 0) for other in others)
        if held + seen.get(card, 0) > draft.edition.deck[card]:
            title = draft.title(card)
            raise refuse("card_was_played", insist=True, name=name, card=card, title=title)
