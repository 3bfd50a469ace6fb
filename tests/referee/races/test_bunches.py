"""R12: which hands belong together, and which are something else that happened meanwhile."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.evidence.material import material_of
from companion.referee.evidence.races.bunches import Hands, bunches
from companion.referee.evidence.touches import touches
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, Evening
from tests.referee.situations import presses

MS = MILLISECOND


def places(table: Evening) -> list[int]:
    """Who came in, in the order that counts."""
    return [place.seat for place in table.finish.places]


def test_presses_of_one_seat_within_a_quarter_second_are_one_touch_never_chained() -> None:
    table = Evening(2).start()
    start = table.now
    for ms in (0, 120, 240, 250, 480, 501):
        table.tap(BEN, start + ms * MS)
    material = material_of(table.table)
    assert material is not None
    hands = Hands(touches(material, Timing(), start, start + SECOND))
    assert [(touch.at - start) // MS for touch in hands.by_seat[BEN]] == [0, 250, 501]


@pytest.mark.rule("R12")
def test_a_trembling_hand_slaps_once_with_its_first_contact() -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=60, dan=90)
    table.slaps(ben=30, cleo=40, dan=60)
    table.wait(SECOND)
    assert places(table) == [BEN, CLEO, DAN]
    assert table.finish.margin == 30 * MS


@pytest.mark.rule("R12")
def test_of_all_the_hands_the_bunch_with_the_most_of_them_is_the_race() -> None:
    table = Evening(5).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0, cleo=100)
    table.slaps(dan=1000, eva=1050, ben=1100, cleo=1150)
    table.wait(SECOND)
    assert places(table) == [DAN, EVA, BEN, CLEO]


@pytest.mark.rule("R12")
def test_of_two_as_complete_the_closest_together_is_the_race() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0, cleo=300, dan=600)
    table.slaps(dan=500, ben=510, cleo=530)
    table.wait(3 * SECOND)
    assert places(table) == [DAN, BEN, CLEO]
    assert len(table.round.races) == 1


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("lead", "state", "slaps"),
    [
        pytest.param(300, "ruled", [BEN, CLEO, DAN], id="300 ms before them Ben is just quick"),
        pytest.param(301, "proposed", [CLEO, DAN], id="301 ms before them Ben has called"),
    ],
)
def test_a_first_hand_long_before_the_second_belongs_to_something_else(
    lead: int, state: str, slaps: list[int]
) -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=lead, dan=lead + 20)
    table.wait(SECOND)
    assert (table.race.state, [press.seat for press in table.race.slaps]) == (state, slaps)


@pytest.mark.rule("R12")
def test_after_such_a_hand_the_next_one_of_that_seat_counts() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0, cleo=310, dan=330)
    table.slaps(ben=60)
    table.wait(SECOND)
    assert places(table) == [CLEO, DAN, BEN]
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_with_two_racers_a_long_lead_is_still_a_lead() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0, cleo=900)
    table.wait(3 * SECOND)
    assert places(table) == [BEN, CLEO]


@pytest.mark.rule("R12")
def test_after_the_race_was_named_an_early_hand_is_a_slap_however_slow_the_others_are() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=0, cleo=700, dan=720)
    table.wait(12 * SECOND)
    assert places(table) == [BEN, CLEO, DAN]
    assert table.owed(DAN) == 4


def hammer(table: Evening, seat: int, period: int = 400) -> None:
    """Tap the own button six times, the last of them a quarter of a second ago."""
    for _ in range(6):
        table.wait(period * MS)
        table.tap(seat)
    table.wait(250 * MS)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("period", [300, 400, 600, 900])
def test_whoever_hammers_ranks_behind_every_resting_hand(period: int) -> None:
    table = Evening(4).start()
    hammer(table, BEN, period)
    table.slaps(cleo=0, dan=40, ben=period - 250)
    table.do(c.DeclareRace(ANA))
    table.wait(3 * SECOND)
    assert places(table) == [CLEO, DAN, BEN]
    assert table.finish.hammered == (BEN,)
    assert table.said == "Ben hammered the button instead of slapping once, and draws 4."
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("before", "hammers"),
    [
        pytest.param((3100, 2900), False, id="one of them is too long ago"),
        pytest.param((2900, 2000), True, id="two other touches in three seconds"),
        pytest.param((2900,), False, id="one other touch is nothing"),
        pytest.param((2000, 1500), False, id="two quick ones by themselves are a catch"),
        pytest.param((1500, 1000), False, id="a slap that comes well after them is one of a race"),
        pytest.param((1500, 1000, 500), True, id="nor are three quick ones"),
        pytest.param((4000, 2900, 2400), True, id="nor are two with another close by"),
    ],
)
def test_two_other_touches_in_three_seconds_before_the_others_are_hammering(
    before: tuple[int, ...], hammers: bool
) -> None:
    table = Evening(4).start()
    table.wait(4 * SECOND)
    start = table.now + 4 * SECOND
    for ms in before:
        table.wait(start - ms * MS - table.now)
        table.tap(BEN)
    table.wait(start - table.now)
    table.slaps(cleo=0, dan=40, ben=20)
    table.wait(SECOND)
    assert (BEN in table.race.hammered) is hammers
    assert table.owed(BEN if hammers else DAN) == 4


@pytest.mark.rule("R12")
@pytest.mark.parametrize("early", [450, 660, 1000])
def test_of_two_racers_a_press_before_the_slap_saves_nobody_from_being_last(early: int) -> None:
    """It may be the first of two quick taps, but asking would pay whoever presses early."""
    table = Evening(3).start()
    table.wait(8 * SECOND)
    presses(table, (0, BEN), (early, CLEO), (early + 90, BEN))
    table.do(c.DeclareRace(ANA), after=2 * SECOND)
    table.wait(2 * SECOND)
    assert table.race.outcome == "last"
    assert (table.owed(BEN), table.owed(CLEO)) == (4, 0)


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("first", "second"), [(1000, 500), (730, 380), (920, 650)])
def test_whoever_may_have_called_twice_right_before_the_slap_is_not_said_to_hammer(
    first: int, second: int
) -> None:
    table = Evening(4).start()
    table.wait(8 * SECOND)
    presses(table, (0, BEN), (first - second, BEN), (first, CLEO), (first + 20, BEN))
    table.wait(20 * MS)
    table.tap(DAN)
    table.wait(SECOND)
    assert table.race.outcome == "no_order"
    assert set(table.race.tied) == {BEN, DAN}
    assert table.round.debts == ()


@pytest.mark.rule("R12")
def test_whoever_goes_on_after_the_slap_has_hammered() -> None:
    table = Evening(4).start()
    table.wait(8 * SECOND)
    presses(table, (0, BEN), (500, BEN), (1000, CLEO), (1020, BEN), (1040, DAN), (1520, BEN))
    table.wait(SECOND)
    assert (table.in_force, table.owed(BEN)) == (["last"], 4)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("before", [10, 200, 350])
def test_whoever_stops_hammering_when_the_others_slap_has_hammered_all_the_same(
    before: int,
) -> None:
    """The last of many taps happened to come down just before the first hand of the others."""
    table = Evening(4).start()
    hammer(table, BEN)
    table.wait(150 * MS)
    table.slaps(ben=0, cleo=before, dan=before + 30)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert table.race.hammered == (BEN,)
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_two_who_hammer_are_judged_by_their_hands_behind_the_others() -> None:
    table = Evening(5).start()
    table.do(c.DeclareRace(ANA))
    for _ in range(5):
        table.slaps(ben=0, cleo=200)
        table.wait(200 * MS)
    table.slaps(dan=0, eva=30, ben=60, cleo=250)
    table.wait(3 * SECOND)
    assert table.race.hammered == (BEN, CLEO)
    assert places(table) == [DAN, EVA, BEN, CLEO]
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_fewer_than_two_resting_hands_give_no_honest_order() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    hammer(table, BEN)
    table.slaps(cleo=0, ben=50)
    table.wait(12 * SECOND)
    assert table.race.outcome == "no_order"
    assert table.said == "Nobody knows which of Ben, Cleo was last: slap again, or pick who draws."
    assert table.round.debts == ()
    table.do(c.RerunRace())
    table.slaps(ben=50, cleo=90)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4


def test_a_hammering_hand_makes_no_bunch_of_its_own() -> None:
    table = Evening(4).start()
    for _ in range(20):
        table.slaps(ben=0, cleo=100)
        table.wait(300 * MS)
    table.wait(12 * SECOND)
    assert table.in_force == []


def test_bunches_of_one_race_length_apart_are_two() -> None:
    table = Evening(4).start()
    for pause in (1400, 1800, 0):
        table.slaps(ben=0, cleo=20, dan=60)
        table.wait(max(0, pause - 60) * MS)
    material = material_of(table.table)
    assert material is not None
    hands = Hands(touches(material, Timing(), 0, table.now))
    found = bunches(hands, material.seats, 3, Timing())
    assert len(found) == 2


@pytest.mark.rule("R12")
def test_no_hand_slaps_in_two_races() -> None:
    """The layer pressed too, well before the others, and all of them slapped once more."""
    table = Evening(4).start()
    start = table.slaps(ana=0, ben=350, cleo=390, dan=430)
    table.wait(start + 1600 * MS - table.now)
    table.slaps(dan=0, ben=40, cleo=80)
    table.wait(SECOND)
    slaps = [(press.seat, press.at) for race in table.round.races for press in race.slaps]
    assert len(slaps) == len(set(slaps))
    before = table.match.rulings
    for _ in range(240):
        table.do(c.PassTime(), after=SECOND // 4)
    assert table.match.rulings == before, "nor does any of it change by growing old"


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("again", "called"),
    [
        pytest.param(400, False, id="a second slap of the same hand is no call"),
        pytest.param(900, True, id="a press of its own is one"),
    ],
)
def test_whoever_slaps_twice_has_not_called_uno(again: int, called: bool) -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(again * MS)
    table.tap(DAN)
    table.wait(SECOND)
    assert (DAN in table.round.calls.called) is called


@pytest.mark.rule("R12")
def test_a_call_while_a_race_is_on_stays_a_call() -> None:
    table = Evening(5).start()
    table.tap(EVA)
    table.wait(700 * MS)
    table.hands_off(ANA, eva=200)
    table.wait(SECOND)
    assert table.owed(EVA) == 4
    assert EVA in table.round.calls.called


@pytest.mark.rule("R12")
def test_a_call_that_was_only_told_on_the_tablet_is_no_slap() -> None:
    table = Evening().start()
    table.do(c.Call(BEN))
    table.do(c.DeclareRace(ANA))
    table.do(c.Call(CLEO))
    assert table.race.state == "running"
    table.slaps(cleo=50, ben=100)
    table.wait(SECOND)
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_two_who_press_together_before_the_card_gain_nothing_where_one_of_them_slaps() -> None:
    table = Evening(5).start()
    table.slaps(ben=0, cleo=10, dan=800, eva=840)
    table.slaps(cleo=20)
    table.wait(4 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert (table.race.outcome, table.finish.last) == ("never_slapped", (BEN,))


@pytest.mark.rule("R12")
@pytest.mark.parametrize("lead", [310, 1100, 1490])
def test_who_pressed_only_shortly_before_the_others_may_have_slapped_and_is_asked_about(
    lead: int,
) -> None:
    """Cleo and Dan were slow, or Ben's press was a call and Ben never slapped: nobody knows."""
    table = Evening(4).start()
    table.slaps(ben=0, cleo=lead, dan=lead + 40)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert (table.race.outcome, table.race.tied) == ("no_order", (BEN, DAN))
    assert (table.owed(BEN), table.owed(DAN)) == (0, 0)


