"""`companion hardware`: see every lamp and hear every button before the guests come."""

from __future__ import annotations

import queue
import time
from pathlib import Path

import click

from companion.cli.options import place_options, plan_of
from companion.cli.problems import Misuse, Problem, problems_told
from companion.referee.commands import ButtonCommand, Press, PutBack, SetAside
from hardware.board import Board
from hardware.factories import NoPins
from hardware.usb import NoEvdev


@click.command()
@place_options
@click.option("--simulate", is_flag=True, help="Use simulated buttons, whatever is wired.")
@click.option("--lamps/--no-lamps", default=True, help="Light the lamps one after the other first.")
@click.option("--seconds", type=float, default=120.0, show_default=True, help="How long to listen.")
def hardware(
    config: Path | None, data: Path | None, simulate: bool, lamps: bool, seconds: float
) -> None:
    """Light every lamp, then wait until every button was pressed once.

    Exit code 1 tells that a button was not heard, or is broken. The table must not be running.
    """
    with problems_told():
        plan = plan_of(config, data, simulate=simulate)
    reports: queue.SimpleQueue[ButtonCommand] = queue.SimpleQueue()
    try:
        board = Board(plan.wiring, reports.put)
    except (NoPins, NoEvdev) as missing:
        raise Misuse(str(missing)) from missing
    walk = Walk(board)
    board.start()
    try:
        describe(board)
        if lamps:
            board.test_lamps()
        walk.listen(reports, seconds)
    except KeyboardInterrupt:
        click.echo()
    finally:
        board.stop()
    walk.sum_up()


def describe(board: Board) -> None:
    """Say what hangs where, and by which way it is read."""
    status = board.status()
    click.echo(f"Pin factory {status.factory} (asked for {status.asked}). {status.sentence}")
    for button in status.buttons:
        lamp = "" if button.lamp is None else ", with a lamp"
        click.echo(f"  {button.number:2}  {button.name}: {button.place}{lamp}")
    for remark in status.remarks:
        click.echo(remark)


class Walk:
    """Somebody goes around the table and presses every button once."""

    def __init__(self, board: Board) -> None:
        self._names = {button.number: button.name for button in board.status().buttons}
        self._silent = set(self._names)
        self._broken: dict[int, str] = {}

    def listen(self, reports: queue.SimpleQueue[ButtonCommand], seconds: float) -> None:
        """Tell what each button does, until all were heard or the time is over."""
        click.echo("Press every button once; Ctrl-C ends.")
        end = time.monotonic() + seconds
        while self._silent and (left := end - time.monotonic()) > 0:
            try:
                self.hear(reports.get(timeout=left))
            except queue.Empty:
                return

    def hear(self, report: ButtonCommand) -> None:
        """Take one report of a button."""
        match report:
            case Press(button=button, uncertainty=uncertainty):
                self._silent.discard(button)
                left = f"{len(self._silent)} to go" if self._silent else "that was the last"
                doubt = uncertainty / 1_000_000
                click.echo(f"{self._names[button]}: pressed, dated to ±{doubt:.2f} ms; {left}.")
            case SetAside(button=button, fault=fault):
                self._broken[button] = fault
                click.echo(f"{self._names[button]}: set aside, {fault}.")
            case PutBack(button=button):
                self._broken.pop(button, None)
                click.echo(f"{self._names[button]}: works again.")
            case _:
                pass

    def sum_up(self) -> None:
        """Say that all is well, or name what is not."""
        lines = [f"{self._names[button]} was not heard." for button in sorted(self._silent)]
        lines += [f"{self._names[b]} is broken: {fault}." for b, fault in self._broken.items()]
        if lines:
            raise Problem("\n".join(lines))
        click.echo(f"All {len(self._names)} buttons were heard.")
