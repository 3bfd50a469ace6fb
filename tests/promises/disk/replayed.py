"""The journal of a table that was cut off, read and replayed beside it as far as it goes."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

from companion.journal.chain import GENESIS, check_to_head, command_key, read_head
from companion.journal.file import reader
from companion.referee.apply import apply
from companion.referee.events import TableOpened
from companion.referee.model.table import Race, Table
from tests.promises.player import digest


class Replayed:
    """What the journal has said so far, and what it makes of the table."""

    def __init__(self) -> None:
        self.table = Table()
        self.seal = GENESIS
        self.looks: dict[int, str] = {}
        """How the table looked after each event since the last reading."""
        self.last_of: dict[bytes, int] = {}
        """With which event each command ended."""
        self.command: bytes | None = None
        self.resumed: list[tuple[Race, Race]] = []
        """The races that a start found running, as they were and as they went on."""

    def copy(self) -> Replayed:
        """Keep where it stands, to read several ways on from there."""
        other = Replayed()
        other.table, other.seal = self.table, self.seal
        other.last_of = dict(self.last_of)
        return other

    def read_on(self, journal: Path) -> None:
        """Follow the chain from where it was left, so nothing of before can have changed."""
        self.looks = {self.table.version: digest(self.table)}
        found: list[Race] = []
        with closing(reader(journal)) as connection:
            head = read_head(connection)
            for row in check_to_head(connection, self.table.version, self.seal, head):
                before, event = self.table, row.event()
                self.table, self.seal = apply(before, event), row.hash
                self.looks[row.version] = digest(self.table)
                if row.part == 0:
                    self.command = row.command
                if self.command is not None:
                    self.last_of[self.command] = row.version
                if isinstance(event, TableOpened):
                    found += races_that_missed_something(before, event)
                found = [race for race in found if not self._note_resumed(race)]
        assert not found, "a start has written down its gap, but not what it means for a race"

    def _note_resumed(self, race: Race) -> bool:
        """Note how a race went on as soon as it shows the gap, which the start itself saw to."""
        now = next((one for one in races_of(self.table) if one.record == race.record), None)
        assert now is not None, "a restart has ended a race"
        if len(now.gaps) == len(race.gaps):
            return False
        self.resumed.append((race, now))
        return True

    def lost(self, told: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """List what was told and is not, or not so, in the journal."""
        return [
            said
            for said in told
            if ("done" in said and self.last_of.get(command_key(said["done"])) != said["version"])
            or ("looks" in said and self.looks.get(said["version"]) != said["looks"])
        ]


def races_of(table: Table) -> tuple[Race, ...]:
    match = table.game.match
    return () if match is None or match.round is None else match.round.races


def races_that_missed_something(table: Table, opened: TableOpened) -> list[Race]:
    """The races that a start finds running, with slaps that nobody may have heard."""
    since = opened.at if opened.gap_since is None else opened.gap_since
    return [race for race in races_of(table) if race.state == "running" and race.deadline >= since]
