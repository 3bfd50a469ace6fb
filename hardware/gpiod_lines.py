"""Lines of a GPIO chip that are requested together, and the one thread that reads their edges."""

from __future__ import annotations

import os
import selectors
import time
from collections.abc import Callable, Iterable, Mapping
from threading import RLock, Thread
from typing import Any

import gpiod
from gpiod.line import Clock, Value

from hardware.order import EdgeOrder, Numbered, Ordered

CONSUMER = "table-companion"
KERNEL_QUEUE = 1024


class Lines:
    """Some lines of the chip that are requested together."""

    def __init__(self, chip: gpiod.Chip, settings: Mapping[int, gpiod.LineSettings]) -> None:
        self.settings = dict(settings)
        self.order = EdgeOrder(self.settings)
        self.listeners: dict[int, Callable[[Ordered], None]] = {}
        self._lock = RLock()
        self._request = chip.request_lines(
            self._config(), consumer=CONSUMER, event_buffer_size=KERNEL_QUEUE
        )
        self.fd = self._request.fd

    def change(self, line: int, **changes: Any) -> None:
        """Change the settings of one line and leave the others as they are."""
        with self._lock:
            kept = self.settings[line]
            self.settings[line] = gpiod.LineSettings(
                direction=changes.get("direction", kept.direction),
                bias=changes.get("bias", kept.bias),
                edge_detection=changes.get("edge_detection", kept.edge_detection),
                output_value=changes.get("output_value", kept.output_value),
                event_clock=Clock.MONOTONIC,
            )
            self._request.reconfigure_lines(self._config())

    def _config(self) -> dict[Iterable[int | str] | int | str, gpiod.LineSettings | None]:
        config: dict[Iterable[int | str] | int | str, gpiod.LineSettings | None] = {}
        config.update((line, settings) for line, settings in self.settings.items())
        return config

    def read(self, line: int) -> bool:
        """Read the level of a line."""
        with self._lock:
            return bool(self._request.get_value(line))

    def write(self, line: int, level: bool) -> None:
        """Drive an output."""
        with self._lock:
            self._request.set_value(line, Value.ACTIVE if level else Value.INACTIVE)

    def edges(self) -> list[Ordered]:
        """Take the edges that are waiting, in their order."""
        with self._lock:
            events = self._request.read_edge_events(KERNEL_QUEUE)
        rising = gpiod.EdgeEvent.Type.RISING_EDGE
        numbered = [
            Numbered(
                line=event.line_offset,
                at=event.timestamp_ns,
                rising=event.event_type is rising,
                number=event.global_seqno,
                line_number=event.line_seqno,
            )
            for event in events
        ]
        return self.order.take(numbered, time.monotonic_ns())

    def hand_on(self, edges: Iterable[Ordered]) -> None:
        """Tell each edge to whoever listens to its line."""
        for edge in edges:
            listener = self.listeners.get(edge.line)
            if listener is not None:
                listener(edge)

    def release(self) -> None:
        """Give the lines back."""
        with self._lock:
            self._request.release()


class Reader:
    """The one thread that takes edges from the kernel."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._wake_out, self._wake_in = os.pipe()
        self._selector.register(self._wake_out, selectors.EVENT_READ)
        self._lock = RLock()
        self._closing = False
        self._thread: Thread | None = None

    def watch(self, lines: Lines) -> None:
        """Listen to these lines from now on."""
        with self._lock:
            if lines.fd not in self._selector.get_map():
                self._selector.register(lines.fd, selectors.EVENT_READ, lines)
            if self._thread is None:
                self._thread = Thread(target=self._run, name="gpio edges", daemon=True)
                self._thread.start()
        self._wake()

    def close(self) -> None:
        """Stop listening."""
        self._closing = True
        self._wake()
        if self._thread is not None:
            self._thread.join(timeout=5)
        self._selector.close()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _wake(self) -> None:
        os.write(self._wake_in, b"!")

    def _run(self) -> None:
        waiting: set[Lines] = set()
        while not self._closing:
            due = min((lines.order.due or 0 for lines in waiting), default=None)
            timeout = None if due is None else max(0.0, (due - time.monotonic_ns()) / 1e9)
            for key, _ in self._selector.select(timeout):
                if key.fd == self._wake_out:
                    os.read(self._wake_out, 64)
                else:
                    key.data.hand_on(key.data.edges())
                    waiting.add(key.data)
            for lines in tuple(waiting):
                lines.hand_on(lines.order.give_up(time.monotonic_ns()))
                if lines.order.due is None:
                    waiting.discard(lines)
