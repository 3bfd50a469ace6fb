"""A relay before the broker: the bridge's own line can be cut or swallowed, nobody else's."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress

LARGEST = 65536


class Relay:
    """Passes bytes on between whoever connects and the broker."""

    def __init__(self, port: int) -> None:
        self._broker = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self._ends: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self.open = True
        self.deaf = False
        """Whether the broker's answers are swallowed."""
        self._run(self._accept)

    def cut(self) -> None:
        """Cut every line, and refuse new ones."""
        self.open = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let lines through again."""
        self.open, self.deaf = True, False

    def _run(self, work, *about) -> None:
        thread = threading.Thread(target=work, args=about, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                caller, _ = self._door.accept()
                if not self.open:
                    caller.close()
                    continue
                broker = socket.create_connection(("127.0.0.1", self._broker))
                self._ends += [caller, broker]
                self._run(self._pass, caller, broker, False)
                self._run(self._pass, broker, caller, True)

    def _pass(self, one: socket.socket, other: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while said := one.recv(LARGEST):
                if not (answers and self.deaf):
                    other.sendall(said)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def __enter__(self) -> Relay:
        return self

    def __exit__(self, *_: object) -> None:
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        self.cut()
        for thread in self._threads:
            thread.join(10)
        for end in self._ends:
            end.close()
