"""The sentences the referee speaks: a code with its parts, and players by their numbers.

No names and no text are kept in them. Text is made when somebody reads it, so a screen can say the
same in its own language, and a name that was changed or forgotten is so everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec import Raw, Struct

from companion.referee.english import ENGLISH

Who = tuple[int, ...]
"""Players by number: a part of a sentence that becomes their names."""
Names = Mapping[int, str]
_texts = dict(ENGLISH)


class Sentence:
    """What is said: a code with its parts."""

    __slots__ = ("code", "parts")

    def __init__(self, code: str, parts: Mapping[str, Part] | None = None) -> None:
        self.code = code
        self.parts: Mapping[str, Part] = parts or {}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sentence):
            return NotImplemented
        return (self.code, self.parts) == (other.code, other.parts)

    def __hash__(self) -> int:
        return hash(self.code)

    def __repr__(self) -> str:
        return f"Sentence({self.code!r}, {dict(self.parts)!r})"


Part = str | int | Who | Sentence | tuple[Sentence, ...]
"""A word, a figure, some players, or other sentences."""


class Spoken(Struct, frozen=True):
    """A sentence as it goes out: its English text, and parts that name the players."""

    code: str
    text: str
    parts: dict[str, str | int] = {}


RefusalKind = Literal["rule", "conflict", "missing", "later", "unavailable", "mistake", "unclear"]
"""By what something is refused: the game, the state of things, or the program itself."""


class Refusal(Exception):
    """Not possible now, and nothing is recorded; the sentence says why."""

    def __init__(
        self,
        sentence: Sentence,
        rule: str | None = None,
        *,
        insist: bool = False,
        kind: RefusalKind = "rule",
    ):
        super().__init__(sentence)
        self.sentence = sentence
        self.rule = rule
        self.insist = insist
        """Whether the referee may insist, and then it is recorded all the same."""
        self.kind = kind
        self.names: Names = {}
        """How the players are called whom it names."""

    def __str__(self) -> str:
        return self.spoken.text

    @property
    def spoken(self) -> Spoken:
        """The sentence as it goes out."""
        return spoken(self.sentence, self.names)


def say(code: str, **parts: Part) -> Sentence:
    """Make the sentence of this code with its parts."""
    return Sentence(code, parts)


def refuse(code: str, rule: str | None = None, *, insist: bool = False, **parts: Part) -> Refusal:
    """Make the refusal that says this sentence."""
    return Refusal(say(code, **parts), rule, insist=insist)


def also_say(texts: Mapping[str, str]) -> None:
    """Add the English of sentences that are spoken outside of the referee."""
    _texts.update(texts)


def spoken(sentence: Sentence, names: Names) -> Spoken:
    """Put a sentence into English, and names in the place of players.

    A sentence inside of another one leaves its code and its own parts as well, with which it can
    be said in another language.
    """
    parts: dict[str, str | int] = {}
    for key, part in sentence.parts.items():
        if isinstance(part, Sentence):
            inner = spoken(part, names)
            parts |= {**inner.parts, key: inner.text, f"{key}_code": inner.code}
        elif isinstance(part, tuple):
            parts[key] = ", ".join(_one(one, names) for one in part)
        else:
            parts[key] = part
    return Spoken(sentence.code, _texts[sentence.code].format(**parts), parts)


def _one(part: int | Sentence, names: Names) -> str:
    if isinstance(part, Sentence):
        return spoken(part, names).text
    return names.get(part) or f"Player {part}"


def speaking(names: Names) -> Callable[[Any], Any]:
    """Give the hook with which msgspec writes sentences for somebody who reads them."""

    def hook(value: Any) -> Any:
        if isinstance(value, Sentence):
            return spoken(value, names)
        raise NotImplementedError(type(value))

    return hook


def spoken_json(value: Any, names: Names) -> bytes:
    """Write a value as JSON for somebody who reads its sentences."""
    return msgspec.json.encode(value, enc_hook=speaking(names))


def spoken_fields(value: Struct, names: Names) -> dict[str, Raw]:
    """Write each field of a value as JSON of its own, for somebody who reads its sentences."""
    encode = msgspec.json.Encoder(enc_hook=speaking(names)).encode
    return {name: Raw(encode(getattr(value, name))) for name in value.__struct_fields__}


def packed(value: Any) -> Any:
    """Write a sentence for the journal: the hook with which msgspec encodes one."""
    if isinstance(value, Sentence):
        return [value.code, value.parts] if value.parts else value.code
    raise NotImplementedError(type(value))


def unpacked(kind: type, value: Any) -> Any:
    """Read a sentence from the journal: the hook with which msgspec decodes one."""
    if kind is not Sentence:
        raise NotImplementedError(kind)
    if isinstance(value, str):
        return Sentence(value)
    code, parts = value
    return Sentence(code, {k: tuple(v) if isinstance(v, list) else v for k, v in parts.items()})


def described(kind: type) -> dict[str, Any]:
    """Describe a sentence as it goes out: the hook with which msgspec writes JSON Schema."""
    if kind is not Sentence:
        raise NotImplementedError(kind)
    return {"$ref": "#/$defs/Spoken"}
