"""A stand-in for the daemon of a remote Pi: its protocol, a few pins, and a clock that wraps."""

from __future__ import annotations

import socket
import struct
import threading
import time
from contextlib import suppress
from enum import IntEnum


class Command(IntEnum):
    """The requests that are answered with more than a zero."""

    SET_MODE = 0
    GET_MODE = 1
    PULL = 2
    READ = 3
    WRITE = 4
    READ_BANK = 10
    TICK = 16
    HARDWARE = 17
    NOTIFY_HERE = 99


PI_3B = 0xA02082
UP = 2


class RemotePi:
    """Answers one client as pigpiod does; its ticks are microseconds of a clock of its own."""

    def __init__(self, ahead: int = 0, slow: float = 0.0) -> None:
        self.ahead = ahead
        self.slow = slow
        self.levels = dict.fromkeys(range(54), 0)
        self.modes = dict.fromkeys(range(54), 0)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._told: list[socket.socket] = []
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def tick(self, at: int | None = None) -> int:
        """Read the remote clock, 32 bits of microseconds."""
        at = time.monotonic_ns() if at is None else at
        return (at // 1_000 + self.ahead) % (1 << 32)

    def press(self, pin: int, at: int | None = None) -> None:
        """Pull a pin low."""
        self._move(pin, 0, at)

    def release(self, pin: int, at: int | None = None) -> None:
        """Let a pin go high."""
        self._move(pin, 1, at)

    def vanish(self) -> None:
        """Break every connection, as a Pi that lost its power does."""
        self._listening.close()
        for one in self._open:
            with suppress(OSError):  # who was connected may have left already
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _move(self, pin: int, level: int, at: int | None) -> None:
        self.levels[pin] = level
        bank = sum(level << pin for pin, level in self.levels.items() if pin < 32)
        for told in self._told:
            told.sendall(struct.pack("HHII", 0, 0, self.tick(at), bank))

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            self._open.append(client)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        try:
            while request := client.recv(16, socket.MSG_WAITALL):
                command, first, second, _ = struct.unpack("IIII", request)
                time.sleep(self.slow / 2)
                answer = self._answer(client, command, first, second)
                time.sleep(self.slow / 2)
                client.sendall(struct.pack("IIII", command, first, second, answer))
        except (OSError, struct.error):
            return

    def _answer(self, client: socket.socket, command: int, first: int, second: int) -> int:
        match command:
            case Command.TICK:
                return self.tick()
            case Command.HARDWARE:
                return PI_3B
            case Command.READ_BANK:
                return sum(level << pin for pin, level in self.levels.items() if pin < 32)
            case Command.READ:
                return self.levels[first]
            case Command.SET_MODE:
                self.modes[first] = second
            case Command.GET_MODE:
                return self.modes[first]
            case Command.WRITE:
                self.levels[first] = second
            case Command.PULL if second == UP:
                self.release(first)
            case Command.NOTIFY_HERE:
                self._told.append(client)
            case _:
                pass
        return 0
