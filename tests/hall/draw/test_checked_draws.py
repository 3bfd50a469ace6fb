"""Anybody can check the draws: each is made again from the seed and what had happened before it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.hall.commands import (
    ChangePlaces,
    DeskCommand,
    DrawRound,
    KeepApart,
    Leave,
    PlanEvening,
    SignUp,
    WriteResult,
)
from companion.hall.decisions import decide
from companion.hall.draw.checking import checked_draws
from companion.hall.evening import DrawnRound, Evening, Format, Plan
from companion.hall.events import HallEvent, RoundDrawn, apply
from companion.hall.keeper import HallKeeper
from tests.kit.command_line import companion


class Desk:
    """A desk that keeps all that has happened."""

    def __init__(self, people: int, kind: Format = "swiss", seed: int = 7) -> None:
        self.evening = Evening()
        self.events: list[HallEvent] = []
        self.do(PlanEvening(Plan(format=kind, seed=seed)))
        self.do(SignUp(tuple(f"P{number}" for number in range(1, people + 1))))

    def do(self, command: DeskCommand) -> None:
        for event in decide(self.evening, command):
            self.events.append(event)
            self.evening = apply(self.evening, event)

    def play(self, *, backwards: bool = False) -> None:
        """Let every table of the round come to a result."""
        assert self.evening.round is not None
        for seating in self.evening.round.tables:
            self.do(self.result(seating.table, backwards=backwards))

    def result(self, table: int, *, backwards: bool = False, redraw: bool = False) -> WriteResult:
        drawn = self.evening.rounds[0] if redraw else self.evening.round
        assert drawn is not None
        seating = next(one for one in drawn.tables if one.table == table)
        points = {one: 10 * (one if backwards else 900 - one) for one in seating.people}
        return WriteResult(drawn.number, table, points, "written at the desk", redraw)


@given(
    st.sampled_from(["swiss", "club", "progressive", "knockout"]),
    st.integers(8, 24),
    st.integers(0, 10**6),
)
@settings(max_examples=40)
def test_every_draw_of_an_evening_comes_out_the_same_from_its_seed(kind, people, seed):
    desk = Desk(people, kind, seed)
    desk.do(KeepApart(1, 2))
    desk.do(DrawRound(seed))
    desk.do(DrawRound(seed + 1, again=True))
    desk.play()
    desk.do(Leave(3))
    desk.do(DrawRound(seed + 2))
    made = list(checked_draws(desk.events))
    assert [(one.round, one.seed) for one in made] == [(1, seed), (1, seed + 1), (2, seed + 2)]
    assert all(one.same and one.way == "drawn" for one in made)


def test_a_final_for_people_who_were_chosen_by_hand_can_be_drawn_again():
    desk = Desk(12)
    desk.do(DrawRound(1))
    desk.play()
    desk.do(DrawRound(2, chosen=(2, 5, 7, 11)))
    assert all(one.same for one in checked_draws(desk.events))


def test_places_changed_by_hand_and_a_correction_are_told_as_such():
    desk = Desk(12)
    desk.do(DrawRound(1))
    assert desk.evening.round is not None
    one, other = (seating.people[0] for seating in desk.evening.round.tables[:2])
    desk.do(ChangePlaces(one, other))
    desk.play()
    desk.do(DrawRound(2))
    desk.do(desk.result(1, backwards=True, redraw=True))
    made = list(checked_draws(desk.events))
    assert [one.way for one in made] == ["drawn", "by_hand", "drawn", "corrected"]
    assert all(one.same for one in made)


def exchanged(drawn: DrawnRound) -> DrawnRound:
    """The same round with the first two tables' first people in each other's seat."""
    first, second, *rest = drawn.tables
    one, other = first.people[0], second.people[0]
    tables = (
        replace(first, people=(other, *first.people[1:])),
        replace(second, people=(one, *second.people[1:])),
    )
    return replace(drawn, tables=(*tables, *rest))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_draw_that_was_helped_along_is_found(seed):
    desk = Desk(12)
    desk.do(DrawRound(seed))
    *before, drawn = desk.events
    assert isinstance(drawn, RoundDrawn)
    helped = [*before, RoundDrawn(exchanged(drawn.round))]
    assert [one.same for one in checked_draws(helped)] == [False]


def test_the_command_line_makes_the_draws_of_a_hall_again(tmp_path: Path) -> None:
    folder = tmp_path / "hall"
    folder.mkdir()
    with closing(HallKeeper(folder)) as keeper:
        keeper.do(SignUp(tuple(f"P{number}" for number in range(1, 9))))
        keeper.do(DrawRound(41))
        keeper.do(ChangePlaces(*(seating.people[0] for seating in keeper.evening.rounds[0].tables)))
    told = companion("verify", "--data", tmp_path, "--hall")
    assert told.exit_code == 0, told.output
    assert "Round 1 was drawn from the seed 41." in told.output
    assert "Round 1: two people changed places at the desk." in told.output
