"""A gpiozero pin factory on libgpiod 2, made for racing buttons.

All button lines are one request with the largest queue the kernel grants, so that nothing is lost
while this program is stopped, and the kernel's numbers show what was lost or dated late.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import gpiod
from gpiod.line import Bias, Clock, Direction, Edge, Value
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinSetInput,
)
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.contact.edge_order import Ordered
from hardware.contact.edges import Moment
from hardware.pins.buttons import tell_edge
from hardware.pins.gpiod_lines import Lines, Reader

PI_LABELS = ("pinctrl-bcm", "pinctrl-rp1")
BIASES = {"up": Bias.PULL_UP, "down": Bias.PULL_DOWN, "floating": Bias.DISABLED}
EDGES = {"both": Edge.BOTH, "rising": Edge.RISING, "falling": Edge.FALLING, "none": Edge.NONE}


class Stamp(int):
    """The kernel's monotonic nanoseconds, and what may have been lost before them."""

    doubt: int
    after_gap: bool

    def __new__(cls, at: int, doubt: int = 0, after_gap: bool = False) -> Stamp:
        stamp = super().__new__(cls, at)
        stamp.doubt = doubt
        stamp.after_gap = after_gap
        return stamp


def date_stamp(stamp: Stamp) -> Moment:
    """Read the date off a stamp, with what is known against it."""
    return Moment(at=int(stamp), doubt=stamp.doubt, after_gap=stamp.after_gap)


def label_of(path: Path) -> str:
    """Read what the kernel calls a chip; nothing where it is none."""
    if not gpiod.is_gpiochip_device(str(path)):
        return ""
    with gpiod.Chip(str(path)) as chip:
        return str(chip.get_info().label)


def find_chip(devices: Path = Path("/dev"), label: Callable[[Path], str] = label_of) -> str:
    """Find the chip of the Pi's header by its label; its number differs between models."""
    paths = sorted(devices.glob("gpiochip*"))
    for path in paths:
        if label(path).startswith(PI_LABELS):
            return str(path)
    names = ", ".join(path.name for path in paths) or "none at all"
    raise FileNotFoundError(f"no GPIO chip of a Raspberry Pi in /dev (found: {names})")


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]  # gpiozero has no type hints
    """Pins of the local Pi through the kernel's character device.

    The lines named in `together`, with their pulls, share one request and its numbers. Ticks are
    integer nanoseconds of the monotonic clock, each a `Stamp` where it comes from an edge.
    """

    def __init__(self, chip: str | None = None, together: Mapping[int, str] | None = None) -> None:
        super().__init__()
        self.path = chip or find_chip()
        self.pin_class = GpiodPin
        self.reader = Reader()
        self._chip = gpiod.Chip(self.path)
        self._requests: list[Lines] = []
        self._together: Lines | None = None
        if together:
            self._together = Lines(
                self._chip,
                self.reader.lateness,
                {
                    line: gpiod.LineSettings(
                        direction=Direction.INPUT,
                        bias=BIASES[pull],
                        edge_detection=Edge.BOTH,
                        event_clock=Clock.MONOTONIC,
                    )
                    for line, pull in together.items()
                },
            )
            self._requests.append(self._together)

    def close(self) -> None:
        """Give every line back; pins of other factories stay as they are."""
        if not self._chip:
            return
        self.reader.close()
        for info, pin in list(self.pins.items()):
            if pin.factory is self:
                del self.pins[info]
        for lines in self._requests:
            lines.release()
        self._chip.close()

    def lines_of(self, line: int) -> Lines:
        """Find the request that a line belongs to, or make one of its own as a bare input."""
        if self._together is not None and line in self._together.settings:
            return self._together
        settings = {line: gpiod.LineSettings(direction=Direction.INPUT)}
        lines = Lines(self._chip, self.reader.lateness, settings)
        self._requests.append(lines)
        return lines

    def drain(self, then: Callable[[], None]) -> None:
        """Call back once every edge that the kernel has reported by now was told."""
        self.reader.drain(then)

    @property
    def overwritten(self) -> int:
        """How many dates the kernel is known to have overwritten."""
        return 0 if self._together is None else self._together.order.overwritten

    @staticmethod
    def ticks() -> int:
        """Read the clock that the kernel dates edges by."""
        return time.monotonic_ns()

    @staticmethod
    def ticks_diff(later: int, earlier: int) -> float:
        """Tell the seconds between two ticks."""
        return (later - earlier) / 1e9


class GpiodPin(LocalPiPin):  # type: ignore[misc]  # gpiozero has no type hints
    """One line of the chip."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._lines = factory.lines_of(self._number)
        self._lines.listeners[self._number] = self.changed
        self._edges = "both"

    def close(self) -> None:
        """Become a bare input again; the factory gives the line back together with the others."""
        self._when_changed = None
        if self._get_function() == "output":
            self._lines.change(self._number, direction=Direction.INPUT, bias=Bias.AS_IS)

    def changed(self, edge: Ordered) -> None:
        """Report an edge in gpiozero's way."""
        tell_edge(self, Stamp(edge.at, edge.doubt, edge.after_gap), edge.rising)

    def _get_function(self) -> str:
        output = self._lines.settings[self._number].direction is Direction.OUTPUT
        return "output" if output else "input"

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        if value == self._get_function():
            return
        if value == "input":
            self._lines.change(self._number, direction=Direction.INPUT)
        else:
            self._output(False)

    def output_with_state(self, state: bool) -> None:
        """Become an output that is at this level from the first moment."""
        self._output(bool(state))

    def _output(self, level: bool) -> None:
        self._lines.change(
            self._number,
            direction=Direction.OUTPUT,
            bias=Bias.AS_IS,
            edge_detection=Edge.NONE,
            output_value=Value.ACTIVE if level else Value.INACTIVE,
        )

    def _get_state(self) -> bool:
        return self._lines.read(self._number)

    def _set_state(self, value: bool) -> None:
        if self._get_function() == "input":
            raise PinSetInput(f"cannot set state of pin {self!r}")
        self._lines.write(self._number, bool(value))

    def _get_pull(self) -> str:
        bias = self._lines.settings[self._number].bias
        return next((pull for pull, named in BIASES.items() if named is bias), "floating")

    def _set_pull(self, value: str) -> None:
        if self._get_function() != "input":
            raise PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in (value, ""):
            raise PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in BIASES:
            raise PinInvalidPull(f'invalid pull "{value}" for pin {self!r}')
        if self._lines.settings[self._number].bias is not BIASES[value]:
            self._lines.change(self._number, bias=BIASES[value])

    def _get_bounce(self) -> None:
        return None

    def _set_bounce(self, value: float | None) -> None:
        if value:
            raise PinInvalidBounce("the kernel would date a press only after it has settled")

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in EDGES:
            raise PinInvalidEdges(f'invalid edges "{value}" for pin {self!r}')
        self._edges = value
        if self._when_changed is not None:
            self._enable_event_detect()

    def _enable_event_detect(self) -> None:
        if self._lines.settings[self._number].edge_detection is not EDGES[self._edges]:
            self._lines.change(self._number, edge_detection=EDGES[self._edges])
        self.factory.reader.watch(self._lines)

    def _disable_event_detect(self) -> None:
        self._lines.change(self._number, edge_detection=Edge.NONE)
