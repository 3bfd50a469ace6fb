"""R12: which hands belong to which race, when races are named late and there were several."""

from __future__ import annotations

import itertools

import pytest

from companion.referee import commands as c
from companion.referee.evidence.races.bunches import Bunch
from companion.referee.evidence.races.matching import match_races
from companion.referee.evidence.touches import Touch
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND, Press, Timing
from companion.referee.model.table import NamedRace
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, FINN, Evening

MS = MILLISECOND


def layers_and_last(table: Evening) -> list[tuple[int | None, tuple[int, ...]]]:
    """Who laid each race, and who was last in it."""
    return [(r.layer, r.finish.last if r.finish else ()) for r in table.round.races]


@pytest.mark.rule("R12")
@pytest.mark.parametrize("late", [1, 5, 12, 25])
def test_a_race_named_late_has_its_own_hands_although_others_pressed_since(late: int) -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    for pause in range(late - 1):
        table.wait(SECOND)
        if pause in (3, 10):
            table.tap(BEN if pause == 3 else CLEO)
    table.do(c.DeclareRace(ANA), after=SECOND)
    table.wait(2 * SECOND)
    assert layers_and_last(table) == [(ANA, (DAN,))]
    assert table.owed(DAN) == 4


@pytest.mark.rule("R12")
def test_two_races_named_late_get_the_hands_from_which_their_layers_were_absent() -> None:
    for order in itertools.permutations((ANA, DAN)):
        table = Evening(4).start()
        table.hands_off(ANA)
        table.wait(5 * SECOND)
        table.hands_off(DAN)
        table.wait(4 * SECOND)
        for layer in order:
            table.do(c.DeclareRace(layer))
        table.wait(2 * SECOND)
        assert layers_and_last(table) == [(ANA, (DAN,)), (DAN, (CLEO,))]


@pytest.mark.rule("R12")
def test_of_two_bunches_that_fit_alike_the_nearer_one_is_meant() -> None:
    table = Evening(3).start()
    table.hands_off(ANA)
    table.wait(20 * SECOND)
    table.slaps(cleo=0, ben=70)
    table.do(c.DeclareRace(ANA), after=SECOND)
    table.wait(2 * SECOND)
    assert table.in_force == ["last"]
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_the_more_complete_bunch_is_meant_although_it_is_older() -> None:
    table = Evening(5).start()
    table.hands_off(ANA)
    table.wait(8 * SECOND)
    table.slaps(ben=0, cleo=30)
    table.do(c.DeclareRace(ANA), after=3 * SECOND)
    table.wait(2 * SECOND)
    assert [place.seat for place in table.finish.places] == [BEN, CLEO, DAN, 5]


@pytest.mark.rule("R12")
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("later", [3500, 8000])
def test_hands_may_come_a_few_seconds_after_the_tap(players: int, later: int) -> None:
    table = Evening(players).start()
    table.do(c.DeclareRace(ANA))
    table.wait(later * MS)
    table.hands_off(ANA)
    table.wait(12 * SECOND)
    assert layers_and_last(table) == [(ANA, (players,))]
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_a_second_race_by_the_same_layer_has_hands_of_its_own() -> None:
    table = Evening(3).start()
    for _ in range(2):
        table.do(c.DeclareRace(ANA), after=4 * SECOND)
        table.hands_off(ANA)
        table.wait(2 * SECOND)
    assert layers_and_last(table) == [(ANA, (CLEO,)), (ANA, (CLEO,))]
    assert table.owed(CLEO) == 8


@pytest.mark.rule("R12")
def test_two_races_at_once_are_both_judged() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.hands_off(ANA)
    table.do(c.DeclareRace(BEN), after=100 * MS)
    table.wait(2 * SECOND)
    table.hands_off(BEN)
    table.wait(2 * SECOND)
    assert layers_and_last(table) == [(ANA, (DAN,)), (BEN, (DAN,))]
    assert table.owed(DAN) == 8


@pytest.mark.rule("R12")
def test_in_refereed_play_races_have_their_hands_in_the_order_of_turns() -> None:
    """The referee is two turns behind and enters both cards at once."""
    table = Evening(4, way="refereed").refereed()
    table.slaps(ana=0, cleo=40, dan=90)
    table.wait(6 * SECOND)
    table.slaps(dan=0, ana=40, ben=90)
    table.wait(3 * SECOND)
    table.play("street-race blue", "street-race red")
    table.wait(2 * SECOND)
    assert layers_and_last(table) == [(BEN, (DAN,)), (CLEO, (BEN,))]
    assert [race.how for race in table.round.races] == ["card", "card"]


@pytest.mark.rule("R12")
def test_three_races_entered_at_once_have_their_hands_in_the_order_of_turns() -> None:
    table = Evening(4, way="refereed").refereed()
    for layer in (BEN, CLEO, DAN):
        table.hands_off(layer)
        table.wait(3 * SECOND)
    table.play("street-race blue", "street-race red", "street-race red")
    table.wait(2 * SECOND)
    assert layers_and_last(table) == [(BEN, (DAN,)), (CLEO, (DAN,)), (DAN, (CLEO,))]


@pytest.mark.rule("R12")
def test_late_slaps_that_come_together_make_no_race_of_their_own() -> None:
    table = Evening(5).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0, cleo=20, dan=3000, eva=3050)
    table.wait(13 * SECOND)
    assert layers_and_last(table) == [(ANA, (EVA,))]
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_in_refereed_play_the_card_begins_the_race_and_the_colour_may_wait() -> None:
    table = Evening(4, way="refereed").refereed()
    table.play("street-race")
    table.slaps(ana=300, cleo=330, dan=370)
    table.wait(SECOND)
    assert (table.race.layer, table.owed(DAN), table.round.chooser) == (BEN, 4, BEN)
    table.wait(5 * SECOND)
    table.do(c.NameColour("blue"))
    assert (table.round.colour, table.round.turn) == ("blue", CLEO)
    assert layers_and_last(table) == [(BEN, (DAN,))]
    assert not table.round.calls.called


