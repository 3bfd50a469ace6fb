"""The buttons in a terminal, live: a table that redraws itself, or a line for all that happens."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import click

from companion.cli.hardware.button_sources import Buttons
from companion.cli.hardware.keys import Keys
from hardware.checkup import report
from hardware.checkup.selftest import Check, milliseconds

LOOK_EVERY = 0.1
UP, CLEAR = "\x1b[{lines}A\r", "\x1b[0J"
HELP = "l lamps   w walk again   s save the report   q end"
SIMULATED = "1 to 0 press a simulated button   "


class Watch:
    """Shows the buttons until each was heard, the time is over, or `q` is pressed."""

    def __init__(
        self,
        buttons: Buttons,
        *,
        fairness: bool,
        save: Callable[[Check], Path],
        say: Callable[[str], None] = click.echo,
        drawing: bool | None = None,
    ) -> None:
        self._buttons = buttons
        self._fairness = fairness
        self._save = save
        self._say = say
        self._drawing = sys.stdout.isatty() if drawing is None else drawing
        self._drawn = 0
        self._note = ""
        self._before: Check | None = None

    def run(self, seconds: float) -> Check:
        """Watch; tell what was seen in the end."""
        what = "Press every button once"
        if self._fairness:
            what = f"Press every button {self._buttons.check().fairness.enough} times, all alike"
        self._say(f"{what}; Ctrl-C ends.")
        end = time.monotonic() + seconds
        with Keys() as keys:
            seen = self._look(keys)
            try:
                while not self._done(seen) and time.monotonic() < end:
                    key = keys.wait(min(LOOK_EVERY, max(0.0, end - time.monotonic())))
                    if key == "q":
                        break
                    self._obey(key, seen)
                    seen = self._look(keys)
            except KeyboardInterrupt:
                self._say("")
        return seen

    def _done(self, seen: Check) -> bool:
        compared = seen.fairness.verdict != "unknown" and not seen.fairness.wanting
        return seen.passed and (compared or not self._fairness)

    def _obey(self, key: str | None, seen: Check) -> None:
        match key:
            case "l":
                lit = self._buttons.test_lamps()
                self._note = "There is no lamp to light here." if lit is None else ""
            case "w":
                self._buttons.begin()
            case "s":
                self._note = f"Written to {self._save(seen)}."
            case str(digit) if digit.isdigit():
                self._buttons.tap(int(digit) or 10)
            case _:
                pass

    def _look(self, keys: Keys) -> Check:
        seen = self._buttons.check()
        if self._drawing:
            self._draw(seen, keys)
        else:
            for line in happened(self._before, seen):
                self._say(line)
        self._before = seen
        return seen

    def _draw(self, seen: Check, keys: Keys) -> None:
        wide = shutil.get_terminal_size().columns
        lines = [*report.table(seen, wide), "", report.walk_line(seen)]
        lines += report.fairness_lines(seen)
        if keys.open:
            lines.append((SIMULATED if seen.simulated else "") + HELP)
        lines.append(self._note)
        up = UP.format(lines=self._drawn) if self._drawn else ""
        click.echo(up + CLEAR + "\n".join(line[:wide] for line in lines))
        self._drawn = len(lines)


def happened(before: Check | None, now: Check) -> Iterable[str]:
    """Say what each button has done since the last look."""
    earlier = {} if before is None else {button.number: button for button in before.buttons}
    silent = len(now.walk.silent)
    left = f"{silent} to go" if silent else "that was the last"
    for button in now.buttons:
        old = earlier.get(button.number)
        presses = 0 if old is None else old.presses
        fault = None if old is None else old.fault
        if button.presses > presses:
            doubt = milliseconds(button.uncertainty)
            yield f"{button.name}: pressed, accurate to ±{doubt}; {left}."
        if button.fault != fault:
            yield f"{button.name}: " + (
                "works again." if button.fault is None else f"set aside, {button.fault}."
            )
