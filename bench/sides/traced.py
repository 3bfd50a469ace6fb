"""The whole table with a trace: which of our own modules are passed while it is on.

The way changes its module with every call or return that leads from one of our modules into
another, also where a library lies in between.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from types import FrameType

from bench.sides.served import ROOT
from companion.assembly.running import Running
from companion.cli.assemble import open_whole_table
from companion.cli.options import plan_of
from web.server.server import serve

OURS = tuple(f"{ROOT / package}/" for package in ("companion", "hardware", "web"))
CODE = "ABCDEFGH"


class Trace:
    """Follows every thread while it is on."""

    def __init__(self) -> None:
        self._on = False
        self._left_out = ""
        self._changes: list[tuple[str, str]] = []

    def begin(self, left_out: str = "") -> None:
        """Follow them from now on, but for one that has nothing to do with it."""
        self._changes, self._left_out = [], left_out
        self._on = True

    def end(self) -> list[tuple[str, str]]:
        """Follow them no more, and tell every change of module."""
        self._on = False
        return self._changes

    def follow(self, frame: FrameType, event: str, _value: object) -> None:
        """Take note of a call or a return; Python tells each thread's own here."""
        if not self._on or event not in ("call", "return"):
            return
        if threading.current_thread().name == self._left_out:
            return
        here, caller = _module(frame), _calling_module(frame)
        if here is None or caller is None or here == caller:
            return
        self._changes.append((caller, here) if event == "call" else (here, caller))


def _module(frame: FrameType) -> str | None:
    file = frame.f_code.co_filename
    return file.removeprefix(f"{ROOT}/") if file.startswith(OURS) else None


def _calling_module(frame: FrameType) -> str | None:
    """Name the nearest of our own modules that led here."""
    caller = frame.f_back
    while caller is not None and _module(caller) is None:
        caller = caller.f_back
    return None if caller is None else _module(caller)


def main(folder: Path, port: int) -> None:
    """Serve the table of a folder, and do what standard input asks for."""
    plan = plan_of(None, folder, host="127.0.0.1", port=port, simulate=True)
    trace = Trace()

    def open_table() -> Running:
        threading.setprofile(trace.follow)
        sys.setprofile(trace.follow)
        running = open_whole_table(plan)
        threading.Thread(target=_obey, args=(running, trace), daemon=True).start()
        return running

    serve(open_table, plan.settings, code=CODE, say=lambda _text: None)


def _obey(running: Running, trace: Trace) -> None:
    """Answer each line once it is done."""
    push = running.push
    assert push is not None
    for line in sys.stdin:
        answer: list[tuple[str, str]] = []
        match line.split():
            case ["begin", *left_out]:
                trace.begin(*left_out)
            case ["end"]:
                answer = trace.end()
            case [how, button]:
                push(int(button), how == "press")
            case _:
                raise ValueError(line)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
