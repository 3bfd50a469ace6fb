"""What the pins give, added up: the values that the documentation tells people to solder."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SUPPLY = 3.3
BUTTON_RESISTOR = 1_000
"""In every button line: with it even a button on a driven pin, or on 5 V, burns nothing."""
LED_RESISTOR, LED_VOLTAGE = 330, 2.0
BUZZER_RESISTOR = 1_000
PULL_UP = 50_000
LONG_PULL_UP, LONG_BUTTON_RESISTOR = 1_000, 220
"""For cables of more than 3 m."""
LOW_AT_MOST = 0.8
"""Up to so many volts the Pi is sure to read a line as low."""
DRIVER_INPUT, DRIVER_VOLTAGE = 2_700, 1.4
"""A ULN2803A has this resistor and two junctions at each input."""
ARCADE_LAMP = 20.0
"""What an arcade lamp for 5 V takes from the 5 V supply, in milliamperes."""

PIN_LIMIT, ALL_PINS_LIMIT, LAMP_SUPPLY_LIMIT = 4.0, 50.0, 500.0
"""What one pin, all pins together and the 5 V pins for lamps should give, in milliamperes."""
PIN_SURVIVES = 16.0
"""What a pin survives for as long as a mistake lasts, in milliamperes."""
PULL_UP_SUPPLY_LIMIT = 50.0
"""What the 3.3 V pins should give; the first Pi could give no more."""

Lamps = Literal["led", "driver", "none"]


class Load(Struct, frozen=True):
    """Milliamperes with every lamp lit, every button down and the buzzer on."""

    one_pin: float
    all_pins: float
    lamp_supply: float
    pull_up_supply: float
    """From the 3.3 V pins, where every cable is long."""

    @property
    def fits(self) -> bool:
        """Whether the Pi can give that for as long as it likes."""
        return (
            self.one_pin <= PIN_LIMIT
            and self.all_pins <= ALL_PINS_LIMIT
            and self.lamp_supply <= LAMP_SUPPLY_LIMIT
            and self.pull_up_supply <= PULL_UP_SUPPLY_LIMIT
        )


def current(volts: float, ohms: float) -> float:
    """Tell the milliamperes through a resistor."""
    return 1000 * volts / ohms


def pressed_voltage(pull_up: float, resistor: float) -> float:
    """Tell how many volts are left on the line of a button that is down."""
    return SUPPLY * resistor / (pull_up + resistor)


def load(buttons: int, lamps: int, kind: Lamps, *, buzzer: bool = True) -> Load:
    """Add up what a table takes whose lamps are LEDs on pins, or hang on a driver."""
    lamp = {
        "led": current(SUPPLY - LED_VOLTAGE, LED_RESISTOR),
        "driver": current(SUPPLY - DRIVER_VOLTAGE, DRIVER_INPUT),
        "none": 0.0,
    }[kind]
    button = current(SUPPLY, PULL_UP + BUTTON_RESISTOR)
    tone = current(SUPPLY, BUZZER_RESISTOR) if buzzer else 0.0
    return Load(
        one_pin=max(lamp, button, tone),
        all_pins=buttons * button + lamps * lamp + tone,
        lamp_supply=lamps * ARCADE_LAMP if kind == "driver" else 0.0,
        pull_up_supply=buttons * current(SUPPLY, LONG_PULL_UP + LONG_BUTTON_RESISTOR),
    )
