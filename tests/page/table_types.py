"""Writes the types of what a screen and the table say to each other, for the page's type check.

They come from the JSON Schema that `/api/schema` serves, and from the shapes of all other answers:
`make lint` fails when the page reads a field that the table does not send.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Set
from pathlib import Path
from typing import Any

import msgspec

from companion.keeping.forgetting import forgetting
from companion.past.briefs import Brief
from companion.past.records import MatchRecord
from companion.past.review.race_review import RaceReview
from companion.past.review.what_if import RaceIf, WhatIf
from companion.past.statistics.registry import Night
from companion.past.timeline import Timeline
from companion.referee.sentences import Spoken, described
from companion.service.envelope import schema
from hardware.checkup.selftest import Check
from web.hall.shapes import CorrectionShown, DeskShown, EveningShown, MatchShownByHall

Schema = dict[str, Any]

PLAIN = {
    "boolean": "boolean",
    "integer": "number",
    "null": "null",
    "number": "number",
    "string": "string",
}


ANSWERS: dict[str, tuple[type, ...]] = {
    "Past": (Brief, MatchRecord, Timeline, Night, RaceReview, RaceIf, WhatIf),
    "Forget": (forgetting.ForgettingPreview, forgetting.Outcome),
    "Hardware": (Check,),
    "Hall": (EveningShown, DeskShown, MatchShownByHall, CorrectionShown),
}
"""What the page fetches beside the view, each group in a namespace of its own."""


def table_types(table: Schema) -> str:
    """Every shape of the view and of the commands."""
    sent = {name_of(one["$ref"]) for one in table["command"]["oneOf"]}
    optional = sent | {name_of(table["error"]["$ref"])}
    commands = f"type Command = {' | '.join(sorted(sent))};"
    return namespace("Table", table["$defs"], optional, commands)


def answer_types(name: str, answers: tuple[type, ...]) -> str:
    """Every shape of some answers."""
    _, shapes = msgspec.json.schema_components(
        (*answers, Spoken), schema_hook=described, ref_template="#/$defs/{name}"
    )
    return namespace(name, shapes)


def namespace(name: str, shapes: Schema, optional: Set[str] = frozenset(), *more: str) -> str:
    """Shapes as types, in one namespace that every module sees."""
    types = [
        declaration(type_name(shape), value, all_there=type_name(shape) not in optional)
        for shape, value in shapes.items()
    ]
    return "\n".join([f"declare namespace {name} {{", *types, *more, "}", ""])


def declaration(name: str, shape: Schema, *, all_there: bool) -> str:
    """One shape; what the table sends is all there, what it reads or omits may be left out."""
    if "properties" not in shape:
        return f"type {name} = {type_of(shape)};"
    fields = [
        f"  {field}{'' if all_there or field in shape['required'] else '?'}: {type_of(value)};"
        for field, value in shape["properties"].items()
    ]
    return "\n".join([f"interface {name} {{", *fields, "}"])


def type_of(value: Schema | bool) -> str:
    """The type of one value."""
    match value:
        case {"$ref": reference}:
            return name_of(reference)
        case {"anyOf": several}:
            return " | ".join(type_of(one) for one in several)
        case {"enum": words}:
            return " | ".join(json.dumps(word) for word in words)
        case {"type": "array", "prefixItems": items}:
            return f"[{', '.join(type_of(one) for one in items)}]"
        case {"type": "array", "items": items}:
            return f"({type_of(items)})[]"
        case {"type": "object", "additionalProperties": dict(values)}:
            return f"Record<string | number, {type_of(values)}>"
        case {"type": list(several)}:
            return " | ".join(PLAIN[one] for one in several)
        case {"type": plain} if plain in PLAIN:
            return PLAIN[plain]
        case _:
            return "unknown"


def name_of(reference: str) -> str:
    """The name that a reference leads to."""
    return type_name(reference.removeprefix("#/$defs/"))


def type_name(name: str) -> str:
    """Two shapes that share a name are told apart by the room they are from."""
    room, _, own = name.rpartition(".")
    return f"{own}To{room.rpartition('.')[2].title()}" if room else own


def main(target: Path) -> None:
    """Write them all into this file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    answers = [answer_types(name, shapes) for name, shapes in ANSWERS.items()]
    target.write_text("\n".join([table_types(schema()), *answers]), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
