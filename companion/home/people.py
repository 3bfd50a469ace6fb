"""How people are called at the broker: by their names, or only by their seats."""

from __future__ import annotations

from companion.referee.english import ENGLISH
from companion.referee.model.table import Table
from companion.referee.sentences import Sentence

HARMLESS = frozenset(
    {"cards", "colour", "doubt", "edition", "margin", "number", "on", "points", "seconds", "title"}
    | {"missing", "total"}
)
"""Parts of a sentence that name nobody; whatever else it has is taken for a name."""
SOMEBODY = "somebody"


class People:
    """The people at a table, by seat and by player number."""

    def __init__(self, table: Table, *, named: bool) -> None:
        self._named = named
        self._seats = {seat.number: seat.name for seat in table.game.seats}
        self._at = {seat.player: seat.number for seat in table.game.seats}
        match = table.game.match
        self._players = {one.player: one.name for one in match.entrants} if match else {}
        self._players |= {seat.player: seat.name for seat in table.game.seats}

    def seat(self, number: int) -> str:
        """Call who sits there."""
        return self._seats.get(number, f"Seat {number}") if self._named else f"Seat {number}"

    def player(self, number: int) -> str:
        """Call a player, also one who has left."""
        if self._named and number in self._players:
            return self._players[number]
        seat = self._at.get(number)
        return f"Player {number}" if seat is None else f"Seat {seat}"

    def sentence(self, sentence: Sentence) -> str:
        """Say a sentence; without names, nothing of them is left in it."""
        if self._named:
            return sentence.text
        parts = {
            key: part if isinstance(part, int) or key in HARMLESS else self._unnamed(part)
            for key, part in sentence.parts.items()
        }
        try:
            return ENGLISH[sentence.code].format(**parts)
        except (KeyError, IndexError):
            return "The referee ruled."

    def _unnamed(self, part: str) -> str:
        """Put seats in the place of one name, or of several in one breath."""
        called = {name: self.player(number) for number, name in self._players.items()}
        said: list[str] = []
        while part:
            fits = [name for name in called if part == name or part.startswith(f"{name}, ")]
            if not fits:
                return SOMEBODY
            name = max(fits, key=len)
            said.append(called[name])
            part = part[len(name) + 2 :]
        return ", ".join(said) or SOMEBODY
