"""The envelope: how a screen's request is read, and how the table's answer is written.

The same JSON goes through both doors, HTTP and Socket.IO. Whatever is wrong with a request is
said in a sentence; only what people may ask for is read at all.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

import msgspec
from msgspec import Struct

from companion.common.complaints import complaint
from companion.common.refusals import did_you_mean, service_refusal
from companion.referee.commands import ButtonCommand, PersonCommand, ServiceCommand
from companion.referee.events import Event
from companion.referee.sentences import (
    Refusal,
    RefusalKind,
    Spoken,
    described,
)
from companion.view.shape import View

ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z_-]{7,63}")
STATUSES: Mapping[RefusalKind, int] = {
    "unclear": 400,
    "missing": 404,
    "conflict": 409,
    "rule": 422,
    "later": 429,
    "mistake": 500,
    "unavailable": 503,
}
"""Of HTTP, by the kind of a refusal."""
EXAMPLE = '{"id": "<uuid>", "kind": "sit", "version": 0, "name": "Ana"}'


def _kinds(union: object) -> dict[str, type[Struct]]:
    return {kind.__struct_config__.tag: kind for kind in get_args(union)}


PERSON_KINDS = _kinds(PersonCommand)
OTHER_KINDS = _kinds(ButtonCommand) | _kinds(ServiceCommand)

_ENVELOPE: dict[str, Any] = {
    "id": {"type": "string", "pattern": f"^{ID.pattern}$", "description": "A new one for each."},
    "version": {
        "type": ["integer", "null"],
        "minimum": 0,
        "description": "The version that the sender's screen showed.",
    },
}


@cache
def _decoder() -> msgspec.json.Decoder[PersonCommand]:
    """Prepare the reading of commands when the first one comes: a start waits for none."""
    return msgspec.json.Decoder(PersonCommand)


class Envelope(Struct, frozen=True):
    """A command, the id under which it counts once, and the version that its sender saw."""

    id: str
    version: int | None
    command: PersonCommand


class CommandAnswer(Struct, frozen=True):
    """What a command brought about, and the version of the table after it."""

    version: int
    events: tuple[Event, ...]


class Problem(Struct, frozen=True, omit_defaults=True):
    """Why not: a code for programs and a sentence for people; nothing was recorded."""

    error: str
    message: str
    parts: dict[str, str | int] = {}
    """What the sentence is made of."""
    rule: str | None = None
    """The number of the rule that forbids it."""
    insist: bool = False
    """Whether the referee may repeat it with `insist` or `confirm`."""
    version: int | None = None
    """The table's version, where the request was about an earlier one."""


def decode(body: bytes | str | Mapping[str, Any]) -> Envelope:
    """Read a request, or refuse it with a sentence."""
    fields = _object(body)
    kind = fields.get("kind")
    if kind is None:
        raise _bad("no_kind", example=EXAMPLE)
    if not isinstance(kind, str) or kind not in PERSON_KINDS:
        if isinstance(kind, str) and kind in OTHER_KINDS:
            raise _bad("not_from_a_screen", kind=kind)
        kind_name = str(kind)[:40]
        raise _bad("unknown_kind", kind=kind_name, hint=did_you_mean(kind_name, PERSON_KINDS))
    id_, version = _id(fields.pop("id", None)), _version(fields.pop("version", None))
    _check_names(kind, fields)
    try:
        command = _decoder().decode(msgspec.json.encode(fields))
    except msgspec.ValidationError as error:
        raise _wrong(error) from None
    return Envelope(id_, version, command)


def problem(refusal: Refusal) -> Problem:
    """Put a refusal into the shape in which it goes out."""
    sentence = refusal.spoken
    current = sentence.parts.get("current")
    return Problem(
        error=sentence.code,
        message=sentence.text,
        parts=sentence.parts,
        rule=refusal.rule,
        insist=refusal.insist,
        version=current if isinstance(current, int) else None,
    )


def error_body(refusal: Refusal) -> bytes:
    """Write a refusal as JSON."""
    return msgspec.json.encode(problem(refusal))


def status_of(refusal: Refusal) -> int:
    """Choose the HTTP status of a refusal."""
    return STATUSES[refusal.kind]


def schema() -> dict[str, Any]:
    """Describe every request, both answers and the view as JSON Schema."""
    kinds = tuple(PERSON_KINDS.values())
    shapes, parts = msgspec.json.schema_components(
        (*kinds, CommandAnswer, Problem, View, Spoken),
        schema_hook=described,
        ref_template="#/$defs/{name}",
    )
    *commands, answer, problem, view, _ = shapes
    for command in commands:
        request = parts[command["$ref"].removeprefix("#/$defs/")]
        request["properties"] = _ENVELOPE | request["properties"]
        request["required"] = ["id", *request["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What a screen and the table say to each other",
        "command": {"oneOf": commands},
        "answer": answer,
        "error": problem,
        "view": view,
        "$defs": parts,
    }


def _object(body: bytes | str | Mapping[str, Any]) -> dict[str, Any]:
    try:
        # What came as an object already goes the same way, so that both doors are equally strict.
        text = body if isinstance(body, bytes | str) else msgspec.json.encode(body)
        fields = msgspec.json.decode(text)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        why = str(error) if isinstance(error, msgspec.DecodeError) else "it cannot be read"
        raise _bad("not_json", why=why) from None
    if not isinstance(fields, dict):
        raise _bad("not_an_object")
    return fields


def _id(value: object) -> str:
    if value is None:
        raise _bad("no_id")
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise _bad("bad_id")
    return value


def _version(value: object) -> int | None:
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise _bad("bad_version")
    return value


def _check_names(kind: str, fields: Mapping[str, object]) -> None:
    known = {field.encode_name: field for field in msgspec.structs.fields(PERSON_KINDS[kind])}
    for name in fields:
        if name != "kind" and name not in known:
            raise _bad("unknown_field", kind=kind, field=name[:40], hint=did_you_mean(name, known))
    missing = [name for name, field in known.items() if field.required and name not in fields]
    if missing:
        raise _bad("missing_field", kind=kind, fields=" and ".join(missing))


def _wrong(error: msgspec.ValidationError) -> Refusal:
    field, why = complaint(error)
    return _bad("wrong_value", field=field or "kind", why=why)


def _bad(code: str, **parts: str | int) -> Refusal:
    return service_refusal(code, **parts)
