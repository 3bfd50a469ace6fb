"""Writes the types of what a screen and the table say to each other, for the page's type check.

They come from the JSON Schema that `/api/schema` serves: `make lint` fails when the page reads a
field that the view does not have.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from companion.service.envelope import schema

Schema = dict[str, Any]

PLAIN = {
    "boolean": "boolean",
    "integer": "number",
    "null": "null",
    "number": "number",
    "string": "string",
}


def declarations(described: Schema) -> str:
    """Every shape of the schema as a type, in one namespace that every module sees."""
    sent = {name_of(one["$ref"]) for one in described["command"]["oneOf"]}
    optional = sent | {name_of(described["error"]["$ref"])}
    shapes = [
        declaration(type_name(name), shape, all_there=type_name(name) not in optional)
        for name, shape in described["$defs"].items()
    ]
    commands = " | ".join(sorted(sent))
    return "\n".join(["declare namespace Table {", *shapes, f"type Command = {commands};", "}", ""])


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
    target.write_text(declarations(schema()), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
