"""The wiring: which button and which lamp hang on which pin, checked before anything is claimed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from companion.settings.toml_reader import Port
from hardware.wiring.currents import ALL_PINS_LIMIT, load

FEWEST_SEATS, MOST_SEATS = 2, 10
MOST_SPARES = 6

Level = Literal["low", "high"]
Pull = Literal["up", "down", "none"]
LampKind = Literal["auto", "led", "pwm", "none"]
"""`auto` leaves real pins dark until somebody says that there are lamps on them."""
FactoryName = Literal["auto", "gpiod", "lgpio", "pigpio", "simulated"]
Pin = Annotated[int, Meta(ge=0, le=27, description="a GPIO on the header, from 2 to 27")]
Text = Annotated[str, Meta(max_length=128, pattern=r"\S")]
OpenName = Literal["gpiod", "lgpio", "pigpio", "simulated", "usb"]

HEADER_PIN = {
    2: 3, 3: 5, 4: 7, 14: 8, 15: 10, 17: 11, 18: 12, 27: 13, 22: 15, 23: 16, 24: 18, 10: 19,
    9: 21, 25: 22, 11: 23, 8: 24, 7: 26, 0: 27, 1: 28, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35,
    16: 36, 26: 37, 20: 38, 21: 40,
}  # fmt: skip
GROUND_PINS = (6, 9, 14, 20, 25, 30, 34, 39)
BUS_PINS = (9, 39)
"""The ground pins for the ground bus: one hole off, their wires still find no supply."""
SUPPLY_PINS = {1: "3.3 V", 2: "5 V", 4: "5 V", 17: "3.3 V"}
ID_PINS = frozenset({0, 1})
FIXED_PULL_UP = frozenset({2, 3})
SPECIAL_PINS = {
    "the ID of add-on boards": ID_PINS,
    "I2C": FIXED_PULL_UP,
    "SPI": frozenset({7, 8, 9, 10, 11}),
    "the serial console": frozenset({14, 15}),
    "1-Wire": frozenset({4}),
    "I2S": frozenset({18, 19, 20, 21}),
}

# A seat keeps its pins at any size of table. Twelve pins have no second job: every button is on
# one of them, and the first two lamps; the others borrow from sound boards, 1-Wire and SPI.
DEFAULT_BUTTON_PINS = (17, 27, 22, 5, 6, 13, 26, 23, 24, 25)
DEFAULT_LAMP_PINS = (12, 16, 20, 21, 19, 18, 10, 9, 11, 4)
DEFAULT_SEATS = 6


class ButtonWiring(Struct, frozen=True):
    """One button with its lamp; a button on a USB encoder has a key instead of a pin."""

    name: Text
    pin: Pin | None = None
    lamp: Pin | None = None
    spare: bool = False
    usb: Text | None = None
    key: Text | None = None

    @property
    def header(self) -> int | None:
        """The pin of the header that the button hangs on."""
        return None if self.pin is None else HEADER_PIN[self.pin]

    @property
    def place(self) -> str:
        """Where the button is connected, in words."""
        if self.pin is None:
            return f"{self.key} on {self.usb}"
        return f"GPIO {self.pin}, pin {HEADER_PIN[self.pin]}"


class SharedPin(Struct, frozen=True):
    """A pin in use that has a second job."""

    name: str
    pin: int
    job: str


class Wiring(Struct, frozen=True):
    """Everything that is soldered or plugged, and how it is driven."""

    buttons: tuple[ButtonWiring, ...]
    factory: FactoryName = "auto"
    pressed: Level = "low"
    pull: Pull = "up"
    lamps: LampKind = "auto"
    lamp_lit: Level = "high"
    buzzer: int | None = None
    chip: int | None = None
    host: Annotated[str, Meta(description="a name or an address")] | None = None
    port: Port | None = None

    @property
    def seats(self) -> int:
        """How many seats the table has."""
        return sum(not button.spare for button in self.buttons)

    def button(self, number: int) -> ButtonWiring:
        """Find a button by its number, which counts from one."""
        return self.buttons[number - 1]

    def shared_pins(self) -> tuple[SharedPin, ...]:
        """List the pins that work only while their other job is switched off."""
        lamps = {button.lamp for button in self.buttons} if self.lamps == "auto" else set()
        return tuple(
            SharedPin(name, pin, job)
            for name, pin in named_pins(self)
            if pin not in lamps
            for job, pins in SPECIAL_PINS.items()
            if pin in pins
        )

    def remarks(self) -> tuple[str, ...]:
        """Say of each shared pin what to leave switched off, and whether the lamps are too many."""
        remarks = [
            f"{shared.name} uses GPIO {shared.pin}, which also serves {shared.job}: "
            "leave that switched off."
            for shared in self.shared_pins()
        ]
        lamps = 0 if self.lamps == "auto" else sum(b.lamp is not None for b in self.buttons)
        taken = load(len(self.buttons), lamps, "led", buzzer=self.buzzer is not None)
        if not taken.fits:
            remarks.append(
                f"{lamps} LEDs straight on the pins take {taken.all_pins:.0f} mA, and all pins "
                f"together should give {ALL_PINS_LIMIT:.0f}: put the lamps on a driver."
            )
        return tuple(remarks)


class BadWiring(ValueError):
    """The wiring cannot be; every mistake is named, so that all can be corrected at once."""

    def __init__(self, mistakes: Sequence[str]) -> None:
        super().__init__("\n".join(mistakes))
        self.mistakes = tuple(mistakes)


def default_wiring(
    seats: int = DEFAULT_SEATS,
    spares: int = 0,
    *,
    factory: FactoryName = "auto",
    lamps: LampKind = "auto",
    buzzer: bool = False,
) -> Wiring:
    """Wire a table of this size on the recommended pins."""
    mistakes = []
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        mistakes.append(f"A table has {FEWEST_SEATS} to {MOST_SEATS} seats, not {seats}.")
    if seats + spares > len(DEFAULT_BUTTON_PINS) or spares < 0:
        mistakes.append(
            f"There are recommended pins for {len(DEFAULT_BUTTON_PINS)} buttons; "
            f"{seats} seats and {spares} spares need pins of their own choosing."
        )
    if mistakes:
        raise BadWiring(mistakes)
    buttons = tuple(
        ButtonWiring(
            name=f"seat {place}" if place <= seats else f"spare {place - seats}",
            pin=DEFAULT_BUTTON_PINS[place - 1],
            lamp=None if lamps == "none" else DEFAULT_LAMP_PINS[place - 1],
            spare=place > seats,
        )
        for place in range(1, seats + spares + 1)
    )
    return Wiring(
        buttons=buttons,
        factory=factory,
        lamps=lamps,
        buzzer=default_buzzer_pin(len(buttons)) if buzzer else None,
    )


def default_buzzer_pin(buttons: int) -> int:
    """Recommend a pin for the buzzer: that of the tenth button, as long as there is none."""
    return DEFAULT_BUTTON_PINS[-1] if buttons < len(DEFAULT_BUTTON_PINS) else 8


def named_pins(wiring: Wiring) -> list[tuple[str, int]]:
    """List every pin with the name of what hangs on it."""
    named = []
    for button in wiring.buttons:
        if button.pin is not None:
            named.append((f"the button of {button.name}", button.pin))
        if button.lamp is not None:
            named.append((f"the lamp of {button.name}", button.lamp))
    if wiring.buzzer is not None:
        named.append(("the buzzer", wiring.buzzer))
    return named
