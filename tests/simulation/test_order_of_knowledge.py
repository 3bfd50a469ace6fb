"""It does not matter in which order the table learns what happened.

The same presses and the same records, entered at the same moments: whatever the presses overtake on
their way, and however late the table is told that time has passed, the rulings in force in the end
are the same, as long as the same questions were shown and the same records refused in between;
people react to them. `ORDER_ROUNDS` says how many rounds are told.
"""

from __future__ import annotations

import os
from random import Random

import pytest
from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee import pressing
from companion.referee.deadlines import next_deadline
from companion.referee.draft import Draft
from companion.referee.evidence.races.answering import NOTICED
from companion.referee.model.presses import MILLISECOND, SECOND, Press, Timing
from companion.referee.model.questions import Question
from companion.referee.model.rulings import Finish, Ruling
from tests.simulation.late_table import PATIENCE, LateTable, truth_of
from tests.simulation.playing import FIRST
from tests.simulation.table import Playground, dealt
from tests.simulation.truth import Truth

ROUNDS = int(os.environ.get("ORDER_ROUNDS", "200"))
SEEDS = range(200, 200 + ROUNDS)
SHARE = max(20, ROUNDS // 8)
WAYS = (0, 40 * MILLISECOND, 400 * MILLISECOND, 3 * SECOND, 9 * SECOND)
"""How late a press may reach the table, in one telling after the other."""
BUSY = (400 * MILLISECOND, 3 * SECOND, 20 * SECOND)
"""So late is the table told that time has passed, in some more tellings."""


class Told:
    """One telling of a round: the same facts, each press and the time as late as chance has it."""

    def __init__(
        self,
        truth: Truth,
        records: list[tuple[int, c.Command]],
        latest: int,
        end: int,
        busy: int = 0,
    ) -> None:
        chance = Random(f"order {truth.seed} {latest}")
        table = dealt(truth.players, truth.edition, truth.way, FIRST, Timing())
        self.ground = Playground(table, luck=truth.seed, tells_time_late=busy)
        self._touches = truth.touches
        for at, command in records:
            self.ground.plan(at, command)
        for at, command in _of_hands(truth):
            self.ground.plan(at + (chance.randrange(latest) if latest else 0), command)
        self.ground.run(end)

    @property
    def asked(self) -> list[tuple[str, int]]:
        """What people saw as a question, and when."""
        return [(question.kind, question.at) for question in self.ground.asked]

    @property
    def heard(self) -> tuple[object, ...]:
        """What people saw the table say that they could not have foreseen, and when.

        Whoever lays a card before a late hand gives them four has so many fewer, and may be caught
        on one or go out; and undo takes back the hands that were known to belong to a race.
        """
        left = [turn.left for turn in self.ground.round.turns]
        marks = self.ground.table.evidence[-1].dismissed
        undone = {
            (seat, at)
            for seat, made in marks.items()
            for at, kind in made.items()
            if kind == "no_race"
        }
        return self.asked, self.ground.refused, left, self.ground.round.ended, undone

    @property
    def heard_whenever(self) -> tuple[object, ...]:
        """The same, whenever it was asked, while the same presses may be meant as answers."""
        return [(q.kind, self._answering(q)) for q in self.ground.asked], *self.heard[1:]

    def _answering(self, asked: Question) -> set[tuple[int, int]]:
        """The presses of those asked after their lamps had begun to blink."""
        begun = asked.at + NOTICED
        return {(t.seat, t.at) for t in self._touches if t.seat in asked.seats and t.at >= begun}

    @property
    def rulings(self) -> list[tuple[object, ...]]:
        """What stands in the end, whatever its number."""
        ruled = [*self.ground.in_force("R12"), *self.ground.in_force("R13")]
        return sorted((facts(one) for one in ruled if one.outcome != "void"), key=repr)


def facts(ruling: Ruling) -> tuple[object, ...]:
    """What a ruling says, without its number, its moment and how far apart the hands were."""
    layer = ruling.evidence.layer if isinstance(ruling.evidence, Finish) else None
    return ruling.rule, ruling.outcome, tuple(sorted(ruling.seats)), ruling.draws, layer


def _of_hands(truth: Truth) -> list[tuple[int, c.Command]]:
    made: list[tuple[int, c.Command]] = []
    for touch in truth.touches:
        made.append((touch.at, c.PushButton(touch.seat, touch.at, 20_000)))
        made.append((touch.until, c.Release(touch.seat, touch.until, touch.at)))
    return made


def tellings(seed: int) -> list[Told]:
    """The round of this seed, told once for every lateness of a press."""
    truth, records, end = facts_of(seed)
    return [Told(truth, records, latest, end) for latest in WAYS]


def busy_tellings(seed: int) -> list[Told]:
    """The round of this seed, told in good time and then once for every lateness of the time."""
    truth, records, end = facts_of(seed)
    late = WAYS[2]
    busy = (Told(truth, records, late, end + max(BUSY), busy) for busy in BUSY)
    return [Told(truth, records, 0, end), *busy]


def facts_of(seed: int) -> tuple[Truth, list[tuple[int, c.Command]], int]:
    """What happened in the round of this seed, what was recorded when, and when all is over."""
    truth = truth_of(seed)
    table = LateTable(truth)
    table.ground.on_question = None
    table.run()
    hands = (c.PushButton, c.Release, c.PassTime, c.Answer)
    records = [told for told in table.ground.told if not isinstance(told[1], hands)]
    return truth, records, table.teller.done + PATIENCE + 2 * max(WAYS)


@pytest.mark.parametrize("first", SEEDS[::SHARE])
def test_late_presses_change_no_ruling_in_the_end(first: int) -> None:
    compared = skipped = 0
    for seed in range(first, min(first + SHARE, SEEDS.stop)):
        told = tellings(seed)
        for other, latest in zip(told[1:], WAYS[1:], strict=True):
            if other.heard == told[0].heard:
                compared += 1
                late = f"seed {seed}, presses up to {latest / SECOND:g} s late"
                assert other.rulings == told[0].rulings, late
            else:
                skipped += 1
    assert skipped < compared / 3


@pytest.mark.parametrize("first", SEEDS[::SHARE])
def test_a_table_that_is_told_the_time_late_rules_the_same_in_the_end(first: int) -> None:
    compared = skipped = 0
    for seed in range(first, min(first + SHARE, SEEDS.stop), 2):
        prompt, *late = busy_tellings(seed)
        for other, busy in zip(late, BUSY, strict=True):
            if other.heard_whenever == prompt.heard_whenever:
                compared += 1
                told = f"seed {seed}, the time told {busy / SECOND:g} s late"
                assert other.rulings == prompt.rulings, told
            else:
                skipped += 1
    assert skipped < compared / 3


def test_a_ruling_against_somebody_else_would_be_noticed() -> None:
    for seed in range(100):
        told = tellings(seed)[0]
        ruled = [r for r in told.ground.in_force("R12") if r.draws]
        if ruled:
            other = replace(ruled[0], draws=(replace(ruled[0].draws[0], seat=10),))
            assert facts(other) != facts(ruled[0])
            return
    pytest.fail("no race was ruled in a hundred rounds")


def test_a_table_that_forgets_late_presses_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a press is lost because its news came late, the order begins to matter."""
    record = pressing._record

    def forgets(draft: Draft, pushed: Press) -> None:
        if draft.now.at - pushed.at < SECOND:
            record(draft, pushed)

    monkeypatch.setattr(pressing, "_record", forgets)
    for seed in range(50):
        told = tellings(seed)
        if any(other.rulings != told[0].rulings for other in told[1:]):
            return
    pytest.fail("no order of knowledge mattered")


def test_a_table_that_hears_nothing_while_it_waits_for_the_time_is_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    record = pressing._record

    def waits(draft: Draft, pushed: Press) -> None:
        due = next_deadline(draft.table)
        if due is None or draft.now.at <= due:
            record(draft, pushed)

    monkeypatch.setattr(pressing, "_record", waits)
    for seed in range(50):
        prompt, *late = busy_tellings(seed)
        if any(other.rulings != prompt.rulings for other in late):
            return
    pytest.fail("nothing was said while the table waited")
