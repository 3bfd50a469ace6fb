"""Playing at a table, whichever it is: people sit down, choose a match, and take its steps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.demo.steps import Steps, TimedCommand
from companion.referee import commands as c
from companion.referee.deadlines import next_deadline
from companion.referee.model.edition import Edition
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import SECOND
from companion.referee.model.table import Table

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gro", "Hugo", "Ida", "Jon", "Kim", "Lea")


class AnyTable(Protocol):
    """Where steps can be carried out; its time is moved on by them alone."""

    @property
    def table(self) -> Table:
        """The table as it is now."""

    @property
    def now(self) -> int:
        """Tell the table's time."""

    def carry_out(self, step: TimedCommand) -> Table:
        """Let a step happen, and give the table after it."""


def due_by(at: int, table: Table) -> int | None:
    """Tell when something falls due, if that is by this moment."""
    deadline = next_deadline(table)
    return deadline if deadline is not None and deadline <= at else None


def seat(table: AnyTable, players: int, names: Sequence[str] = NAMES) -> tuple[int, ...]:
    """Let so many sit down, each with a button, and tell their seats."""
    seats = tuple(range(1, players + 1))
    for number, name in zip(seats, names, strict=False):
        table.carry_out(TimedCommand(table.now + SECOND, c.Sit(name, number, number)))
    return seats


def set_up(table: AnyTable, edition: Edition, way: c.Way) -> None:
    """Choose what is played; the house rules are the companion's own."""
    command = c.SetUp(edition.key, "classic", way, HouseRules())
    table.carry_out(TimedCommand(table.now + SECOND, command))


def play(table: AnyTable, steps: Steps) -> tuple[TimedCommand, ...]:
    """Play steps through at a table, and give them as they were."""
    start = table.now
    played: list[TimedCommand] = []
    try:
        step = next(steps)
        while True:
            played.append(step)
            step = steps.send(table.carry_out(step.begun_at(start)))
    except StopIteration:
        return tuple(played)
