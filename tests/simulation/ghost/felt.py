"""The felt: the real cards of one round, and what they do to each other.

The ghost deals real cards, so hands, piles and points are never worked out: they lie there.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct, structs

from tests.simulation.ghost.sheet import Sheet, colour, face


class Laid(Struct, frozen=True):
    """What a card that was laid leads to."""

    turn: int
    victim: int | None = None
    cards: int = 0


class Felt(Struct):
    """Hands, the draw pile, the discard pile, and which way play runs; the tops lie at the end."""

    sheet: Sheet
    seats: tuple[int, ...]
    hands: dict[int, list[str]]
    pile: list[str]
    seed: int
    reverse_skips_for_two: bool = False
    discard: list[str] = []
    direction: int = 1
    colour: str | None = None
    shuffles: int = 0
    turn: int | None = None
    """Whose turn it is in free play, which nobody tells the table."""

    @classmethod
    def deal(cls, sheet: Sheet, seats: tuple[int, ...], seed: int, *, two: bool) -> Felt:
        """R3. Shuffle and deal; the rest is the draw pile."""
        deck = sheet.deck()
        Random(seed).shuffle(deck)
        hands = {seat: [deck.pop() for _ in range(sheet.dealt)] for seat in seats}
        return cls(sheet, seats, hands, deck, seed, two)

    def copy(self) -> Felt:
        """Remember the felt as it lies."""
        hands = {seat: [*hand] for seat, hand in self.hands.items()}
        return structs.replace(self, hands=hands, pile=[*self.pile], discard=[*self.discard])

    @property
    def top(self) -> str:
        """The card that is played on."""
        return self.discard[-1]

    def beyond(self, seat: int, places: int = 1) -> int:
        """Who sits so many places further the way play runs."""
        at = self.seats.index(seat) + self.direction * places
        return self.seats[at % len(self.seats)]

    def left_of(self, seat: int, places: int = 1) -> int:
        """Who sits so many places to the left, whichever way play runs."""
        return self.seats[(self.seats.index(seat) + places) % len(self.seats)]

    def turn_up(self, dealer: int) -> int | None:
        """R4. Turn the first card over, and tell who starts; nobody, when it goes back."""
        card = self.pile.pop()
        if face(card) == "wild-draw":
            self.pile.append(card)
            self._shuffle(self.pile)
            self.shuffles += 1
            return None
        self.discard.append(card)
        self.colour = colour(card)
        match face(card):
            case "reverse":
                self.direction = -1
                return dealer
            case "draw" | "skip":
                return self.left_of(dealer, 2)
            case _:
                return self.left_of(dealer)

    def next_card(self) -> str | None:
        """Look at the card that would be drawn now."""
        if self.pile:
            return self.pile[-1]
        fresh = self.discard[:-1]
        self._shuffle(fresh)
        return fresh[-1] if fresh else None

    def take(self, seat: int, cards: int) -> int:
        """R15. Draw, after shuffling the discard pile in if that is needed; tell how many."""
        if cards > len(self.pile):
            fresh = self.discard[:-1]
            self._shuffle(fresh)
            self.shuffles += 1
            self.pile[:0] = fresh
            del self.discard[:-1]
        drawn = min(cards, len(self.pile))
        self.hands[seat] += [self.pile.pop() for _ in range(drawn)]
        return drawn

    def put_under(self, seat: int, cards: int) -> None:
        """Put cards of a hand back under the pile; one stays, as nobody goes out by that."""
        for _ in range(min(cards, len(self.hands[seat]) - 1)):
            self.pile.insert(0, self.hands[seat].pop())

    def lay(self, seat: int, card: str) -> Laid:
        """R6 to R10, R12, R14. Lay a card from a hand, and tell what follows."""
        self.hands[seat].remove(card)
        self.discard.append(card)
        self.colour = colour(card)
        draws = self.sheet.draws(card)
        if not self.hands[seat] and face(card) not in self.sheet.last_draws:
            draws = 0
        match face(card):
            case "reverse":
                self.direction = -self.direction
                skips = self.reverse_skips_for_two and len(self.seats) == 2
                return Laid(self.beyond(seat, 2 if skips else 1))
            case "draw" | "wild-draw":
                return Laid(self.beyond(seat, 2), self.beyond(seat) if draws else None, draws)
            case "skip":
                return Laid(self.beyond(seat, 2))
            case _:
                return Laid(self.beyond(seat))

    def _shuffle(self, cards: list[str]) -> None:
        """Shuffle so that looking ahead and drawing later find the same order."""
        Random(f"{self.seed} {self.shuffles}").shuffle(cards)
