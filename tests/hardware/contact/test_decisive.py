"""Realistic races through the table's own path: none is judged wrong, and few are left open."""

from __future__ import annotations

import pytest

from bench.measures.contacts import race_often

RACES = 1_500


@pytest.mark.parametrize(
    ("factory", "most"),
    [
        pytest.param("gpiod", 4.5, id="gpiod knows which dates were overwritten"),
        pytest.param("lgpio", 9.0, id="on lgpio any date may be late"),
    ],
)
def test_late_threads_leave_few_races_open_and_decide_none_wrong(factory, most):
    """Doubt to both sides of every date would leave 15 of 100 open."""
    ours, perfect = race_often(factory, RACES, seed=7)
    assert ours.wrong == perfect.wrong == 0
    assert ours.unheard == 0
    assert perfect.share <= ours.share <= most
