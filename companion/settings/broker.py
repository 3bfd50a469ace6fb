"""What the configuration says about the home: which broker, as whom, under which topics."""

from __future__ import annotations

from collections.abc import Mapping
from ipaddress import IPv6Address
from pathlib import Path
from typing import Annotated, Any

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


class Home(Struct, frozen=True, kw_only=True):
    """The broker and how to speak to it."""

    host: Text
    port: Port = PLAIN
    user: SecretText | None = None
    password: SecretText | None = None
    password_file: Annotated[Path, Meta(description=WHOLE_PATH, extra=SECRET)] | None = None
    tls: bool = False
    ca_file: Annotated[Path, Meta(description=WHOLE_PATH)] | None = None
    topic: Topic = "table-companion"
    discovery: bool = True
    discovery_prefix: Topic = "homeassistant"
    client_id: Text | None = None
    name: Text = "Card table"
    names: bool = True
    """Whether the players' names go to the broker."""

    def __repr__(self) -> str:
        """Show where, and never the secrets."""
        return f"Home({self.host}:{self.port})"


def read_home(section: Mapping[str, Any], reader: TomlReader) -> Home | None:
    """Check the section; without one, nothing goes out."""
    if not section:
        return None
    home = Home(host="", tls="ca_file" in section)
    home = reader.read(home, section, "home.", needed=["host"])
    if home.tls and "port" not in section:
        home = replace(home, port=SECURE)
    reader.mistakes += _contradictions(home, section)
    return home


def _contradictions(home: Home, section: Mapping[str, Any]) -> list[str]:
    mistakes = []
    if not _bare(home.host):
        words = "a name or an address alone; the port has a setting of its own"
        mistakes.append(f"home.host is {words}, and {home.host!r} is more than that.")
    for key, path in (("password_file", home.password_file), ("ca_file", home.ca_file)):
        if path is not None and not path.is_absolute():
            mistakes.append(f"home.{key} is {WHOLE_PATH}.")
    if home.ca_file is not None and not home.tls:
        mistakes.append("home.ca_file is only of use with home.tls = true.")
    if "password" in section and "password_file" in section:
        mistakes.append("home.password and home.password_file say the same: keep one.")
    if {"password", "password_file"} & section.keys() and "user" not in section:
        mistakes.append("home.user is missing: a password belongs to a user.")
    return mistakes


def _bare(host: str) -> bool:
    """Whether this is a host without a port or a scheme; only IPv6 has colons of its own."""
    try:
        return not set(host) & set(":/ ") or bool(IPv6Address(host))
    except ValueError:
        return False
