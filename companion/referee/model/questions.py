"""Questions: what the table asks when the evidence leaves more than one sensible reading."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from companion.referee.sentences import Sentence

QuestionKind = Literal[
    "was_race",
    "who_laid",
    "who_was_last",
    "called_in_time",
    "caught_in_time",
    "play_stands",
]


class Choice(Struct, frozen=True):
    """One answer that can be given: its key, and how it is said on a button."""

    key: str
    sentence: Sentence


ANSWERED_BY_A_PRESS: tuple[QuestionKind, ...] = ("was_race", "who_laid")
"""The player who laid a card says so; one who may have to draw does not decide that alone."""


class Question(Struct, frozen=True, omit_defaults=True):
    """One line with its answers; play goes on meanwhile."""

    number: int
    kind: QuestionKind
    about: str
    """What it is about, by which it is known again: the same thing is not asked twice."""
    sentence: Sentence
    at: int
    """When it was first shown."""
    choices: tuple[Choice, ...]
    seats: tuple[int, ...] = ()
    """Whom it concerns."""
    until: int | None = None
    """When it goes away by itself."""

    @property
    def asked_seats(self) -> tuple[int, ...]:
        """The seats whose lamps and phones ask; none where only the tablet does."""
        return self.seats if self.kind in ANSWERED_BY_A_PRESS else ()


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

    question: Question
    press: tuple[int, int]
    """By seat and moment; it says nothing else as long as it counts as the answer."""
