"""USB arcade encoders, which appear as a keyboard or a joystick and are dated by the kernel too."""

from __future__ import annotations

import fcntl
import logging
import os
import re
import selectors
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any

from msgspec import Struct

from hardware.contact.edges import MICROSECOND, MILLISECOND, Dating, Edge, EdgesLost
from hardware.contact.listener import Unreachable

log = logging.getLogger(__name__)

SET_CLOCK = 0x400445A0
KEY, SYNC, SYNC_DROPPED = 1, 0, 3
UP, DOWN = 0, 1
SLOWEST = 10 * MILLISECOND
"""How rarely a slow USB device is asked for its keys."""
LOOK_AGAIN = 1.0
GONE = (OSError, SystemError)
"""What evdev raises of an unplugged device; the second where it forgets to say what went wrong."""


class Encoder(Struct, frozen=True):
    """One encoder that is plugged in."""

    name: str
    path: str
    port: str
    interval: int
    keys: tuple[str, ...]

    def __str__(self) -> str:
        """Name it so that a second one of its kind, on another port, is another one."""
        return f"{self.name} at {self.port}"

    def called(self, name: str) -> bool:
        """Whether a wiring means this one, by its name, its port, or both."""
        return name in (self.name, self.port, self.path, str(self))


def find_encoders() -> tuple[Encoder, ...]:
    """List what has keys and could be an encoder; `NoEvdev` without the optional package."""
    evdev = _evdev()
    encoders = []
    for path in sorted(evdev.list_devices()):
        try:
            device = evdev.InputDevice(path)
        except OSError:
            continue
        keys = device.capabilities().get(KEY, [])
        names = tuple(_key_name(evdev, code) for code in keys)
        if any(name.startswith(("BTN_", "KEY_")) for name in names):
            encoders.append(
                Encoder(
                    name=device.name,
                    path=path,
                    port=device.phys or path,
                    interval=_interval(path),
                    keys=names,
                )
            )
        device.close()
    return tuple(encoders)


class NoEvdev(RuntimeError):
    """The optional package evdev is not installed."""


def _evdev() -> Any:
    try:
        import evdev
    except ImportError as missing:
        raise NoEvdev(
            "USB encoders need the package evdev: pip install 'table-companion[usb]'"
        ) from missing
    return evdev


def _key_name(evdev: Any, code: int) -> str:
    name = evdev.ecodes.bytype[KEY].get(code, f"KEY_{code}")
    return str(name if isinstance(name, str) else name[0])


def _interval(path: str) -> int:
    """Ask the kernel how often it polls the device; unknown counts as slow."""
    device = Path("/sys/class/input", Path(path).name, "device").resolve()
    for folder in list(device.parents)[:4]:
        for file in sorted(folder.glob("ep_8*/interval")):
            if match := re.fullmatch(r"(\d+)(us|ms)\s*", file.read_text()):
                number, unit = int(match[1]), match[2]
                return number * (MILLISECOND if unit == "ms" else MICROSECOND)
    return SLOWEST


class UsbLine:
    """One key of an encoder, as a button's line."""

    def __init__(self, encoders: Encoders, number: int, usb: str, key: str) -> None:
        self._encoders = encoders
        self._number = number
        self._usb = usb
        self._key = key
        self.dating = Dating(source="usb", base=encoders.interval(usb), numbered=True)

    def listen(self, tell: Callable[[Edge | EdgesLost], None]) -> None:
        """Tell every change of the key from now on."""
        self._encoders.listen(self._usb, self._key, self._number, tell)

    def mute(self) -> None:
        """Tell nothing for now."""
        self._encoders.mute(self._usb, self._key)

    def pressed(self) -> bool:
        """Ask the kernel whether the key is down."""
        return self._encoders.pressed(self._usb, self._key)

    def drain(self, then: Callable[[], None]) -> bool:
        """Say no: whether a key is still on its way cannot be known."""
        return False

    def close(self) -> None:
        """Listen no more."""
        self.mute()


