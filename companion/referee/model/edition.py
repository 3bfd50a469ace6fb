"""A printed rule sheet as data: what is in the deck, and the numbers its rules use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

from msgspec import Struct

from companion.referee.model.cards import Card, cards_of, colour_of, face_of

Act = Literal["number", "draw", "reverse", "skip", "wild", "wild_draw", "race"]
"""What a card makes happen when it is played."""

WILD_ACTS: tuple[Act, ...] = ("wild", "wild_draw", "race")


class Face(Struct, frozen=True):
    """One printed face and how many of it the deck holds."""

    name: str
    title: str
    act: Act
    copies: int
    """Per colour, or in the whole deck for a wild."""
    points: int
    draws: int = 0
    """Cards the next player draws."""
    draws_when_last: bool = False
    """Whether the next player still draws when this card ends the round (R14)."""

    @property
    def wild(self) -> bool:
        """Whether the card has no colour of its own and goes on anything."""
        return self.act in WILD_ACTS


class Edition(Struct, frozen=True, dict=True):
    """One edition of the game; every number a rule needs stands here and nowhere else."""

    key: str
    name: str
    faces: tuple[Face, ...]
    dealt: int
    target: int
    innocent_extra: int = 2
    """What an unfounded challenge costs on top of the cards of the wild draw card."""
    race_draws: int = 4
    catch_draws: int = 2

    @cached_property
    def deck(self) -> Mapping[Card, int]:
        """R1. Every card of the edition and how many copies the deck holds."""
        cards = cards_of({face.name: face.wild for face in self.faces})
        return {card: face.copies for face in self.faces for card in cards[face.name]}

    @cached_property
    def size(self) -> int:
        """The number of cards in the deck."""
        return sum(self.deck.values())

    @cached_property
    def _by_card(self) -> Mapping[Card, Face]:
        by_name = {face.name: face for face in self.faces}
        return {card: by_name[face_of(card)] for card in self.deck}

    @cached_property
    def _titles(self) -> Mapping[Card, str]:
        return {
            card: f"{colour} {face.title}" if (colour := colour_of(card)) else face.title
            for card, face in self._by_card.items()
        }

    @cached_property
    def race_card(self) -> Card | None:
        """The card that starts a Street Race, where the edition has one."""
        return next((Card(face.name) for face in self.faces if face.act == "race"), None)

    def face(self, card: Card) -> Face:
        """Look up the face of a card of this deck."""
        return self._by_card[card]

    def title(self, card: Card) -> str:
        """Say a card of this deck: "red 5", "blue Draw Two", "Wild"."""
        return self._titles[card]

    def serves(self, players: int) -> bool:
        """Whether the deck can deal to so many and still turn a card up."""
        return players * self.dealt < self.size


def _numbers(copies_of_zero: int, copies_of_rest: int) -> tuple[Face, ...]:
    return tuple(
        Face(str(n), str(n), "number", copies_of_zero if n == 0 else copies_of_rest, points=n)
        for n in range(10)
    )


FAST_AND_FURIOUS = Edition(
    key="fast-and-furious",
    name="Fast & Furious",
    faces=(
        *_numbers(1, 2),
        Face("draw", "Draw Two", "draw", 2, 20, draws=2, draws_when_last=True),
        Face("reverse", "Reverse", "reverse", 2, 20),
        Face("skip", "Skip", "skip", 2, 20),
        Face("wild", "Wild", "wild", 4, 50),
        Face("wild-draw", "Wild Draw Four", "wild_draw", 4, 50, draws=4, draws_when_last=True),
        Face("street-race", "Street Race", "race", 4, 50),
    ),
    dealt=7,
    target=500,
)

EXPRESS = Edition(
    key="express",
    name="Express",
    faces=(
        *_numbers(1, 1),
        Face("draw", "Draw One", "draw", 1, 20, draws=1),
        Face("reverse", "Reverse", "reverse", 1, 20),
        Face("skip", "Skip", "skip", 1, 20),
        Face("wild", "Wild", "wild", 2, 50),
        Face("wild-draw", "Wild Draw Two", "wild_draw", 2, 50, draws=2, draws_when_last=True),
    ),
    dealt=5,
    target=250,
)

PRINTED: tuple[Edition, ...] = (FAST_AND_FURIOUS, EXPRESS)
