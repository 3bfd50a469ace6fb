"""A race that is named late finds its own hands, and no others."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, CLEO, DAN
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
