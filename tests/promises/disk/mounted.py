"""The strict disk, mounted: a file system of our own, through FUSE, that a real program plays on.

It runs as a program of its own and is asked through a pipe. Where nothing can be mounted, the
tests that need it are skipped with the reason.
"""

from __future__ import annotations

import ctypes
import os
import pickle
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from tests.promises.disk.strict_disk import Files

ROOT = Path(__file__).parents[3]
TOLD = "/told"
"""What is written here is not kept: it is what the people were told."""
START = 60.0


class CannotMount(Exception):
    """No file system can be mounted here, for the reason that the sentence gives."""


class Mounted:
    """A mounted disk, from the outside."""

    def __init__(self, place: Path, files: Files | None = None) -> None:
        if not os.access("/dev/fuse", os.R_OK | os.W_OK):
            raise CannotMount("/dev/fuse is not there, or not for this user")
        place.mkdir(exist_ok=True)
        self.place = place
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.promises.disk.fuse_disk", str(place)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        )
        try:
            self.ask("lay out", files or {})
            self._wait()
        except BaseException:
            self.close()
            raise

    def ask(self, *question: Any) -> Any:
        """Ask the disk; it answers at once."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            pickle.dump(question, self._process.stdin)
            self._process.stdin.flush()
            return pickle.load(self._process.stdout)
        except (EOFError, BrokenPipeError):
            assert self._process.stderr is not None
            said = self._process.stderr.read().decode().strip().splitlines() or ["it ended"]
            raise CannotMount(f"FUSE cannot be mounted here: {said[-1]}") from None

    def _wait(self) -> None:
        end = time.monotonic() + START
        while not os.path.ismount(self.place):
            self.ask("still there?")
            if time.monotonic() > end:
                raise CannotMount("FUSE was not mounted in time")
            time.sleep(0.005)

    def close(self) -> None:
        """Take the disk away."""
        _unmount(self.place)
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _unmount(place: Path) -> None:
    detach = 2
    ctypes.CDLL(None, use_errno=True).umount2(str(place).encode(), detach)
