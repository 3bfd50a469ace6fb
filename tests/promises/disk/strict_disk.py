"""A disk as strict as the rules allow: what nobody synced may be lost, torn, or out of order.

Bytes are safe once their file was synced, and a name once its folder was. Of all that came later a
power cut keeps what it likes, sector by sector, also a later write without an earlier one. Names
alone come in the order in which they were given, as every file system with a journal has it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct

SECTOR = 512

Files = dict[str, bytes]
"""What lies in a folder, by name."""


class Change(Struct, frozen=True):
    """One change of a file: bytes at a place, or with no bytes a new length."""

    at: int
    content: bytes | None

    def sectors(self) -> Iterator[Change]:
        """Split it at the borders of sectors, which is where a cut may tear it."""
        if self.content is None:
            yield self
            return
        at, rest = self.at, self.content
        while rest:
            room = SECTOR - at % SECTOR
            yield Change(at, rest[:room])
            at, rest = at + len(rest[:room]), rest[room:]

    def apply(self, content: bytearray) -> None:
        """Make the change."""
        if self.content is None:
            del content[self.at :]
            content.extend(bytes(self.at - len(content)))
        else:
            content.extend(bytes(max(0, self.at - len(content))))
            content[self.at : self.at + len(self.content)] = self.content


class File:
    """One file: what it says now, what of that is safe, and what lies between."""

    def __init__(self, number: int, content: bytes = b"") -> None:
        self.number = number
        self.now = bytearray(content)
        self.safe = bytearray(content)
        self.unsynced: list[Change] = []

    def change(self, change: Change) -> None:
        change.apply(self.now)
        self.unsynced.append(change)

    def sync(self) -> None:
        for change in self.unsynced:
            change.apply(self.safe)
        self.unsynced.clear()

    def fail_to_sync(self) -> None:
        """Forget what was not synced, as Linux does: a later sync brings none of it to the disk."""
        self.unsynced.clear()

    def after_cut(self, keeps: Callable[[], bool]) -> bytes:
        content = bytearray(self.safe)
        for change in self.unsynced:
            for part in change.sectors():
                if keeps():
                    part.apply(content)
        return bytes(content)


class Disk:
    """Files and their names, and everything that was told meanwhile."""

    def __init__(self, files: Files | None = None) -> None:
        self.files: dict[int, File] = {}
        self.names: dict[str, File | None] = {"/": None}
        """What each path leads to; to None where it is a folder."""
        self.changes = 0
        self.told: list[bytes] = []
        """What the program has told the people, in order with its writing."""
        self.on_change: Callable[[], None] = lambda: None
        """Is called before each change: the moments at which the power may go."""
        for name, content in (files or {}).items():
            self.names[f"/{name}"] = self._new(content)
        self._safe_names = dict(self.names)
        self._unsynced_names: list[tuple[str, str | None, File | None]] = []

    def write(self, file: File, at: int, content: bytes) -> None:
        self._about_to_change()
        file.change(Change(at, content))

    def resize(self, file: File, length: int) -> None:
        self._about_to_change()
        file.change(Change(length, None))

    def create(self, path: str) -> File:
        self._about_to_change()
        file = self._new(b"")
        self._rename((path, None, file))
        return file

    def make_folder(self, path: str) -> None:
        self._about_to_change()
        self._rename((path, None, None))

    def rename(self, old: str, new: str) -> None:
        self._about_to_change()
        self._rename((new, old, self.names[old]))

    def remove(self, path: str) -> None:
        self._about_to_change()
        self._rename(("", path, None))

    def sync(self, file: File) -> None:
        """Make a file's content safe; its name is another matter."""
        self._about_to_change()
        file.sync()

    def fail_to_sync(self, file: File) -> None:
        """Refuse to sync a file, and never try again."""
        self._about_to_change()
        file.fail_to_sync()

    def sync_folder(self, path: str) -> None:
        """Make the names in a folder safe, and all that were given before them."""
        self._about_to_change()
        here = [
            number
            for number, (new, old, _) in enumerate(self._unsynced_names, start=1)
            if path in (_folder(new), _folder(old or ""))
        ]
        until = max(here, default=0)
        for change in self._unsynced_names[:until]:
            _give_name(self._safe_names, change)
        del self._unsynced_names[:until]

    def after_cut(self, dice: random.Random) -> Files:
        """Give what is left in the folder if the power goes now."""
        share = dice.choice((0.0, 0.0, 0.1, 0.5, 0.9, 1.0))
        names = dict(self._safe_names)
        for change in self._unsynced_names[: round(share * len(self._unsynced_names))]:
            _give_name(names, change)
        kept = {file.number: file.after_cut(lambda: dice.random() < share) for file in _in(names)}
        return {
            path.removeprefix("/"): kept[file.number]
            for path, file in names.items()
            if file is not None
        }

    def _about_to_change(self) -> None:
        self.on_change()
        self.changes += 1

    def _new(self, content: bytes) -> File:
        file = File(len(self.files) + 2, content)
        self.files[file.number] = file
        return file

    def _rename(self, change: tuple[str, str | None, File | None]) -> None:
        _give_name(self.names, change)
        self._unsynced_names.append(change)


class Cut(Struct):
    """What a power cut left, and what had been told before it."""

    files: Files
    told: list[bytes]
    changes: int
    """How many changes of the disk came before it."""


class Power:
    """Lets the power go in many ways while one program writes: what would be left each time."""

    def __init__(self, disk: Disk, seed: float, every: int) -> None:
        self._disk = disk
        self._dice = random.Random(seed)
        self._every = every
        self.cuts: list[Cut] = []

    def flicker(self) -> None:
        """Before a change, keep what a cut at this moment would leave."""
        if self._dice.randrange(self._every) == 0:
            self.cut()

    def cut(self) -> None:
        """Keep what a cut would leave now."""
        left = self._disk.after_cut(self._dice)
        self.cuts.append(Cut(left, list(self._disk.told), self._disk.changes))


def _give_name(names: dict[str, File | None], change: tuple[str, str | None, File | None]) -> None:
    new, old, file = change
    if old is not None:
        names.pop(old, None)
    if new:
        names[new] = file


def _in(names: dict[str, File | None]) -> list[File]:
    return [file for file in names.values() if file is not None]


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent) if path else ""
