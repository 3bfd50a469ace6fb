"""The table's identity at home: drawn once and kept, so that it stays the same device there."""

from __future__ import annotations

import os
import re
import secrets
from pathlib import Path

FILE = "home-identity"
SHAPE = re.compile(r"table_companion_[0-9a-f]{12}")


def read_identity(folder: Path) -> str | None:
    """Read the identity, if there is one."""
    try:
        written = (folder / FILE).read_text().strip()
    except (OSError, UnicodeDecodeError):
        return None
    return written if SHAPE.fullmatch(written) else None


def identity(folder: Path) -> str:
    """Read the identity, or make one; it is kept in the data folder."""
    kept = read_identity(folder)
    if kept is not None:
        return kept
    place = folder / FILE
    fresh = f"table_companion_{secrets.token_hex(6)}"
    beside = place.with_suffix(".new")
    opened = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(opened, "w") as file:
        file.write(f"{fresh}\n")
        file.flush()
        os.fsync(file.fileno())
    beside.replace(place)
    return fresh
