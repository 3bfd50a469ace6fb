"""Complaints about values that do not fit, in the words of a person instead of a library's."""

from __future__ import annotations

import re

import msgspec

_KINDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object with names and values",
    "null": "nothing",
}
_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(r"Expected `(?P<want>[^`]+)`, got `(?P<got>[^`]+)`"),
        "{want} is expected, not {got}",
    ),
    (re.compile(r"Expected `int` >= (?P<least>\S+)"), "{least} is the least"),
    (re.compile(r"Expected `int` <= (?P<most>\S+)"), "{most} is the most"),
    (re.compile(r"Expected `str` of length <= (?P<most>\S+)"), "{most} characters is the most"),
    (re.compile(r"Invalid enum value (?P<value>.+)"), "{value} is not one of the choices"),
    (re.compile(r"Object contains unknown field `(?P<name>.+)`"), "there is no {name} in it"),
    (re.compile(r"Object missing required field `(?P<name>.+)`"), "{name} is missing in it"),
)


def complaint(error: msgspec.ValidationError) -> tuple[str, str]:
    """Split an error into where it is and what is wrong there."""
    why, _, path = str(error).partition(" - at ")
    where = re.sub(r"[`$]|key in ", "", path).replace("[...]", "").strip(".")
    for pattern, sentence in _PATTERNS:
        match = pattern.fullmatch(why)
        if match is not None:
            words = {name: _in_words(value) for name, value in match.groupdict().items()}
            return where, sentence.format(**words)
    return where, why.replace("`", "")


def _in_words(value: str) -> str:
    return " or ".join(_KINDS.get(part, part) for part in value.split(" | "))
