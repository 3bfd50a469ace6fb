"""What the deck can and cannot hold: the card itself, its copies, and drawing from the pile."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.model.cards import Card
from companion.referee.model.edition import Edition
from companion.referee.model.table import Debt
from companion.referee.sentences import Refusal, refuse, say


def check_card(draft: Draft, card: Card) -> None:
    """Refuse a card that is not in this edition's deck."""
    edition = draft.edition
    if card not in edition.deck:
        code = "no_race_card" if card == "street-race" else "unknown_card"
        raise refuse(code, "R1", card=card[:40], edition=edition.name)


def check_copies(draft: Draft, hands: Iterable[Mapping[Card, int]]) -> None:
    """Refuse hands that together hold more copies of a card than the deck."""
    edition = draft.edition
    held: dict[Card, int] = {}
    for hand in hands:
        for card, copies in hand.items():
            held[card] = held.get(card, 0) + copies
            if held[card] > edition.deck[card]:
                raise too_many(edition, card)


def too_many(edition: Edition, card: Card) -> Refusal:
    """Say how many copies of a card there are at all."""
    return refuse(
        "too_many_copies",
        "R1",
        card=card,
        title=edition.title(card),
        copies=edition.deck[card],
        edition=edition.name,
    )


def draw_cards(draft: Draft, seat: int, cards: int, debt: int | None = None) -> None:
    """Move cards from the pile into a hand, reshuffling when the pile runs short."""
    missing = 0
    if draft.round.way == "refereed":
        reshuffle_when_short(draft, cards)
        missing = max(0, cards - draft.round.draw_pile)
    draft.add(e.CardsDrawn(seat, cards - missing, draft.now.at, debt))
    if missing:
        short = say("pile_short", name=draft.who(seat), cards=cards, missing=missing)
        draft.rule("R15", "short", short, seats=(seat,))


def pay(draft: Draft, debt: Debt) -> None:
    """Draw the cards of a debt; after drawing for a wild draw card it cannot be challenged."""
    draw_cards(draft, debt.seat, debt.cards, debt.number)
    close_challenge(draft, debt.ruling)


def close_challenge(draft: Draft, ruling: int) -> None:
    """End the challenge that this ruling had opened."""
    challenge = draft.round.challenge
    if challenge is not None and challenge.ruling == ruling:
        draft.add(e.ChallengeClosed())


def reshuffle_when_short(draft: Draft, cards: int) -> None:
    """R15. An empty draw pile is made anew from the discard pile, less its top card."""
    round_ = draft.round
    if round_.draw_pile < cards and round_.discard_pile > 1:
        draft.add(e.PileReshuffled())


def pay_debts(draft: Draft, seat: int) -> None:
    """Count the open debts of a seat as drawn, because it goes on with its cards in hand."""
    for debt in draft.round.debts:
        if debt.seat == seat:
            pay(draft, debt)
