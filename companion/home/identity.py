"""The table's identity at home: drawn once and kept, so that it stays the same device there."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

from companion.common.whole_file import write_whole

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
    fresh = f"table_companion_{secrets.token_hex(6)}"
    write_whole(folder / FILE, f"{fresh}\n".encode())
    return fresh
