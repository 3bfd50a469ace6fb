"""The wiring read from a configuration: every mistake is named, with both names of a clash."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.settings.toml_reader import TomlReader
from hardware.wiring.wiring import (
    DEFAULT_SEATS,
    FEWEST_SEATS,
    FIXED_PULL_UP,
    ID_PINS,
    MOST_SEATS,
    MOST_SPARES,
    BadWiring,
    ButtonWiring,
    Pin,
    Pull,
    Wiring,
    default_buzzer_pin,
    default_wiring,
    named_pins,
)


class HardwareSection(Wiring, frozen=True):
    """What the configuration may say: the wiring, or only how many seats."""

    buttons: Any = None
    buzzer: Any = None
    seats: int = DEFAULT_SEATS
    spares: int = 0


def wiring_from(section: Mapping[str, Any]) -> Wiring:
    """Read the hardware part of a configuration; raise `BadWiring` with every mistake in it."""
    reader = TomlReader()
    pull: Pull = "down" if section.get("pressed") == "high" else "up"
    hardware = reader.read(HardwareSection(pull=pull), section, "hardware.")
    if hardware.buttons is None:
        buttons = _recommended(hardware, reader)
    else:
        if "seats" in section or "spares" in section:
            reader.mistakes.append(
                "hardware.seats and hardware.spares choose the recommended pins; "
                "they cannot stand beside hardware.buttons."
            )
        buttons = _buttons(hardware.buttons, reader)
    buzzer = _buzzer(hardware.buzzer, len(buttons), reader)
    choices = {key: getattr(hardware, key) for key in Wiring.__struct_fields__}
    wiring = Wiring(**choices | {"buttons": buttons, "buzzer": buzzer})
    if hardware.buttons is not None and hardware.lamps == "auto":
        # To name the pin of a lamp says that there is one.
        there_are = any(button.lamp is not None for button in buttons)
        wiring = replace(wiring, lamps="led" if there_are else "none")
    mistakes = reader.mistakes + _impossible(wiring)
    if mistakes:
        raise BadWiring(mistakes)
    return wiring


def _recommended(hardware: HardwareSection, reader: TomlReader) -> tuple[ButtonWiring, ...]:
    try:
        return default_wiring(hardware.seats, hardware.spares, lamps=hardware.lamps).buttons
    except BadWiring as bad:
        reader.mistakes.extend(bad.mistakes)
        return ()


def _buttons(entries: Any, reader: TomlReader) -> tuple[ButtonWiring, ...]:
    if not isinstance(entries, list) or not all(isinstance(entry, Mapping) for entry in entries):
        reader.mistakes.append("hardware.buttons is a list with one entry a button.")
        return ()
    buttons: list[ButtonWiring] = []
    for place, entry in enumerate(entries, start=1):
        spare = entry.get("spare") is True
        number = 1 + sum(button.spare == spare for button in buttons)
        named = ButtonWiring(name=f"spare {number}" if spare else f"seat {number}")
        where = f"hardware.buttons, entry {place}"
        button = reader.read(named, entry, f"{where}, ")
        if ("pin" in entry) == ("usb" in entry and "key" in entry):
            reader.mistakes.append(f"{where} ({button.name}): give either a pin, or usb and key.")
        buttons.append(button)
    seats = sum(not button.spare for button in buttons)
    if not FEWEST_SEATS <= seats <= MOST_SEATS:
        reader.mistakes.append(f"A table has {FEWEST_SEATS} to {MOST_SEATS} seats, not {seats}.")
    if len(buttons) - seats > MOST_SPARES:
        reader.mistakes.append(f"A table has at most {MOST_SPARES} spare buttons.")
    return tuple(buttons)


def _buzzer(pin: Any, buttons: int, reader: TomlReader) -> int | None:
    """Read the pin of the buzzer; true means the recommended one."""
    if pin is True:
        return default_buzzer_pin(buttons)
    return None if pin is False else reader.value(Pin | None, pin, "hardware.buzzer", None)


def _impossible(wiring: Wiring) -> list[str]:
    """Find what no table can have: two things on one pin, reserved pins, contrary pulls."""
    mistakes = []
    users: dict[int, str] = {}
    for name, pin in named_pins(wiring):
        if pin in users:
            mistakes.append(f"GPIO {pin} is given twice: to {users[pin]} and to {name}.")
        users.setdefault(pin, name)
        if pin in ID_PINS:
            mistakes.append(f"{name} is on GPIO {pin}, which is reserved for add-on boards.")
    keys: dict[tuple[str, str], str] = {}
    names: set[str] = set()
    for button in wiring.buttons:
        if button.usb is not None and button.key is not None:
            other = keys.setdefault((button.usb, button.key), button.name)
            if other != button.name:
                mistakes.append(
                    f"{button.key} of {button.usb} is given twice: to {other} and to {button.name}."
                )
        if button.name in names:
            mistakes.append(f"Two buttons are called {button.name}.")
        names.add(button.name)
        if button.pin in FIXED_PULL_UP and (wiring.pressed == "high" or wiring.pull != "up"):
            mistakes.append(
                f"The button of {button.name} is on GPIO {button.pin}, "
                "which is always pulled up: it can only be pressed to low."
            )
    if (wiring.pressed, wiring.pull) in (("low", "down"), ("high", "up")):
        mistakes.append(
            f"A button that is pressed to {wiring.pressed} and pulled {wiring.pull} never changes."
        )
    return mistakes
