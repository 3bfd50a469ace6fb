"""How people are called at the broker: by their names, or only by their seats."""

from __future__ import annotations

from companion.referee.model.table import Table
from companion.referee.sentences import Sentence, spoken


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
        """Say a sentence; without names, seats stand in their place."""
        return spoken(sentence, self.names()).text

    def names(self) -> dict[int, str]:
        """Call everybody, also those who have left."""
        return {number: self.player(number) for number in self._players}
