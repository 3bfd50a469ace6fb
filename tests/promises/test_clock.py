"""A clock change cannot change a result: the clock on the wall is a label and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from companion.journal.chain import read_rows
from companion.journal.damage.verify import verify
from companion.journal.file import reader
from companion.referee.events import Event, RoundScored, RulingGiven

ROOT = Path(__file__).parents[2]
HOUR, DECADE = 3_600, 10 * 365 * 24 * 3_600
POINTS = 200
CORE = ("companion", "hardware", "web")
LABELS = {"companion/common/clock.py", "companion/common/log_file.py"}
"""The places of the core that read the clock on the wall, each for a label."""

Played = list[tuple[int, bytes | None, int, Event]]


def evening(folder: Path, wall: Path, step: int) -> tuple[Played, list[datetime]]:
    """Play the evening; give all that happened, and separately what the wall's clock said."""
    program = [sys.executable, "-m", "tests.promises.stepped", str(folder), str(step)]
    environment = {**os.environ, "LD_PRELOAD": str(wall)}
    done = subprocess.run(
        program, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= POINTS
    assert verify(folder).problems == ()
    with closing(reader(folder / "journal.db")) as journal:
        rows = list(read_rows(journal))
    played = [(row.version, row.command, row.at, row.event()) for row in rows]
    return played, [datetime.fromisoformat(row.wall) for row in rows]


@pytest.fixture(scope="module")
def undisturbed(wall: Path, tmp_path_factory: pytest.TempPathFactory) -> Played:
    played, _ = evening(tmp_path_factory.mktemp("undisturbed"), wall, 0)
    happened = [event for *_, event in played]
    rulings = Counter(event.ruling.rule for event in happened if isinstance(event, RulingGiven))
    assert rulings["R12"] >= 10, "there was nothing to change"
    assert rulings["R13"] >= 10
    assert sum(isinstance(event, RoundScored) for event in happened) >= 10
    return played


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(HOUR, id="an hour forward"),
        pytest.param(-HOUR, id="an hour back"),
        pytest.param(DECADE, id="ten years forward"),
        pytest.param(-DECADE, id="ten years back"),
    ],
)
def test_stepping_the_clock_at_every_point_changes_only_labels(
    wall: Path, undisturbed: Played, tmp_path: Path, step: int
) -> None:
    played, labels = evening(tmp_path, wall, step)
    assert played == undisturbed
    assert max(labels) - min(labels) >= timedelta(seconds=abs(step)), "the steps were not felt"
    jumps = sum(abs(b - a) > timedelta(minutes=30) for a, b in pairwise(labels))
    assert jumps >= POINTS // 2
    assert abs(labels[-1] - datetime.now(UTC)) < timedelta(seconds=abs(step) + 3_600)


@pytest.mark.parametrize(
    "source",
    [
        "import time\n\nnow = time.time()\n",
        "import time\n\nnow = time.time_ns()\n",
        "from time import time\n\nnow = time()\n",
        "import time\n\nnow = time.localtime()\n",
        "import time\n\nnow = time.gmtime()\n",
        "import time\n\nnow = time.strftime('%H:%M')\n",
        "import time\n\nnow = time.clock_gettime(time.CLOCK_REALTIME)\n",
        "from datetime import UTC, datetime\n\nnow = datetime.now(UTC)\n",
        "import datetime\n\nnow = datetime.datetime.now(datetime.UTC)\n",
        "from datetime import datetime\n\nnow = datetime.utcnow()\n",
        "from datetime import date\n\nnow = date.today()\n",
    ],
)
@pytest.mark.parametrize("part", CORE)
def test_reading_the_wall_clock_in_the_core_fails_the_lint(part: str, source: str) -> None:
    assert "TID251" in linted(source, f"{part}/fresh.py")


def linted(source: str, name: str) -> str:
    ruff = Path(sys.executable).with_name("ruff")
    done = subprocess.run(
        [ruff, "check", "--no-cache", "--stdin-filename", name, "-"],
        input=source,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout


def test_the_monotonic_clock_passes_the_lint() -> None:
    assert "TID251" not in linted("import time\n\nnow = time.monotonic_ns()\n", "web/fresh.py")


def test_only_one_place_of_the_core_has_leave_to_read_the_wall_clock() -> None:
    with_leave = {
        str(path.relative_to(ROOT))
        for part in CORE
        for path in (ROOT / part).rglob("*.py")
        if "TID251" in path.read_text("utf-8")
    }
    assert with_leave == LABELS
