"""Steps of a match: what is brought to the table, and how long after its start."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from random import Random

from msgspec import Struct

from companion.referee.commands import Command, MissPresses, PushButton, PutBack, Release, SetAside
from companion.referee.model.presses import MILLISECOND
from companion.referee.model.table import Table
from companion.service.button_reports import shifted

WIRED = 5_000
"""How far off a good wired button may be, in nanoseconds."""
TAP = 80 * MILLISECOND
"""How long a finger stays on a button."""

Pushes = list[tuple[int, int]]
"""Buttons and the moments at which they are pushed."""


class TimedCommand(Struct, frozen=True):
    """A command and its moment; a press in it is dated from the start of the match, too."""

    at: int
    command: Command

    def begun_at(self, start: int) -> TimedCommand:
        """Let the same happen in a match that begins at this time of the table."""
        command = self.command
        if isinstance(command, PushButton | Release | SetAside | PutBack | MissPresses):
            command = shifted(command, start)
        return TimedCommand(start + self.at, command)


Steps = Generator[TimedCommand, Table, Table]
"""Gives steps, receives the table after each, and ends with the last one."""


def taps(pushes: Iterable[tuple[int, int]]) -> list[TimedCommand]:
    """Push buttons at these moments and let each go again, in the order of time."""
    steps: list[TimedCommand] = []
    for button, at in pushes:
        steps.append(TimedCommand(at, PushButton(button, at, WIRED)))
        steps.append(TimedCommand(at + TAP, Release(button, at + TAP, at)))
    return sorted(steps, key=lambda step: step.at)


def reactions(random: Random, buttons: Iterable[int], start: int) -> Pushes:
    """Let hands come down one after the other, far enough apart that none is in doubt."""
    hands = list(buttons)
    random.shuffle(hands)
    at = start + random.randrange(250, 450) * MILLISECOND
    pushes: Pushes = []
    for button in hands:
        pushes.append((button, at))
        at += random.randrange(20, 150) * MILLISECOND
    return pushes
