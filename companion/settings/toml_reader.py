"""The one reader of TOML: a struct declares what a section may say, and every mistake is named.

The struct's fields are the settings and their types say what fits. A `Meta` may describe a type in
better words than the reader has, and `SECRET` keeps a wrong value out of the sentence about it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import fields, replace

from companion.common.refusals import did_you_mean

SECRET = {"secret": True}
Port = Annotated[int, Meta(ge=1, le=65535)]

S = TypeVar("S", bound=Struct)


class BadToml(Exception):
    """A file cannot be read as TOML; the message is the sentence for people."""


class NoSuchFile(BadToml):
    """There is nothing to read."""


def parse_toml(file: Path) -> dict[str, Any]:
    """Read what a file says, unchecked, or raise `BadToml`."""
    try:
        return tomllib.loads(file.read_bytes().decode())
    except FileNotFoundError:
        raise NoSuchFile("There is no such file.") from None
    except OSError as error:
        mistake = f"It cannot be read: {error.strerror}."
    except UnicodeDecodeError:
        mistake = "It is not a text in UTF-8."
    except tomllib.TOMLDecodeError as error:
        mistake = f"It is not TOML: {error}."
    raise BadToml(mistake)


class TomlReader:
    """Reads section after section and collects every mistake with its place."""

    def __init__(self) -> None:
        self.mistakes: list[str] = []

    def sections(
        self, table: Mapping[str, Any], known: Iterable[str], place: str = ""
    ) -> dict[str, Mapping[str, Any]]:
        """Find the sections that a table has, in the order of the known ones."""
        self.unknown(table, known, f"section [{place}{{}}]")
        given = {name: table[name] for name in known if name in table}
        for name, section in given.items():
            if not isinstance(section, Mapping):
                self._no_section(f"{place}{name}")
        return {name: section for name, section in given.items() if isinstance(section, Mapping)}

    def read(
        self, default: S, section: Mapping[str, Any], place: str, needed: Iterable[str] = ()
    ) -> S:
        """Read a section into a struct; what is left out, or wrong, stays as in the default."""
        kinds = {field.name: field.type for field in fields(type(default))}
        self.unknown(section, kinds, f"setting {place}{{}}")
        self.mistakes.extend(f"{place}{key} is missing." for key in needed if key not in section)
        values = {
            key: self.value(kind, section[key], f"{place}{key}", getattr(default, key))
            for key, kind in kinds.items()
            if key in section
        }
        return replace(default, **values)

    def value(self, kind: Any, value: Any, name: str, default: Any) -> Any:
        """Read one value of this type, or note what is wrong and give the default."""
        try:
            return msgspec.convert(value, kind, dec_hook=_path)
        except msgspec.ValidationError:
            self._wrong(kind, value, name)
            return default

    def unknown(self, table: Mapping[str, Any], known: Iterable[str], naming: str) -> None:
        """Report every key of a table that is not known."""
        for key in table:
            if key not in known:
                hint = did_you_mean(key, known)
                self.mistakes.append(f"There is no {naming.format(key)}.{hint}")

    def _wrong(self, kind: Any, value: Any, name: str) -> None:
        plain, meta = _taken_apart(kind)
        if get_origin(plain) is dict:
            self._no_section(name)
            return
        shown = "" if meta.extra == SECRET else f", not {value!r}"
        hint = did_you_mean(str(value), get_args(plain)) if get_origin(plain) is Literal else ""
        self.mistakes.append(f"{name} is {_in_words(plain, meta)}{shown}.{hint}")

    def _no_section(self, name: str) -> None:
        self.mistakes.append(f"{name} is a section: write [{name}] above its settings.")


def _path(kind: type, value: Any) -> Path:
    """Make a path of a text; a tilde is a user's own folder."""
    if kind is not Path or not isinstance(value, str) or not value or not value.isprintable():
        raise ValueError
    try:
        return Path(value).expanduser()
    except RuntimeError as unknown:
        raise ValueError from unknown


def _taken_apart(kind: Any) -> tuple[Any, Meta]:
    """Split a type into the plain one and its limits; that it may be left out does not matter."""
    if NoneType in get_args(kind):
        kind = next(one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is Annotated:
        plain, meta = get_args(kind)
        return plain, meta
    return kind, Meta()


def _in_words(plain: Any, meta: Meta) -> str:
    if meta.description is not None:
        return meta.description
    if get_origin(plain) is Literal:
        return f"one of {', '.join(get_args(plain))}"
    if plain is bool:
        return "true or false"
    if plain is int:
        return "a whole number" + ("" if meta.ge is None else f" from {meta.ge} to {meta.le}")
    return "a text" + (f" of 1 to {meta.max_length} characters" if meta.max_length else "")
