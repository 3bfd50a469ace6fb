"""What the truth is held against: only a machine that stood still excuses a date that is off."""

from __future__ import annotations

import pytest
from msgspec import to_builtins

from companion.referee import commands as c
from tests.kernel.races import MILLISECOND, Race
from tests.kernel.verdicts import Seen, judge_scene

START = 1_000 * MILLISECOND
LATE = START + 10 * MILLISECOND
"""Where the first hand was dated, its contact having bounced for as long as that."""
DOUBTED = 4 * MILLISECOND
RACE = Race(
    moves=(),
    presses={1: 0, 2: 3},
    releases={1: 2, 2: 4},
    contacts={1: (0, 1, 2), 2: (3, 4)},
)


def judged(uncertainty: int, *stalls: int) -> Seen:
    """Judge a race of two in which the first hand's date was overwritten by its bounce."""
    moved = {0: START, 1: LATE, 2: LATE + 50 * MILLISECOND}
    moved |= {3: LATE + 30 * MILLISECOND, 4: LATE + 80 * MILLISECOND}
    presses = [
        c.PushButton(button=1, at=LATE, uncertainty=uncertainty, source="button"),
        c.PushButton(button=2, at=moved[3], uncertainty=50_000, source="button"),
    ]
    scene = {
        "name": "bouncing",
        "made": [{"start": START, "times": {str(n): (at, at) for n, at in moved.items()}}],
        "ended": LATE + 500 * MILLISECOND,
        "stalls": stalls,
    }
    reports = [{**to_builtins(press), "arrived": press.at} for press in presses]
    return judge_scene({"scenes": [scene], "reports": reports}, "bouncing", [RACE])


def test_a_processor_that_stood_still_for_longer_than_ever_is_no_fault_of_the_date():
    seen = judged(DOUBTED, START, LATE)
    assert (seen.contradicted, seen.unforeseen, seen.races) == (0, 1, 1)


def test_two_processors_that_stood_still_one_after_the_other_kept_it_waiting_as_long():
    half = START + 5 * MILLISECOND
    seen = judged(DOUBTED, START, half, half + MILLISECOND, LATE)
    assert (seen.contradicted, seen.unforeseen, seen.races) == (0, 1, 1)


@pytest.mark.parametrize(
    ("uncertainty", "stalls"),
    [
        pytest.param(DOUBTED, (), id="the machine ran all the time"),
        pytest.param(DOUBTED, (START, START + 5 * MILLISECOND), id="it was as late before"),
        pytest.param(DOUBTED, (LATE, LATE + 10 * MILLISECOND), id="it stood still afterwards"),
        pytest.param(
            DOUBTED,
            (START, START + 2 * MILLISECOND, START + 6 * MILLISECOND, LATE),
            id="it ran in between",
        ),
        pytest.param(50_000, (START, LATE), id="the table did not doubt its date"),
    ],
)
def test_every_other_date_that_is_off_counts_against_the_table(uncertainty, stalls):
    seen = judged(uncertainty, *stalls)
    assert (seen.contradicted, seen.unforeseen) == (1, 0)
