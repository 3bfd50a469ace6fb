"""A call and a catch shortly before a Street Race stay what they were, while its hands come."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND
from tests.kit.evening import ANA, BEN, CLEO, Evening, stands
from tests.referee.situations import free, on_one

MS = MILLISECOND


def called_through(table: Evening, *slaps: tuple[int, int]) -> None:
    """Let hands come down; at no moment is Ben caught, and in the end he had called."""
    laid = table.now
    moments = {at for at, _ in slaps} | {50, *range(500, 13_000, 500)}
    for ms in sorted(moments):
        table.wait(max(0, laid + ms * MS - table.now))
        for at, seat in slaps:
            if at == ms:
                table.tap(seat, laid + ms * MS)
        rulings = [ruling.outcome for ruling in table.rules("R13") if stands(ruling)]
        assert "caught" not in rulings
        assert table.owed(BEN) in (0, 4), "he draws for the race at most"
    assert [ruling.outcome for ruling in table.rules("R13") if stands(ruling)] == ["called"]


@pytest.mark.rule("R13")
@pytest.mark.parametrize("race", [50, 400, 1300])
@pytest.mark.parametrize("comes", [True, False])
def test_in_refereed_play_the_catcher_lays_the_race(race: int, comes: bool) -> None:
    table = on_one(4)
    table.wait(700 * MS)
    table.tap(BEN)
    table.wait(400 * MS)
    table.catch_by_presses(CLEO)
    table.wait(race * MS)
    table.play("street-race blue")
    slaps = [(420, ANA), (530, 4), (610, BEN)]
    called_through(table, *(slaps if comes else slaps[:2]))
    assert table.owed(BEN) == 4


@pytest.mark.rule("R13")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("race", [350, 900])
@pytest.mark.parametrize("tapped", [400, 900])
def test_in_free_play_a_race_is_named_after_the_catch(players: int, race: int, tapped: int) -> None:
    table = free(players)
    table.tap(BEN)
    table.wait(300 * MS)
    table.tap(ANA)
    table.wait(tapped * MS)
    table.do(c.Catch(BEN, by=ANA))
    table.wait(race * MS)
    table.do(c.DeclareRace(CLEO))
    others = [seat for seat in table.round.seats if seat not in (CLEO, BEN)]
    called_through(table, (610, BEN), *((420 + 50 * n, seat) for n, seat in enumerate(others)))
    assert table.owed(BEN) == 4


@pytest.mark.rule("R13")
def test_in_free_play_a_catch_waits_for_a_race_that_may_have_the_hand() -> None:
    """The race is named before the catch is ruled; the first hands show that it has its own."""
    table = free(4)
    table.tap(BEN)
    table.wait(300 * MS)
    table.tap(CLEO)
    table.wait(400 * MS)
    table.do(c.Catch(BEN, by=CLEO))
    table.do(c.DeclareRace(CLEO))
    called_through(table, (420, 4), (480, ANA), (660, BEN))
