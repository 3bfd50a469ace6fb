"""The discard pile of a round in play: which cards may truthfully be laid on it."""

from __future__ import annotations

from collections import Counter
from random import Random

from companion.referee.model.cards import COLOURS, Card, Colour, colour_of, coloured, face_of
from companion.referee.model.edition import Edition

SYMBOL = 0.15
"""So often a Skip or a Reverse is laid rather than a number."""


class Pile:
    """The top card, the colour in play, and what lies below."""

    def __init__(self, edition: Edition, first: Card) -> None:
        self._edition = edition
        self._seen = Counter({first: 1})
        self.top = first
        self.colour: Colour | None = colour_of(first)

    def lay(self, card: Card, colour: Colour | None) -> None:
        """Put a card on top."""
        self._seen[card] += 1
        self.top, self.colour = card, colour or colour_of(card)

    def left(self, card: Card) -> bool:
        """Whether a copy of this card can still be in a hand."""
        return self._seen[card] < self._edition.deck.get(card, 0)

    def fitting(self, chance: Random) -> Card:
        """A coloured card that goes on the top card."""
        assert self.colour is not None
        if chance.random() < SYMBOL:
            symbol = coloured(self.colour, chance.choice(("skip", "reverse")))
            if self.left(symbol):
                return symbol
        number = face_of(self.top)
        beside = [coloured(colour, number) for colour in COLOURS] if number.isdigit() else []
        fitting = [*beside, *(coloured(self.colour, str(face)) for face in range(10))]
        return chance.choice([card for card in fitting if self.left(card)])

    def mistaken(self, chance: Random, card: Card) -> Card:
        """Another number of the same colour, as a tired finger taps it."""
        colour = colour_of(card)
        assert colour is not None
        others = [coloured(colour, str(face)) for face in range(10)]
        return chance.choice([other for other in others if other != card and self.left(other)])
