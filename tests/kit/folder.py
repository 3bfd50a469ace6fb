"""What lies in a data folder, held against the list of all that the project may leave there."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

from companion.keeping.folder_files import FILES, places


def unlisted(folder: Path) -> list[str]:
    """Name the files of a data folder that no line of the list names."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return [file.name for file in files if not _listed(folder, file)]


def _listed(folder: Path, file: Path) -> bool:
    around = [place for place in places(folder) if file.is_relative_to(place)]
    name = str(file.relative_to(max(around, key=lambda place: len(place.parts))))
    return any(fnmatch(name, pattern) for patterns in FILES.values() for pattern in patterns)
