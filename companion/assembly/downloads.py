"""Files to download from a running table, made one at a time by a process of their own.

They are handed on piece by piece: with years of matches a whole one would not fit into memory.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path

from companion.settings.configuration import Settings

PIECE = 64 * 1024

Pieces = Generator[bytes, None, None]


class NotMade(Exception):
    """The file could not be made, for the reason that the sentence gives."""


class DownloadBusy(Exception):
    """Another file is being made."""


class Downloads:
    """Makes one file at a time, so that many requests cannot keep the machine busy."""

    def __init__(self, ways: Mapping[str, Callable[[], Iterator[bytes]]]) -> None:
        self._ways = ways
        self._lock = threading.Lock()

    def make(self, name: str) -> Pieces:
        """Begin with the file of this name; the next one can begin once this one was read."""
        way = self._ways.get(name)
        if way is None:
            raise NotMade("This table has no such file.")
        if not self._lock.acquire(blocking=False):
            raise DownloadBusy
        pieces = self._handed_on(way)
        # Whatever keeps it from being made is known before anything is sent.
        next(pieces)
        return pieces

    def _handed_on(self, way: Callable[[], Iterator[bytes]]) -> Pieces:
        try:
            pieces = way()
            first = next(pieces, b"")
            yield b""
            yield first
            yield from pieces
        finally:
            self._lock.release()


def download_makers(config: Path | None, settings: Settings) -> Mapping[str, Callable[[], Pieces]]:
    """Tell how each file is made, about the table of these settings; the buttons never wait."""
    place = [f"--data={settings.data.folder}"]
    place += [] if config is None else [f"--config={config}"]
    door = [f"--host={settings.server.host}", f"--port={settings.server.port}"]
    return {
        "support": lambda: _made("support", *place, *door),
        "everything": lambda: _made("export", "--everything", *place),
    }


def _made(*words: str) -> Pieces:
    command = ["nice", sys.executable, "-m", "companion", *words, "--output=-"]
    with tempfile.TemporaryFile() as complaint:
        try:
            making = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=complaint)
        except OSError as trouble:
            raise NotMade(str(trouble)) from trouble
        with making:
            try:
                assert making.stdout is not None
                while piece := making.stdout.read(PIECE):
                    yield piece
            except GeneratorExit:  # the client has gone
                making.kill()
                raise
        if making.returncode != 0:
            complaint.seek(0)
            raise NotMade(complaint.read().decode("utf-8", "replace").strip())
