"""`companion hardware`: see every lamp and hear every button before the guests come."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.cli.hardware.button_sources import (
    Buttons,
    OwnButtons,
    TableButtons,
    TableGone,
    open_table,
)
from companion.cli.hardware.button_watch import Watch
from companion.cli.hardware.lamp_search import search_lamps
from companion.cli.hardware.usb_keys import assign_keys, hint
from companion.cli.options import FILE, TablePlan, place_options, plan_of
from companion.cli.problems import Misuse, ProblemFound, problems_told
from companion.settings.configuration import default_file
from hardware.checkup import report
from hardware.checkup.selftest import Check
from hardware.pins.advice import explained, held
from hardware.pins.factories import NoPins
from hardware.usb.encoders import NoEvdev

REPORT = Path("buttons-and-lamps.txt")


@click.command()
@place_options
@click.option("--simulate", is_flag=True, help="Use simulated buttons, whatever is wired.")
@click.option("--lamps/--no-lamps", default=True, help="Light the lamps one after the other first.")
@click.option("--find-lamps", is_flag=True, help="Light each lamp: press the one that is lit.")
@click.option("--fairness", is_flag=True, help="Wait for five pushes of each, and compare them.")
@click.option("--seconds", type=float, default=120.0, show_default=True, help="How long to listen.")
@click.option("--report", "file", type=FILE, help="Write the report here, as JSON if it ends so.")
@click.option("--assign", is_flag=True, help="Give the keys of USB encoders to the buttons.")
def hardware(
    config: Path | None,
    data: Path | None,
    simulate: bool,
    lamps: bool,
    find_lamps: bool,
    fairness: bool,
    seconds: float,
    file: Path | None,
    assign: bool,
) -> None:
    """Light every lamp, then show every button live until each was pressed once.

    While a table is open on this computer it has the buttons; then this shows what the table sees,
    as its page /hardware does. Exit code 1 means that a button was not heard, is broken or unlike
    the others.
    """
    with problems_told():
        plan = plan_of(config, data, simulate=simulate)
    if assign:
        assign_keys(plan.wiring, config or default_file())
        return
    if find_lamps:
        with hardware_log_quiet():
            search_lamps(plan.wiring, config or default_file())
        return
    with hardware_log_quiet():
        seen = look(buttons_of(plan, simulate), lamps, fairness, seconds, file or REPORT)
    if file is not None:
        click.echo(f"Written to {save(seen, file)}.")
    sum_up(seen)


@contextmanager
def hardware_log_quiet() -> Iterator[None]:
    """Keep warnings out of the log that the screen shows anyway."""
    log = logging.getLogger("hardware")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)


def look(buttons: Buttons, lamps: bool, fairness: bool, seconds: float, file: Path) -> Check:
    """Show the buttons, and tell what was seen in the end."""
    try:
        describe(buttons)
        if lamps:
            test_lamps(buttons)
        watch = Watch(buttons, fairness=fairness, save=lambda seen: save(seen, file))
        return watch.run(seconds)
    except TableGone as gone:
        raise ProblemFound(str(gone)) from gone
    except KeyboardInterrupt:
        raise ProblemFound("") from None
    finally:
        buttons.close()


def buttons_of(plan: TablePlan, simulate: bool) -> Buttons:
    """Take the buttons; where a table has them, or only it can be pressed, look through it."""
    server = plan.settings.server
    try:
        own = OwnButtons(plan.wiring)
    except (NoPins, NoEvdev) as missing:
        table = open_table(server.port, server.host) if held(missing) else None
        if table is None:
            raise Misuse(explained(missing)) from missing
        return table
    if own.check().why == "no_pi" and not simulate:
        table = open_table(server.port, server.host)
        if table is not None:
            own.close()
            return table
    return own


def describe(buttons: Buttons) -> None:
    """Say what hangs where, by which way it is read, and why that way."""
    if isinstance(buttons, TableButtons):
        click.echo(
            "A table is open and has the buttons; this is what it sees. "
            f"{buttons.address}/hardware shows the same, tests the lamps, "
            "and can keep presses from counting meanwhile."
        )
    seen = buttons.check()
    for line in report.described(seen):
        click.echo(line)
    for button in seen.buttons:
        lamp = ""
        if button.lamp_pin is not None:
            lamp = f", its lamp on GPIO {button.lamp_pin}, pin {button.lamp_header}"
        click.echo(f"  {button.number:2}  {button.name}: {button.place}{lamp}")
    if (advice := hint()) is not None:
        click.echo(advice)


def test_lamps(buttons: Buttons) -> None:
    """Light every lamp, one after the other."""
    lit = buttons.test_lamps()
    if lit is not None:
        click.echo("The lamps light up one after the other, then all together.")
        time.sleep(lit)


def save(seen: Check, file: Path) -> Path:
    """Write the report, as text or as JSON by the name of the file."""
    written = report.report(seen)
    as_json = file.suffix.lower() == ".json"
    try:
        file.write_bytes(report.as_json(written) if as_json else report.as_text(written).encode())
    except OSError as refused:
        raise ProblemFound(f"{file} could not be written: {refused.strerror}.") from refused
    return file


def sum_up(seen: Check) -> None:
    """Say that all is well, or name what is not."""
    names = {button.number: button.name for button in seen.buttons}
    lines = [f"{names[number]} was not heard." for number in seen.walk.silent]
    lines += [f"{b.name} is broken: {b.fault}." for b in seen.buttons if b.fault is not None]
    lines += map(str, seen.fairness.odd)
    if not seen.listening:
        lines.append("Nobody listens to the buttons.")
    if lines:
        raise ProblemFound("\n".join(lines))
    click.echo(f"All {len(names)} buttons were heard.")
    for line in report.fairness_lines(seen):
        click.echo(line)
