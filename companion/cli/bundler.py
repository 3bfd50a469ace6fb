"""The support bundle for a page: made by a process of its own, which the buttons never wait for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from companion.configuration import Settings

PATIENCE = 120


class NoBundle(Exception):
    """The bundle could not be made."""


def bundler(config: Path | None, settings: Settings) -> Callable[[], bytes]:
    """Give the way to make a bundle about the table of these settings."""
    command = ["nice", sys.executable, "-m", "companion", "support", "--output=-"]
    command += [f"--data={settings.data.folder}"]
    command += [] if config is None else [f"--config={config}"]

    def make() -> bytes:
        try:
            done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
        except (OSError, subprocess.TimeoutExpired) as trouble:
            raise NoBundle(str(trouble)) from trouble
        if done.returncode != 0:
            raise NoBundle(done.stderr.decode("utf-8", "replace"))
        return done.stdout

    return make
