"""Fingerprints: whether something was written down by a program that shaped it the same way."""

from __future__ import annotations

import re
import sys
from functools import cache
from hashlib import sha256
from inspect import get_annotations
from typing import get_args

from msgspec import Struct

from companion import __version__

_WORD = re.compile(r"\w+")


@cache
def fingerprint(shape: type[Struct]) -> str:
    """Name the shape of a value in this very program; what has another one is made anew."""
    said = "\n".join(sorted(declared(shape).values()))
    return f"{__version__} {sha256(said.encode()).hexdigest()[:16]}"


def declared(shape: type[Struct]) -> dict[object, str]:
    """Tell how a struct is declared, and everything that its declaration names.

    Annotations are taken as they are written: working out their types takes ten times as long.
    """
    found: dict[object, str] = {}
    waiting: list[object] = [shape]
    while waiting:
        part = waiting.pop()
        if part in found:
            continue
        found[part] = repr(part)
        if isinstance(part, type) and issubclass(part, Struct):
            written = get_annotations(part)
            found[part] += f" {part.__struct_encode_fields__} {written} {_settings(part)}"
            names = vars(sys.modules[part.__module__])
            words = [names.get(word) for word in _WORD.findall(" ".join(written.values()))]
            waiting += part.__bases__
            waiting += [named for named in words if isinstance(named, type) or get_args(named)]
        else:
            waiting += get_args(part)
    return found


def _settings(part: type[Struct]) -> str:
    """Tell what else decides how a struct is written: its tag, and what it may leave out."""
    config = part.__struct_config__
    defaults = [getattr(default, "factory", default) for default in part.__struct_defaults__]
    return f"{config.tag_field} {config.tag} {config.array_like} {config.omit_defaults} {defaults}"
