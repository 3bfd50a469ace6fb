"""Keeps journals of the present format for ever, when a version is released that writes it.

    python -m tests.promises.keep_journals

A wild ghost plays a match of each edition; what it leaves is packed beside what must be read of it.
"""

from __future__ import annotations

import lzma
import shutil
import tempfile
from pathlib import Path

import msgspec

from companion.ghost.match import play_match
from companion.ghost.temper import WILD
from companion.journal_file import FORMAT
from companion.live_door import LiveDoor, StageClock
from companion.matches import MatchRecord, read_matches
from companion.opening import JOURNAL
from companion.referee.edition import PRINTED
from companion.service import Running, open_worker
from tests.service.night import settings_for

KEPT = Path(__file__).parent / "journals"


class Expected(msgspec.Struct, frozen=True):
    """What every later version must read in a journal."""

    events: int
    players: list[str]
    totals: list[int]
    rounds: int


def expected(events: int, match: MatchRecord) -> Expected:
    """Note the plainest facts of a match, which no later version may see in another way."""
    players = match.sheet.players
    return Expected(
        events=events,
        players=[player.name for player in players],
        totals=[player.classic for player in players],
        rounds=len(match.sheet.rounds),
    )


def main() -> None:
    """Play a match of each edition, and keep its journal."""
    for edition in PRINTED:
        with tempfile.TemporaryDirectory() as folder:
            events = _play(Path(folder), edition.key)
            name = f"format-{FORMAT}-{edition.key}"
            journal = Path(folder, JOURNAL)
            (KEPT / f"{name}.db.xz").write_bytes(lzma.compress(journal.read_bytes(), preset=9))
            (match, *_) = read_matches(journal)
            note = msgspec.json.format(msgspec.json.encode(expected(events, match)))
            (KEPT / f"{name}.json").write_bytes(note + b"\n")


def _play(folder: Path, edition: str) -> int:
    clock = StageClock()
    opened: list[Running] = []

    def open_table() -> Running:
        opened.append(open_worker(settings_for(folder), PRINTED, clock.ticks))
        return opened[-1]

    door = LiveDoor(clock, open_table(), reopen=open_table)
    try:
        play_match(1, edition, temper=WILD, door=door)
    finally:
        opened[-1].close()
    shutil.rmtree(folder / "backups", ignore_errors=True)
    return opened[-1].worker.table.version


if __name__ == "__main__":
    main()
