"""The material of a reading: the presses of a round by seat, and every record about them."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from companion.referee.commands import Way
from companion.referee.model.presses import Press
from companion.referee.model.questions import Question
from companion.referee.model.table import (
    Calls,
    Claim,
    Evidence,
    NamedCatch,
    NamedRace,
    Race,
    Table,
    Turn,
)

RUN = 64
"""So many presses of a seat are kept in one run."""


class Material(Struct, frozen=True):
    """Everything that a reading is made from."""

    seats: tuple[int, ...]
    way: Way
    raced: bool
    """Whether the edition has a Street Race at all."""
    evidence: Evidence
    began: int
    ended: int | None = None
    """When somebody went out."""
    turns: tuple[Turn, ...] = ()
    named: tuple[NamedRace, ...] = ()
    catches: tuple[NamedCatch, ...] = ()
    said: tuple[Press, ...] = ()
    withdrawn: Mapping[int, int] = {}
    drew_at: Mapping[int, tuple[int, ...]] = {}
    answers: Mapping[int, str] = {}
    denied: tuple[tuple[int, int], ...] = ()
    buttonless: tuple[int, ...] = ()
    """Seats that have no button at all."""
    handicaps: Mapping[int, int] = {}
    questions: tuple[Question, ...] = ()
    lapsed: tuple[Question, ...] = ()
    races: tuple[Race, ...] = ()
    """As they were read before; what is settled of them is not read again."""
    claims: tuple[Claim, ...] = ()
    calls: Calls = Calls()


def evidence_of(table: Table, began: int) -> Evidence:
    """Give the evidence of the round that was dealt then."""
    for evidence in reversed(table.evidence):
        if evidence.round_began == began:
            return evidence
    return Evidence(began)


def material_of(table: Table) -> Material | None:
    """Gather the material of the round at hand; None where no round is on."""
    match = table.game.match
    round_ = match.round if match is not None else None
    if match is None or round_ is None:
        return None
    seated = {seat.number: seat for seat in table.game.seats}
    return Material(
        seats=round_.seats,
        way=round_.way,
        raced=match.edition.race_card is not None,
        evidence=evidence_of(table, round_.began),
        began=round_.began,
        ended=round_.ended,
        turns=round_.turns,
        named=round_.named,
        catches=round_.catches,
        said=round_.said,
        withdrawn=round_.withdrawn,
        drew_at=round_.drew_at,
        answers=round_.answers,
        denied=round_.denied,
        buttonless=tuple(n for n in round_.seats if n in seated and seated[n].button is None),
        handicaps={
            n: seated[n].handicap for n in round_.seats if n in seated and seated[n].handicap
        },
        questions=round_.questions,
        lapsed=round_.lapsed,
        races=round_.races,
        claims=round_.claims,
        calls=round_.calls,
    )


def with_press(evidence: Evidence, press: Press) -> Evidence:
    """Add a press in its place; one that was long on its way may lie before others."""
    runs = list(evidence.presses.get(press.seat, ()))
    index = len(runs) - 1
    while index > 0 and runs[index][0].at > press.at:
        index -= 1
    if index < 0 or (index == len(runs) - 1 and len(runs[index]) >= RUN):
        if index >= 0 and press.at < runs[index][-1].at:
            runs[index] = _inserted(runs[index], press)
        else:
            runs.append((press,))
    else:
        runs[index] = _inserted(runs[index], press)
    return replace(evidence, presses={**evidence.presses, press.seat: tuple(runs)})


def with_release(evidence: Evidence, seat: int, pressed_at: int, at: int) -> Evidence:
    """Note when a push ended."""
    runs = evidence.presses[seat]
    index = max(i for i, run in enumerate(runs) if run[0].at <= pressed_at)
    run = tuple(
        replace(press, released_at=at) if press.at == pressed_at else press for press in runs[index]
    )
    changed = (*runs[:index], run, *runs[index + 1 :])
    return replace(evidence, presses={**evidence.presses, seat: changed})


def presses_between(evidence: Evidence, seat: int, since: int, until: int) -> list[Press]:
    """The presses of a seat in a stretch of time, in their order; older runs are not looked at."""
    found: list[Press] = []
    for run in reversed(evidence.presses.get(seat, ())):
        if run[-1].at < since:
            break
        if since <= run[0].at and run[-1].at <= until:
            found[:0] = run
        else:
            found[:0] = [press for press in run if since <= press.at <= until]
    return found


def set_aside(evidence: Evidence, seat: int, since: int, until: int) -> bool:
    """Whether the button of a seat was not believed at some time in between."""
    return any(
        span.seat == seat and span.since <= until and (span.until is None or span.until > since)
        for span in evidence.unusable
    )


def pressed(evidence: Evidence, seat: int, at: int) -> bool:
    """Whether this very press is known."""
    return bool(presses_between(evidence, seat, at, at))


def dismiss(evidence: Evidence, presses: Iterable[tuple[int, int]], kind: str | None) -> Evidence:
    """Mark presses as meaning nothing, or as no race of their own; None takes the mark away."""
    dismissed = {seat: dict(marks) for seat, marks in evidence.dismissed.items()}
    for seat, at in presses:
        marks = dismissed.setdefault(seat, {})
        if kind is None:
            marks.pop(at, None)
        else:
            marks[at] = kind  # type: ignore[assignment]
    return replace(evidence, dismissed={seat: marks for seat, marks in dismissed.items() if marks})


def _inserted(run: tuple[Press, ...], press: Press) -> tuple[Press, ...]:
    presses = list(run)
    insort(presses, press, key=lambda one: one.at)
    return tuple(presses)
