"""A match at a pace to watch: hands move as in life, and nobody has to watch people think."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.assembly.running import open_worker
from companion.demo.live import LONGEST_PAUSE, SCORE_IS_READ, LiveTable, StageClock
from companion.demo.steps import TimedCommand
from companion.referee import commands as c
from companion.referee.model.edition import PRINTED
from companion.referee.model.presses import SECOND
from tests.kit.night import settings_for


@pytest.mark.parametrize(
    ("command", "thought", "watched"),
    [
        pytest.param(c.Sit("Ana"), SECOND // 5, SECOND // 5, id="a quick thought"),
        pytest.param(c.Sit("Ana"), 40 * SECOND, LONGEST_PAUSE, id="a long one is shortened"),
        pytest.param(c.PushButton(1, 0, 0), 4 * SECOND, 4 * SECOND, id="a hand is never hurried"),
        pytest.param(c.CloseMatch(), 9 * SECOND, SCORE_IS_READ, id="time to read the score"),
    ],
)
def test_so_long_is_waited_for(
    tmp_path: Path, command: c.Command, thought: int, watched: int
) -> None:
    clock = StageClock()
    running = open_worker(settings_for(tmp_path), PRINTED, clock.ticks)
    slept: list[float] = []
    try:
        table = LiveTable(clock, running, slept.append)
        for start in (c.Sit("Ben"), c.Sit("Cleo"), c.StartMatch()):
            table.carry_out(TimedCommand(table.now, start))
        before = table.now
        table.carry_out(TimedCommand(before + thought, command))
        assert table.now == before + thought
    finally:
        running.close()
    assert sum(slept) == pytest.approx(watched / SECOND, abs=0.05)
