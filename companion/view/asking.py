"""Whom a question asks: some are for those concerned to answer, others only for the tablet."""

from __future__ import annotations

from companion.referee.model.questions import Question

ANSWERED_BY_A_PRESS = ("was_race", "who_laid")
"""The player who laid a card says so; one who may have to draw does not decide that alone."""


def asked_seats(question: Question) -> tuple[int, ...]:
    """Name the seats whose lamps and phones ask; none where only the tablet does."""
    return question.seats if question.kind in ANSWERED_BY_A_PRESS else ()
