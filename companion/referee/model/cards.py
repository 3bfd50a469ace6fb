"""Cards, written the way a person at the table would say them: "red-5", "blue-skip", "wild"."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, NewType

Card = NewType("Card", str)
"""A face, with its colour before it unless the card is wild."""

Colour = Literal["blue", "green", "red", "yellow"]
COLOURS: tuple[Colour, ...] = ("blue", "green", "red", "yellow")
_CARDS = 512
"""More than any two editions have: what is printed on a card is looked up once."""
_BY_START: Mapping[str, Colour] = {f"{colour}-": colour for colour in COLOURS}


def coloured(colour: Colour, face: str) -> Card:
    """Name the card of this colour and face."""
    return Card(f"{colour}-{face}")


def cards_of(wild: Mapping[str, bool]) -> dict[str, list[Card]]:
    """Name the cards of each face: one of each colour, or the face alone where it is wild."""
    return {
        face: [Card(face)] if alone else [coloured(colour, face) for colour in COLOURS]
        for face, alone in wild.items()
    }


@lru_cache(_CARDS)
def colour_of(card: Card) -> Colour | None:
    """Tell the printed colour; a wild has none."""
    head, dash, _ = card.partition("-")
    return _BY_START.get(head + dash)


@lru_cache(_CARDS)
def face_of(card: Card) -> str:
    """Tell what is printed on the card beside its colour."""
    head, dash, face = card.partition("-")
    return face if head + dash in _BY_START else card
