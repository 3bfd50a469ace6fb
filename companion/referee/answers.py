"""Answers to what the table asks."""

from __future__ import annotations

from typing import assert_never

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.draft import Draft
from companion.referee.evidence.material import evidence_of
from companion.referee.evidence.races.used_hands import hands_that_show
from companion.referee.model.questions import Question
from companion.referee.model.table import Race
from companion.referee.rules.race import excuse, name_layer, pick, since_of
from companion.referee.sentences import refuse, say
from companion.referee.settling.settle import settle


def answer(draft: Draft, command: c.Answer) -> None:
    """Take one of the choices of a question that is open."""
    question = next((q for q in draft.round.questions if q.number == command.question), None)
    if question is None:
        raise refuse("no_such_question")
    if command.answer not in {choice.key for choice in question.choices}:
        raise refuse("no_such_choice", answer=command.answer)
    draft.step("step_answer")
    _take(draft, question, command.answer)


def _take(draft: Draft, question: Question, key: str) -> None:
    match question.kind:
        case "was_race" | "who_laid":
            race = _race(draft, question)
            if key in ("no", "none"):
                evidence = evidence_of(draft.table, draft.round.began)
                draft.add(e.RaceDenied(hands_that_show(evidence, race, draft.timing)))
                settle(draft, say("again_no_race"), since_of(draft, race))
            else:
                layer = race.layer if key == "yes" else int(key)
                assert layer is not None
                name_layer(draft, race, layer)
        case "who_was_last":
            race = _race(draft, question)
            if key == "others":
                excuse(draft, race, race.unusable)
            else:
                pick(draft, race, (int(key),), say("again_answer"))
        case "called_in_time" | "caught_in_time":
            record = int(question.about.split()[-1])
            draft.add(e.CatchAnswered(record, key))
            settle(draft, say("again_answer"))
        case "play_stands":
            draft.add(e.QuestionClosed(question.number))
        case _:
            assert_never(question.kind)


def _race(draft: Draft, question: Question) -> Race:
    """The race that is asked about; one that was cancelled may have begun with the same hand."""
    anchor = int(question.about.split()[-1])
    return next(
        race for race in draft.round.races if race.anchor == anchor and race.state != "void"
    )
