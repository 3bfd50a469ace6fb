"""Giving the keys of USB encoders to buttons by pressing them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable

from hardware.usb.encoders import Encoder
from hardware.wiring.wiring import ButtonWiring


def assign(
    names: Iterable[str],
    pressed: Iterable[tuple[Encoder, str]],
    say: Callable[[str], None],
) -> tuple[ButtonWiring, ...]:
    """Ask for each button in turn, and take the next key that is not given away yet.

    `pressed` names each key as it is pressed, as `keys_pressed` does; when it ends, so does this.
    """
    buttons: list[ButtonWiring] = []
    keys = iter(pressed)
    for name in names:
        say(f"Press the button of {name}.")
        for encoder, key in keys:
            taken = next((b for b in buttons if (b.usb, b.key) == (str(encoder), key)), None)
            if taken is None:
                buttons.append(ButtonWiring(name=name, usb=str(encoder), key=key))
                say(f"  {name}: {buttons[-1].place}.")
                break
            say(f"  That is the button of {taken.name}.")
        else:
            break
    return tuple(buttons)


def configuration_of(buttons: Iterable[ButtonWiring]) -> str:
    """Write buttons down as they stand in the configuration file."""
    entries = []
    for button in buttons:
        settings = {
            "name": button.name,
            "pin": button.pin,
            "lamp": button.lamp,
            "usb": button.usb,
            "key": button.key,
            "spare": button.spare or None,
        }
        lines = [
            f"{key} = {json.dumps(value)}" for key, value in settings.items() if value is not None
        ]
        entries.append("\n".join(["[[hardware.buttons]]", *lines]))
    return "\n\n".join(entries) + "\n"
