"""Three play, so that only two slap; one of them touched the button once more."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, BEN, CLEO, Evening
from tests.referee.situations import free, presses, refereed


def laid_by_ben(way: str, *hands: tuple[int, int]) -> Evening:
    """Ben lays a race, these hands come down, and a moment later it is tapped in."""
    table = free(3) if way == "free" else refereed()
    table.wait(15 * SECOND)
    presses(table, *hands)
    if way == "free":
        table.do(c.DeclareRace(BEN), after=2 * SECOND)
    else:
        table.wait(2 * SECOND)
        table.play("street-race red")
    table.wait(2 * SECOND)
    return table


@pytest.mark.rule("R12")
@pytest.mark.parametrize("way", ["free", "refereed"])
@pytest.mark.parametrize(
    "hands",
    [
        pytest.param(((0, ANA), (410, CLEO), (475, ANA)), id="tapped twice around a slow hand"),
        pytest.param(((0, ANA), (256, CLEO), (341, ANA)), id="tapped twice around a hand"),
        pytest.param(((0, ANA), (350, CLEO), (600, ANA)), id="tapped twice, and Cleo between"),
        pytest.param(((0, ANA), (1850, CLEO), (2780, ANA)), id="somebody was slow"),
        pytest.param(((0, ANA), (2400, CLEO), (3940, ANA)), id="and somebody was slower"),
    ],
)
def test_where_either_hand_may_have_been_last_nobody_draws(
    way: str, hands: tuple[tuple[int, int], ...]
) -> None:
    table = laid_by_ben(way, *hands)
    assert table.in_force == ["no_order"]
    assert table.round.debts == ()
    assert set(table.race.tied) == {ANA, CLEO}


@pytest.mark.rule("R12")
@pytest.mark.parametrize("way", ["free", "refereed"])
@pytest.mark.parametrize(
    ("hands", "last"),
    [
        pytest.param(((0, ANA), (80, CLEO), (500, ANA)), CLEO, id="Ana taps twice"),
        pytest.param(
            ((0, ANA), (250, CLEO), (500, ANA)), CLEO, id="around a hand close to the first"
        ),
        pytest.param(((0, ANA), (1500, CLEO), (1600, ANA)), ANA, id="Ana has called before"),
        pytest.param(((0, ANA), (4000, CLEO), (4900, ANA)), ANA, id="and was slow, long after"),
        pytest.param(((0, ANA), (900, CLEO)), CLEO, id="Cleo is slow"),
    ],
)
def test_a_further_touch_changes_nothing_where_the_hands_are_clear(
    way: str, hands: tuple[tuple[int, int], ...], last: int
) -> None:
    table = laid_by_ben(way, *hands)
    assert table.in_force == ["last"]
    assert table.owed(last) == 4


@pytest.mark.rule("R12")
def test_whoever_touches_the_button_all_the_time_is_last_all_the_same() -> None:
    touches = ((0, ANA), (2500, ANA), (5000, ANA), (7500, ANA), (8400, CLEO), (8950, ANA))
    table = laid_by_ben("free", *touches)
    assert table.in_force == ["last"]
    assert table.owed(ANA) == 4
