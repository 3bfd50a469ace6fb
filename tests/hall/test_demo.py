"""An evening that plays itself: the demonstration of the hall, at a pace for tests."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from companion.cli.hall.show import HallTableShow
from companion.common.refusals import service_refusal
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


@pytest.mark.timeout(20)
def test_a_demonstration_that_is_ended_in_the_middle_of_a_match_complains_of_nothing(caplog):
    class Ended(HallTableShow):
        def _match(self, table: Any, seed: int) -> None:
            raise service_refusal("stopping")

    seats = [SimpleNamespace(name="Ana")]
    table: Any = SimpleNamespace(
        table=SimpleNamespace(game=SimpleNamespace(seats=seats, match=None))
    )
    hall = SimpleNamespace(status=lambda: SimpleNamespace(done=False, seats=("Ana",)))
    running: Any = SimpleNamespace(hall=hall)
    plan: Any = None
    Ended(plan, 1)._play(table, running)
    assert not caplog.records
