"""Put what a reading asks into words, with its answers as choices."""

from __future__ import annotations

from collections.abc import Mapping

from companion.referee.draft import Draft
from companion.referee.model.questions import Asking, Choice, Question, QuestionKind
from companion.referee.sentences import Sentence, say

SENTENCES: Mapping[QuestionKind, tuple[str, str]] = {
    "was_race": ("ask_was_race", "name"),
    "who_laid": ("ask_who_laid", "names"),
    "who_was_last": ("ask_who_was_last", "names"),
    "called_in_time": ("ask_called_in_time", "name"),
    "caught_in_time": ("ask_caught_in_time", "name"),
}
"""How each is asked, and the part in which those who are meant stand."""

CHOICES: Mapping[str, str] = {
    "yes": "choice_yes",
    "no": "choice_no",
    "none": "choice_no_race",
    "others": "choice_others",
    "called": "choice_called",
    "caught": "choice_caught",
    "too_late": "choice_too_late",
    "stands": "choice_stands",
}
"""How each answer is said; a number stands for the player at that seat."""


def question_of(draft: Draft, asking: Asking) -> Question:
    """Give a question its words; its number is the version of the table that it comes with."""
    return Question(
        number=draft.table.version + 1,
        kind=asking.kind,
        about=asking.about,
        sentence=_sentence(draft, asking),
        at=draft.now.at,
        choices=tuple(Choice(key, _choice(draft, key)) for key in asking.choices),
        seats=asking.seats,
        until=asking.until,
    )


def _sentence(draft: Draft, asking: Asking) -> Sentence:
    seats = tuple(int(key) for key in asking.choices if key.isdecimal()) or asking.seats
    names = draft.who(*seats)
    code, part = SENTENCES[asking.kind]
    return say(code, **{part: names})


def _choice(draft: Draft, key: str) -> Sentence:
    if key.isdecimal():
        return say("choice_name", name=draft.who(int(key)))
    return say(CHOICES[key])
