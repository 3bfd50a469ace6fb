"""Where no machine can be emulated, the kernel's tests say so and count as skipped."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

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