class Encoders:
    """Every encoder that the wiring names, read by one thread.

    `open_device` and `find` are given by tests that have no USB.
    """

    def __init__(
        self,
        find: Callable[[], tuple[Encoder, ...]] = find_encoders,
        open_device: Callable[[str], Any] | None = None,
        open_levels: Callable[[str], Any] | None = None,
        key_code: Callable[[str], int] | None = None,
    ) -> None:
        self._find = find
        self._open_device = open_device or _open_for_racing
        self._open_levels = open_levels or _open_for_levels
        self._key_code = key_code or _code_of
        self._lock = Lock()
        self._devices: dict[str, tuple[Any, Any]] = {}
        self._tells: dict[tuple[str, int], tuple[int, Callable[[Edge | EdgesLost], None]]] = {}
        self._looked: dict[str, float] = {}
        self._selector = selectors.DefaultSelector()
        self._wake_out, self._wake_in = os.pipe()
        self._selector.register(self._wake_out, selectors.EVENT_READ)
        self._thread = Thread(target=self._run, name="usb encoders", daemon=True)
        self._closing = False

    def line(self, number: int, usb: str, key: str) -> UsbLine:
        """Make the line of one button."""
        return UsbLine(self, number, usb, key)

    def interval(self, usb: str) -> int:
        """Tell how rarely this encoder is polled."""
        return next((one.interval for one in self._find() if one.called(usb)), SLOWEST)

    def listen(
        self, usb: str, key: str, number: int, tell: Callable[[Edge | EdgesLost], None]
    ) -> None:
        """Tell the changes of one key."""
        self._device(usb)
        with self._lock:
            self._tells[usb, self._key_code(key)] = (number, tell)
            if not self._thread.is_alive() and not self._closing:
                self._thread.start()

    def mute(self, usb: str, key: str) -> None:
        """Tell nothing of one key."""
        with self._lock:
            self._tells.pop((usb, self._key_code(key)), None)

    def pressed(self, usb: str, key: str) -> bool:
        """Read whether a key is down."""
        _, levels = self._device(usb)
        try:
            return self._key_code(key) in levels.active_keys()
        except GONE as gone:
            self._forget(usb)
            raise Unreachable(f"{usb} was unplugged") from gone

    def close(self) -> None:
        """Let every encoder go."""
        self._closing = True
        os.write(self._wake_in, b"!")
        if self._thread.is_alive():
            self._thread.join(timeout=5)
        for usb in tuple(self._devices):
            self._forget(usb)
        self._selector.close()
        os.close(self._wake_in)
        os.close(self._wake_out)

    def _device(self, usb: str) -> tuple[Any, Any]:
        """Find the device, opened for its keys and for its levels.

        One that is not plugged in is looked for once a second at most. It is opened twice because
        to ask for the levels drops the keys that wait to be read through the same opening.
        """
        with self._lock:
            if usb in self._devices:
                return self._devices[usb]
            now = time.monotonic()
            if now - self._looked.get(usb, -LOOK_AGAIN) < LOOK_AGAIN:
                raise Unreachable(f"{usb} is not plugged in")
            self._looked[usb] = now
            for encoder in self._find():
                if encoder.called(usb):
                    device = self._open_device(encoder.path)
                    self._devices[usb] = device, self._open_levels(encoder.path)
                    self._selector.register(device.fd, selectors.EVENT_READ, (usb, device))
                    os.write(self._wake_in, b"!")
                    return self._devices[usb]
        raise Unreachable(f"{usb} is not plugged in")

    def _forget(self, usb: str) -> None:
        with self._lock:
            if usb in self._devices:
                device, levels = self._devices.pop(usb)
                self._selector.unregister(device.fd)
                device.close()
                levels.close()

    def _run(self) -> None:
        while not self._closing:
            for key, _ in self._selector.select():
                if key.fd == self._wake_out:
                    os.read(self._wake_out, 64)
                    continue
                usb, device = key.data
                try:
                    events = list(device.read())
                except BlockingIOError:
                    continue
                except GONE:
                    self._forget(usb)
                    continue
                for event in events:
                    self._hear(usb, event)

    def _hear(self, usb: str, event: Any) -> None:
        at = event.sec * 1_000_000_000 + event.usec * MICROSECOND
        if event.type == SYNC and event.code == SYNC_DROPPED:
            with self._lock:
                listeners = [tell for (name, _), tell in self._tells.items() if name == usb]
            for number, tell in listeners:
                tell(EdgesLost(button=number, at=at))
        elif event.type == KEY and event.value in (UP, DOWN):
            with self._lock:
                listener = self._tells.get((usb, event.code))
            if listener is not None:
                number, tell = listener
                tell(Edge(button=number, at=at, pressed=event.value == DOWN))


def _open_for_racing(path: str) -> Any:
    """Open a device with the monotonic clock, and keep its keys from typing anywhere else."""
    device = _evdev().InputDevice(path)
    fcntl.ioctl(device.fd, SET_CLOCK, struct.pack("i", time.CLOCK_MONOTONIC))
    device.grab()
    return device


def _open_for_levels(path: str) -> Any:
    return _evdev().InputDevice(path)


def _code_of(key: str) -> int:
    code = _evdev().ecodes.ecodes.get(key)
    if code is None:
        raise Unreachable(f"there is no key {key}")
    return int(code)


def keys_pressed(stop: Event) -> Iterator[tuple[Encoder, str]]:
    """Name each key as it is pressed on any encoder, so that a press can assign it."""
    evdev = _evdev()
    with selectors.DefaultSelector() as selector:
        for encoder in find_encoders():
            selector.register(evdev.InputDevice(encoder.path), selectors.EVENT_READ, encoder)
        while not stop.is_set():
            for key, _ in selector.select(timeout=0.2):
                for event in key.fileobj.read():  # type: ignore[union-attr]  # an InputDevice
                    if event.type == KEY and event.value == DOWN:
                        yield key.data, _key_name(evdev, event.code)
