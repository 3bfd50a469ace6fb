"""R12: the slap-off, which decides between those who cannot be told apart."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.table import SlapOffLight
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, Evening

MS = MILLISECOND


def dead_heat(players: int = 3, *, before: int = 0, **setup: object) -> Evening:
    """Ben and Cleo came down together, behind everybody else."""
    table = Evening(players, **setup).start()  # type: ignore[arg-type]
    table.do(c.DeclareRace(ANA))
    table.hands_off(ANA, ben=300, cleo=300, **{"dan": 100, "eva": 200} if players > 3 else {})
    table.wait(SECOND + before)
    assert table.race.tied == (BEN, CLEO)
    return table


def light(table: Evening) -> SlapOffLight:
    found = table.race.slap_off
    assert found is not None
    return found


def lit(table: Evening) -> None:
    """Wait until the light comes on."""
    table.wait(light(table).light_at - table.now)


@pytest.mark.rule("R12")
def test_a_slap_off_is_lost_by_the_later_hand_after_the_light() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    assert table.race.state == "slap_off"
    assert SECOND < light(table).light_at - table.now <= 5 * SECOND
    assert not light(table).lit
    lit(table)
    assert light(table).lit
    table.slaps(cleo=200, ben=230)
    table.wait(SECOND)
    assert table.said == "Ben draws 4, by 30.0 ms."
    assert (table.race.state, table.owed(BEN), table.owed(CLEO)) == ("ruled", 4, 0)
    assert table.finish.start == light(table).light_at
    assert [place.after for place in table.finish.places] == [200 * MS, 230 * MS]


@pytest.mark.rule("R12")
def test_the_dead_heat_stands_beside_the_ruling_that_decides_it() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    lit(table)
    table.slaps(cleo=200, ben=230)
    table.wait(SECOND)
    assert table.in_force == ["dead_heat", "last"]


@pytest.mark.rule("R12")
def test_pressing_before_the_light_loses() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    table.wait(100 * MS)
    table.tap(BEN)
    table.wait(SECOND)
    assert table.said == "Ben jumped the light and draws 4."
    assert (table.owed(BEN), table.race.outcome) == (4, "false_start")
    assert table.finish.places[0].early
    assert table.finish.places[0].after is None


@pytest.mark.rule("R12")
def test_a_press_after_somebody_jumped_the_light_jumps_nothing_any_more() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    table.wait(100 * MS)
    table.tap(BEN)
    table.wait(700 * MS)
    table.tap(CLEO)
    table.wait(15 * SECOND)
    assert table.in_force == ["dead_heat", "false_start"]
    assert (table.owed(BEN), table.owed(CLEO)) == (4, 0)


@pytest.mark.rule("R12")
def test_hands_of_a_slap_off_make_no_race_where_somebody_else_turns_out_to_have_laid_it() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, cleo=300, dan=300)
    table.wait(SECOND)
    table.do(c.SlapOff())
    lit(table)
    table.slaps(ben=200, cleo=240, dan=500)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    table.do(c.ChangeLayer(DAN))
    table.wait(12 * SECOND)
    assert [race.outcome for race in table.round.races] == ["never_slapped"]
    assert (table.owed(ANA), table.owed(DAN)) == (4, 0)
    table.do(c.ChangeLayer(ANA))
    table.wait(SECOND)
    assert table.race.tied == (BEN, CLEO, DAN)
    table.do(c.SlapOff())
    lit(table)
    table.slaps(ben=200, dan=240, cleo=500)
    table.wait(SECOND)
    assert [table.owed(seat) for seat in (ANA, BEN, CLEO, DAN)] == [0, 0, 4, 0]


@pytest.mark.rule("R12")
@pytest.mark.parametrize("before", [0, 60 * SECOND], ids=["at once", "a minute later"])
def test_where_several_jump_the_light_it_runs_again_among_them_by_itself(before: int) -> None:
    table = dead_heat(before=before)
    table.do(c.SlapOff())
    first = light(table)
    table.wait(100 * MS)
    table.slaps(ben=0, cleo=20)
    table.wait(SECOND)
    assert table.race.state == "slap_off"
    assert light(table).started_at > first.started_at
    assert light(table).seats == (BEN, CLEO)
    assert [r.outcome for r in table.rules("R12")][-1] == "false_starts"
    assert table.said == "Ben, Cleo jumped the light: they go again."
    lit(table)
    table.slaps(ben=200, cleo=230)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_only_those_who_jumped_the_light_run_again() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, cleo=300, dan=300)
    table.wait(SECOND)
    table.do(c.SlapOff())
    table.slaps(cleo=100, dan=120)
    table.wait(SECOND)
    assert light(table).seats == (CLEO, DAN)


@pytest.mark.rule("R12")
def test_they_may_jump_it_more_than_once() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    for _ in range(3):
        table.slaps(ben=100, cleo=120)
        table.wait(SECOND)
    assert table.race.state == "slap_off"
    table.slaps(cleo=50)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
@pytest.mark.parametrize("house", ["pick", "all_draw"])
def test_a_slap_off_that_nobody_answers(house: str) -> None:
    table = dead_heat(house={"no_slap": house})
    table.do(c.SlapOff())
    table.wait(20 * SECOND)
    assert table.finish.no_slap
    if house == "pick":
        assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))
        table.do(c.SlapOff())
        assert table.race.state == "slap_off"
    else:
        assert (table.owed(BEN), table.owed(CLEO)) == (4, 4)


@pytest.mark.rule("R12")
def test_whoever_stays_away_from_the_slap_off_has_lost_it() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    lit(table)
    table.slaps(ben=200)
    table.wait(11 * SECOND)
    assert table.said == "Cleo never slapped and draws 4."


@pytest.mark.rule("R12")
def test_in_a_slap_off_other_hands_and_further_presses_count_for_nothing() -> None:
    table = dead_heat(players=5)
    table.do(c.SlapOff())
    lit(table)
    table.slaps(dan=50, cleo=200, ben=200.5, eva=210)
    table.wait(SECOND)
    assert (table.race.tied, table.race.outcome) == ((BEN, CLEO), "dead_heat")
    table.do(c.SlapOff())
    lit(table)
    table.slaps(cleo=200)
    table.slaps(cleo=300, ben=400)
    table.wait(SECOND)
    assert table.owed(BEN) == 4
    assert len(table.round.races) == 1


@pytest.mark.rule("R12")
def test_a_hand_from_before_the_slap_off_is_not_too_early_in_it() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    table.tap(CLEO, table.now - 5 * MS)
    lit(table)
    table.slaps(cleo=50, ben=100)
    table.wait(SECOND)
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_hands_of_a_slap_off_make_no_race_of_their_own() -> None:
    table = Evening(5).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, cleo=300, dan=300, eva=300)
    table.wait(SECOND)
    table.do(c.SlapOff())
    lit(table)
    table.slaps(ben=200, cleo=220, dan=240, eva=260)
    table.wait(2 * SECOND)
    assert len(table.round.races) == 1
    assert table.owed(EVA) == 4


@pytest.mark.rule("R12")
def test_after_a_slap_off_its_players_race_again_like_everybody_else() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, cleo=300, dan=100)
    table.wait(SECOND)
    table.do(c.SlapOff())
    lit(table)
    table.slaps(ben=200, cleo=240)
    table.wait(3 * SECOND)
    table.hands_off(ANA)
    table.wait(SECOND)
    assert [race.outcome for race in table.round.races] == ["last", "last"]
    assert (table.owed(CLEO), table.owed(DAN)) == (4, 4)


@pytest.mark.rule("R12")
def test_a_slap_off_takes_its_time_also_where_the_race_is_long_ago() -> None:
    table = dead_heat(before=90 * SECOND)
    table.do(c.SlapOff())
    lit(table)
    table.slaps(cleo=200, ben=230)
    table.wait(SECOND)
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_a_button_that_breaks_in_a_slap_off_does_not_lose_it() -> None:
    table = dead_heat(players=4)
    table.do(c.SlapOff())
    at = table.tap(CLEO)
    table.do(c.SetAside(CLEO, "chatter", at))
    lit(table)
    table.slaps(ben=50)
    table.wait(12 * SECOND)
    assert (table.race.outcome, table.race.tied) == ("unusable", (BEN, CLEO))
    assert table.question.kind == "who_was_last"


@pytest.mark.rule("R12")
def test_a_spare_takes_over_in_the_middle_of_a_slap_off() -> None:
    table = dead_heat(players=4)
    table.do(c.SlapOff())
    at = table.tap(CLEO)
    table.do(c.SetAside(CLEO, "chatter", at))
    table.do(c.PushButton(20, table.now, 0))
    lit(table)
    table.slaps(ben=50)
    table.wait(50 * MS)
    table.do(c.PushButton(20, table.now, 0), after=0)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_a_player_without_a_button_is_asked_about_after_a_slap_off() -> None:
    table = Evening(3)
    table.do(c.AssignButton(BEN, CLEO))
    table.start()
    table.do(c.DeclareRace(ANA))
    at = table.now
    for seat in (BEN, CLEO):
        table.do(c.PhonePress(seat, at, 5 * MS), after=0)
    table.wait(2 * SECOND)
    assert table.race.tied == (BEN, CLEO)
    table.do(c.SlapOff())
    lit(table)
    table.do(c.PhonePress(BEN, table.now, 5 * MS), after=0)
    table.wait(12 * SECOND)
    assert (table.race.outcome, table.race.unusable) == ("unusable", (CLEO,))
    assert table.race.tied == (BEN, CLEO)


def test_a_slap_off_needs_a_race_that_is_undecided() -> None:
    table = Evening().start()
    assert table.refused(c.SlapOff()).sentence.code == "no_race"
    table.do(c.DeclareRace(ANA))
    assert table.refused(c.SlapOff()).sentence.code == "race_decided"
    table.hands_off(ANA)
    table.wait(SECOND)
    assert table.refused(c.SlapOff()).sentence.code == "race_decided"
    assert table.refused(c.PickLast((BEN,))).sentence.code == "race_decided"


@pytest.mark.rule("R12")
def test_hands_that_tied_are_no_new_race_once_a_light_has_decided() -> None:
    table = dead_heat(players=4)
    table.do(c.SlapOff())
    lit(table)
    table.slaps(cleo=200, ben=230)
    table.wait(20 * SECOND)
    for _ in range(6):
        table.wait(8 * SECOND)
        table.tap(DAN)
    assert [race.state for race in table.round.races] == ["ruled"]
    assert table.in_force == ["dead_heat", "last"]
