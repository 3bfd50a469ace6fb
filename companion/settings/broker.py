"""What the configuration says about brokers: the home's, and one that a hall uses."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address
from pathlib import Path
from typing import Annotated, Any, TypeVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from companion.settings.toml_reader import SECRET, Port, TomlReader

PLAIN, SECURE = 1883, 8883
PRINTABLE = r"(?=.*\S)^[^\x00-\x1f\x7f-\x9f]*\Z"
WHOLE_PATH = "the whole path of a file, from / on"

Text = Annotated[str, Meta(max_length=128, pattern=PRINTABLE)]
SecretText = Annotated[str, Meta(max_length=128, pattern=PRINTABLE, extra=SECRET)]
Topic = Annotated[
    str,
    Meta(
        max_length=128,
        pattern=rf"(?![/$])(?!.*[+#])(?!.*/$){PRINTABLE}",
        description="a topic without +, #, a slash at an end or $ at the beginning",
    ),
]


class BrokerSettings(Struct, frozen=True, kw_only=True):
    """Where a broker is, and who speaks to it."""

    host: Text
    port: Port = PLAIN
    user: SecretText | None = None
    password: SecretText | None = None
    password_file: Annotated[Path, Meta(description=WHOLE_PATH, extra=SECRET)] | None = None
    tls: bool = False
    ca_file: Annotated[Path, Meta(description=WHOLE_PATH)] | None = None

    def __repr__(self) -> str:
        """Show where, and never the secrets."""
        return f"{type(self).__name__}({self.host}:{self.port})"


class Home(BrokerSettings, frozen=True, kw_only=True):
    """The broker of the home, and what it is told."""

    topic: Topic = "table-companion"
    discovery: bool = True
    discovery_prefix: Topic = "homeassistant"
    client_id: Text | None = None
    name: Text = "Card table"
    names: bool = True
    """Whether the players' names go to the broker."""


class HallBroker(BrokerSettings, frozen=True, kw_only=True):
    """A broker that exists already, which a hall uses instead of starting one."""

    tables: Annotated[Path, Meta(description=WHOLE_PATH)] = Path()
    """The passwords of the tables' users, a line for each: its number, a colon, the password."""


B = TypeVar("B", Home, HallBroker)


def read_hall_broker(section: Mapping[str, Any], reader: TomlReader) -> HallBroker | None:
    """Check the section; without one, a hall starts a broker of its own."""
    if not section:
        return None
    default = HallBroker(host="", tls="ca_file" in section)
    broker = reader.read(default, section, "hall.", needed=["host", "tables"])
    if "tables" in section and not broker.tables.is_absolute():
        reader.mistakes.append(f"hall.tables is {WHOLE_PATH}.")
    return _checked(broker, section, reader, "hall.")


def read_home(section: Mapping[str, Any], reader: TomlReader) -> Home | None:
    """Check the section; without one, nothing goes out."""
    if not section:
        return None
    home = Home(host="", tls="ca_file" in section)
    return _checked(reader.read(home, section, "home.", needed=["host"]), section, reader, "home.")


def _checked(broker: B, section: Mapping[str, Any], reader: TomlReader, place: str) -> B:
    if broker.tls and "port" not in section:
        broker = replace(broker, port=SECURE)
    reader.mistakes += _contradictions(broker, section, place)
    return broker


def _contradictions(home: Home | HallBroker, section: Mapping[str, Any], place: str) -> list[str]:
    mistakes = []
    if not _bare(home.host):
        words = "a name or an address alone; the port has a setting of its own"
        mistakes.append(f"{place}host is {words}, and {home.host!r} is more than that.")
    for key, path in (("password_file", home.password_file), ("ca_file", home.ca_file)):
        if path is not None and not path.is_absolute():
            mistakes.append(f"{place}{key} is {WHOLE_PATH}.")
    if home.ca_file is not None and not home.tls:
        mistakes.append(f"{place}ca_file is only of use with {place}tls = true.")
    if "password" in section and "password_file" in section:
        mistakes.append(f"{place}password and {place}password_file say the same: keep one.")
    if {"password", "password_file"} & section.keys() and "user" not in section:
        mistakes.append(f"{place}user is missing: a password belongs to a user.")
    return mistakes


def _bare(host: str) -> bool:
    """Whether this is a host without a port or a scheme; only IPv6 has colons of its own."""
    try:
        return not set(host) & set(":/ ") or bool(IPv6Address(host))
    except ValueError:
        return False
