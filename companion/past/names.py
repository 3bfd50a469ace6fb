"""Which name each player had at which event of the journal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from msgspec.structs import replace

from companion.past.records import MatchSheet
from companion.referee.model.table import Table


class PlayerNames:
    """The names of all players through the years."""

    def __init__(self, lines: Iterable[tuple[int, int, str]]) -> None:
        self._versions: dict[int, list[int]] = {}
        self._names: dict[int, list[str]] = {}
        for version, player, name in lines:
            self._versions.setdefault(player, []).append(version)
            self._names.setdefault(player, []).append(name)

    def at(self, player: int, version: int | None) -> str:
        """Tell how somebody was called at an event; without one, how they are called at last."""
        names = self._names.get(player, [""])
        if version is None:
            return names[-1]
        place = bisect_right(self._versions.get(player, []), version)
        return names[max(place, 1) - 1]

    def latest(self) -> dict[int, str]:
        """Tell how everybody is called at last."""
        return {player: names[-1] for player, names in self._names.items()}

    def on_sheet(self, sheet: MatchSheet, version: int | None) -> MatchSheet:
        """Give a sheet with the names of its players."""
        players = (
            replace(player, name=self.at(player.player, version)) for player in sheet.players
        )
        return replace(sheet, players=tuple(players))

    def on_seats(self, table: Table) -> Table:
        """Give a table with the names of those who sit there."""
        seats = (replace(s, name=self.at(s.player, table.version)) for s in table.game.seats)
        return replace(table, game=replace(table.game, seats=tuple(seats)))


def nameless(table: Table) -> Table:
    """Give a table without the names of those who sit there."""
    seats = (replace(seat, name="") for seat in table.game.seats)
    return replace(table, game=replace(table.game, seats=tuple(seats)))
