"""Tests that share a machine are run by one worker, and beside it what need not hurry."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.conftest import turn

ROOT = Path(__file__).parents[1]
GROUPED = """
import pytest

pytestmark = pytest.mark.xdist_group("one machine")


@pytest.mark.parametrize("number", range(20))
def test_shared(number, worker_id):
    print(f"ran on {worker_id}.")
"""


def test_a_group_stays_on_one_worker(tmp_path):
    (tmp_path / "test_grouped.py").write_text(GROUPED)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "tests.conftest"]
    command += ["-n", "2", "--dist", "loadgroup", "-rP", "--rootdir", str(tmp_path), "-c/dev/null"]
    done = subprocess.run(
        [*command, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "20 passed" in done.stdout, done.stdout + done.stderr
    assert len({line for line in done.stdout.splitlines() if line.startswith("ran on")}) == 1


def test_beside_the_emulated_machines_run_tests_that_wait_for_no_clock():
    first, *others = (
        turn(ROOT / "tests" / module)
        for module in (
            "kernel/test_kernel.py",
            "simulation/cheating/test_cheats.py",
            "page/history/test_history.py",
            "page/device/test_line.py",
        )
    )
    assert first < min(others)
    assert others == sorted(set(others))
