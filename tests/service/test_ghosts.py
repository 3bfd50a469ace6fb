"""Ghosts play whole matches on the real service: worker, journal on disk, and restarts."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.assembly.running import Running, open_worker
from companion.demo.live import StageClock
from companion.journal.damage.verify import verify
from companion.referee.model.edition import PRINTED
from tests.kit.night import settings_for
from tests.simulation.ghost.live_door import LiveDoor
from tests.simulation.ghost.plays.match import play_match
from tests.simulation.ghost.temper import WILD

MATCHES = 3


class Stage:
    """A folder on which a table is opened, closed and opened again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = StageClock()
        self.openings = 0
        self.running: Running | None = None

    def open(self) -> Running:
        self.openings += 1
        self.running = open_worker(settings_for(self.folder), PRINTED, self.clock.ticks)
        return self.running

    def close(self) -> None:
        if self.running is not None:
            self.running.close()


@pytest.mark.parametrize("edition", [edition.key for edition in PRINTED])
def test_wild_tables_with_power_cuts_are_never_misjudged(tmp_path: Path, edition: str) -> None:
    """After every step the view equals the ghost's own truth, also after a restart."""
    steps = restarts = 0
    for seed in range(MATCHES):
        stage = Stage(tmp_path / str(seed))
        door = LiveDoor(stage.clock, stage.open)
        try:
            steps += play_match(seed, edition, temper=WILD, door=door).steps
        finally:
            stage.close()
        restarts += stage.openings - 1
        assert verify(stage.folder).problems == ()
    assert steps > 150 * MATCHES
    assert restarts > 0, "no power cut came, so nothing was shown"
