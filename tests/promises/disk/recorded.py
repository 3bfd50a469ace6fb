"""The strict disk where none can be mounted: a program's changes are written down as it makes them.

Afterwards they are made again on the strict disk, one by one, and the power may go before each.
"""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from tests.promises.disk.strict_disk import Cut, Disk, File, Files, Power

SOURCE = Path(__file__).parent / "record.c"
TOLD = "told"
_LINE = struct.Struct("=c7xQqq")

Line = tuple[bytes, int, int, bytes]


def library(folder: Path) -> Path | None:
    """Compile what listens to a program's changes; None where nothing can be compiled."""
    if shutil.which("gcc") is None:
        return None
    made = folder / "record.so"
    flags = ["-shared", "-fPIC", "-O2", "-Wall", "-Werror"]
    subprocess.run(["gcc", *flags, "-o", made, SOURCE, "-ldl", "-pthread"], check=True)
    return made


def read(record: Path) -> Iterator[Line]:
    """Read what was written down; a last line that was cut short did not happen."""
    content = record.read_bytes() if record.exists() else b""
    at = 0
    while at + _LINE.size <= len(content):
        what, file, place, size = _LINE.unpack_from(content, at)
        at += _LINE.size
        if at + size > len(content):
            return
        yield what, file, place, content[at : at + size]
        at += size


class Repeated:
    """Makes the changes of a record again on the strict disk."""

    def __init__(self, folder: Path, files: Files) -> None:
        self.disk = Disk(files)
        self._folder = folder
        self._files: dict[int, File | None] = {}
        """What each number of the record stands for; a folder is None."""
        self._folders: dict[int, str] = {}

    def cuts(self, record: Path, seed: float, every: int) -> list[Cut]:
        """Give what cuts would have left, at random moments and at the very end."""
        power = Power(self.disk, seed, every)
        self.disk.on_change = power.flicker
        for line in read(record):
            self._make(*line)
        power.cut()
        return power.cuts

    def _make(self, what: bytes, number: int, at: int, content: bytes) -> None:
        match what:
            case b"o" | b"p":
                self._open(number, content.decode())
            case b"w":
                if number == self._told:
                    self.disk.told += content.splitlines()
                else:
                    self.disk.write(self._file(number), at, content)
            case b"t":
                if number != self._told:
                    self.disk.resize(self._file(number), at)
            case b"s" if self._files[number] is None:
                self.disk.sync_folder(self._folders[number])
            case b"s":
                self.disk.sync(self._file(number))
            case b"r":
                old, new = content.decode().split("\0")
                self.disk.rename(self._name(old), self._name(new))
            case b"u":
                self.disk.remove(self._name(content.decode()))
            case _:
                raise AssertionError(f"the record says {what!r}")

    _told = -1

    def _open(self, number: int, path: str) -> None:
        name = self._name(path)
        if name == f"/{TOLD}":
            self._told = number
        elif self.disk.names.get(name) is not None:
            self._files[number] = self.disk.names[name]
        elif os.path.isdir(path):
            self._files[number] = None
            self._folders[number] = name
        else:
            self._files[number] = self.disk.create(name)

    def _file(self, number: int) -> File:
        file = self._files[number]
        assert file is not None
        return file

    def _name(self, path: str) -> str:
        return str(PurePosixPath("/") / PurePosixPath(path).relative_to(self._folder))
