"""Lives of a table: real programs, begun quickly because one that has loaded all forks each.

A life has its own threads, files and locks; it begins by opening the journal, as every start does.
"""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from companion.journal.opening import open_journal
from tests.promises import player
from tests.promises.disk.mounted import TOLD

ROOT = Path(__file__).parents[2]
CARELESS = "careless"
PATIENCE = 60.0


class Life:
    """One running table, and all that it has told."""

    def __init__(self, cradle: Cradle, pid: int, ear: int) -> None:
        self._cradle = cradle
        self._pid = pid
        self._ear = ear
        self._unread = b""
        self.told: list[dict[str, Any]] = []
        self._ended = False

    def hear(self, lines: int) -> None:
        """Wait until so many lines were told; fewer when the life ends before."""
        while len(self.told) < lines and not self._ended:
            self._read()

    def kill(self) -> list[dict[str, Any]]:
        """End it without a warning; give all that was told until then."""
        os.kill(self._pid, signal.SIGKILL)
        while not self._ended:
            self._read()
        os.close(self._ear)
        assert self._cradle.ask(f"reap {self._pid}") == str(-signal.SIGKILL), "it ended by itself"
        return self.told

    def _read(self) -> None:
        heard = os.read(self._ear, 65536)
        self._ended = not heard
        *lines, self._unread = (self._unread + heard).split(b"\n")
        self.told += map(json.loads, lines)


class Cradle:
    """The program that all lives are forked from."""

    def __init__(self, folder: Path, library: Path | None = None) -> None:
        self._folder = folder
        self._pipes = 0
        listening = {} if library is None else {"LD_PRELOAD": str(library)}
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__],
            env=os.environ | listening,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        assert self.ask("ready?") == "ready"

    def begin(
        self, folder: Path, name: str, *, careless: bool = False, record: Path | None = None
    ) -> Life:
        """Let a table begin on a folder; its changes go into a record where somebody listens."""
        self._pipes += 1
        pipe = self._folder / f"pipe-{self._pipes}"
        os.mkfifo(pipe)
        how = f"{CARELESS if careless else 'careful'}:{record or ''}"
        pid = int(self.ask(f"begin {name} {how} {pipe} {folder}"))
        ear = os.open(pipe, os.O_RDONLY)
        pipe.unlink()
        return Life(self, pid, ear)

    def ask(self, question: str) -> str:
        """Ask the program that forks."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(question + "\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()

    def close(self) -> None:
        """Let the program end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
        self._process.stdout.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def main() -> None:
    """Fork a life for every line, and bury each when asked."""
    # All that a start needs is loaded, and made ready by a first start, before the first fork.
    from companion.cli import assemble, options  # noqa: F401

    logging.disable(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder:
        open_journal(Path(folder)).journal.close()
    while words := sys.stdin.readline().split(maxsplit=4):
        match words:
            case ["begin", name, how, pipe, folder]:
                answer: object = _forked(name, how, pipe, Path(folder.rstrip("\n")))
            case ["reap", pid]:
                answer = os.waitstatus_to_exitcode(os.waitpid(int(pid), 0)[1])
            case _:
                answer = "ready"
        sys.stdout.write(f"{answer}\n")
        sys.stdout.flush()


def _forked(name: str, how: str, pipe: str, folder: Path) -> int:
    pid = os.fork()
    if pid:
        return pid
    how, _, record = how.partition(":")
    if record:
        os.environ.update(WATCHED=str(folder), RECORD=record)
    mouths = [os.open(pipe, os.O_WRONLY)]
    with suppress(FileNotFoundError):
        # A disk that keeps in mind what was told hears it first.
        mouths.insert(0, os.open(folder / TOLD.strip("/"), os.O_WRONLY))
    os.close(0)
    os.dup2(2, 1)
    if how == CARELESS:
        player.forget_to_sync()
    player.live(folder, name, lambda said: _write(mouths, said))
    os._exit(1)


def _write(mouths: list[int], said: dict[str, Any]) -> None:
    for mouth in mouths:
        os.write(mouth, player.line(said))


if __name__ == "__main__":
    main()
