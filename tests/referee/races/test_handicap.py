"""R12: head starts. A child's slap counts earlier than it was made, and nothing else changes."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.rulings import Place
from tests.kit.evening import ANA, BEN, CLEO, DAN, WIRED, Evening
from tests.referee.situations import raced, with_head_start

MS = MILLISECOND


def places(table: Evening) -> list[tuple[int, int | None, int | None, int]]:
    """Who came in: when it counts, how far behind, and with which head start, in milliseconds."""

    def ms(ns: int | None) -> int | None:
        return None if ns is None else ns // MS

    return [(p.seat, ms(p.after), ms(p.behind), p.handicap // MS) for p in table.finish.places]


@pytest.mark.rule("R12")
def test_a_child_is_not_last_although_the_hand_came_last() -> None:
    table = with_head_start(CLEO, 200)
    at = raced(table, ben=300, cleo=450)
    assert table.said == "Ben draws 4, by 50.0 ms. The head start of Cleo decided."
    assert (table.owed(BEN), table.owed(CLEO)) == (4, 0)
    assert places(table) == [(CLEO, 0, None, 200), (BEN, 50, 50, 0)]
    assert table.ruling.house == ("handicap",)
    assert table.finish.start == at + 250 * MS, "the first hand is the first as it counts"
    press = table.finish.places[0].press
    assert press is not None
    assert press.at == at + 450 * MS, "what the hand did is never changed"
    assert table.finish.by_handicap


@pytest.mark.rule("R12")
def test_in_a_race_that_the_hands_show_a_head_start_counts_too() -> None:
    table = with_head_start(DAN, 200, players=4)
    table.slaps(ben=0, cleo=60, dan=200)
    table.wait(SECOND)
    assert (table.race.how, table.race.layer) == ("hands", ANA)
    assert places(table) == [(BEN, 0, None, 0), (DAN, 0, 0, 200), (CLEO, 60, 60, 0)]
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_a_head_start_that_changes_nothing_is_shown_and_not_blamed() -> None:
    table = with_head_start(CLEO, 200)
    raced(table, ben=300, cleo=900)
    assert table.said == "Cleo draws 4, by 400 ms."
    assert places(table) == [(BEN, 0, None, 0), (CLEO, 400, 400, 200)]
    assert table.ruling.house == ("handicap",)
    assert not table.finish.by_handicap


def test_where_nobody_has_one_no_head_start_is_named() -> None:
    table = with_head_start(ANA, 200)
    raced(table, ben=300, cleo=450)
    assert table.said == "Cleo draws 4, by 150 ms."
    assert table.ruling.house == ()
    assert not any(place.handicap for place in table.finish.places)


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("cleo", "last", "said"),
    [
        pytest.param(
            500.5,
            (BEN, CLEO),
            "Dead heat between Ben, Cleo with the head start of Cleo: too close to call (± 1 ms).",
            id="the head start makes them meet",
        ),
        pytest.param(
            301,
            (BEN,),
            "Ben draws 4, by 199 ms. The head start of Cleo decided.",
            id="it parts them",
        ),
        pytest.param(502, (CLEO,), "Cleo draws 4, by 2.0 ms.", id="it was not enough"),
    ],
)
def test_who_meets_whom_is_a_matter_of_the_moments_that_count(
    cleo: float, last: tuple[int, ...], said: str
) -> None:
    table = with_head_start(CLEO, 200)
    raced(table, ben=300, cleo=cleo)
    assert table.finish.last == last
    assert table.finish.doubt == 2 * WIRED + MS
    assert table.said == said


@pytest.mark.rule("R12")
def test_two_children_are_named_together_and_race_each_other_fairly() -> None:
    table = with_head_start(CLEO, 200, players=4)
    table.do(c.SetHandicap(DAN, 100))
    raced(table, ben=300, cleo=420, dan=350)
    assert places(table) == [(CLEO, 0, None, 200), (DAN, 30, 30, 100), (BEN, 80, 50, 0)]
    assert table.said == "Ben draws 4, by 50.0 ms. The head start of Cleo, Dan decided."


@pytest.mark.rule("R12")
def test_a_slap_may_count_from_before_the_card_was_laid() -> None:
    table = with_head_start(CLEO, 2000)
    raced(table, ben=300, cleo=1200)
    assert places(table) == [(CLEO, 0, None, 2000), (BEN, 1100, 1100, 0)]
    assert table.said == "Ben draws 4, by 1100 ms. The head start of Cleo decided."


def test_hands_belong_together_by_when_they_were_made_and_not_by_when_they_count() -> None:
    table = with_head_start(DAN, 2000, players=4)
    raced(table, ben=300, cleo=320, dan=360)
    assert table.race.anchor == table.finish.start + 1940 * MS
    assert len(table.finish.places) == 3


@pytest.mark.rule("R12")
def test_the_time_limit_is_the_same_for_everybody() -> None:
    table = with_head_start(CLEO, 2000)
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300, cleo=10_400)
    table.wait(SECOND)
    assert table.said == "Cleo never slapped and draws 4."
    assert table.finish.places[1] == Place(CLEO, None, None, None)
    assert table.ruling.house == ()


def test_two_who_never_slapped_are_equal_with_and_without_a_head_start() -> None:
    table = with_head_start(CLEO, 200, players=4)
    raced(table, ben=300)
    table.wait(11 * SECOND)
    assert table.race.tied == (CLEO, DAN)
    assert table.ruling.house == ("no_slap",)


def test_pushes_that_may_be_missing_would_have_counted_earlier_too() -> None:
    table = with_head_start(CLEO, 200)
    table.do(c.DeclareRace(ANA))
    at = table.slaps(ben=300, cleo=700)
    table.do(c.MissPresses((CLEO,), at + 400 * MS, at + 600 * MS))
    table.wait(SECOND)
    assert table.finish.last == (BEN, CLEO), "a lost push of 400 ms would count as 200 ms"
    assert table.finish.by_handicap


def test_what_is_set_after_a_race_was_seen_holds_from_the_next_one_on() -> None:
    table = with_head_start(CLEO, 200)
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=300)
    table.do(c.SetHandicap(CLEO, 0), after=0)
    table.do(c.SetHandicap(BEN, 1000), after=0)
    table.slaps(cleo=150)
    table.wait(SECOND)
    assert table.owed(BEN) == 4, "the race keeps what held when it was first seen"
    before = table.finish
    table.do(c.ChangeLayer(BEN))
    table.do(c.ChangeLayer(ANA))
    table.wait(SECOND)
    assert table.finish == before, "judged again from the same presses, it is the same"
    table.do(c.RerunRace())
    table.slaps(cleo=100, ben=200)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4, "run again, it is a race of its own"
    assert places(table)[0][0] == BEN


def test_a_layer_with_a_head_start_races_with_it_when_somebody_else_laid_the_card() -> None:
    table = with_head_start(ANA, 200)
    raced(table, ana=320, ben=330, cleo=310)
    assert table.said == "Ben draws 4, by 20.0 ms."
    table.do(c.ChangeLayer(BEN))
    table.wait(SECOND)
    assert places(table) == [(ANA, 0, None, 200), (CLEO, 190, 190, 0)]
    assert table.said == "Cleo draws 4, by 190 ms. The head start of Ana decided."


@pytest.mark.rule("R12")
def test_hands_that_must_stay_down_end_the_race_together_and_are_ordered_by_what_counts() -> None:
    table = with_head_start(CLEO, 200, house={"hands_stay_down": True})
    table.do(c.DeclareRace(ANA))
    table.wait(100 * MS)
    cleo = table.press(CLEO)
    table.wait(100 * MS)
    table.let_go(CLEO, cleo)
    table.press(BEN)
    table.wait(SECOND)
    assert table.race.state == "running", "a head start does not keep a hand down"
    table.press(CLEO)
    table.wait(2 * SECOND)
    assert table.said == "Cleo draws 4, by 800 ms."
    assert places(table) == [(BEN, 0, None, 0), (CLEO, 800, 800, 200)]
    assert table.ruling.house == ("hands_stay_down", "handicap")


def test_whoever_hammers_has_no_head_start_from_it() -> None:
    table = with_head_start(BEN, 2000, players=4)
    for _ in range(5):
        table.tap(BEN)
        table.wait(400 * MS)
    raced(table, cleo=0, dan=40, ben=60)
    assert table.race.hammered == (BEN,)
    assert places(table)[2] == (BEN, None, None, 0)
    assert table.owed(BEN) == 4


def slap_off() -> tuple[Evening, int]:
    """Ben ties with Cleo, who had a head start when the race was named; they slap again."""
    table = with_head_start(CLEO, 200)
    raced(table, ben=300, cleo=500)
    table.do(c.SetHandicap(CLEO, 0))
    table.do(c.SlapOff())
    light = table.race.slap_off
    assert light is not None
    return table, light.light_at


@pytest.mark.rule("R12")
def test_a_slap_off_goes_by_the_head_starts_of_its_race() -> None:
    table, light = slap_off()
    table.wait(light - table.now)
    table.slaps(ben=250, cleo=400)
    table.wait(SECOND)
    assert table.said == "Ben draws 4, by 50.0 ms. The head start of Cleo decided."
    assert places(table) == [(CLEO, 200, None, 200), (BEN, 250, 50, 0)]


@pytest.mark.rule("R12")
def test_a_head_start_is_no_false_start_and_does_not_mend_one() -> None:
    table, light = slap_off()
    table.wait(light - table.now)
    table.slaps(cleo=100, ben=300)
    table.wait(SECOND)
    assert places(table)[0] == (CLEO, -100, None, 200), "pressed after the light, so not early"
    assert table.owed(BEN) == 4

    table, light = slap_off()
    table.wait(light - table.now - 50 * MS)
    table.tap(CLEO)
    table.wait(SECOND)
    assert table.said == "Cleo jumped the light and draws 4."
    assert places(table)[0] == (CLEO, None, None, 0), "a false start is shown as it was"
    assert table.finish.places[0].early
    assert table.ruling.house == ()


@pytest.mark.rule("R12")
@pytest.mark.parametrize("house", ["pick", "all_draw"])
def test_two_false_starts_tie_although_a_third_hand_never_came(house: str) -> None:
    table = Evening(4, house={"no_slap": house}).start()
    raced(table, ben=300, cleo=300, dan=300)
    table.do(c.SlapOff())
    table.slaps(ben=100, cleo=120)
    table.wait(SECOND)
    light = table.race.slap_off
    assert light is not None
    assert (table.race.state, light.seats) == ("slap_off", (BEN, CLEO))
    assert table.round.debts == ()


def test_calls_and_catches_know_no_head_start() -> None:
    table = Evening(way="refereed")
    table.do(c.SetHandicap(BEN, 2000))
    table.refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.tap(ANA)
    table.wait(200 * MS)
    table.tap(BEN)
    table.wait(300 * MS)
    table.tap(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2, "the call came after the catch, by what hands really did"
