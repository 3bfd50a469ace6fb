"""What there is to know about a board, for the log, a terminal or a page."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from hardware.contact.edges import WiredSource


class ButtonStatus(Struct, frozen=True):
    """What there is to know about one button."""

    number: int
    name: str
    place: str
    spare: bool
    down: bool
    presses: int
    last_press: int | None
    uncertainty: int
    bounces: int
    bounce: int
    typical_bounce: int
    typical_dwell: int
    flickers: int
    gaps: int
    fault: str | None
    lamp: str | None
    source: WiredSource = "button"
    pin: int | None = None
    header: int | None = None
    usb: str | None = None
    key: str | None = None
    lamp_pin: int | None = None
    lamp_header: int | None = None
    lamp_tested: bool = False
    """Whether a test lights the lamp now."""
    lamp_lost: bool = False


class MissingPart(Struct, frozen=True):
    """Something that the table plays without, and why."""

    what: Literal["buzzer", "lamp", "shades"]
    why: str = ""
    number: int | None = None
    """Whose lamp it is, by number and by name."""
    name: str = ""

    def __str__(self) -> str:
        """Say it for the log and the terminal."""
        said = {
            "buzzer": "There is no buzzer",
            "lamp": f"There is no lamp at {self.name}",
            "shades": "Lamps cannot be dim, only go on and off",
        }
        return f"{said[self.what]}: {self.why}."


class BoardStatus(Struct, frozen=True):
    """The whole board at a glance, for a terminal or a page."""

    factory: str
    asked: str
    simulated: bool
    listening: bool
    sentence: str
    remarks: tuple[str, ...]
    at: int
    buttons: tuple[ButtonStatus, ...]
    buzzer: bool
    tried: tuple[str, ...] = ()
    """What was found out while the factory was chosen."""
    without: tuple[MissingPart, ...] = ()
    lateness: int | None = None
    """How late the kernel may report an edge, by what was measured while the table runs."""
