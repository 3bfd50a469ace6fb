"""What happens at a table, told line by line for somebody who watches a match play itself."""

from __future__ import annotations

from collections.abc import Iterable

from companion.referee.events import (
    Event,
    MatchStarted,
    PressesDismissed,
    QuestionAsked,
    RulingGiven,
    RulingOverruled,
    StepTaken,
    Undone,
)
from companion.referee.sentences import Names, Sentence, spoken


def lines(events: Iterable[Event], names: Names) -> list[str]:
    """Tell each step, and below it what the referee ruled."""

    def text(sentence: Sentence) -> str:
        return spoken(sentence, names).text

    told: list[str] = []
    for event in events:
        match event:
            case MatchStarted(edition=edition):
                told.append(f"A match of {edition.name} begins.")
            case StepTaken(label):
                told.append(text(label))
            case Undone(label) | PressesDismissed(label):
                told.append(f"Taken back: {text(label)}")
            case RulingGiven(ruling) | RulingOverruled(ruling=ruling):
                told.append(f"    {ruling.rule}: {text(ruling.sentence)}")
            case QuestionAsked(question):
                told.append(f"    Asked: {text(question.sentence)}")
            case _:
                pass
    return told
