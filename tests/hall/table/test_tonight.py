"""A table has played on many nights; a hall is told of the one that it is in."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from companion.common.clock import label, milliseconds, written
from companion.hall.table.membership import join
from companion.hall.table.tonight import before_tonight
from companion.journal.bodies import encoded
from companion.journal.journal import Entry, Journal, Line
from companion.keeping.restore import begin_anew
from companion.referee.events import MatchClosed
from tests.hall.halls import TableProcess
from tests.hall.served_hall import ServedHall, started
from tests.kit.served import PATIENCE, eventually

HOUR = 3600 * 1000
DAY = 24 * 3600


def journal_of(folder: Path, hours_ago: list[float]) -> list[str]:
    """Write two events at each of these times; give the seals of all, the one before them first."""
    begin_anew(folder)
    kind, body, _ = encoded(MatchClosed())
    line, now = Line(kind, 1, body), milliseconds(label())
    with closing(Journal(folder / "journal.db")) as journal:
        seals = [""]
        for ago in hours_ago:
            journal.append([Entry((line, line), 0)], written(now - int(ago * HOUR)))
            seals += ["", journal.head.hash.hex()]
    return seals


@pytest.mark.parametrize(
    ("hours_ago", "version"),
    [
        pytest.param([], 0, id="a new table"),
        pytest.param([3, 2, 0.1], 0, id="it has only played tonight"),
        pytest.param([50, 49, 1, 0.1], 4, id="it has played two days ago and tonight"),
        pytest.param([50, 49, 26], 6, id="it has not played tonight"),
        pytest.param([26, 1, 3, 2], 2, id="its clock was put back meanwhile"),
        pytest.param([-9000, -8999], 0, id="its clock was wrong by a year"),
    ],
)
def test_tonight_begins_after_the_last_rest(hours_ago, version, tmp_path):
    seals = journal_of(tmp_path, hours_ago)
    assert before_tonight(tmp_path) == (version, seals[version])


def test_what_a_table_has_played_on_another_night_is_no_result_of_this_one(
    served_hall: ServedHall, wall: Path, tmp_path: Path
) -> None:
    plan = served_hall.evening()["plan"]
    served_hall.command("plan_evening", plan={**plan, "format": "free"})
    folder = tmp_path / "one"
    enter(served_hall, folder)
    surroundings = {"LD_PRELOAD": str(wall), "WALL_STEP": str(-DAY)}
    yesterday = started(["tests.hall.life", "table", str(folder), "playing"], surroundings)
    try:
        eventually(lambda: len(served_hall.results()) > 1)
    finally:
        yesterday.kill()
        yesterday.communicate(timeout=PATIENCE)
    hall = ServedHall(tmp_path / "another")
    try:
        hall.pair()
        hall.command("plan_evening", plan={**plan, "format": "free"})
        enter(hall, folder)
        with TableProcess(1, folder) as table:
            earlier = {one.body.match for one in table.played()}
            table.start()
            eventually(lambda: len(hall.results()) > 1)
            table.kill()
        assert not {match for _, match in hall.results()} & earlier
    finally:
        hall.stop()


def enter(hall: ServedHall, folder: Path) -> None:
    join(folder, f"127.0.0.1:{hall.port}", hall.desk()["table_code"], 1)
