"""Who deals, the deal, and the first card: R2, R3, R4 and R20."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import assert_never

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card
from companion.referee.model.edition import Edition
from companion.referee.model.neighbours import left_of, next_seat
from companion.referee.model.rulings import DealCards, Draws
from companion.referee.model.table import Match, Seat
from companion.referee.rules.deck import check_card, too_many
from companion.referee.rules.scoring import standing
from companion.referee.rules.wild import name_or_await
from companion.referee.sentences import refuse, say


def highest_draw(cards: Mapping[int, Card], edition: Edition) -> tuple[int, ...]:
    """R2. The highest number deals; any symbol counts as zero. Several seats are a tie."""

    def worth(card: Card) -> int:
        face = edition.face(card)
        return face.points if face.act == "number" else 0

    best = max(worth(card) for card in cards.values())
    return tuple(sorted(seat for seat, card in cards.items() if worth(card) == best))


def draw_for_deal(draft: Draft, command: c.DrawForDeal) -> None:
    """Find the dealer by the cards that were drawn."""
    match = _before_first_deal(draft)
    drawing = match.deal_tied or tuple(seat.number for seat in draft.game.seats)
    missing = [seat for seat in drawing if seat not in command.cards]
    if missing:
        raise refuse("deal_card_missing", "R2", names=draft.who(*(missing)))
    for seat in command.cards:
        if seat not in drawing:
            raise refuse("not_drawing", "R2", name=draft.who(seat))
    for card, copies in Counter(command.cards.values()).items():
        check_card(draft, card)
        if copies > draft.edition.deck[card]:
            raise too_many(draft.edition, card)
    tied = highest_draw(command.cards, draft.edition)
    draft.step("step_draw_for_deal")
    evidence = DealCards(dict(command.cards))
    if len(tied) > 1 and draft.house.deal_tie == "redraw":
        sentence = say("deal_tie", names=draft.who(*tied))
        draft.rule("R2", "deal_tie", sentence, seats=tied, house=("deal_tie",), evidence=evidence)
        draft.add(e.DealTied(tied))
        return
    used = ("deal_tie",) if len(tied) > 1 else ()
    sentence = say("deals", name=draft.who(tied[0]))
    draft.rule("R2", "deals", sentence, seats=tied[:1], house=used, evidence=evidence)
    draft.add(e.DealerNamed(tied[0]))


def choose_dealer(draft: Draft, command: c.ChooseDealer) -> None:
    """Name the dealer without drawing."""
    if draft.match.round is not None:
        raise refuse("round_on")
    seat = draft.seat(command.seat)
    draft.step("step_choose_dealer", name=seat.who)
    draft.add(e.DealerNamed(seat.number))


def deal(draft: Draft, _command: c.Deal) -> None:
    """R3. The dealer deals; the rest is the draw pile."""
    match = draft.match
    if match.round is not None:
        raise refuse("round_on")
    if standing(match).winners and not match.playing_on:
        raise refuse("match_won")
    if match.dealer is None:
        raise refuse("no_dealer", "R2")
    players = len(draft.game.seats)
    if players < 2:
        raise refuse("too_few_players")
    edition = match.edition
    if not edition.serves(players):
        raise refuse("deck_too_small", edition=edition.name, players=players)
    dealer = dealer_now(match, draft.game.seats)
    number = len(match.rounds) + 1
    draft.step("step_deal", number=number)
    draft.add(
        e.RoundDealt(
            round=number,
            seats=tuple(seat.number for seat in draft.game.seats),
            dealer=dealer,
            way=match.way,
            dealt=edition.dealt,
            draw_pile=edition.size - players * edition.dealt,
            at=draft.now.at,
        )
    )


def dealer_now(match: Match, seats: tuple[Seat, ...]) -> int:
    """R20. The deal passes to the left after each round, or by house rule to who went out."""
    numbers = tuple(seat.number for seat in seats)
    assert match.dealer is not None
    if match.dealer_chosen:
        return match.dealer if match.dealer in numbers else left_of(match.dealer, numbers)
    if match.house.next_dealer == "winner":
        out = match.rounds[-1].out
        for seat in seats:
            if seat.player == out:
                return seat.number
    return left_of(match.dealer, numbers)


def turn_up(draft: Draft, command: c.TurnUp) -> None:
    """R4. What the first card of the discard pile makes happen."""
    round_ = draft.playing
    if round_.way != "refereed":
        raise refuse("free_play")
    if round_.top is not None:
        raise refuse("first_card_known", "R4")
    card = command.card
    check_card(draft, card)
    draft.step("step_turn_up", card=card, title=draft.title(card))
    draft.enter(command)
    lay_first_card(draft, command)


def lay_first_card(draft: Draft, command: c.TurnUp) -> None:
    """R4. Let the first card have its effect."""
    round_, card = draft.round, command.card
    face = draft.edition.face(card)
    dealer, left = round_.dealer, next_seat(round_, round_.dealer)
    name = draft.who(left)
    match face.act:
        case "number":
            draft.add(e.CardTurnedUp(card))
            draft.rule("R3", "first_card", say("starts", name=name), seats=(left,))
            _turn_to(draft, left)
        case "draw":
            draft.add(e.CardTurnedUp(card))
            sentence = say("first_draw", name=name, cards=face.draws, card=card, title=face.title)
            draft.rule(
                "R4", "first_card", sentence, seats=(left,), draws=(Draws(left, face.draws),)
            )
            _turn_to(draft, next_seat(round_, left))
        case "reverse":
            draft.add(e.CardTurnedUp(card))
            draft.add(e.DirectionTurned(-round_.direction))
            draft.rule(
                "R4", "first_card", say("first_reverse", name=draft.who(dealer)), seats=(dealer,)
            )
            _turn_to(draft, dealer)
        case "skip":
            draft.add(e.CardTurnedUp(card))
            draft.rule("R4", "first_card", say("first_skip", name=name), seats=(left,))
            _turn_to(draft, next_seat(round_, left))
        case "wild" | "race":
            draft.add(e.CardTurnedUp(card))
            draft.rule(
                "R4",
                "first_card",
                say("first_wild", name=name, card=card, title=face.title),
                seats=(left,),
            )
            _turn_to(draft, left)
            name_or_await(draft, left, command.colour)
        case "wild_draw":
            draft.rule("R4", "first_card", say("first_wild_draw", card=card, title=face.title))
        case _:
            assert_never(face.act)


def _before_first_deal(draft: Draft) -> Match:
    match = draft.match
    if match.round is not None or match.rounds or match.dealer is not None:
        raise refuse("dealer_known", "R2")
    return match


def _turn_to(draft: Draft, seat: int) -> None:
    draft.add(e.TurnMoved(seat))
