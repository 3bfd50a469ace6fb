"""The choice of pin factory: by name, never silently another one than was asked for."""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import shutil
import socket
import tempfile
import time
from collections.abc import Callable
from typing import Any

from gpiozero import PinUnknownPi
from gpiozero.pins.local import get_pi_revision
from msgspec import Struct
from msgspec.structs import replace

from hardware.contact.edges import MICROSECOND, MILLISECOND, Dating, Drain, Moment
from hardware.contact.lateness import Lateness
from hardware.pins.buttons import tell_edge
from hardware.pins.remote_clock import RemoteClock
from hardware.wiring.wiring import FactoryName, OpenName, Wiring, named_pins

KERNEL_BASE = 50 * MICROSECOND
"""Two edges that one interrupt serves are dated in pin order, up to 100 microseconds apart."""
SIMULATED_BASE = 2 * MILLISECOND
LGPIO_QUEUE = 16
PIGPIO_SAMPLING = 10 * MICROSECOND
REMOTE_PATIENCE = 3.0

SENTENCES = {
    "gpiod": "Buttons are timed by the kernel, and every edge is numbered.",
    "lgpio": "Buttons are timed by the kernel; edges lost in a stall are noticed by their levels.",
    "pigpio": "Buttons are on another machine; its clock makes their times less exact.",
    "usb": "Buttons are on USB encoders; the kernel times them when it asks the encoder.",
    "simulated": "Buttons are simulated: there is no hardware, press them on the page.",
}


class NoPins(RuntimeError):
    """The pin factory that was asked for does not work here."""


class Pins(Struct, frozen=True):
    """A pin factory that works, and how it dates its edges."""

    name: OpenName
    asked: FactoryName
    factory: Any
    dating: Dating
    date: Callable[[Any], Moment]
    drain: Drain | None = None
    """Where it can be known when every edge was told."""
    lateness: Lateness | None = None
    """How late the kernel's threads are, where that is measured."""
    remarks: tuple[str, ...] = ()
    output: Any = None
    """The factory for lamps and the buzzer, where it must be another one."""
    missing: str = ""
    """Why there are no tones and no shades, where lamps and buzzer must do without them."""
    clock: RemoteClock | None = None
    """The clock of another machine, which must be compared with ours all the time."""
    errors: tuple[type[Exception], ...] = ()
    """What the factory's own library raises."""

    @property
    def simulated(self) -> bool:
        """Whether there is no hardware behind the pins."""
        return self.name == "simulated"

    @property
    def sentence(self) -> str:
        """What a person should know about these pins."""
        return SENTENCES[self.name]

    def prepare_to_close(self) -> None:
        """Let a dead connection go first, or closing its pins would fail one by one."""
        if self.clock is not None:
            self.clock.stop()
            self.clock.answers()

    def close(self) -> None:
        """Give everything back; closing single devices would keep the lines claimed."""
        if self.clock is not None:
            self.clock.stop()
        self.factory.close()
        if self.output is not None:
            self.output.close()


def open_pins(wiring: Wiring) -> Pins:
    """Open the factory that the wiring asks for; `auto` takes the best that works here."""
    if not named_pins(wiring):
        return _open("usb", wiring, ())
    if wiring.factory != "auto":
        return _open(wiring.factory, wiring, ())
    try:
        get_pi_revision()
    except PinUnknownPi:
        return _open("simulated", wiring, ("This computer is not a Raspberry Pi.",))
    tried: list[str] = []
    best_first: tuple[OpenName, ...] = ("gpiod", "lgpio")
    for name in best_first:
        try:
            return _open(name, wiring, tuple(tried))
        except NoPins as missing:
            tried.append(str(missing))
    raise NoPins(" ".join(tried))


def _open(name: OpenName, wiring: Wiring, tried: tuple[str, ...]) -> Pins:
    openers: dict[OpenName, Callable[[Wiring], Pins]] = {
        "usb": _open_simulated,
        "gpiod": _open_gpiod,
        "lgpio": _open_lgpio,
        "pigpio": _open_pigpio,
        "simulated": _open_simulated,
    }
    try:
        pins = openers[name](wiring)
    except (ImportError, OSError, PinUnknownPi, RuntimeError) as why:
        raise NoPins(f"The pin factory {name} does not work here: {why}.") from why
    return replace(pins, name=name, remarks=tried)


