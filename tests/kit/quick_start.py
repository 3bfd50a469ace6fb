"""Starts tables and halls quickly: one program that has loaded everything forks each of them.

What is forked is the whole command with words, surroundings and streams of its own; only the
loading, which is most of a start, was done before. The real start has tests of its own.
"""

from __future__ import annotations

import gc
import importlib
import io
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from functools import cache

from tests.kit.network import enter

LOADED = (
    "companion.cli.run",
    "companion.cli.assemble",
    "companion.hall.table.link",
    "companion.hall.opening",
    "companion.hall.table.whole_table",
    "paho.mqtt.client",
    "web.server.server",
    "web.app",
    "web.hall.server",
)
LARGEST = 1 << 18


class Forked:
    """A table that was forked, with what the tests want of a `subprocess.Popen`."""

    def __init__(
        self, words: list[str], module: str = "companion", network: str | None = None
    ) -> None:
        out, printing = os.pipe()
        self._ear, telling = os.pipe()
        order = {
            "words": words,
            "module": module,
            "network": network,
            "environment": dict(os.environ),
            "folder": os.getcwd(),
        }
        line, _ = _starter()
        socket.send_fds(line, [json.dumps(order).encode()], [printing, telling])
        os.close(printing)
        os.close(telling)
        self.stdout = open(out, encoding="utf-8")  # noqa: SIM115  # closed by who reads it
        self.returncode: int | None = None
        self._told = b""
        self.pid = self._line(None) or 0
        assert self.pid, "the program that starts tables has ended"

    def _line(self, timeout: float | None) -> int | None:
        """The next number that was told, if one comes in time."""
        while b"\n" not in self._told:
            if not select.select([self._ear], [], [], timeout)[0]:
                return None
            if not (heard := os.read(self._ear, 100)):
                return -signal.SIGKILL
            self._told += heard
        line, _, self._told = self._told.partition(b"\n")
        return int(line)

    def poll(self) -> int | None:
        """Tell how it ended, if it has."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end."""
        ended = self._ended(timeout)
        if ended is None:
            raise subprocess.TimeoutExpired("companion", timeout or 0)
        return ended

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None:
            self.returncode = self._line(timeout)
            if self.returncode is not None:
                os.close(self._ear)
        return self.returncode

    def send_signal(self, sign: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, sign)

    def kill(self) -> None:
        """End it without a warning."""
        self.send_signal(signal.SIGKILL)


@cache
def _starter() -> tuple[socket.socket, subprocess.Popen[bytes]]:
    """The program that starts this worker's tables; it ends with the worker."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with theirs:
        starter = subprocess.Popen(
            [sys.executable, "-m", "tests.kit.quick_start", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
    return ours, starter


def main(ear: int) -> None:
    """Load everything, and fork a table for every order."""
    for name in LOADED:
        importlib.import_module(name)
    assert threading.active_count() == 1, "only a program with one thread can be forked"
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(fileno=ear) as line:
        while True:
            order, ends, _, _ = socket.recv_fds(line, LARGEST, 2)
            if not order:
                return
            if os.fork() == 0:
                line.close()
                break
            for end in ends:
                os.close(end)
    _watch(json.loads(order), *ends)


def _watch(order: dict, out: int, telling: int) -> None:
    """Fork the table itself; tell its number, and later how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    pid = os.fork()
    if pid == 0:
        os.close(telling)
        _become(order, out)
        return
    os.close(out)
    with suppress(BrokenPipeError):
        os.write(telling, b"%d\n" % pid)
        ended = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        os.write(telling, b"%d\n" % ended)
    os._exit(0)


def _become(order: dict, out: int) -> None:
    """Be the command, in a session of its own."""
    os.setsid()
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.close(out)
    for stream in (sys.stdout, sys.stderr):
        # In whole lines, also where Python is told not to buffer: both go to the same reader.
        assert isinstance(stream, io.TextIOWrapper)
        stream.reconfigure(line_buffering=True, write_through=False)
    os.chdir(order["folder"])
    os.environ.clear()
    os.environ.update(order["environment"])
    if order["network"] is not None:
        enter(order["network"])
    random.seed()
    sys.argv = [order["module"], *order["words"]]
    runpy.run_module(order["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
