"""A catch that is tapped in close to a Street Race: a press serves one of the two, or is asked."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, FINN, Evening, stands
from tests.referee.situations import free, presses, refereed

MS = MILLISECOND


def draws(table: Evening, rule: str) -> list[int]:
    """Who has to draw by the rulings that stand."""
    return [one.seat for ruling in table.rules(rule) if stands(ruling) for one in ruling.draws]


def undecided(table: Evening) -> bool:
    """Whether nobody knows yet who was last in the latest race."""
    return table.round.races[-1].state == "undecided"


@pytest.mark.rule("R12")
def test_the_press_of_a_catch_long_ruled_is_no_slap_of_a_race_in_which_a_hand_never_comes() -> None:
    table = free(3)
    presses(table, (0, CLEO))
    table.do(c.Catch(ANA, CLEO), after=7 * SECOND)
    table.wait(SECOND)
    table.tap(ANA)
    table.do(c.DeclareRace(BEN), after=3 * SECOND)
    table.wait(15 * SECOND)
    assert draws(table, "R13") == [ANA]
    assert draws(table, "R12") == []
    assert undecided(table)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("by", [None, CLEO])
@pytest.mark.parametrize("race_first", [True, False])
def test_a_race_and_a_catch_that_are_tapped_together_do_not_share_a_lonely_press(
    by: int | None, race_first: bool
) -> None:
    """Cleo pressed to catch Ben, Ana slapped three seconds later, and Cleo did not slap."""
    table = free(3)
    presses(table, (0, CLEO), (3500, ANA))
    table.wait(2 * SECOND)
    told: list[c.Command] = [c.DeclareRace(BEN), c.Catch(BEN, by)]
    for command in told if race_first else reversed(told):
        table.do(command)
    table.wait(15 * SECOND)
    assert draws(table, "R12") == []
    assert undecided(table)


@pytest.mark.rule("R12")
def test_whoever_caught_and_slaps_later_has_slapped_then() -> None:
    table = free(3)
    presses(table, (0, CLEO), (1600, ANA))
    table.do(c.DeclareRace(BEN), after=800 * MS)
    table.do(c.Catch(BEN, CLEO))
    table.wait(900 * MS)
    table.tap(CLEO)
    table.wait(15 * SECOND)
    assert draws(table, "R12") == [CLEO]


@pytest.mark.rule("R12")
def test_a_lonely_last_hand_is_last_whatever_it_meant() -> None:
    """Without it Dan had not slapped at all."""
    table = free(4)
    table.do(c.DeclareRace(ANA))
    presses(table, (300, BEN), (400, CLEO), (2500, DAN))
    table.do(c.Catch(ANA, DAN), after=2 * SECOND)
    table.wait(15 * SECOND)
    assert draws(table, "R12") == [DAN]


@pytest.mark.rule("R13")
def test_of_three_two_hands_like_slaps_are_asked_about_although_a_catch_was_tapped() -> None:
    """Ben laid the card; he had pressed long before to catch Cleo, and nobody says so."""
    table = free(3)
    presses(table, (0, BEN), (4300, ANA), (4420, CLEO))
    table.do(c.Catch(CLEO), after=2 * SECOND)
    table.wait(SECOND)
    (question,) = table.round.questions
    assert question.kind == "was_race"
    table.do(c.Answer(question.number, "yes"))
    table.wait(SECOND)
    assert draws(table, "R12") == [CLEO]
    assert draws(table, "R13") == [CLEO]


@pytest.mark.rule("R12")
def test_a_call_and_a_catch_that_came_apart_are_no_slaps_of_a_race_that_is_named_later() -> None:
    table = free(3)
    presses(table, (0, CLEO), (1400, ANA), (1800, CLEO))
    table.do(c.Catch(ANA, CLEO), after=1500 * MS)
    table.wait(SECOND)
    assert [r.outcome for r in table.rules("R13") if stands(r)] == ["called"]
    table.do(c.DeclareRace(BEN), after=5 * SECOND)
    assert table.round.races[-1].state == "running", "its own hands may still come"
    assert [r.outcome for r in table.rules("R13") if stands(r)] == ["called"]
    table.wait(15 * SECOND)
    assert draws(table, "R12") == []
    assert undecided(table)
    assert draws(table, "R13") == []


@pytest.mark.rule("R12")
def test_two_slaps_close_together_are_a_late_race_and_the_catch_keeps_its_own_press() -> None:
    table = free(3)
    presses(table, (0, CLEO), (1150, ANA), (1250, CLEO))
    table.do(c.Catch(ANA, CLEO), after=400 * MS)
    table.do(c.DeclareRace(BEN), after=9 * SECOND)
    table.wait(15 * SECOND)
    assert draws(table, "R12") == [CLEO]
    assert draws(table, "R13") == [ANA]


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("after", "asked"),
    [
        pytest.param(700, True, id="right after the slap it may be a call"),
        pytest.param(1600, False, id="later it is one"),
    ],
)
def test_a_press_right_after_a_slap_may_have_been_a_call(after: int, asked: bool) -> None:
    table = free(4)
    presses(table, (0, BEN), (100, CLEO), (300, DAN), (after, BEN), (3000, CLEO))
    table.do(c.Catch(BEN, CLEO), after=2 * SECOND)
    table.wait(SECOND)
    assert draws(table, "R12") == [DAN]
    assert draws(table, "R13") == []
    assert [q.kind for q in table.round.questions] == (["called_in_time"] if asked else [])


@pytest.mark.rule("R13")
def test_a_catcher_who_pressed_again_before_the_tap_does_not_outrun_an_old_call() -> None:
    """Ben called, Ana caught him a second later, and pressed once more; which one was it?"""
    table = free(4)
    presses(table, (0, BEN), (1200, ANA), (7000, ANA))
    table.do(c.Catch(BEN, ANA), after=2 * SECOND)
    table.wait(SECOND)
    assert draws(table, "R13") == []
    (question,) = table.round.questions
    assert question.kind == "called_in_time"
    table.do(c.Answer(question.number, "called"))
    assert [r.outcome for r in table.rules("R13") if stands(r)] == ["called"]


@pytest.mark.rule("R12")
@pytest.mark.parametrize("late", [1000, 1700])
def test_a_late_hand_that_a_catch_may_be_about_does_not_show_who_laid_the_card(late: int) -> None:
    """Eva laid it and then caught Dan, while Ben never slapped: so it looks like Ben's card."""
    table = free(5)
    presses(table, (0, CLEO), (10, ANA), (100, DAN), (late, EVA))
    table.do(c.Catch(DAN, EVA), after=2 * SECOND)
    table.wait(4 * SECOND)
    assert draws(table, "R12") == []
    (question,) = table.round.questions
    assert (question.kind, set(question.seats)) == ("who_laid", {BEN, EVA})
    table.do(c.Answer(question.number, str(EVA)))
    table.wait(12 * SECOND)
    assert draws(table, "R12") == [BEN]


