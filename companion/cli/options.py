"""The options that several commands share, and the settings that they lead to."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct
from msgspec.structs import replace

from companion.care.failed_starts import Starts
from companion.cli.problems import listed
from companion.keeping.folder_files import HALL
from companion.referee.model.edition import Edition
from companion.settings.configuration import (
    BadConfiguration,
    DataFolder,
    ServerSettings,
    Settings,
    default_file,
    examine,
    parse,
)
from companion.settings.edition_file import BadEditions, load_editions
from hardware.wiring.reader import wiring_from
from hardware.wiring.wiring import BadWiring, Wiring

Command = TypeVar("Command", bound=Callable[..., Any])

FILE = click.Path(dir_okay=False, path_type=Path)
FOLDER = click.Path(file_okay=False, path_type=Path)
AS_STARTED = dict(os.environ)
"""The environment before the server takes systemd's address out of it."""


class TablePlan(Struct, frozen=True):
    """All that is needed to open a table, checked."""

    settings: Settings
    wiring: Wiring
    editions: tuple[Edition, ...]


hall_option = click.option(
    "--hall", is_flag=True, help="The journal of the hall in this folder, not the table's."
)


def folder_of(config: Path | None, data: Path | None, *, hall: bool) -> Path:
    """Name the folder that is meant: the table's, or that of its hall."""
    folder = settings_of(config, data).data.folder
    return folder / HALL if hall else folder


def place_options(command: Command) -> Command:
    """Let a command say which configuration and which data folder are meant."""
    data = click.option("--data", type=FOLDER, help="The folder with the matches.")
    config = click.option("--config", type=FILE, help="The configuration file.")
    return data(config(command))


def door_options(command: Command) -> Command:
    """Let a command say where the page is served."""
    host = click.option("--host", help="The address to listen on.")
    port = click.option("--port", type=click.IntRange(0, 65535), help="The port of the page.")
    return host(port(command))


def settings_of(config: Path | None, data: Path | None) -> Settings:
    """Read the configuration for a command that only looks at files."""
    settings, mistakes = examine(parse(config))
    if mistakes:
        raise BadConfiguration(str(config or default_file()), mistakes)
    return settings if data is None else replace(settings, data=DataFolder(data))


def plan_of(
    config: Path | None,
    data: Path | None,
    *,
    host: str | None = None,
    port: int | None = None,
    simulate: bool = False,
) -> TablePlan:
    """Read configuration, wiring and editions, and name the mistakes of all of them at once."""
    settings, mistakes = examine(parse(config))
    wiring: Wiring | None = None
    try:
        wiring = wiring_from(_hardware(settings, simulate))
    except BadWiring as bad:
        mistakes.extend(bad.mistakes)
    if mistakes or wiring is None:
        raise BadConfiguration(str(config or default_file()), mistakes)
    place = settings.data if data is None else DataFolder(data)
    settings = replace(settings, server=_served_at(settings.server, host, port), data=place)
    try:
        editions = load_editions(place.folder)
    except BadEditions as bad:
        raise listed(f"Editions in {place.folder} cannot be used:", bad.mistakes) from None
    return TablePlan(settings, wiring, editions)


def settings_in_spite_of_mistakes(
    config: Path | None, data: Path | None, host: str | None = None, port: int | None = None
) -> tuple[Settings, Starts]:
    """Read what can be read of a wrong configuration, and the record of the table's starts.

    Where it is wrong, the page is served where the table last was.
    """
    try:
        settings, mistakes = examine(parse(config))
    except BadConfiguration as bad:
        settings, mistakes = examine({})[0], list(bad.mistakes)
    folder = settings.data.folder if data is None else data
    # Where the folder is out of order, the record of this boot is in systemd's.
    spare = AS_STARTED.get("RUNTIME_DIRECTORY")
    starts = Starts(folder, None if spare is None else Path(spare.partition(":")[0]))
    server = settings.server
    if mistakes and starts.door is not None:
        server = ServerSettings(starts.door.host, starts.door.port, starts.door.names)
    server = _served_at(server, host, port)
    return replace(settings, data=DataFolder(folder), server=server), starts


def _served_at(server: ServerSettings, host: str | None, port: int | None) -> ServerSettings:
    server = server if host is None else replace(server, host=host)
    return server if port is None else replace(server, port=port)


def _hardware(settings: Settings, simulate: bool) -> dict[str, Any]:
    section = dict(settings.hardware)
    if settings.table.seats is not None and "buttons" not in section:
        section.setdefault("seats", settings.table.seats)
    if simulate:
        section["factory"] = "simulated"
    return section