def _open_gpiod(wiring: Wiring) -> Pins:
    from hardware.pins.gpiod_factory import GpiodFactory, date_stamp

    pull = "floating" if wiring.pull == "none" else wiring.pull
    factory = GpiodFactory(
        chip=None if wiring.chip is None else f"/dev/gpiochip{wiring.chip}",
        together={button.pin: pull for button in wiring.buttons if button.pin is not None},
    )
    output, missing = None, ""
    if wiring.buzzer is not None or wiring.lamps == "pwm":
        # libgpiod drives levels only; lgpio makes tones and shades in a thread of its own.
        try:
            output = _open_lgpio(wiring).factory
        except ImportError:
            missing = "lgpio is not installed"
        except (OSError, RuntimeError) as why:
            missing = f"{why}"
    dating = Dating(source="button", base=KERNEL_BASE, numbered=True)
    return Pins(
        name="gpiod",
        asked=wiring.factory,
        factory=factory,
        dating=dating,
        date=date_stamp,
        drain=factory.drain,
        lateness=factory.reader.lateness,
        output=output,
        missing=missing,
    )


def _open_lgpio(wiring: Wiring) -> Pins:
    _give_lgpio_a_folder()
    import lgpio
    from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin

    class MutableLGPIOPin(LGPIOPin):  # type: ignore[misc]  # gpiozero has no type hints
        def _call_when_changed(self, chip: int, gpio: int, level: int, ticks: int) -> None:
            tell_edge(self, ticks / 1e9, level)

    try:
        factory = LGPIOFactory(chip=header_chip() if wiring.chip is None else wiring.chip)
    except lgpio.error as why:
        raise OSError(str(why)) from why
    factory.pin_class = MutableLGPIOPin
    lateness = Lateness()
    return Pins(
        name="lgpio",
        asked=wiring.factory,
        factory=factory,
        dating=Dating(source="button", base=KERNEL_BASE, queue=LGPIO_QUEUE),
        date=lambda ticks: date_arrival(round(ticks * 1e9), time.monotonic_ns(), lateness),
        lateness=lateness,
        errors=(lgpio.error,),
    )


def header_chip() -> int | None:
    """Tell the number of the header's chip by its label; gpiozero guesses it by the model."""
    try:
        from hardware.pins.gpiod_factory import find_chip

        return int(find_chip().removeprefix("/dev/gpiochip"))
    except (ImportError, OSError, ValueError):
        return None


def date_arrival(at: int, now: int, lateness: Lateness) -> Moment:
    """Date an edge without a number: any may have overwritten one before it, unseen."""
    lateness.note(now - at)
    return Moment(at=at, doubt=lateness.bound)


def _give_lgpio_a_folder() -> None:
    """Let lgpio keep its pipes out of the working folder, wherever this program was started."""
    if "LG_WD" not in os.environ:
        folder = tempfile.mkdtemp(prefix="companion-lgpio-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ["LG_WD"] = folder


def _open_pigpio(wiring: Wiring) -> Pins:
    import pigpio
    from gpiozero.pins.pigpio import PiGPIOFactory, PiGPIOPin

    class MutablePiGPIOPin(PiGPIOPin):  # type: ignore[misc]  # gpiozero has no type hints
        def _call_when_changed(self, gpio: int, level: int, ticks: int) -> None:
            tell_edge(self, ticks, level)

    # Where nobody answers, the library prints a page about settings that are not ours.
    with contextlib.redirect_stdout(io.StringIO()):
        factory = PiGPIOFactory(host=wiring.host, port=wiring.port)
    factory.pin_class = MutablePiGPIOPin
    # Without a limit, a connection that died would hold up every other button for ever.
    factory.connection.sl.s.settimeout(REMOTE_PATIENCE)
    clock = RemoteClock(factory.ticks, lost=lambda: _hang_up(factory))
    clock.start()
    return Pins(
        name="pigpio",
        asked=wiring.factory,
        factory=factory,
        dating=Dating(source="remote", base=PIGPIO_SAMPLING, numbered=True),
        date=clock.date,
        clock=clock,
        errors=(pigpio.error,),
    )


def _hang_up(factory: Any) -> None:
    """Forget a dead connection; pigpio's own thread would go round and round on it for ever."""
    connection = factory.connection
    if connection is not None:
        notify, connection._notify = connection._notify, None
        notify.go = False
        with contextlib.suppress(OSError):
            notify.sl.s.shutdown(socket.SHUT_RDWR)
        notify.join(timeout=REMOTE_PATIENCE)
        connection.sl.s.close()
        connection.sl.s = None


def _open_simulated(wiring: Wiring) -> Pins:
    from hardware.pins.simulated import SimulatedFactory

    factory = SimulatedFactory()
    return Pins(
        name="simulated",
        asked=wiring.factory,
        factory=factory,
        dating=Dating(source="simulated", base=SIMULATED_BASE, numbered=True),
        date=factory.date,
        drain=factory.drain,
    )
