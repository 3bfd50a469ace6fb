"""The sentences the referee speaks, by code, so that a screen can say the same in its language."""

from __future__ import annotations

from msgspec import Struct

from companion.referee.english import ENGLISH


class Sentence(Struct, frozen=True):
    """What is said: a code with its parts, and the English text as it was said."""

    code: str
    text: str
    parts: dict[str, str | int] = {}


class Refusal(Exception):
    """Not possible now, and nothing is recorded; the sentence says why."""

    def __init__(self, sentence: Sentence, rule: str | None = None, *, insist: bool = False):
        super().__init__(sentence.text)
        self.sentence = sentence
        self.rule = rule
        self.insist = insist
        """Whether the referee may insist, and then it is recorded all the same."""


def say(code: str, **parts: str | int) -> Sentence:
    """Put the parts into the sentence of this code."""
    return Sentence(code, ENGLISH[code].format(**parts), parts)


def refuse(
    code: str, rule: str | None = None, *, insist: bool = False, **parts: str | int
) -> Refusal:
    """Make the refusal that says this sentence."""
    return Refusal(say(code, **parts), rule, insist=insist)
