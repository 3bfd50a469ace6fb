"""Fingerprints: what was written by a program of another shape is known at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any, Literal

import msgspec
import pytest
from msgspec import Struct

from companion.common.fingerprint import declared, fingerprint
from companion.past.highlights import Highlights
from companion.past.records import MatchSheet
from companion.referee.model.table import Table
from companion.referee.sentences import described

TOLD = """
from companion.common.fingerprint import fingerprint
from companion.referee.model.table import Table
print(fingerprint(Table))
"""

Way = Literal["free", "refereed"]
Ways = Literal["free", "refereed", "quick"]


class Card(Struct):
    face: str
    points: int = 0


class OtherCard(Struct):
    face: str
    points: int = 1


class Base(Struct):
    number: int


class Hand(Base):
    cards: Mapping[int, tuple[Card, ...]]
    way: Way = "free"


class Same(Base):
    cards: Mapping[int, tuple[Card, ...]]
    way: Way = "free"


class Renamed(Base, rename="upper"):
    cards: Mapping[int, tuple[Card, ...]]
    way: Way = "free"


class OtherAlias(Base):
    cards: Mapping[int, tuple[Card, ...]]
    way: Ways = "free"


class OtherPart(Base):
    cards: Mapping[int, tuple[OtherCard, ...]]
    way: Way = "free"


class OtherTag(Base, tag="hand"):
    cards: Mapping[int, tuple[Card, ...]]
    way: Way = "free"


class Thrifty(Base, omit_defaults=True):
    cards: Mapping[int, tuple[Card, ...]]
    way: Way = "free"


@pytest.mark.parametrize("shape", [Table, MatchSheet, Highlights])
def test_every_part_of_what_is_kept_is_in_its_fingerprint(shape: type[Struct]) -> None:
    """The slow way of finding them is the measure of the quick one."""
    known = {part for part in declared(shape) if isinstance(part, type)}
    schema = msgspec.json.schema(shape, schema_hook=described)
    assert {part.__name__ for part in known if issubclass(part, Struct)} >= schema["$defs"].keys()
    assert set(_structs(msgspec.inspect.type_info(shape), set())) <= known


@pytest.mark.parametrize("other", [Renamed, OtherAlias, OtherPart, OtherTag, Thrifty])
def test_another_shape_has_other_declarations(other: type[Struct]) -> None:
    assert _as_hand(other) != _as_hand(Hand) == _as_hand(Same)


def test_every_process_says_the_same() -> None:
    told = {
        subprocess.run(
            [sys.executable, "-c", TOLD],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert told == {fingerprint(Table)}


def _as_hand(shape: type[Struct]) -> list[str]:
    return sorted(told.replace(shape.__name__, "Hand") for told in declared(shape).values())


def _structs(node: Any, seen: set[type]) -> Iterator[type]:
    """Find the structs in what msgspec says of a type."""
    if isinstance(node, msgspec.inspect.StructType):
        if node.cls in seen:
            return
        seen.add(node.cls)
        yield node.cls
    if isinstance(node, tuple):
        for one in node:
            yield from _structs(one, seen)
    elif isinstance(node, msgspec.inspect.Type | msgspec.inspect.Field):
        for name in node.__struct_fields__:
            yield from _structs(getattr(node, name), seen)
