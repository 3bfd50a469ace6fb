"""The configuration: one TOML file with every mistake named at once; none is needed to play."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import platformdirs
from msgspec import Struct

from companion.common.refusals import did_you_mean
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import MILLISECOND, Timing
from companion.settings.broker import Home, read_home

APPLICATION = "table-companion"
FILE = "companion.toml"

SECTIONS = ("server", "data", "table", "timing", "house", "hardware", "home")
FEWEST_SEATS, MOST_SEATS = 2, 10
CLIENTS = (8, 1000)
"""Fewer would leave no place beside those kept for the referee; each one costs threads."""
LONGEST_MS = 600_000
"""No duration of the game is longer than ten minutes."""


class Server(Struct, frozen=True):
    """Where the page is served."""

    host: str = "0.0.0.0"
    port: int = 8080
    names: tuple[str, ...] = ()
    """Further names of this machine, by which pages may address it."""
    clients: int = 64
    """So many screens may be connected at once."""
    knocks: bool = True
    """Whether knocking on a button shows the referee's link on the board."""


class Place(Struct, frozen=True):
    """Where the journal and the editions are kept."""

    folder: Path


class TableSize(Struct, frozen=True):
    """How big the table is."""

    seats: int | None = None
    """Buttons on the recommended pins; the hardware section may say more."""


class Settings(Struct, frozen=True):
    """Everything that can be configured, checked."""

    server: Server
    data: Place
    table: TableSize
    timing: Timing
    house: HouseRules
    hardware: Mapping[str, Any]
    """For the wiring, which has its own checks."""
    home: Home | None = None
    """The broker that is told what happens, where there is one."""


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
    """Tell where the matches are kept unless told otherwise."""
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
        return tomllib.loads(path.read_bytes().decode())
    except FileNotFoundError:
        if file is None:
            return {}
        mistake = "There is no such file."
    except OSError as error:
        mistake = f"It cannot be read: {error.strerror}."
    except UnicodeDecodeError:
        mistake = "It is not a text in UTF-8."
    except tomllib.TOMLDecodeError as error:
        mistake = f"It is not TOML: {error}."
    raise BadConfiguration(str(path), [mistake])


def examine(said: Mapping[str, Any]) -> tuple[Settings, list[str]]:
    """Check what a configuration says; the settings hold if there are no mistakes."""
    mistakes = [
        f"There is no section [{name}].{did_you_mean(name, SECTIONS)}"
        for name in said
        if name not in SECTIONS
    ]
    sections: dict[str, Mapping[str, Any]] = {}
    for name in SECTIONS:
        section = said.get(name, {})
        if not isinstance(section, Mapping):
            mistakes.append(f"{name} is a section: write [{name}] above its settings.")
            section = {}
        sections[name] = section
    reader = _Reader(mistakes)
    settings = Settings(
        server=reader.server(sections["server"]),
        data=reader.place(sections["data"]),
        table=reader.table(sections["table"]),
        timing=reader.timing(sections["timing"]),
        house=reader.house(sections["house"]),
        hardware=sections["hardware"],
        home=read_home(sections["home"], mistakes),
    )
    return settings, mistakes


class _Reader:
    """Reads section by section and notes what is wrong."""

    def __init__(self, mistakes: list[str]) -> None:
        self.mistakes = mistakes

    def server(self, said: Mapping[str, Any]) -> Server:
        self._known(said, "server", ("host", "port", "names", "clients", "knocks"))
        host = self._take(said, "server", "host", str, "a name or an address", Server().host)
        port = self._whole(said, "server", "port", 1, 65535)
        names = self._take(said, "server", "names", list, "a list of names", [])
        for name in names:
            if not isinstance(name, str) or not name:
                self._wrong("server", "names", "a list of names", names)
                break
        clients = self._whole(said, "server", "clients", *CLIENTS)
        return Server(
            host,
            Server().port if port is None else port,
            tuple(name for name in names if isinstance(name, str)),
            Server().clients if clients is None else clients,
            self._take(said, "server", "knocks", bool, "true or false", Server().knocks),
        )

    def place(self, said: Mapping[str, Any]) -> Place:
        self._known(said, "data", ("folder",))
        folder = self._take(said, "data", "folder", str, "the path of a folder", "")
        return Place(Path(folder).expanduser() if folder else default_folder())

    def table(self, said: Mapping[str, Any]) -> TableSize:
        self._known(said, "table", ("seats",))
        return TableSize(self._whole(said, "table", "seats", FEWEST_SEATS, MOST_SEATS))

    def timing(self, said: Mapping[str, Any]) -> Timing:
        names = {f"{field.name}_ms": field.name for field in msgspec.structs.fields(Timing)}
        self._known(said, "timing", tuple(names))
        durations: dict[str, int] = {}
        for key, name in names.items():
            if key not in said:
                continue
            value = said[key]
            if isinstance(value, bool) or not isinstance(value, int | float):
                self._wrong("timing", key, "a number of milliseconds", value)
            elif not 0 <= value <= LONGEST_MS:
                self._wrong("timing", key, f"between 0 and {LONGEST_MS} milliseconds", value)
            else:
                durations[name] = round(value * MILLISECOND)
        timing = msgspec.structs.replace(Timing(), **durations)
        for least, most in (("catch_least", "catch_most"), ("slap_off_least", "slap_off_most")):
            if getattr(timing, least) > getattr(timing, most):
                self.mistakes.append(f"timing.{least}_ms is longer than timing.{most}_ms.")
        return timing

    def house(self, said: Mapping[str, Any]) -> HouseRules:
        hints = get_type_hints(HouseRules)
        self._known(said, "house", tuple(hints))
        rules: dict[str, Any] = {}
        for name, hint in hints.items():
            if name not in said:
                continue
            value = said[name]
            if get_origin(hint) is Literal:
                choices = get_args(hint)
                if value in choices:
                    rules[name] = value
                else:
                    hint_text = did_you_mean(str(value), choices)
                    self._wrong("house", name, f"one of {', '.join(choices)}", value, hint_text)
            elif hint is bool:
                rules[name] = self._take(said, "house", name, bool, "true or false", False)
            else:
                number = self._whole(said, "house", name, 0, 100)
                if number is not None:
                    rules[name] = number
        return HouseRules(**rules)

    def _known(self, said: Mapping[str, Any], section: str, names: tuple[str, ...]) -> None:
        for key in said:
            if key not in names:
                hint = did_you_mean(key, names)
                self.mistakes.append(f"There is no setting {section}.{key}.{hint}")

    def _take(
        self,
        said: Mapping[str, Any],
        section: str,
        key: str,
        kind: type,
        words: str,
        default: Any,
    ) -> Any:
        value = said.get(key, default)
        if isinstance(value, kind):
            return value
        self._wrong(section, key, words, value)
        return default

    def _whole(
        self, said: Mapping[str, Any], section: str, key: str, least: int, most: int
    ) -> int | None:
        value = said.get(key)
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most:
            return value
        self._wrong(section, key, f"a whole number from {least} to {most}", value)
        return None

    def _wrong(self, section: str, key: str, words: str, value: Any, hint: str = "") -> None:
        self.mistakes.append(f"{section}.{key} is {words}, not {value!r}.{hint}")
