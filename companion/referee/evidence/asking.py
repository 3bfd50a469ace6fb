"""What a reading would ask: the kind of question, about what, and whom."""

from __future__ import annotations

from msgspec import Struct

from companion.referee.model.questions import QuestionKind


class Asking(Struct, frozen=True):
    """A question that the evidence raises, not yet put into words."""

    kind: QuestionKind
    about: str
    """The same for as long as it is the same question."""
    choices: tuple[str, ...]
    seats: tuple[int, ...]
    """Whom it concerns."""
    anchor: int
    """The race or the record that it is about."""
    until: int | None = None
    """When it goes away by itself."""


class AnsweredByPress(Struct, frozen=True):
    """A possible layer pressed once where the lamp had asked who laid a race."""

    question: int
    about: str
    layer: int
    press: tuple[int, int]
    """By seat and moment; it has said what it had to say."""
