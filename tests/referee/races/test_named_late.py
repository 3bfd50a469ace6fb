"""A race that is named late finds its own hands, and no others."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import MS, free, presses, refereed


@pytest.mark.rule("R12")
@pytest.mark.parametrize("ago", [8, 14, 25])
def test_hands_that_showed_another_layer_are_found_however_late_the_tap_is(ago: int) -> None:
    table = free()
    table.hands_off(ANA)
    table.wait(ago * SECOND)
    table.do(c.DeclareRace(DAN))
    table.wait(16 * SECOND)
    assert len(table.round.races) == 1
    assert table.in_force == ["never_slapped"]
    assert table.owed(ANA) == 4


@pytest.mark.rule("R12")
@pytest.mark.parametrize("ago", [8, 14, 20, 28])
def test_two_old_presses_are_not_taken_for_the_slaps_that_follow_the_card(ago: int) -> None:
    table = refereed()
    table.wait(40 * SECOND)
    presses(table, (0, CLEO), (150, ANA))
    table.wait(ago * SECOND)
    table.play("street-race red")
    table.wait(400 * MS)
    table.slaps(ana=0, cleo=200)
    table.wait(SECOND)
    assert table.in_force == ["last"]
    assert (table.owed(ANA), table.owed(CLEO)) == (0, 4)


@pytest.mark.rule("R12")
def test_hands_that_were_no_race_together_are_not_the_race_that_one_of_them_slapped_in() -> None:
    """Cleo calls UNO, Ana lays a race, Ben slaps at once and Cleo late; the two were no race."""
    table = Evening(3).start()
    table.slaps(cleo=0, ben=1300)
    table.wait(500 * MS)
    table.answer("no")
    table.wait(2 * SECOND)
    slap = table.tap(CLEO)
    table.wait(9 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(2 * SECOND)
    assert [press.at for press in table.race.slaps][1] == slap
    assert (table.in_force, table.owed(CLEO), table.owed(BEN)) == (["last"], 4, 0)


@pytest.mark.rule("R12")
def test_a_race_that_was_denied_by_mistake_is_still_found_when_it_is_tapped_in() -> None:
    table = Evening(3).start()
    table.slaps(ben=0, cleo=200)
    table.wait(2 * SECOND)
    table.answer("no")
    table.do(c.DeclareRace(ANA), after=3 * SECOND)
    table.wait(12 * SECOND)
    assert (table.in_force, table.owed(CLEO)) == (["last"], 4)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("between", [4, 6, 12])
def test_of_two_races_the_one_whose_layer_kept_off_is_the_one_that_is_tapped_in(
    between: int,
) -> None:
    """Ben lays the second one and presses too; only the race of Ana is tapped in, after both."""
    table = Evening(3).start()
    first = table.now
    table.slaps(ben=0, cleo=200)
    table.wait(between * SECOND)
    table.slaps(ana=0, cleo=150, ben=300)
    table.do(c.DeclareRace(ANA), after=3 * SECOND)
    table.wait(2 * SECOND)
    assert [race.layer for race in table.round.races if race.anchor < first + 2 * SECOND] == [ANA]
    assert (table.in_force, table.owed(CLEO), table.owed(BEN)) == (["last"], 4, 0)


@pytest.mark.rule("R12")
def test_two_races_in_refereed_play_come_in_the_order_of_their_turns() -> None:
    """Ben, then Cleo lays one and presses too, and each is last in the race of the other."""
    table = refereed(players=4)
    table.wait(40 * SECOND)
    presses(table, (0, ANA), (150, BEN), (250, DAN), (300, CLEO))
    table.wait(4 * SECOND)
    presses(table, (0, ANA), (150, CLEO), (250, DAN), (300, BEN))
    table.wait(4 * SECOND)
    table.play("street-race red", "street-race red")
    table.wait(14 * SECOND)
    assert table.in_force == ["last", "last"]
    assert [table.owed(seat) for seat in (BEN, CLEO, DAN)] == [4, 4, 0]


@pytest.mark.rule("R12")
def test_a_race_that_was_shown_already_is_not_the_one_that_is_tapped_in() -> None:
    """Ana lays two; the table knows of the first by itself, and in the second Dan never slaps."""
    table = free(4)
    table.slaps(ben=0, cleo=100, dan=300)
    table.wait(10 * SECOND)
    table.slaps(ben=0, cleo=100)
    table.do(c.DeclareRace(ANA), after=SECOND)
    table.wait(16 * SECOND)
    assert table.in_force == ["last", "never_slapped"]
    assert table.owed(DAN) == 8
