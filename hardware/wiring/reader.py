"""The wiring read from a configuration: every mistake is named, with both names of a clash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from hardware.wiring.wiring import (
    DEFAULT_SEATS,
    FEWEST_SEATS,
    FIXED_PULL_UP,
    HEADER_PIN,
    ID_PINS,
    MOST_SEATS,
    MOST_SPARES,
    BadWiring,
    ButtonWiring,
    FactoryName,
    LampKind,
    Level,
    Pull,
    Wiring,
    default_buzzer_pin,
    default_wiring,
    named_pins,
)

WIRING_KEYS = (
    "seats", "spares", "factory", "pressed", "pull", "lamps", "lamp_lit", "buzzer", "chip", "host",
    "port", "buttons",
)  # fmt: skip
BUTTON_KEYS = ("name", "pin", "lamp", "spare", "usb", "key")


def wiring_from(said: Mapping[str, Any]) -> Wiring:
    """Read the hardware part of a configuration; raise `BadWiring` with every mistake in it."""
    mistakes = _unknown(said, WIRING_KEYS, "hardware")
    choices: dict[str, Any] = {}
    for key, allowed in (
        ("factory", get_args(FactoryName)),
        ("pressed", get_args(Level)),
        ("pull", get_args(Pull)),
        ("lamps", get_args(LampKind)),
        ("lamp_lit", get_args(Level)),
    ):
        if key in said:
            if said[key] in allowed:
                choices[key] = said[key]
            else:
                mistakes.append(_not_one_of(f"hardware.{key}", said[key], allowed))
    for key in ("chip", "port", "seats", "spares"):
        if key in said and not _whole(said[key]):
            mistakes.append(f"hardware.{key} is a whole number, not {said[key]!r}.")
    if "host" in said and not isinstance(said["host"], str):
        mistakes.append(f"hardware.host is a name or an address, not {said['host']!r}.")
    if choices.get("pressed") == "high" and "pull" not in choices:
        choices["pull"] = "down"
    for key in ("chip", "host", "port"):
        if key in said:
            choices[key] = said[key]
    if "buttons" in said:
        if "seats" in said or "spares" in said:
            mistakes.append(
                "hardware.seats and hardware.spares choose the recommended pins; "
                "they cannot stand beside hardware.buttons."
            )
        buttons = _buttons(said["buttons"], mistakes)
    else:
        buttons = _recommended(said, choices.get("lamps", "led"), mistakes)
    buzzer = _buzzer(said.get("buzzer"), len(buttons), mistakes)
    wiring = Wiring(buttons=buttons, buzzer=buzzer, **choices)
    mistakes += _impossible(wiring)
    if mistakes:
        raise BadWiring(mistakes)
    return wiring


def _recommended(
    said: Mapping[str, Any], lamps: LampKind, mistakes: list[str]
) -> tuple[ButtonWiring, ...]:
    seats, spares = said.get("seats", DEFAULT_SEATS), said.get("spares", 0)
    if not (_whole(seats) and _whole(spares)):
        return ()
    try:
        return default_wiring(seats, spares, lamps=lamps).buttons
    except BadWiring as bad:
        mistakes.extend(bad.mistakes)
        return ()


def _buttons(said: Any, mistakes: list[str]) -> tuple[ButtonWiring, ...]:
    if not isinstance(said, Sequence) or isinstance(said, str):
        mistakes.append("hardware.buttons is a list with one entry a button.")
        return ()
    buttons = []
    seat = spare = 0
    for place, entry in enumerate(said, start=1):
        where = f"hardware.buttons, entry {place}"
        if not isinstance(entry, Mapping):
            mistakes.append(f"{where}: this is not a button but {entry!r}.")
            continue
        mistakes += _unknown(entry, BUTTON_KEYS, where)
        is_spare = entry.get("spare", False) is True
        seat, spare = seat + (not is_spare), spare + is_spare
        name = entry.get("name", f"spare {spare}" if is_spare else f"seat {seat}")
        button = ButtonWiring(
            name=name if isinstance(name, str) and name.strip() else f"button {place}",
            pin=_pin(entry.get("pin"), f"{where}: pin", mistakes),
            lamp=_pin(entry.get("lamp"), f"{where}: lamp", mistakes),
            spare=is_spare,
            usb=entry["usb"] if isinstance(entry.get("usb"), str) else None,
            key=entry["key"] if isinstance(entry.get("key"), str) else None,
        )
        wired = "pin" in entry
        plugged = button.usb is not None and button.key is not None
        if wired == plugged:
            mistakes.append(f"{where} ({button.name}): give either a pin, or usb and key.")
        buttons.append(button)
    wiring = Wiring(buttons=tuple(buttons))
    if not FEWEST_SEATS <= wiring.seats <= MOST_SEATS:
        mistakes.append(f"A table has {FEWEST_SEATS} to {MOST_SEATS} seats, not {wiring.seats}.")
    if len(buttons) - wiring.seats > MOST_SPARES:
        mistakes.append(f"A table has at most {MOST_SPARES} spare buttons.")
    return tuple(buttons)


def _buzzer(said: Any, buttons: int, mistakes: list[str]) -> int | None:
    if said is True:
        return default_buzzer_pin(buttons)
    return None if said is False else _pin(said, "hardware.buzzer", mistakes)


def _pin(said: Any, where: str, mistakes: list[str]) -> int | None:
    if said is None:
        return None
    if _whole(said) and said in HEADER_PIN:
        return int(said)
    mistakes.append(f"{where} is GPIO {said!r}, which is not on the header (GPIO 2 to 27).")
    return None


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


def _whole(said: Any) -> bool:
    return isinstance(said, int) and not isinstance(said, bool)


def _unknown(said: Mapping[str, Any], known: Sequence[str], where: str) -> list[str]:
    return [
        f"{where}: there is no setting {key!r}{_did_you_mean(key, known)}"
        for key in said
        if key not in known
    ]


def _not_one_of(where: str, said: Any, allowed: Sequence[str]) -> str:
    return f"{where} is one of {', '.join(allowed)}, not {said!r}{_did_you_mean(said, allowed)}"


def _did_you_mean(said: Any, known: Sequence[str]) -> str:
    close = get_close_matches(str(said), known, n=1)
    return f"; did you mean {close[0]!r}?" if close else "."
