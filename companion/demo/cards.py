"""Real cards for one round: hands, a draw pile and a discard pile."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

from companion.referee.model.cards import Card
from companion.referee.model.edition import Edition


class Cards:
    """A shuffled deck, dealt; the tops of the piles lie at the end."""

    def __init__(self, edition: Edition, seats: tuple[int, ...], random: Random) -> None:
        self._random = random
        self.pile = [card for card, copies in edition.deck.items() for _ in range(copies)]
        random.shuffle(self.pile)
        self.hands = {seat: [self.pile.pop() for _ in range(edition.dealt)] for seat in seats}
        self.discard: list[Card] = []

    def turn_up(self) -> Card:
        """Lay the first card of the discard pile."""
        self.discard.append(self.pile.pop())
        return self.discard[-1]

    def put_back(self) -> None:
        """Put the card that was turned up back into the pile."""
        self.pile.append(self.discard.pop())
        self._random.shuffle(self.pile)

    def draw(self, seat: int, count: int) -> None:
        """Take cards into a hand; the discard pile is shuffled when there are too few."""
        if len(self.pile) < count:
            again = self.discard[:-1]
            self._random.shuffle(again)
            self.pile = [*again, *self.pile]
            self.discard = self.discard[-1:]
        for _ in range(min(count, len(self.pile))):
            self.hands[seat].append(self.pile.pop())

    def follow(self, counts: Mapping[int, int]) -> None:
        """Let everybody hold what the table counts: draw, or put cards back under the pile."""
        for seat, count in counts.items():
            hand = self.hands[seat]
            self.draw(seat, max(0, count - len(hand)))
            while len(hand) > count:
                self.pile.insert(0, hand.pop())

    def lay(self, seat: int, card: Card) -> None:
        """Lay a card of a hand on the discard pile."""
        self.hands[seat].remove(card)
        self.discard.append(card)

    def left(self, seat: int) -> dict[Card, int]:
        """Count a hand by card."""
        return dict(Counter(self.hands[seat]))
