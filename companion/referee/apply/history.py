"""Steps forwards and back, the opening of the table, and what was forgotten."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from companion.referee import events as e
from companion.referee.apply.evidence import add_gap, usable_again, with_evidence
from companion.referee.apply.parts import the_match, the_round, with_match
from companion.referee.evidence.material import dismiss, evidence_of
from companion.referee.model.presses import Gap
from companion.referee.model.table import Game, NamedRace, Step, Table


def fold_history(table: Table, event: e.HistoryEvent) -> Table:
    """Write down a step, its undoing, that the service has started, or where something is gone."""
    match event:
        case e.StepTaken():
            by_press = event.by_press
            past = Step(event.label, event.at, table.game, table.past, by_press=by_press)
            return replace(table, past=past, future=table.future if by_press else None)
        case e.Undone(dismissed=dismissed):
            step = table.past
            assert step is not None
            table = _dismissed(table, dismissed, "no_race")
            return replace(
                table,
                game=step.game,
                past=step.below,
                future=replace(step, game=table.game, below=table.future, dismissed=dismissed),
            )
        case e.Redone():
            step = table.future
            assert step is not None
            table = _dismissed(table, step.dismissed, None)
            if step.hands_only:
                return replace(table, future=step.below)
            return replace(
                table,
                game=step.game,
                past=replace(step, game=table.game, below=table.past, dismissed=()),
                future=step.below,
            )
        case e.PressesDismissed(label, presses, kind):
            table = _dismissed(table, presses, kind)
            step = Step(label, 0, table.game, table.future, presses, hands_only=True)
            return replace(table, future=step)
        case e.AnswerWithdrawn(race, step_back):
            return _without_answer(table, race, step_back)
        case e.TableOpened(editions, timing, at, gap_since, players):
            players = max(table.players, players)
            table = replace(table, editions=editions, timing=timing, aside={}, players=players)
            table = usable_again(table, at)
            return table if gap_since is None else add_gap(table, Gap(gap_since, at))
        case e.Forgotten():
            return table
        case e.MatchForgotten():
            return _without_match(table, event)
        case _:
            assert_never(event)


def _dismissed(table: Table, presses: tuple[tuple[int, int], ...], kind: str | None) -> Table:
    """Mark presses of the round, or take the mark away."""
    match = table.game.match
    if not presses or match is None or match.round is None:
        return table
    evidence = evidence_of(table, match.round.began)
    return with_evidence(table, dismiss(evidence, presses, kind))


def _without_answer(table: Table, named: NamedRace, step_back: int | None) -> Table:
    """Be as if a press had not answered: its question is open again, and its step is gone."""
    assert named.answer is not None
    table = _dismissed(table, (named.answer.press,), None)
    round_ = the_round(the_match(table))
    round_ = replace(
        round_,
        named=tuple(other for other in round_.named if other != named),
        questions=(*round_.questions, named.answer.question),
    )
    past = table.past if step_back is None else _without_step(table.past, step_back)
    return replace(with_match(table, round=round_), past=past)


def _without_step(step: Step | None, back: int) -> Step | None:
    """The way back without one of its steps."""
    assert step is not None
    return step.below if back == 0 else replace(step, below=_without_step(step.below, back - 1))


def _without_match(table: Table, event: e.MatchForgotten) -> Table:
    """Go on as the match left the table; undo does not lead back into it, or past it."""
    return Table(
        version=table.version,
        game=Game(event.seats, event.setup, None, event.match),
        aside=event.aside,
        awaiting_button=event.awaiting_button,
        editions=event.editions,
        timing=event.timing,
        forgotten=tuple(sorted({*table.forgotten, event.match})),
        players=event.players,
    )
