"""Writing a file so that a power cut leaves either the old one or the new one, whole."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(place: Path, content: bytes) -> None:
    """Write a file that only its owner may read, and return when it is on the disk."""
    fresh = place.with_name(place.name + ".new")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(place)
    sync(place.parent)


def sync(path: Path) -> None:
    """Bring a file or a folder's names onto the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
