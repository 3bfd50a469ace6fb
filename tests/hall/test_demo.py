"""An evening that plays itself: the demonstration of the hall, at a pace for tests."""

from __future__ import annotations

import pytest

from companion.demo.hall_evening import ROUNDS, HallEvening
from companion.hall.opening import Hall
from tests.home.broker import PROGRAM
from tests.kit.served import free_port
from tests.kit.waiting import until


def test_an_evening_of_three_light_tables_plays_itself_to_its_end(tmp_path):
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    hall = Hall(tmp_path, free_port())
    evening = HallEvening(hall, tables=3, whole=0, seed=5, pace=0.02)
    evening.start()
    until(lambda: len(hall.keeper.evening.rounds) == ROUNDS and not hall.keeper.evening.waiting())
    evening.close()
    hall.close()
    kept = hall.keeper.evening
    assert len(kept.people) == 11
    assert all(result.adds_up for result in kept.results.values())
    assert len(kept.counted()) == 3 * ROUNDS
