"""Are there lamps, and is each one at its own button? The terminal lights them one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
from msgspec.structs import replace

from companion.cli.hardware.button_sources import OwnButtons
from companion.cli.hardware.keys import Keys
from companion.cli.problems import Misuse, ProblemFound
from hardware.checkup.light_trial import Lights
from hardware.checkup.selftest import Check
from hardware.pins.advice import explained
from hardware.pins.factories import NoPins
from hardware.wiring.wiring import Wiring

LOOK_EVERY = 0.1


def search_lamps(
    wiring: Wiring, file: Path, open_buttons: Callable[[Wiring], OwnButtons] = OwnButtons
) -> None:
    """Light every lamp once, and print the line for the configuration when all are right."""
    lamps = replace(wiring, lamps="led") if wiring.lamps == "auto" else wiring
    try:
        buttons = open_buttons(lamps)
    except NoPins as missing:
        raise Misuse(explained(missing)) from missing
    try:
        if not buttons.try_lights():
            raise Misuse('There are no lamps: the configuration says lamps = "none".')
        seen = _watch(buttons)
    except KeyboardInterrupt:
        raise ProblemFound("") from None
    finally:
        buttons.close()
    assert seen.lights is not None
    if troubles := list(_troubles(seen, seen.lights)):
        raise ProblemFound("\n".join(troubles))
    click.echo("Every lamp lights up at its own button.")
    if wiring.lamps == "auto":
        click.echo(f'To keep them, put this under [hardware] in {file}:\n\nlamps = "led"')


def _watch(buttons: OwnButtons) -> Check:
    click.echo("Press the one that is lit; Ctrl-C ends.")
    left, shown = -1, ""
    with Keys() as keys:
        while True:
            seen = buttons.check()
            if seen.lights is None or seen.lights.state != "lit":
                return seen
            if seen.lights.left != left:
                left = seen.lights.left
                click.echo(f"{left} to go.")
            if seen.simulated and _shining(seen) != shown:
                shown = _shining(seen)
                click.echo(shown or "All simulated lamps are dark.")
            key = keys.wait(LOOK_EVERY)
            if key is not None and key.isdigit():
                buttons.tap(int(key) or 10)


def _shining(seen: Check) -> str:
    """Say which simulated lamp is lit, because it cannot be seen."""
    return "".join(
        f"The simulated lamp of {button.name} is lit: press {button.number % 10}."
        for button in seen.buttons
        if button.lamp_tested
    )


def _troubles(seen: Check, lights: Lights) -> list[str]:
    names = {button.number: button.name for button in seen.buttons}
    swapped = [
        f"The lamp of {names[lamp]} lights up at {names[there]}: swap the wires of their lamps."
        for lamp, there in lights.swapped
    ]
    unseen = [
        f"Nobody answered the lamp of {names[lamp]}: look at its wires, and which way round it is."
        for lamp in lights.unseen
    ]
    return swapped + unseen
