"""The strict disk behind the calls of FUSE; it can also refuse, as a full or broken card does."""

from __future__ import annotations

import errno
import os
import pickle
import stat
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import Any

from mfusepy import FUSE, FuseOSError, Operations

from tests.promises.disk.mounted import TOLD
from tests.promises.disk.strict_disk import Disk, File, Power

TOLD_NUMBER = 1_000_000
BLOCK = 4096


class FuseDisk(Operations):  # type: ignore[misc]  # Any to mypy
    """One flat disk; a file's handle is its number, so that a renamed file stays itself."""

    use_ns = True

    def __init__(self, disk: Disk) -> None:
        self.disk = disk
        self.trouble = 0
        """The error that every change meets; 0 where all is well."""
        self.sync_trouble = 0
        """The error that only syncing meets."""
        self.room: int | None = None
        """How many bytes fit on it at all; None for as many as one likes."""
        self.refused = 0
        self.turn = threading.RLock()

    def getattr(self, path: str, fh: int | None = None) -> dict[str, Any]:
        with self.turn:
            if path == TOLD:
                return _status(TOLD_NUMBER, stat.S_IFREG | 0o600, 0)
            if fh:
                return self._status_of(self._file(fh))
            if path not in self.disk.names:
                raise FuseOSError(errno.ENOENT)
            file = self.disk.names[path]
            return _status(1, stat.S_IFDIR | 0o755, 0) if file is None else self._status_of(file)

    def readdir(self, path: str, fh: int) -> Iterator[tuple[str, dict[str, Any], int]]:
        with self.turn:
            names = [PurePosixPath(name) for name in self.disk.names if name != "/"]
        for name in names:
            if str(name.parent) == path:
                yield name.name, self.getattr(str(name)), 0

    def open(self, path: str, flags: int) -> int:
        with self.turn:
            if path == TOLD:
                return TOLD_NUMBER
            if flags & (os.O_WRONLY | os.O_RDWR) and self.trouble == errno.EROFS:
                self.refused += 1
                raise FuseOSError(errno.EROFS)
            file = self.disk.names[path]
            assert file is not None
            return file.number

    def create(self, path: str, mode: int, fi: Any = None) -> int:
        with self.turn:
            self._may_change()
            return self.disk.create(path).number

    def read(self, path: str, size: int, offset: int, fh: int) -> bytes:
        with self.turn:
            return bytes(self._file(fh).now[offset : offset + size])

    def write(self, path: str, data: bytes, offset: int, fh: int) -> int:
        with self.turn:
            if fh == TOLD_NUMBER:
                self.disk.told += data.splitlines()
                return len(data)
            file = self._file(fh)
            self._may_change(max(0, offset + len(data) - len(file.now)))
            self.disk.write(file, offset, bytes(data))
            return len(data)

    def truncate(self, path: str, length: int, fh: int | None = None) -> int:
        with self.turn:
            if path == TOLD:
                return 0
            file = self._file(fh) if fh else self.disk.names[path]
            assert file is not None
            self._may_change(max(0, length - len(file.now)))
            self.disk.resize(file, length)
            return 0

    def fsync(self, path: str, datasync: int, fh: int) -> int:
        with self.turn:
            self._may_change()
            if self.sync_trouble:
                self.refused += 1
                self.disk.fail_to_sync(self._file(fh))
                raise FuseOSError(self.sync_trouble)
            self.disk.sync(self._file(fh))
            return 0

    def fsyncdir(self, path: str, datasync: int, fh: int) -> int:
        with self.turn:
            self._may_change()
            self.disk.sync_folder(path)
            return 0

    def mkdir(self, path: str, mode: int) -> int:
        with self.turn:
            self._may_change()
            self.disk.make_folder(path)
            return 0

    def rename(self, old: str, new: str) -> int:
        with self.turn:
            self._may_change()
            self.disk.rename(old, new)
            return 0

    def unlink(self, path: str) -> int:
        with self.turn:
            self._may_change()
            self.disk.remove(path)
            return 0

    rmdir = unlink

    def access(self, path: str, amode: int) -> int:
        if amode & os.W_OK and self.trouble == errno.EROFS:
            raise FuseOSError(errno.EROFS)
        return 0

    def chmod(self, path: str, mode: int) -> int:
        return 0

    def chown(self, path: str, uid: int, gid: int) -> int:
        return 0

    def utimens(self, path: str, times: Any = None) -> int:
        return 0

    def statfs(self, path: str) -> dict[str, int]:
        room = 1 << 30 if self.room is None else max(0, self.room - self.used())
        free = room // BLOCK
        return {"f_bsize": BLOCK, "f_frsize": BLOCK, "f_blocks": 1 << 18, "f_bfree": free} | {
            "f_bavail": free,
            "f_namemax": 255,
        }

    def _may_change(self, growth: int = 0) -> None:
        """Refuse where the disk is in trouble; a full disk still lets what is there be changed."""
        if self.trouble:
            self.refused += 1
            raise FuseOSError(self.trouble)
        if growth and self.room is not None and self.used() + growth > self.room:
            self.refused += 1
            raise FuseOSError(errno.ENOSPC)

    def used(self) -> int:
        """Tell how many bytes lie on it."""
        return sum(len(file.now) for file in self.disk.files.values())

    def _file(self, fh: int | None) -> File:
        return self.disk.files[fh or 0]

    def _status_of(self, file: File) -> dict[str, Any]:
        return _status(file.number, stat.S_IFREG | 0o644, len(file.now))


def _status(number: int, mode: int, size: int) -> dict[str, Any]:
    return {"st_ino": number, "st_mode": mode, "st_size": size, "st_nlink": 1}


def serve(fuse: FuseDisk, place: str) -> None:
    """Mount the disk and serve it, one call after the other, until it is unmounted."""
    FUSE(fuse, place, foreground=True, nothreads=True, use_ino=True, hard_remove=True,
         attr_timeout=0, entry_timeout=0)  # fmt: skip


def main() -> None:
    """Serve a disk at the place that is named, until it is unmounted."""
    fuse = FuseDisk(Disk())
    first = pickle.load(sys.stdin.buffer)
    fuse.disk = Disk(first[1])
    threading.excepthook = _end_with_a_word
    threading.Thread(target=_answer, args=(fuse,), daemon=True).start()
    serve(fuse, sys.argv[1])


def _end_with_a_word(mistake: threading.ExceptHookArgs) -> None:
    """End the whole program, so that whoever asked does not wait for ever."""
    sys.stderr.write(f"{mistake.exc_value!r}\n")
    sys.stderr.flush()
    os._exit(1)


def _answer(fuse: FuseDisk) -> None:
    power: Power | None = None
    answer: Any = "laid out"
    with suppress(EOFError, BrokenPipeError):
        while True:
            pickle.dump(answer, sys.stdout.buffer)
            sys.stdout.buffer.flush()
            answer = None
            match pickle.load(sys.stdin.buffer):
                case ("flicker", seed, every):
                    with fuse.turn:
                        power = Power(fuse.disk, seed, every)
                        fuse.disk.on_change = power.flicker
                case ("cuts",):
                    assert power is not None
                    with fuse.turn:
                        power.cut()
                        answer, power.cuts = power.cuts, []
                case ("trouble", number):
                    fuse.trouble = number
                case ("sync trouble", number):
                    fuse.sync_trouble = number
                case ("room left", bytes_left):
                    with fuse.turn:
                        fuse.room = None if bytes_left is None else fuse.used() + bytes_left
                case ("refused",):
                    answer = fuse.refused
                case _:
                    answer = "here"


if __name__ == "__main__":
    main()
