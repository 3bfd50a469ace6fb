"""The obvious ways with plain gpiozero, for comparison.

The order in which `when_pressed` is called, a thread for each button that waits for its press, and
`bounce_time`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

from tests.kernel.guest.table import keep_the_interpreter_busy


def run(said: dict[str, Any]) -> None:
    """Note every press when it is heard of, and the ticks that gpiozero gives."""
    os.environ["LG_WD"] = "/tmp"
    from gpiozero import Button
    from gpiozero.pins.lgpio import LGPIOFactory

    factory = LGPIOFactory()
    arrivals: list[tuple[int, int, float]] = []

    def note(number: int, button: Button) -> None:
        arrived = time.monotonic_ns()
        arrivals.append((number, arrived, factory.ticks() - (button.active_time or 0.0)))

    def wait(number: int, button: Button) -> None:
        while True:
            button.wait_for_press()
            note(number, button)
            button.wait_for_release()

    buttons = []
    for number, pin in enumerate(said["pins"], start=1):
        button = Button(pin, bounce_time=said["bounce_time"], pin_factory=factory)
        if said["threads"]:
            threading.Thread(target=wait, args=(number, button), daemon=True).start()
        else:
            button.when_pressed = lambda number=number, button=button: note(number, button)
        buttons.append(button)
    if said["busy"]:
        threading.Thread(target=keep_the_interpreter_busy, daemon=True).start()
    print(json.dumps({"ready": "plain gpiozero"}), flush=True)
    sys.stdin.read()
    for number, arrived, ticks in arrivals:
        print(
            json.dumps(
                {
                    "kind": "heard",
                    "button": number,
                    "arrived": arrived,
                    "at": round(ticks * 1e9),
                }
            )
        )
    print(json.dumps({"status": {}}), flush=True)
