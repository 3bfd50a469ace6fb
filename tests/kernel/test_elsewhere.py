"""Where no machine can be emulated, the kernel's tests say so and count as skipped."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kernel import machine

ROOT = Path(__file__).parents[2]


def test_without_an_emulator_everything_is_skipped_and_says_why():
    tests = "tests/kernel/test_kernel.py"
    alone = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests],
        cwd=ROOT,
        env={**alone, "PATH": "/nowhere"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "not run on a real kernel: qemu-system-x86_64 is not installed" in done.stdout
    assert re.fullmatch(r"\d+ skipped in .*", done.stdout.splitlines()[-1]), done.stdout


@pytest.mark.parametrize(
    ("said", "boots"),
    [
        pytest.param("Kernel panic - not syncing", 2, id="the emulated kernel crashed"),
        pytest.param("@@torn by a message", 2, id="an act's line was torn"),
        pytest.param("ModuleNotFoundError", 1, id="our own program failed"),
    ],
)
def test_only_what_the_emulation_spoilt_is_played_again(monkeypatch, said, boots):
    plans: list[list[str]] = []

    def boot(_kind, plan, _seconds, played, _seed):
        plans.append([act["name"] for act in plan])
        first = len(plans) == 1
        played.update({act["name"]: act for act in (plan[:1] if first else plan)})
        return ([said], False) if first else ([], True)

    monkeypatch.setattr(machine, "_boot", boot)
    monkeypatch.setattr(machine, "QEMU", sys.executable)
    acts = [{"name": "idle"}, {"name": "busy"}]
    if boots == 2:
        assert machine.play("two processors", acts, 1).keys() == {"idle", "busy"}
        assert plans == [["idle", "busy"], ["busy"]]
    else:
        with pytest.raises(machine.MachineFailed, match="not played: busy"):
            machine.play("two processors", acts, 1)
        assert len(plans) == 1
