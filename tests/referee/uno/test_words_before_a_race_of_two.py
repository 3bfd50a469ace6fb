"""Three players, so two slap: what one of them called or caught before the card is no slap."""

from __future__ import annotations

import pytest

from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, Evening
from tests.referee.situations import on_one

MS = MILLISECOND
LAID = 3000
"""When Cleo lays a Street Race, after Ben's card was recorded."""


def played(recorded: int, *hands: tuple[int, int]) -> Evening:
    """Ben is on one card; let hands come down, and Cleo's race be recorded so much later."""
    table = on_one(players=3)
    start = table.now
    moments = sorted([*hands, (LAID + recorded, 0)])
    for ms, seat in moments:
        table.wait(start + ms * MS - table.now)
        if seat:
            table.tap(seat)
        else:
            table.play("street-race blue")
    table.wait(16 * SECOND)
    return table


late = pytest.mark.parametrize("recorded", [600, 3100])


@pytest.mark.rule("R12")
@late
@pytest.mark.parametrize("called", [500, 2200])
@pytest.mark.parametrize("slap", [None, 7000])
def test_nobody_is_last_by_the_call_of_somebody_who_did_not_slap_in_time(
    recorded: int, called: int, slap: int | None
) -> None:
    hands = [(called, BEN), (LAID + 400, ANA)]
    table = played(recorded, *hands, *([(LAID + slap, BEN)] if slap else []))
    assert table.race.outcome == "no_order"
    assert table.owed(ANA) == 0


@pytest.mark.rule("R12")
@late
def test_whoever_called_and_slaps_slowly_is_last(recorded: int) -> None:
    table = played(recorded, (500, BEN), (LAID + 400, ANA), (LAID + 2900, BEN))
    assert [ruling.outcome for ruling in table.rules("R12")] == ["last"]
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
@late
def test_whoever_caught_and_does_not_slap_makes_nobody_last(recorded: int) -> None:
    """Ana pressed twice for Ben's missing call, and then only Ben slapped."""
    table = played(recorded, (700, ANA), (1300, ANA), (LAID + 400, BEN))
    assert table.owed(BEN) == 2
    assert table.race.outcome == "no_order"


@pytest.mark.rule("R12")
@late
def test_a_call_before_two_quick_slaps_changes_nothing(recorded: int) -> None:
    table = played(recorded, (500, BEN), (LAID + 400, ANA), (LAID + 600, BEN))
    assert [ruling.outcome for ruling in table.rules("R12")] == ["last"]
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_where_a_call_or_a_slap_would_both_do_nobody_is_said_to_be_last() -> None:
    """Ben's one press came before Ana's, his next one after it: either may have been his call."""
    table = played(1500, (LAID + 350, BEN), (LAID + 750, ANA), (LAID + 1400, BEN))
    assert table.race.outcome == "no_order"


@pytest.mark.rule("R12")
def test_slaps_close_together_are_slaps_though_nobody_called_before() -> None:
    table = played(600, (LAID + 350, BEN), (LAID + 550, ANA))
    assert table.owed(ANA) == 4


@pytest.mark.rule("R12")
def test_where_only_a_call_came_nobody_is_said_to_have_slapped() -> None:
    table = played(600, (500, BEN))
    assert table.owed(ANA) == 0
    assert table.race.outcome == "no_order"


@pytest.mark.rule("R12")
def test_two_presses_too_far_apart_for_a_catch_leave_the_race_as_it_is() -> None:
    """Ana pressed twice while Ben had not called; then both of them slapped."""
    table = played(600, (300, ANA), (2400, ANA), (LAID + 350, BEN), (LAID + 550, ANA))
    assert table.owed(ANA) == 4
