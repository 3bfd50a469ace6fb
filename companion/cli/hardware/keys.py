"""Single keys of a terminal, without Enter; where there is no terminal, only time passes."""

from __future__ import annotations

import os
import select
import sys
import termios
import time
import tty
from types import TracebackType
from typing import Any, Self


class Keys:
    """Reads keys while it is open, and gives the terminal back as it was."""

    def __init__(self) -> None:
        self._before: list[Any] | None = None

    def __enter__(self) -> Self:
        if sys.stdin.isatty():
            self._before = termios.tcgetattr(sys.stdin)
            tty.setcbreak(sys.stdin)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            # What was typed meanwhile, also by an encoder, is not meant for the shell.
            termios.tcsetattr(sys.stdin, termios.TCSAFLUSH, self._before)

    @property
    def open(self) -> bool:
        """Whether there is a terminal on which keys can be pressed."""
        return self._before is not None

    def wait(self, seconds: float) -> str | None:
        """Wait for a key, for so long."""
        if self._before is None:
            time.sleep(seconds)
            return None
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        # Python's own reading would take all keys at once, and the next look would find none.
        return os.read(sys.stdin.fileno(), 1).decode(errors="replace") if ready else None
