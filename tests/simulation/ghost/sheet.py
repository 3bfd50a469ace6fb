"""The two printed sheets, learned by the ghost from the rules page and from nothing else.

Not one number or test of a card is taken from the referee, or the two could be wrong together.
"""

from __future__ import annotations

from msgspec import Struct

from companion.referee.model.cards import Colour

COLOURS: tuple[Colour, ...] = ("blue", "green", "red", "yellow")
WILDS = ("wild", "wild-draw", "street-race")


def colour(card: str) -> Colour | None:
    """Tell the colour printed on a card."""
    return next((shade for shade in COLOURS if card.startswith(f"{shade}-")), None)


def face(card: str) -> str:
    """Tell what is printed beside the colour."""
    return card if card in WILDS else card.split("-", 1)[1]


def number(card: str) -> int:
    """R2. What a card counts when the deal is drawn for: any symbol is zero."""
    return int(face(card)) if face(card).isdigit() else 0


def worth(card: str) -> int:
    """R16. What a card left in a hand costs."""
    if card in WILDS:
        return 50
    return int(face(card)) if face(card).isdigit() else 20


def fits(card: str, top: str, in_play: str | None) -> bool:
    """R5. Whether a card may go on the top card; while no colour is named, any may."""
    if card in WILDS or in_play is None:
        return True
    return colour(card) == in_play or face(card) == face(top)


class Sheet(Struct, frozen=True):
    """One column of the table of editions."""

    key: str
    copies: dict[str, int]
    dealt: int
    target: int
    draw: int
    """What the coloured draw card makes the next player draw."""
    wild_draw: int
    innocent: int
    """What a challenge of an innocent player costs in all."""
    last_draws: tuple[str, ...]
    """The faces that still make the next player draw when they are somebody's last card."""
    caught: int = 2
    race: int = 4

    @property
    def size(self) -> int:
        """How many cards the deck has."""
        return sum(self.copies.values())

    def draws(self, card: str) -> int:
        """How many cards the next player draws for this one."""
        return {"draw": self.draw, "wild-draw": self.wild_draw}.get(face(card), 0)

    def deck(self) -> list[str]:
        """Unpack a deck, in order."""
        return [card for card, copies in self.copies.items() for _ in range(copies)]


def _copies(zero: int, other: int, symbol: int, **wilds: int) -> dict[str, int]:
    copies = {}
    for shade in COLOURS:
        copies[f"{shade}-0"] = zero
        for rank in range(1, 10):
            copies[f"{shade}-{rank}"] = other
        for sign in ("draw", "reverse", "skip"):
            copies[f"{shade}-{sign}"] = symbol
    return copies | {name.replace("_", "-"): count for name, count in wilds.items()}


FAST_AND_FURIOUS = Sheet(
    "fast-and-furious",
    _copies(1, 2, 2, wild=4, wild_draw=4, street_race=4),
    dealt=7,
    target=500,
    draw=2,
    wild_draw=4,
    innocent=6,
    last_draws=("draw", "wild-draw"),
)
EXPRESS = Sheet(
    "express",
    _copies(1, 1, 1, wild=2, wild_draw=2),
    dealt=5,
    target=250,
    draw=1,
    wild_draw=2,
    innocent=4,
    last_draws=("wild-draw",),
)
SHEETS = {sheet.key: sheet for sheet in (FAST_AND_FURIOUS, EXPRESS)}
