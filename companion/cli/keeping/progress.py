"""A line on the terminal that tells how far something has come; elsewhere it is silent."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Self


class ProgressLine:
    """Writes over itself, and leaves nothing behind."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._shown = sys.stderr.isatty()
        self._percent = -1

    def __call__(self, done: int, whole: int) -> None:
        """Tell that so much of the whole is done."""
        percent = 100 * done // whole if whole else 100
        if self._shown and percent != self._percent:
            self._percent = percent
            self._write(f"\r{self._doing} {percent} %")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None
    ) -> None:
        if self._percent >= 0:
            self._write("\r" + " " * (len(self._doing) + 6) + "\r")

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()
