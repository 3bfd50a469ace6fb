"""`companion doctor`: each line is OK, or says what to do."""

from __future__ import annotations

from pathlib import Path

import click

from companion.care import doctor as look
from companion.care.doctor import Finding
from companion.cli.options import door_options, place_options, settings_in_spite_of_mistakes
from companion.cli.problems import ProblemFound
from companion.hall import kinds as kinds  # the hall's journal is looked at as well
from companion.keeping.folder_files import HALL
from companion.settings.configuration import (
    BadConfiguration,
    Settings,
    default_file,
    examine,
    parse,
)
from companion.settings.edition_file import BadEditions, load_editions
from hardware.wiring.reader import wiring_from
from hardware.wiring.wiring import BadWiring

WORDS = {"ok": "OK", "hint": "note", "act": "DO"}


@click.command()
@place_options
@door_options
def doctor(config: Path | None, data: Path | None, host: str | None, port: int | None) -> None:
    """Check everything that the table needs.

    These are pins, clock, power, disk, journal, backups, port and versions. Each line is OK,
    a note, or what to do. Exit code 1 means that something must be done. Nothing is changed, and
    the table may be running.
    """
    findings = examined(config, data, host, port)
    width = max(len(one.about) for one in findings)
    for one in findings:
        click.echo(f"{WORDS[one.state]:4}  {one.about:{width}}  {one.sentence}")
    if any(one.state == "act" for one in findings):
        raise ProblemFound("Something needs fixing; see the lines that begin with DO.")


def examined(
    config: Path | None, data: Path | None, host: str | None = None, port: int | None = None
) -> list[Finding]:
    """Look at everything, also where the configuration is wrong."""
    settings, starts = settings_in_spite_of_mistakes(config, data, host, port)
    folder = settings.data.folder
    door, runs = look.port(settings.server)
    return [
        look.versions(),
        look.configuration(_mistakes(config, folder), str(config or default_file())),
        _pins(settings, runs),
        look.clock(),
        look.voltage(),
        look.disk(folder),
        look.journal(folder),
        look.latest_backup(folder),
        *look.hall(folder / HALL),
        door,
        *_home(settings, config),
        look.last_starts(starts),
    ]


def _mistakes(config: Path | None, folder: Path) -> list[str]:
    try:
        settings, mistakes = examine(parse(config))
    except BadConfiguration as bad:
        return list(bad.mistakes)
    try:
        wiring_from(settings.hardware)
    except BadWiring as bad:
        mistakes.extend(bad.mistakes)
    try:
        load_editions(folder)
    except BadEditions as bad:
        mistakes.extend(bad.mistakes)
    return mistakes


def _home(settings: Settings, config: Path | None) -> list[Finding]:
    """Try the broker, where there is one; the game does not need it."""
    from companion.home.check import readable_by_all, try_broker
    from companion.home.connection.line import NoBroker, NoPaho

    home = settings.home
    if home is None or not home.host:
        return []
    secret = home.password_file or (config or default_file() if home.password else None)
    try:
        try_broker(home, settings.data.folder)
    except (NoBroker, NoPaho) as trouble:
        sentence = f"The broker cannot be reached: {trouble}. The game does not need it."
        return [Finding("Home", "hint", sentence)]
    if readable_by_all(secret):
        sentence = (
            f"The broker answers. Everybody on this machine can read its password in {secret}."
        )
        return [Finding("Home", "hint", sentence)]
    return [Finding("Home", "ok", "The broker answers.")]


def _pins(settings: Settings, runs: bool) -> Finding:
    """Open the pins as the table would, unless it has them."""
    # Imported late: gpiozero is slow to import, and only needed here.
    from hardware.pins.advice import explained
    from hardware.pins.factories import NoPins, open_pins

    if runs:
        return Finding("Pins", "ok", "The running table has them; its page /hardware shows more.")
    try:
        pins = open_pins(wiring_from(settings.hardware))
    except BadWiring:
        return Finding("Pins", "act", "They cannot be tried until the configuration is fixed.")
    except NoPins as missing:
        return Finding("Pins", "act", explained(missing))
    sentence = f"Factory {pins.name}, asked for {pins.asked}. {pins.sentence}"
    pins.close()
    if pins.missing:
        without = f"No buzzer sounds and no lamp can be dim: {pins.missing}."
        return Finding("Pins", "hint", f"{sentence} {without}")
    return Finding("Pins", "ok", sentence)
