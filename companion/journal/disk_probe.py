"""Asking the disk itself why nothing can be kept, because SQLite does not always say."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

PROBE = "journal.probe"
PROBED = 65_536
"""More than SQLite wants beside a journal before it can be read."""


def reason(folder: Path) -> str | None:
    """Try to write a little; give what the system says against it, if anything."""
    probe = folder / PROBE
    try:
        probe.write_bytes(bytes(PROBED))
    except OSError as error:
        return error.strerror
    finally:
        with suppress(OSError):
            probe.unlink()
    return None