@pytest.mark.rule("R12")
def test_where_two_hands_come_apart_from_all_others_the_table_asks_who_laid_the_card() -> None:
    """Eva laid it and called while Ana, who looked elsewhere, was still to slap."""
    table = free(6)
    presses(table, (0, FINN), (70, BEN), (180, CLEO), (245, DAN), (880, EVA), (1330, ANA))
    table.wait(6 * SECOND)
    assert draws(table, "R12") == []
    (question,) = table.round.questions
    assert question.kind == "who_laid"
    table.do(c.Answer(question.number, str(EVA)))
    table.wait(2 * SECOND)
    assert draws(table, "R12") == [ANA]


@pytest.mark.rule("R12")
@pytest.mark.parametrize("apart", [500, 900])
@pytest.mark.parametrize("slap", [True, False])
@pytest.mark.parametrize("late", [True, False])
def test_of_two_the_only_one_to_slap_can_catch_whoever_laid_the_race(
    apart: int, slap: bool, late: bool
) -> None:
    """The race was Ben's last card but one. Ana is last anyway, so she need not even slap."""
    table = refereed(players=2)
    table.hands(ben=2)
    if not late:
        table.play("street-race red")
    if slap:
        table.wait(500 * MS)
        table.tap(ANA)
    table.wait(3 * SECOND)
    table.catch_by_presses(ANA, apart * MS)
    if late:
        table.wait(6 * SECOND)
        table.play("street-race red")
    table.wait(2 * SECOND)
    assert draws(table, "R12") == [ANA]
    may_be_two_slaps = not slap and apart == 500
    assert draws(table, "R13") == ([] if may_be_two_slaps else [BEN])
