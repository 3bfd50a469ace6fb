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

from hardware.contact.edge_order import PATIENCE, EdgeOrder, Numbered, Ordered
from hardware.contact.edges import SECOND
from hardware.contact.lateness import Lateness

CONSUMER = "table-companion"
KERNEL_QUEUE = 1024


class Lines:
    """Some lines of the chip that are requested together."""

    def __init__(
        self, chip: gpiod.Chip, lateness: Lateness, settings: Mapping[int, gpiod.LineSettings]
    ) -> None:
        self.settings = dict(settings)
        self.order = EdgeOrder(self.settings, lateness)
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

    def edges(self, waited_since: int) -> list[Ordered]:
        """Take the edges that are there, in their order; they were waited for since a moment."""
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
        return self.order.take(numbered, time.monotonic_ns(), waited_since)

    def hand_on(self, edges: Iterable[Ordered]) -> None:
        """Tell each edge to the listener of its line."""
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
        self.lateness = Lateness()
        self._asked: list[Callable[[], None]] = []
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

    def drain(self, then: Callable[[], None]) -> None:
        """Call back, on the reading thread, once all that is there by now was handed on."""
        with self._lock:
            reading = self._thread is not None
            if reading:
                self._asked.append(then)
        if reading:
            self._wake()
        else:
            then()

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
        draining: list[tuple[int, Callable[[], None]]] = []
        while not self._closing:
            with self._lock:
                asked, self._asked = self._asked, []
            began = time.monotonic_ns()
            # What the order of edges waits for by now, it has given up after its patience.
            draining += [(began + PATIENCE, then) for then in asked]
            self._read(0.0 if asked else self._patience(waiting, began), began, waiting)
            for lines in tuple(waiting):
                lines.hand_on(lines.order.give_up(time.monotonic_ns()))
                if lines.order.due is None:
                    waiting.discard(lines)
            now = time.monotonic_ns()
            while draining and (not waiting or now >= draining[0][0]):
                draining.pop(0)[1]()

    def _read(self, timeout: float | None, began: int, waiting: set[Lines]) -> None:
        for key, _ in self._selector.select(timeout):
            if key.fd == self._wake_out:
                os.read(self._wake_out, 64)
            else:
                key.data.hand_on(key.data.edges(began))
                waiting.add(key.data)

    def _patience(self, waiting: set[Lines], now: int) -> float | None:
        """For how many seconds to wait for edges before some order of them gives up."""
        due = min((lines.order.due or 0 for lines in waiting), default=None)
        return None if due is None else max(0.0, (due - now) / SECOND)
