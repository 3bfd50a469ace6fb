"""Of two players the other one is last in every race: no call or catch is taken for a slap."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, Evening, stands
from tests.referee.situations import free, on_one, presses, window

MS = MILLISECOND


def draws(table: Evening, rule: str) -> list[int]:
    """Who has to draw by the rulings that stand."""
    return [one.seat for ruling in table.rules(rule) if stands(ruling) for one in ruling.draws]


@pytest.mark.rule("R13")
@pytest.mark.parametrize("slaps", [True, False])
@pytest.mark.parametrize("turns_later", [0, 1])
def test_a_call_before_a_race_stays_one_whether_its_player_slaps_or_not(
    slaps: bool, turns_later: int
) -> None:
    """Ben called in time and was caught for nothing, then Ana laid a Street Race."""
    table = on_one(players=2)
    presses(table, (500, BEN), (900, ANA), (1500, ANA))
    table.wait(2 * SECOND)
    for _ in range(turns_later):
        table.do(c.Draw(), after=SECOND)
        table.do(c.Draw(), after=SECOND)
    table.play("street-race red")
    if slaps:
        table.wait(600 * MS)
        table.tap(BEN)
    table.wait(15 * SECOND)
    assert draws(table, "R12") == [BEN]
    assert draws(table, "R13") == []
    assert all(stands(ruling) for ruling in table.rules("R13"))


@pytest.mark.rule("R13")
def test_a_call_that_nobody_doubted_is_still_seen_after_a_race_was_recorded() -> None:
    table = on_one(players=2)
    presses(table, (500, BEN))
    call = window(table).call
    assert call is not None
    table.wait(2 * SECOND)
    table.play("street-race red")
    assert [one.call.at for one in table.round.calls.closed if one.call] == [call.at]


@pytest.mark.rule("R13")
def test_a_single_press_right_before_the_race_was_recorded_is_the_slap() -> None:
    table = on_one(players=2)
    presses(table, (3000, BEN))
    table.wait(800 * MS)
    table.play("street-race red")
    assert len(table.race.slaps) == 1
    assert not table.round.calls.closed


@pytest.mark.rule("R13")
def test_a_call_that_came_before_a_catch_is_one_however_soon_the_race_follows() -> None:
    table = on_one(players=2)
    presses(table, (300, BEN), (500, ANA), (900, ANA))
    table.play("street-race red")
    table.wait(15 * SECOND)
    assert draws(table, "R13") == []


@pytest.mark.rule("R12")
def test_of_a_call_and_a_slap_that_are_both_known_before_the_cards_the_slap_is_the_later_one() -> (
    None
):
    table = on_one(players=2)
    start = presses(table, (500, BEN), (3000, BEN))
    table.wait(4 * SECOND)
    table.play("street-race red")
    assert [slap.at - start for slap in table.race.slaps] == [3000 * MS]


@pytest.mark.rule("R13")
@pytest.mark.parametrize("apart", [500, 900])
def test_a_catch_that_was_ruled_stays_when_a_race_follows_in_which_its_player_does_not_slap(
    apart: int,
) -> None:
    """Ana was caught on one card; two turns later she lays a Street Race."""
    table = on_one(players=2)
    presses(table, (300, ANA), (300 + apart, ANA))
    table.wait(2 * SECOND)
    assert draws(table, "R13") == [BEN]
    table.play("red-2", "red-3", "red-4")
    table.play("street-race red")
    table.wait(15 * SECOND)
    assert draws(table, "R13") == [BEN]
    assert draws(table, "R12") == [ANA]


@pytest.mark.rule("R13")
def test_in_free_play_a_lonely_press_before_a_race_may_have_been_a_call_and_is_asked_about() -> (
    None
):
    table = free(2)
    presses(table, (0, BEN))
    table.wait(2 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.do(c.Catch(BEN), after=SECOND)
    table.wait(5 * SECOND)
    assert draws(table, "R12") == [BEN]
    assert draws(table, "R13") == []
    assert table.question.kind == "called_in_time"


@pytest.mark.rule("R13")
def test_in_free_play_a_press_after_the_race_was_named_is_its_slap_and_no_call() -> None:
    table = free(2)
    table.do(c.DeclareRace(ANA))
    presses(table, (500, BEN), (3000, ANA))
    table.do(c.Catch(BEN), after=SECOND)
    table.wait(5 * SECOND)
    assert draws(table, "R13") == [BEN]
