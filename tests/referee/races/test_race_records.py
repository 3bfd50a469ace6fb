"""R12: what people say about a race afterwards: another layer, again, none, or who was last."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening

MS = MILLISECOND


def raced(players: int = 3, **after_ms: int) -> Evening:
    """Ana laid a Street Race and the others slapped, in the order of their seats."""
    table = Evening(players).start()
    table.do(c.DeclareRace(ANA))
    table.hands_off(ANA, **after_ms)
    table.wait(SECOND)
    return table


@pytest.mark.rule("R12")
def test_the_wrong_layer_is_judged_again_from_the_same_presses() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.slaps(cleo=100, ben=200, ana=300)
    table.wait(SECOND)
    assert table.owed(BEN) == 4
    table.do(c.ChangeLayer(BEN))
    table.wait(2 * SECOND)
    assert (table.owed(BEN), table.owed(ANA)) == (0, 4)
    assert table.race.layer == BEN
    assert [place.seat for place in table.finish.places] == [CLEO, ANA]
    assert table.refused(c.ChangeLayer(BEN)).sentence.code == "race_known"
    first = table.rules("R12")[0]
    assert first.overruled is not None
    assert table.text(first.overruled) == "Judged again: Ben laid the Street Race."


@pytest.mark.rule("R12")
def test_with_another_layer_a_missing_hand_is_waited_for() -> None:
    table = raced()
    table.do(c.ChangeLayer(BEN))
    assert (table.race.state, table.round.debts) == ("running", ())
    table.slaps(ana=100)
    table.wait(3 * SECOND)
    assert table.owed(ANA) == 4


@pytest.mark.rule("R12")
def test_a_race_that_the_hands_showed_gets_another_layer_too() -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(2 * SECOND)
    table.do(c.ChangeLayer(DAN))
    table.wait(12 * SECOND)
    assert [(r.layer, r.outcome) for r in table.round.races] == [(DAN, "never_slapped")]
    assert table.owed(ANA) == 4
    table.do(c.ChangeLayer(ANA))
    table.wait(SECOND)
    assert (table.owed(ANA), table.owed(DAN)) == (0, 4)


@pytest.mark.rule("R12")
def test_a_proposal_may_get_a_layer_by_name() -> None:
    table = Evening(3).start()
    table.hands_off(ANA)
    table.wait(SECOND)
    table.do(c.ChangeLayer(ANA))
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_a_race_may_be_run_again_and_its_debt_goes() -> None:
    table = raced(cleo=0, ben=100)
    assert table.owed(BEN) == 4
    table.do(c.RerunRace())
    assert (table.owed(BEN), table.race.state, table.race.slaps) == (0, "running", ())
    assert table.said == "The Street Race is run again."
    table.slaps(ben=100, cleo=200)
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 4)
    assert [race.state for race in table.round.races] == ["void", "ruled"]


@pytest.mark.rule("R12")
def test_a_race_that_the_hands_showed_may_be_run_again() -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(2 * SECOND)
    table.do(c.RerunRace())
    assert (table.race.state, table.race.layer, table.round.debts) == ("running", ANA, ())
    table.slaps(dan=100, ben=140, cleo=190)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    assert table.in_force == ["last"]


def test_nobody_runs_a_race_again_whose_layer_is_not_known() -> None:
    table = Evening(5).start()
    table.slaps(ben=0, cleo=40, dan=80)
    table.wait(6 * SECOND)
    refusal = table.refused(c.RerunRace())
    assert str(refusal) == "Say first who laid the Street Race."


@pytest.mark.rule("R12")
def test_a_race_may_be_cancelled_and_its_debt_goes() -> None:
    table = raced()
    table.do(c.CancelRace())
    assert (table.owed(CLEO), table.race.state) == (0, "void")
    assert table.ruling.outcome == "void"
    first = table.rules("R12")[0]
    assert first.overruled is not None
    assert table.text(first.overruled) == "The Street Race does not count."
    for command in (c.CancelRace(), c.RerunRace(), c.ChangeLayer(BEN), c.SlapOff()):
        assert table.refused(command).sentence.code == "no_race"


@pytest.mark.rule("R12")
def test_hands_of_a_race_that_was_cancelled_do_not_declare_it_again() -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(SECOND)
    table.do(c.CancelRace())
    table.wait(40 * SECOND)
    assert [race.state for race in table.round.races] == ["void"]
    assert table.in_force == []


@pytest.mark.rule("R12")
def test_hands_of_a_race_that_was_cancelled_are_those_of_the_one_that_is_named_next() -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(SECOND)
    first = table.race.finish
    assert first is not None
    table.do(c.CancelRace())
    table.wait(SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    assert (table.race.state, table.race.slaps) == ("running", ()), "others may still come"
    table.wait(3 * SECOND)
    assert table.race.state == "ruled"
    assert table.race.finish == first


@pytest.mark.rule("R12")
def test_a_race_that_is_still_on_can_be_cancelled() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.do(c.CancelRace())
    assert table.race.state == "void"
    table.wait(SECOND)
    table.do(c.DeclareRace(BEN))
    assert (table.race.layer, table.race.state) == (BEN, "running")
    table.hands_off(BEN)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_the_hands_of_a_cancelled_race_are_calls_again() -> None:
    table = raced()
    assert not table.round.calls.called
    table.do(c.CancelRace())
    table.wait(SECOND)
    assert set(table.round.calls.called) == {BEN, CLEO}


@pytest.mark.rule("R12")
def test_the_referee_may_pick_both_of_a_dead_heat() -> None:
    table = raced(ben=100, cleo=100)
    assert table.race.outcome == "dead_heat"
    assert table.refused(c.PickLast(())).sentence.code == "pick_nobody"
    assert table.refused(c.PickLast((ANA,))).sentence.code == "not_racing"
    assert table.refused(c.PickLast((9,))).sentence.code == "unknown_seat"
    table.do(c.PickLast((CLEO, BEN)))
    assert (table.owed(BEN), table.owed(CLEO)) == (4, 4)
    assert table.said == "The referee says Ben, Cleo came last: 4 to draw."
    assert (table.race.state, table.race.outcome) == ("ruled", "picked")
    assert table.refused(c.PickLast((BEN,))).sentence.code == "race_decided"


@pytest.mark.rule("R12")
@pytest.mark.parametrize("wait", [1, 120])
def test_whom_the_referee_has_picked_stays_picked(wait: int) -> None:
    table = raced(ben=100, cleo=100)
    table.do(c.PickLast((CLEO,)))
    table.wait(wait * SECOND)
    table.press(BEN, table.race.anchor + 700 * MS)
    table.wait(SECOND)
    assert table.race.outcome == "picked"
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 4)


@pytest.mark.rule("R12")
def test_a_dead_heat_of_long_ago_can_still_be_decided() -> None:
    table = raced(ben=100, cleo=100)
    table.wait(300 * SECOND)
    table.do(c.PickLast((CLEO,)))
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R14")
def test_hands_are_not_counted_before_the_race_of_the_last_card_is_settled() -> None:
    table = Evening(house={"race_on_last_card": True}).start()
    table.do(c.GoOut(ANA, Card("street-race")))
    assert table.refused(c.EnterPoints(BEN, 5)).rule == "R12"
    assert table.refused(c.EnterHand(BEN, {Card("red-5"): 1})).rule == "R12"
    assert table.refused(c.ScoreRound()).sentence.code == "race_undecided"
    table.slaps(ben=50, cleo=100)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    table.do(c.EnterPoints(BEN, 5))
    table.do(c.EnterPoints(CLEO, 5))
    assert table.round.debts == ()


@pytest.mark.rule("R14")
@pytest.mark.parametrize(
    ("house", "outcomes"),
    [
        pytest.param(False, [], id="nobody slaps for a last card"),
        pytest.param(True, ["last"], id="the house races it, once"),
    ],
)
@pytest.mark.parametrize("way", ["free", "refereed"])
def test_hands_that_slapped_for_the_last_card(way: str, house: bool, outcomes: list[str]) -> None:
    table = Evening(4, way=way, house={"race_on_last_card": house})
    if way == "free":
        table.start()
        table.hands_off(BEN)
        table.wait(2 * SECOND)
        table.do(c.GoOut(BEN, Card("street-race")))
    else:
        table.refereed()
        table.hands(ben=1)
        table.hands_off(BEN)
        table.wait(SECOND)
        table.play("street-race")
    table.wait(12 * SECOND)
    assert table.round.out == BEN
    assert table.in_force == outcomes
    assert table.owed(DAN) == (4 if house else 0)


@pytest.mark.rule("R14")
@pytest.mark.parametrize("house", [True, False])
def test_a_race_named_on_the_tablet_for_the_last_card(house: bool) -> None:
    table = Evening(house={"race_on_last_card": house}).start()
    table.do(c.DeclareRace(BEN))
    table.hands_off(BEN)
    table.do(c.GoOut(BEN, Card("street-race")))
    table.wait(2 * SECOND)
    assert [race.state for race in table.round.races] == ["ruled" if house else "void"]
    assert table.owed(CLEO) == (4 if house else 0)


@pytest.mark.rule("R14")
def test_an_earlier_race_of_who_goes_out_with_one_stays() -> None:
    table = Evening(4).start()
    table.hands_off(BEN)
    table.wait(60 * SECOND)
    table.do(c.GoOut(BEN, Card("street-race")))
    assert table.in_force == ["last"]
    assert table.owed(DAN) == 4


@pytest.mark.rule("R12")
def test_after_a_rerun_was_undone_the_race_has_its_own_hands_again() -> None:
    table = Evening(6).start()
    table.slaps(ben=0, dan=300, eva=350, finn=480)
    table.wait(9 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(11 * SECOND)
    first = table.finish
    table.do(c.RerunRace())
    table.slaps(ben=0, dan=20, eva=40, finn=30)
    table.wait(30 * SECOND)
    assert table.finish != first
    table.do(c.Undo())
    table.wait(SECOND)
    assert table.finish == first


@pytest.mark.rule("R12")
def test_another_layer_of_a_race_that_was_named_late_makes_no_second_race() -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=22, dan=100)
    table.wait(6 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(2 * SECOND)
    table.do(c.ChangeLayer(BEN))
    table.wait(15 * SECOND)
    assert len(table.round.races) == 1
    assert (table.race.layer, table.finish.last) == (BEN, (ANA,))


@pytest.mark.rule("R12")
def test_a_ruling_names_the_new_layer_also_where_the_same_hand_was_last() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ana=300, ben=350, cleo=400, dan=500)
    table.wait(SECOND)
    table.do(c.Drawn(table.round.debts[0].number))
    table.do(c.ChangeLayer(BEN))
    table.wait(SECOND)
    assert table.ruling.evidence == table.finish
    assert [place.seat for place in table.finish.places] == [ANA, CLEO, DAN]
    assert (table.in_force, table.owed(DAN), table.ruling.back) == (["last"], 0, ())
