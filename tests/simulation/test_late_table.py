"""Told late, wrongly and with corrections, the table rules what really happened, or asks.

`LATE_ROUNDS` says how many rounds of each kind of evening are played. All rounds of a kind together
must not exceed a limit by more than chance can; in the hundred thousand of the soak, chance can do
next to nothing.
"""

from __future__ import annotations

import os

import pytest
from msgspec.structs import replace

from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from tests.simulation.evenings import EVENINGS
from tests.simulation.judge import judge_race
from tests.simulation.late_table import LateTable, one_round, truth_of
from tests.simulation.shares import Shares, chance_of, pool, shared_folder

ROUNDS = int(os.environ.get("LATE_ROUNDS", "2000"))
SHARE = max(50, ROUNDS // 20)
"""So many rounds are played by one test, so that every processor has something to do."""
FIRSTS = range(0, ROUNDS, SHARE)


@pytest.mark.parametrize("first", FIRSTS)
@pytest.mark.parametrize("kind", EVENINGS)
def test_what_is_ruled_in_the_end_is_what_happened(
    kind: str, first: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    share, evening = Shares(), EVENINGS[kind]
    for seed in range(first, min(first + SHARE, ROUNDS)):
        share.add(one_round(seed, evening))
    together = pool(shared_folder(tmp_path_factory, kind), str(first), share, len(FIRSTS))
    if together is None:
        return
    for line in together.lines(evening):
        print(f"figures: {line}")
    assert together.too_many(evening.limits) == []


def test_the_same_seed_is_the_same_round() -> None:
    tables = [LateTable(truth_of(7)) for _ in range(2)]
    for table in tables:
        table.run()
    assert tables[0].ground.told == tables[1].ground.told
    assert tables[0].ground.match.rulings == tables[1].ground.match.rulings


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param({"look_back": SECOND}, id="a late record finds no hands"),
        pytest.param({"switch_tolerance": 200 * MILLISECOND}, id="hands are not told apart"),
        pytest.param({"bunch": 100 * MILLISECOND}, id="only hands that come at once are a race"),
        pytest.param({"catch_least": 0, "catch_most": 0}, id="no catch is ever seen"),
    ],
)
@pytest.mark.parametrize("kind", EVENINGS)
def test_a_table_that_reads_badly_is_found_out(kind: str, broken: dict[str, int]) -> None:
    """In refereed play, where every one of these readings has something to read.

    On an ordinary evening a catch is so rare that it takes more rounds.
    """
    timing, evening = replace(Timing(), **broken), EVENINGS[kind]
    truths = (truth_of(seed, evening) for seed in range(300 if kind == "hard" else 1200))
    refereed = [truth for truth in truths if truth.way == "refereed"]
    shares = Shares()
    for truth in refereed:
        shares.add(LateTable(truth, timing).run())
    assert shares.too_many(evening.limits) != []


def test_a_ruling_against_somebody_else_is_wrong() -> None:
    for seed in range(50):
        table = LateTable(truth_of(seed))
        table.run()
        races = [race for race in table.truth.races if not race.too_close and len(race.last) == 1]
        for true, ruling in zip(races, table.ground.in_force("R12"), strict=False):
            shown = next(r for r in table.ground.round.races if r.ruling == ruling.number)
            if not ruling.draws or len(true.slaps) < 2:
                continue
            other = next(seat for seat in true.slaps if seat != ruling.draws[0].seat)
            moved = replace(ruling, draws=(replace(ruling.draws[0], seat=other),))
            verdicts = judge_race(true, shown, ruling, False), judge_race(true, shown, moved, False)
            assert "wrong" in verdicts
            return
    pytest.fail("no race was ruled in fifty rounds")


@pytest.mark.parametrize("kind", EVENINGS)
def test_a_share_above_its_limit_is_too_many(kind: str) -> None:
    limits = EVENINGS[kind].limits
    for (group, verdict), limit in limits.items():
        most = int(20_000 * limit)
        fine = Shares({f"{group}/{verdict}": most, f"{group}/all": 20_000})
        assert fine.too_many(limits) == []
        bad = Shares({f"{group}/{verdict}": 2 * most + 10, f"{group}/all": 20_000})
        assert bad.too_many(limits) != []


def test_chance_explains_a_little_too_much_but_not_a_lot() -> None:
    assert chance_of(8, 1000, 0.007) > 0.3
    assert chance_of(20, 1000, 0.007) < 0.001
