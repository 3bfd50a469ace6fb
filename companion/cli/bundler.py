"""Files to take away, made by a process of their own, which the buttons never wait for."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from companion.assembly.downloads import NotMade
from companion.settings.configuration import Settings

PATIENCE = 120


def takeaways(config: Path | None, settings: Settings) -> Mapping[str, Callable[[], bytes]]:
    """Give the ways to make them, about the table of these settings."""
    place = [f"--data={settings.data.folder}"]
    place += [] if config is None else [f"--config={config}"]
    door = [f"--host={settings.server.host}", f"--port={settings.server.port}"]
    return {
        "support": lambda: _made("support", *place, *door),
        "everything": lambda: _made("export", "--everything", *place),
    }


def _made(*words: str) -> bytes:
    command = ["nice", sys.executable, "-m", "companion", *words, "--output=-"]
    try:
        done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired) as trouble:
        raise NotMade(str(trouble)) from trouble
    if done.returncode != 0:
        raise NotMade(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout
