"""The tables of the page about the hardware that the program knows by itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from hardware.outputs.lamps import RHYTHMS, LampState
from hardware.wiring.currents import load
from hardware.wiring.wiring import HEADER_PIN, MOST_SEATS, Wiring, default_wiring

MARK = re.compile(r"(<!-- made: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)


def pins(wiring: Wiring) -> str:
    """Write which pin each button and lamp hangs on."""
    rows = ["| seat | button | header pin | lamp | header pin |", "|---|---|---|---|---|"]
    for button in wiring.buttons:
        assert button.pin is not None
        assert button.lamp is not None
        rows.append(
            f"| {button.name} | GPIO {button.pin} | {HEADER_PIN[button.pin]} "
            f"| GPIO {button.lamp} | {HEADER_PIN[button.lamp]} |"
        )
    return "\n".join(rows) + "\n"


def lamps() -> str:
    """Write what each rhythm of a lamp says."""
    rows = ["| it says | by being |", "|---|---|"]
    rows += [f"| {state.value} | {RHYTHMS[state].sentence} |" for state in LampState]
    return "\n".join(rows) + "\n"


def currents() -> str:
    """Write what a table of each size takes, all lamps lit, all buttons down and the buzzer on."""
    rows = [
        "| seats | LEDs: pins | driver: pins | driver: 5 V pins | long cables: 3.3 V pins |",
        "|---|---|---|---|---|",
    ]
    for seats in range(2, MOST_SEATS + 1):
        led, driven = load(seats, seats, "led"), load(seats, seats, "driver")
        rows.append(
            f"| {seats} | {led.all_pins:.0f} mA | {driven.all_pins:.0f} mA "
            f"| {driven.lamp_supply:.0f} mA | {led.pull_up_supply:.0f} mA |"
        )
    return "\n".join(rows) + "\n"


def with_made_parts(text: str) -> str:
    """Put the tables into their marked places."""
    parts: dict[str, Callable[[], str]] = {
        "lamps": lamps,
        "currents": currents,
        "pins": partial(pins, default_wiring(MOST_SEATS)),
    }
    return MARK.sub(lambda mark: mark[1] + parts[mark[2]]() + mark[3], text)
