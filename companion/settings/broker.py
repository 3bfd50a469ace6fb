"""What the configuration says about the home: which broker, as whom, under which topics."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any

from msgspec import Struct

from companion.common.refusals import did_you_mean

PLAIN, SECURE = 1883, 8883
LONGEST = 128
FORBIDDEN = frozenset("+#\0")
SECRETS = frozenset({"user", "password", "password_file"})


class Home(Struct, frozen=True, kw_only=True):
    """The broker and how to speak to it."""

    host: str
    port: int = PLAIN
    user: str | None = None
    password: str | None = None
    password_file: Path | None = None
    tls: bool = False
    ca_file: Path | None = None
    topic: str = "table-companion"
    discovery: bool = True
    discovery_prefix: str = "homeassistant"
    client_id: str | None = None
    name: str = "Card table"
    names: bool = True
    """Whether the players' names go to the broker."""

    def __repr__(self) -> str:
        """Show where, and never the secrets."""
        return f"Home({self.host}:{self.port})"


SETTINGS = Home.__struct_fields__


def read_home(said: Mapping[str, Any], mistakes: list[str]) -> Home | None:
    """Check the section; without a word about the home, nothing goes out."""
    if not said:
        return None
    return _Reader(said, mistakes).home()


class _Reader:
    """Reads setting by setting and notes what is wrong, without repeating a secret."""

    def __init__(self, said: Mapping[str, Any], mistakes: list[str]) -> None:
        self._said = said
        self._mistakes = mistakes

    def home(self) -> Home:
        for key in self._said:
            if key not in SETTINGS:
                self._mistakes.append(
                    f"There is no setting home.{key}.{did_you_mean(key, SETTINGS)}"
                )
        if "host" not in self._said:
            self._mistakes.append("home.host is missing: it names the broker.")
        ca_file = self._path("ca_file")
        tls = self._flag("tls", ca_file is not None)
        if ca_file is not None and not tls:
            self._mistakes.append("home.ca_file is only of use with home.tls = true.")
        home = Home(
            host=self._host() or "",
            port=self._port(SECURE if tls else PLAIN),
            user=self._text("user"),
            password=self._text("password"),
            password_file=self._path("password_file"),
            tls=tls,
            ca_file=ca_file,
            topic=self._topic("topic", "table-companion"),
            discovery=self._flag("discovery", True),
            discovery_prefix=self._topic("discovery_prefix", "homeassistant"),
            client_id=self._text("client_id"),
            name=self._text("name") or "Card table",
            names=self._flag("names", True),
        )
        if "password" in self._said and "password_file" in self._said:
            self._mistakes.append("home.password and home.password_file say the same: keep one.")
        if {"password", "password_file"} & self._said.keys() and "user" not in self._said:
            self._mistakes.append("home.user is missing: a password belongs to a user.")
        return home

    def _text(self, key: str) -> str | None:
        value = self._said.get(key)
        if value is None:
            return None
        if isinstance(value, str) and value.strip() and value.isprintable():
            if len(value) <= LONGEST:
                return value
            self._mistakes.append(f"home.{key} is longer than {LONGEST} characters.")
            return None
        self._wrong(key, "a text", value)
        return None

    def _host(self) -> str | None:
        host = self._text("host")
        if host is None or not set(host) & set(":/ "):
            return host
        try:
            return str(IPv6Address(host))
        except ValueError:
            words = "a name or an address alone; the port has a setting of its own"
            self._mistakes.append(f"home.host is {words}, and {host!r} is more than that.")
            return None

    def _path(self, key: str) -> Path | None:
        value = self._said.get(key)
        if value is None:
            return None
        if isinstance(value, str) and value.isprintable():
            path = Path(value)
            with suppress(RuntimeError):
                path = path.expanduser()
            if path.is_absolute():
                return path
        self._mistakes.append(f"home.{key} is the whole path of a file, from / on.")
        return None

    def _flag(self, key: str, default: bool) -> bool:
        value = self._said.get(key, default)
        if isinstance(value, bool):
            return value
        self._wrong(key, "true or false", value)
        return default

    def _port(self, default: int) -> int:
        value = self._said.get("port", default)
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= 65535:
            return value
        self._wrong("port", "a whole number from 1 to 65535", value)
        return default

    def _topic(self, key: str, default: str) -> str:
        topic = self._text(key) or default
        if FORBIDDEN & set(topic) or topic.startswith(("/", "$")) or topic.endswith("/"):
            words = "a topic without +, #, a slash at an end or $ at the beginning"
            self._wrong(key, words, topic)
            return default
        return topic

    def _wrong(self, key: str, words: str, value: Any) -> None:
        shown = "" if key in SECRETS else f", not {value!r}"
        self._mistakes.append(f"home.{key} is {words}{shown}.")
