"""Two people tap in the same Street Race, one after the other."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening, stands
from tests.referee.situations import free, presses


def draws(table: Evening) -> list[int]:
    """Who has to draw for races."""
    return [one.seat for ruling in table.rules("R12") if stands(ruling) for one in ruling.draws]


@pytest.mark.rule("R12")
def test_a_race_that_was_answered_and_then_tapped_in_again_is_still_one() -> None:
    table = free(3)
    presses(table, (0, BEN), (200, CLEO))
    table.wait(2 * SECOND)
    (question,) = table.round.questions
    table.do(c.Answer(question.number, "yes"))
    table.do(c.DeclareRace(ANA), after=4 * SECOND)
    assert table.round.races[-1].state == "running", "a second one may have been laid"
    table.wait(15 * SECOND)
    assert draws(table) == [CLEO]
    assert [race.state for race in table.round.races] == ["ruled"]


@pytest.mark.rule("R12")
def test_a_stray_hand_after_the_second_tap_makes_nobody_last() -> None:
    table = free(3)
    presses(table, (0, BEN), (200, CLEO))
    table.do(c.DeclareRace(ANA), after=SECOND)
    table.do(c.DeclareRace(ANA), after=5 * SECOND)
    table.tap(CLEO)
    table.wait(15 * SECOND)
    assert draws(table) == [CLEO], "for the race that there was, and for no other"
    assert table.round.races[-1].outcome == "no_order"
    table.do(c.CancelRace())
    assert draws(table) == [CLEO]


@pytest.mark.rule("R12")
def test_a_second_race_of_the_same_player_with_its_own_slaps_is_another_one() -> None:
    table = free(3)
    presses(table, (0, BEN), (200, CLEO))
    table.do(c.DeclareRace(ANA), after=SECOND)
    table.do(c.DeclareRace(ANA), after=8 * SECOND)
    presses(table, (300, CLEO), (500, BEN))
    table.wait(2 * SECOND)
    assert draws(table) == [CLEO, BEN]


@pytest.mark.rule("R12")
def test_a_race_in_which_nobody_slapped_is_left_to_the_referee_where_no_other_was_named() -> None:
    table = free(3)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert table.round.races[-1].outcome == "nobody_slapped"


@pytest.mark.rule("R12")
@pytest.mark.parametrize("wrong", [BEN, CLEO])
@pytest.mark.parametrize("apart", [1600, 2500])
def test_slow_slaps_belong_to_the_race_that_all_of_them_fit_and_the_other_name_was_a_slip(
    wrong: int, apart: int
) -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(wrong))
    table.slaps(ben=200, cleo=200 + apart)
    table.do(c.DeclareRace(ANA), after=SECOND)
    table.wait(12 * SECOND)
    assert [race.layer for race in table.round.races] == [ANA]
    assert (table.in_force, draws(table)) == (["last"], [CLEO])


@pytest.mark.rule("R12")
def test_a_name_that_was_found_to_be_a_slip_names_no_race_a_minute_later_either() -> None:
    table = free(5)
    table.do(c.DeclareRace(ANA))
    table.do(c.DeclareRace(BEN))
    presses(table, (0, ANA), (0, BEN))
    table.wait(15 * SECOND)
    before = table.round.races
    assert len(before) == 1
    table.wait(40 * SECOND)
    table.tap(ANA)
    table.wait(SECOND)
    assert table.round.races == before


@pytest.mark.rule("R12")
@pytest.mark.parametrize("later", [0, 5, 14])
def test_who_is_named_on_the_tablet_counts_more_than_the_answer_before_it(later: int) -> None:
    table = free()
    table.slaps(ben=0, cleo=200)
    table.wait(6 * SECOND)
    table.answer(str(DAN))
    table.do(c.DeclareRace(ANA), after=(2 + later) * SECOND)
    table.wait(14 * SECOND)
    assert [race.layer for race in table.round.races] == [ANA]
    assert table.in_force == ["never_slapped"]
    assert draws(table) == [DAN]