@pytest.mark.rule("R12")
def test_who_pressed_long_before_the_others_never_slapped() -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=1600, dan=1640)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert (table.race.outcome, table.owed(BEN)) == ("never_slapped", 4)


@pytest.mark.rule("R12")
def test_hands_that_came_just_before_a_bunch_that_ends_with_slow_ones_belong_to_it() -> None:
    """From Ben's hand on, Finn's comes too late to be of the same bunch; from Cleo's on it does."""
    table = Evening(7).start()
    table.slaps(ben=0, cleo=60, dan=100, eva=160, gus=1480, finn=1510)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert [place.seat for place in table.finish.places] == [BEN, CLEO, DAN, EVA, 7, 6]
    assert table.race.outcome == "last"


@pytest.mark.rule("R12")
def test_where_as_many_came_early_as_late_nobody_knows_which_was_the_race() -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=10)
    table.slaps(cleo=800, dan=820)
    table.wait(4 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert table.race.outcome == "no_order"


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("apart", "outcome"), [(2900, "last"), (3100, "no_order")])
def test_hands_as_far_apart_as_two_races_before_the_naming_are_in_no_order(
    apart: int, outcome: str
) -> None:
    table = Evening(3).start()
    table.slaps(ben=0, cleo=apart)
    table.wait(4 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.wait(12 * SECOND)
    assert table.race.outcome == outcome
