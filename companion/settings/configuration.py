"""The configuration: one TOML file with every mistake named at once; none is needed to play."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

import msgspec
import platformdirs
from msgspec import Meta, Struct

from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, Timing
from companion.settings.broker import HallBroker, Home, read_hall_broker, read_home
from companion.settings.toml_reader import BadToml, NoSuchFile, Port, TomlReader, parse_toml

APPLICATION = "table-companion"
FILE = "companion.toml"

SECTIONS = ("server", "data", "table", "timing", "house", "hardware", "home", "hall", "network")
FEWEST_SEATS, MOST_SEATS = 2, 10

Clients = Annotated[int, Meta(ge=8, le=1000)]
"""Fewer would leave no place beside those kept for the referee; each one costs threads."""
Names = Annotated[
    tuple[Annotated[str, Meta(min_length=1)], ...], Meta(description="a list of names")
]
Addresses = Annotated[
    tuple[Annotated[str, Meta(pattern=r"^[0-9a-fA-F.:]+$")], ...],
    Meta(description="a list of addresses such as 127.0.0.1"),
]
PageAddress = Annotated[
    str,
    Meta(
        pattern=r"^https?://[A-Za-z0-9.\-\[\]:]+$",
        description="an address such as https://table.example",
    ),
]
Milliseconds = Annotated[
    float, Meta(ge=0, le=600_000, description="a number of milliseconds from 0 to 600000")
]
"""No duration of the game is longer than ten minutes."""


class ServerSettings(Struct, frozen=True):
    """Where the page is served."""

    host: Annotated[str, Meta(description="a name or an address")] = "0.0.0.0"
    port: Port = 8080
    names: Names = ()
    """Further names of this machine, by which pages may address it."""
    clients: Clients = 64
    """So many screens may be connected at once."""
    knocks: bool = True
    """Whether knocking on a button shows the referee's link on the board."""
    proxies: Addresses = ()
    """Proxies in front of the table that are believed about their clients."""
    address: PageAddress | None = None
    """Where the page is reached by that way; links and codes lead there."""

    @property
    def all_names(self) -> tuple[str, ...]:
        """Every further name by which pages may address this machine."""
        own = urlsplit(self.address or "").hostname
        return self.names if own is None else (*self.names, own)


class DataFolder(Struct, frozen=True):
    """Where the journal and the editions are kept."""

    folder: Annotated[Path, Meta(description="the path of a folder")]


class TableSize(Struct, frozen=True):
    """How big the table is."""

    seats: Annotated[int, Meta(ge=FEWEST_SEATS, le=MOST_SEATS)] | None = None
    """Buttons on the recommended pins; the hardware section may say more."""


class NetworkSettings(Struct, frozen=True):
    """Whether the table opens a Wi-Fi of its own; the service that does so reads this too."""

    hotspot: Literal["auto", "on", "off"] = "auto"


class Settings(Struct, frozen=True):
    """Everything that can be configured, checked."""

    server: ServerSettings
    data: DataFolder
    table: TableSize
    timing: Timing
    house: HouseRules
    hardware: Mapping[str, Any]
    """For the wiring, which has its own checks."""
    home: Home | None = None
    """The broker that is sent what happens, where there is one."""
    hall: HallBroker | None = None
    """The broker that a hall uses instead of starting one."""
    network: NetworkSettings = NetworkSettings()


class BadConfiguration(Exception):
    """The configuration cannot be used; every mistake is named."""

    def __init__(self, where: str, mistakes: list[str]) -> None:
        self.where = where
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(mistakes))


def default_file() -> Path:
    """Tell where the configuration is looked for."""
    return Path(platformdirs.user_config_dir(APPLICATION)) / FILE


def default_folder() -> Path:
    """Tell where the matches are kept by default."""
    return Path(platformdirs.user_data_dir(APPLICATION))


def load(file: Path | None = None) -> Settings:
    """Read the configuration, or raise BadConfiguration with every mistake in it."""
    settings, mistakes = examine(parse(file))
    if mistakes:
        raise BadConfiguration(str(file or default_file()), mistakes)
    return settings


def parse(file: Path | None = None) -> Mapping[str, Any]:
    """Read what the file says, unchecked; a file that was not asked for may be missing."""
    path = default_file() if file is None else file
    try:
        return parse_toml(path)
    except BadToml as bad:
        if file is None and isinstance(bad, NoSuchFile):
            return {}
        raise BadConfiguration(str(path), [str(bad)]) from None


def examine(table: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Check what a configuration says; the settings hold if there are no mistakes."""
    reader = TomlReader()
    empty: dict[str, Mapping[str, Any]] = {name: {} for name in SECTIONS}
    sections = empty | reader.sections(table, SECTIONS)
    settings = Settings(
        server=reader.read(ServerSettings(), sections["server"], "server."),
        data=reader.read(DataFolder(default_folder()), sections["data"], "data."),
        table=reader.read(TableSize(), sections["table"], "table."),
        timing=_timing(sections["timing"], reader),
        house=reader.read(HouseRules(), sections["house"], "house."),
        hardware=sections["hardware"],
        home=read_home(sections["home"], reader),
        hall=read_hall_broker(sections["hall"], reader),
        network=reader.read(NetworkSettings(), sections["network"], "network."),
    )
    return settings, reader.mistakes


def _timing(section: Mapping[str, Any], reader: TomlReader) -> Timing:
    """Read the durations, which are written in milliseconds and kept in nanoseconds."""
    durations = msgspec.structs.asdict(Timing())
    reader.unknown(section, [f"{name}_ms" for name in durations], "setting timing.{}")
    for name, default in durations.items():
        key = f"{name}_ms"
        if key in section:
            usual = default / MILLISECOND
            duration = reader.value(Milliseconds, section[key], f"timing.{key}", usual)
            durations[name] = round(duration * MILLISECOND)
    timing = Timing(**durations)
    for least, most in (("catch_least", "catch_most"), ("slap_off_least", "slap_off_most")):
        if getattr(timing, least) > getattr(timing, most):
            reader.mistakes.append(f"timing.{least}_ms is longer than timing.{most}_ms.")
    return timing