@pytest.mark.rule("R12")
def test_in_refereed_play_the_game_goes_on_while_the_race_and_the_colour_are_open() -> None:
    table = Evening(4, way="refereed").refereed()
    table.play("street-race")
    table.do(c.Play(Card("green-3")))
    assert (table.round.turn, table.round.top, table.round.colour) == (DAN, "green-3", "green")
    table.slaps(ana=300, cleo=330, dan=370)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    table.play("green-5")
    assert table.round.hands[DAN] == 7 + 4 - 1


@pytest.mark.rule("R12")
def test_a_race_named_on_the_tablet_and_its_card_are_one() -> None:
    table = Evening(way="refereed").refereed()
    table.do(c.DeclareRace(BEN))
    table.slaps(ana=100, cleo=150)
    table.wait(2 * SECOND)
    table.play("street-race blue")
    table.wait(2 * SECOND)
    assert [race.how for race in table.round.races] == ["card"]
    assert table.in_force == ["last"]
    table.play("blue-1", "blue-2")
    table.wait(40 * SECOND)
    table.play("street-race red")
    assert [race.layer for race in table.round.races] == [BEN, BEN]


def test_more_races_than_anybody_lays_are_matched_one_after_the_other() -> None:
    def bunch(absent: int, at: int) -> Bunch:
        slaps = {
            s: Touch(s, at + s, Press(s, at + s, 0), (s, at + s))
            for s in range(1, 5)
            if s != absent
        }
        return Bunch(slaps)

    found = [bunch(1 + n % 4, n * 2 * SECOND) for n in range(6)]
    named = [NamedRace(n, 12 * SECOND + n, 1 + n % 4, "tablet") for n in range(6)]
    matched = match_races(named, found, 4, Timing(), in_order=False, now=60 * SECOND, known={})
    assert {n: found.index(matched[n]) for n in matched} == {
        0: 4,
        1: 5,
        2: 2,
        3: 3,
        4: 0,
        5: 1,
    }
    assert match_races(
        named, found[:2], 4, Timing(), in_order=False, now=60 * SECOND, known={}
    ).keys() < set(range(6))


def test_naming_a_race_does_not_touch_one_that_was_settled_long_ago() -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(120 * SECOND)
    ruling = table.ruling
    table.do(c.DeclareRace(ANA))
    table.hands_off(ANA)
    table.wait(SECOND)
    assert len(table.round.races) == 2
    assert table.match.rulings[0] == ruling
    assert table.owed(DAN) == 8


@pytest.mark.rule("R12")
def test_another_layer_named_long_after_a_race_waits_for_hands_and_then_corrects_it() -> None:
    """Ana laid it, and her hand came down with the others'; Dan was looking elsewhere."""
    table = Evening(5).start()
    table.slaps(ben=0, cleo=40, ana=60, eva=80)
    table.wait(SECOND)
    assert layers_and_last(table) == [(DAN, (EVA,))]
    table.wait(8 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    assert (DAN, (EVA,)) in layers_and_last(table), "a new race may be on its way"
    table.wait(12 * SECOND)
    assert layers_and_last(table) == [(ANA, (DAN,))]


@pytest.mark.rule("R12")
def test_another_layer_named_long_after_a_race_has_the_hands_that_follow() -> None:
    table = Evening(5).start()
    table.hands_off(DAN)
    table.wait(9 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    table.hands_off(ANA)
    table.wait(12 * SECOND)
    assert layers_and_last(table) == [(DAN, (EVA,)), (ANA, (EVA,))]


@pytest.mark.rule("R12")
def test_a_hand_of_the_next_race_is_no_late_slap_of_the_one_before() -> None:
    """Finn never slapped at first; the question who laid it is answered much later."""
    table = Evening(6).start()
    table.slaps(ana=0, ben=20, cleo=40, dan=60)
    table.wait(8 * SECOND)
    table.answer(str(EVA))
    table.wait(6 * SECOND)
    table.hands_off(ANA)
    table.wait(12 * SECOND)
    assert layers_and_last(table) == [(EVA, (FINN,)), (ANA, (FINN,))]
    assert [race.outcome for race in table.round.races] == ["never_slapped", "last"]


@pytest.mark.rule("R12")
def test_slow_hands_before_the_tap_are_preferred_to_those_of_the_next_race() -> None:
    table = Evening(3).start()
    table.slaps(cleo=0, ben=1800)
    table.wait(3 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(6 * SECOND)
    table.slaps(cleo=0, ben=40)
    table.wait(2 * SECOND)
    first = table.round.races[0]
    assert first.record is not None
    assert first.finish is not None
    assert first.finish.margin == 1800 * MS


@pytest.mark.rule("R12")
def test_between_two_the_slap_is_the_latest_before_the_tap() -> None:
    table = Evening(2).start()
    table.slaps(ben=0, ana=400)
    slap = table.now - 400 * MS
    table.wait(3 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    table.tap(BEN)
    table.wait(SECOND)
    assert [press.at for press in table.race.slaps] == [slap]


@pytest.mark.rule("R12")
def test_strays_from_long_before_are_no_slaps_of_a_race_that_was_just_named() -> None:
    table = Evening(6).start()
    table.slaps(ben=0, cleo=4000)
    table.wait(12 * SECOND)
    table.do(c.DeclareRace(ANA))
    assert table.race.slaps == ()
