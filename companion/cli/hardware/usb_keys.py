"""USB encoders on the command line: which are plugged in, and whose button is which key."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from companion.cli.hardware.keys import Keys
from companion.cli.problems import Misuse, ProblemFound
from hardware.usb.assign import assign, configuration_of
from hardware.usb.encoders import Encoder, NoEvdev, find_encoders, keys_pressed
from hardware.wiring.wiring import Wiring

INPUTS = Path("/dev/input")
JOYSTICK = ("BTN_TRIGGER", "BTN_JOYSTICK", "BTN_SOUTH", "BTN_GAMEPAD", "BTN_A")
NOTHING = "No USB encoder is plugged in, nor anything else with keys."
FORBIDDEN = (
    "You may not read what is plugged in. Join the group with `sudo usermod -aG input $USER`, "
    "then log out and in again."
)


def hint() -> str | None:
    """Say that an encoder waits for its buttons; a mere keyboard is not mentioned."""
    try:
        joysticks = [one for one in find_encoders() if set(one.keys) & set(JOYSTICK)]
    except NoEvdev:
        return None
    names = ", ".join(str(encoder) for encoder in joysticks)
    if not joysticks:
        return None
    return f"USB encoder: {names}. `companion hardware --assign` gives its keys."


def assign_keys(
    wiring: Wiring,
    file: Path,
    *,
    find: Callable[[], tuple[Encoder, ...]] = find_encoders,
    pressed: Callable[[threading.Event], Iterable[tuple[Encoder, str]]] = keys_pressed,
) -> None:
    """Ask for each button in turn; the next key that is pressed is its own.

    `find` and `pressed` are given by tests that have no USB.
    """
    try:
        encoders = find()
    except NoEvdev as missing:
        raise Misuse(str(missing)) from missing
    if not encoders:
        raise ProblemFound(FORBIDDEN if any(INPUTS.glob("event*")) else NOTHING)
    click.echo("Plugged in:")
    for encoder in encoders:
        click.echo(f"  {encoder}, {len(encoder.keys)} keys, asked every {_interval(encoder)}")
    names = [button.name for button in wiring.buttons]
    stop = threading.Event()
    with Keys():
        try:
            given = assign(names, pressed(stop), click.echo)
        except KeyboardInterrupt:
            raise ProblemFound("\nNothing was assigned.") from None
    click.echo(f"\nPut this into {file}, instead of the buttons that are there:\n")
    click.echo('[hardware]\nlamps = "none"\n')
    click.echo(configuration_of(given), nl=False)


def _interval(encoder: Encoder) -> str:
    return f"{encoder.interval / 1_000_000:g} ms"
