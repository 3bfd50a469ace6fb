"""Everything of a table in one file: a zip with the journal, the editions and the configuration."""

from __future__ import annotations

import re
import shutil
import tempfile
import zipfile
from pathlib import Path
from typing import IO

import msgspec

from companion import __version__
from companion.common.clock import label
from companion.journal.opening import JOURNAL
from companion.keeping import backups
from companion.settings.edition_file import FOLDER as EDITIONS

CONFIGURATION = "companion.toml"
ABOUT = "about.json"
EDITION = re.compile(rf"{EDITIONS}/[a-z0-9][a-z0-9-]*\.toml")
LARGEST = 2**30
"""No journal of people who play cards comes near a gigabyte."""
LARGEST_TEXT = 2**20


class NoArchive(Exception):
    """The file is no archive that can be used, for this reason."""


def pack(folder: Path, configuration: Path, file: IO[bytes]) -> None:
    """Write everything of a data folder into one file, beside a running table too."""
    with (
        tempfile.TemporaryDirectory() as scratch,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        journal = Path(scratch) / "copy.db"
        backups.copy(folder / JOURNAL, journal)
        inside = backups.contents(journal)
        about = {"companion": __version__, "made": label(), "journal": inside}
        archive.writestr(ABOUT, msgspec.json.format(msgspec.json.encode(about), indent=2))
        archive.write(journal, JOURNAL)
        for edition in sorted((folder / EDITIONS).glob("*.toml")):
            archive.write(edition, f"{EDITIONS}/{edition.name}")
        if configuration.is_file():
            archive.write(configuration, CONFIGURATION)


def is_archive(path: Path) -> bool:
    """Tell an archive from a plain journal."""
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def unpack(path: Path, folder: Path) -> None:
    """Take what belongs to a table out of an archive, under names of our own and nothing else."""
    try:
        with zipfile.ZipFile(path) as archive:
            if JOURNAL not in archive.namelist():
                raise NoArchive("it holds no journal")
            _take(archive, JOURNAL, folder / JOURNAL, LARGEST)
            if CONFIGURATION in archive.namelist():
                _take(archive, CONFIGURATION, folder / CONFIGURATION, LARGEST_TEXT)
            (folder / EDITIONS).mkdir()
            for name in filter(EDITION.fullmatch, archive.namelist()):
                _take(archive, name, folder / name, LARGEST_TEXT)
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise NoArchive(f"it is not whole: {error}") from error


def _take(archive: zipfile.ZipFile, name: str, target: Path, most: int) -> None:
    if archive.getinfo(name).file_size > most:
        raise NoArchive(f"{name} in it is too large")
    with archive.open(name) as source, target.open("wb") as out:
        shutil.copyfileobj(source, out)
