"""R12: head starts. A child's slap counts earlier than it was made, and nothing else changes."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import Card
from companion.referee.presses import MILLISECOND, SECOND
from companion.referee.rulings import Finish, Place
from companion.referee.table import Seat
from tests.referee.evening import ANA, BEN, CLEO, DAN, WIRED, Evening

MS = MILLISECOND


def with_head_start(seat: int = CLEO, ms: int = 200, players: int = 3, **setup: object) -> Evening:
    """A table at which one player is a child."""
    table = Evening(players, **setup)  # type: ignore[arg-type]
    table.do(c.SetHandicap(seat, ms))
    return table.start()


def race(table: Evening, layer: int = ANA, **after_ms: float) -> int:
    """Lay a Street Race and let the named hands slap so many milliseconds later."""
    seats = {"ana": ANA, "ben": BEN, "cleo": CLEO, "dan": DAN}
    at = table.press(layer)
    table.wait(800 * MS)
    table.let_go(layer, at)
    for name, ms in after_ms.items():
        table.tap(seats[name], at + int(ms * MS))
    table.wait(2 * SECOND)
    return at


def finish(table: Evening) -> Finish:
    found = table.race.finish
    assert found is not None
    return found


def places(table: Evening) -> list[tuple[int, int | None, int | None, int]]:
    """Who came in: when it counts, how far behind, and with which head start, in milliseconds."""

    def ms(ns: int | None) -> int | None:
        return None if ns is None else ns // MS

    return [(p.seat, ms(p.after), ms(p.behind), p.handicap // MS) for p in finish(table).places]


def seat(table: Evening, number: int) -> Seat:
    found = table.table.game.seat(number)
    assert found is not None
    return found


@pytest.mark.rule("R12")
def test_a_child_is_not_last_although_the_hand_came_last() -> None:
    table = with_head_start(CLEO, 200)
    at = race(table, ben=300, cleo=450)
    assert table.said == "Ben draws 4, by 50 ms. The head start of Cleo decided."
    assert (table.owed(BEN), table.owed(CLEO)) == (4, 0)
    assert places(table) == [(CLEO, 250, None, 200), (BEN, 300, 50, 0)]
    assert table.ruling.house == ("handicap",)
    press = finish(table).places[0].press
    assert press is not None
    assert press.at == at + 450 * MS, "what the hand did is never changed"
    assert finish(table).by_handicap


@pytest.mark.rule("R12")
def test_a_head_start_that_changes_nothing_is_shown_and_not_blamed() -> None:
    table = with_head_start(CLEO, 200)
    race(table, ben=300, cleo=900)
    assert table.said == "Cleo draws 4, by 400 ms."
    assert places(table) == [(BEN, 300, None, 0), (CLEO, 700, 400, 200)]
    assert table.ruling.house == ("handicap",)
    assert not finish(table).by_handicap


def test_where_nobody_has_one_no_head_start_is_named() -> None:
    table = with_head_start(ANA, 200)
    race(table, ben=300, cleo=450)
    assert table.said == "Cleo draws 4, by 150 ms."
    assert table.ruling.house == ()
    assert not any(place.handicap for place in finish(table).places)


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
        pytest.param(502, (CLEO,), "Cleo draws 4, by 2 ms.", id="it was not enough"),
    ],
)
def test_who_meets_whom_is_a_matter_of_the_moments_that_count(
    cleo: float, last: tuple[int, ...], said: str
) -> None:
    table = with_head_start(CLEO, 200)
    race(table, ben=300, cleo=cleo)
    assert finish(table).last == last
    assert finish(table).doubt == 2 * WIRED + MS
    assert table.said == said


@pytest.mark.rule("R12")
def test_two_children_are_named_together_and_race_each_other_fairly() -> None:
    table = with_head_start(CLEO, 200, players=4)
    table.do(c.SetHandicap(DAN, 100))
    race(table, ben=300, cleo=420, dan=350)
    assert places(table) == [(CLEO, 220, None, 200), (DAN, 250, 30, 100), (BEN, 300, 50, 0)]
    assert table.said == "Ben draws 4, by 50 ms. The head start of Cleo, Dan decided."


@pytest.mark.rule("R12")
def test_a_slap_may_count_from_before_the_card_was_laid() -> None:
    table = with_head_start(CLEO, 2000)
    race(table, ben=300, cleo=1200)
    assert places(table) == [(CLEO, -800, None, 2000), (BEN, 300, 1100, 0)]
    assert table.said == "Ben draws 4, by 1100 ms. The head start of Cleo decided."


def test_a_hand_from_before_the_race_is_not_brought_into_it_by_a_head_start() -> None:
    table = with_head_start(CLEO, 2000)
    table.tap(CLEO)
    table.wait(1100 * MS)
    race(table, ben=300)
    assert table.race.state == "running", "the look back goes by what hands really did"
    table.wait(11 * SECOND)
    assert table.said == "Cleo never slapped and draws 4."
    assert finish(table).places[1] == Place(CLEO, None, None, None)


@pytest.mark.rule("R12")
def test_the_time_limit_is_the_same_for_everybody() -> None:
    table = with_head_start(CLEO, 2000)
    at = race(table, ben=300)
    table.wait(at + 10_100 * MS - table.now)
    table.tap(CLEO)
    table.wait(SECOND)
    assert table.said == "Cleo never slapped and draws 4."
    assert table.ruling.house == ()


def test_two_who_never_slapped_are_equal_with_and_without_a_head_start() -> None:
    table = with_head_start(CLEO, 200, players=4)
    race(table, ben=300)
    table.wait(11 * SECOND)
    assert table.race.tied == (CLEO, DAN)
    assert table.ruling.house == ("no_slap",)


def test_pushes_that_may_be_missing_would_have_counted_earlier_too() -> None:
    table = with_head_start(CLEO, 200)
    at = table.press(ANA)
    table.wait(800 * MS)
    table._decide(c.MissPresses((CLEO,), at + 400 * MS, at + 600 * MS))
    table.tap(BEN, at + 300 * MS)
    table.tap(CLEO, at + 700 * MS)
    assert finish(table).last == (BEN, CLEO), "a lost push of 400 ms would count as 200 ms"
    assert finish(table).by_handicap


def test_what_is_set_after_a_race_was_declared_holds_from_the_next_one_on() -> None:
    table = with_head_start(CLEO, 200)
    at = table.press(ANA)
    table.wait(800 * MS)
    table.tap(BEN, at + 300 * MS)
    table.do(c.SetHandicap(CLEO, 0))
    table.do(c.SetHandicap(BEN, 1000))
    table.tap(CLEO, at + 450 * MS)
    assert table.owed(BEN) == 4, "the race keeps what held when it was declared"
    before = finish(table)
    table.do(c.ChangeLayer(BEN))
    table.do(c.ChangeLayer(ANA))
    assert finish(table) == before, "judged again from the same presses, it is the same"
    table.do(c.RerunRace())
    table.tap(CLEO)
    table.wait(100 * MS)
    table.tap(BEN)
    assert table.owed(CLEO) == 4, "run again, it is a race of its own"
    assert places(table)[0][0] == BEN


def test_a_layer_with_a_head_start_races_with_it_when_somebody_else_laid_the_card() -> None:
    table = with_head_start(ANA, 200)
    at = race(table, ben=300, cleo=310)
    assert table.said == "Cleo draws 4, by 10 ms."
    table.do(c.ChangeLayer(BEN))
    assert places(table) == [(ANA, -200, None, 200), (CLEO, 310, 510, 0)]
    assert finish(table).declared_at == at


@pytest.mark.rule("R12")
def test_hands_that_must_stay_down_end_the_race_together_and_are_ordered_by_what_counts() -> None:
    table = with_head_start(CLEO, 200, house={"hands_stay_down": True})
    table.do(c.DeclareRace(ANA))
    at = table.now
    table.wait(100 * MS)
    cleo = table.press(CLEO)
    table.wait(100 * MS)
    table.let_go(CLEO, cleo)
    table.press(BEN)
    assert table.race.state == "running", "a head start does not keep a hand down"
    table.wait(150 * MS)
    table.press(CLEO)
    assert table.said == "Ben draws 4, by 50 ms. The head start of Cleo decided."
    assert places(table) == [(CLEO, 150, None, 200), (BEN, 200, 50, 0)]
    assert table.race.declared_at == at
    assert table.ruling.house == ("hands_stay_down", "handicap")


def slap_off() -> tuple[Evening, int]:
    """Ben ties with Cleo, who had a head start when the race was declared; they slap again."""
    table = with_head_start(CLEO, 200)
    race(table, ben=300, cleo=500)
    table.do(c.SetHandicap(CLEO, 0))
    table.do(c.SlapOff())
    light = table.race.slap_off
    assert light is not None
    return table, light.light_at


@pytest.mark.rule("R12")
def test_a_slap_off_goes_by_the_head_starts_of_its_race() -> None:
    table, light = slap_off()
    table.wait(light - table.now + 250 * MS)
    table.tap(BEN)
    table.wait(150 * MS)
    table.tap(CLEO)
    assert table.said == "Ben draws 4, by 50 ms. The head start of Cleo decided."
    assert places(table) == [(CLEO, 200, None, 200), (BEN, 250, 50, 0)]


@pytest.mark.rule("R12")
def test_a_head_start_is_no_false_start_and_does_not_mend_one() -> None:
    table, light = slap_off()
    table.wait(light - table.now + 100 * MS)
    table.tap(CLEO)
    table.wait(200 * MS)
    table.tap(BEN)
    assert places(table)[0] == (CLEO, -100, None, 200), "pressed after the light, so not early"
    assert table.owed(BEN) == 4

    table, light = slap_off()
    table.wait(light - table.now - 50 * MS)
    table.tap(CLEO)
    table.wait(SECOND)
    assert table.said == "Cleo pressed before the light and draws 4."
    assert places(table)[0] == (CLEO, -50, None, 0), "a false start is shown as it was"
    assert table.ruling.house == ()


@pytest.mark.rule("R12")
@pytest.mark.parametrize("house", ["pick", "all_draw"])
def test_two_false_starts_tie_although_a_third_hand_never_came(house: str) -> None:
    table = Evening(4, house={"no_slap": house}).start()
    race(table, ben=300, cleo=300, dan=300)
    table.do(c.SlapOff())
    for early in (BEN, CLEO):
        table.tap(early)
    table.wait(SECOND)
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))
    assert table.said == "Dead heat between Ben, Cleo: too close to tell."


def test_calls_and_catches_know_no_head_start() -> None:
    table = Evening(way="refereed")
    table.do(c.SetHandicap(BEN, 2000))
    table.refereed()
    table.hands(ben=2)
    table.do(c.Play(Card("red-1")))
    table.tap(ANA)
    table.wait(200 * MS)
    table.tap(BEN)
    table.wait(SECOND)
    assert table.owed(BEN) == 2, "the call came after the catch, by what hands really did"


def test_a_head_start_goes_with_the_player_and_not_with_the_seat() -> None:
    table = Evening(3)
    table.do(c.SetHandicap(CLEO, 200))
    table.do(c.Swap(CLEO, ANA))
    assert [s.handicap // MS for s in table.table.game.seats] == [200, 0, 0]
    assert [s.button for s in table.table.game.seats] == [1, 2, 3]
    table.do(c.Swap(ANA, 7))
    assert seat(table, 7).handicap == 200 * MS
    table.do(c.Rename(7, "Clea"))
    table.do(c.AssignButton(7, 9))
    assert seat(table, 7).handicap == 200 * MS
    table.do(c.Stand(7))
    table.do(c.Sit("Clea", 7))
    assert seat(table, 7).handicap == 0, "who leaves takes it along"


def test_a_head_start_stays_over_rounds_matches_and_restarts() -> None:
    table = with_head_start(CLEO, 200)
    table.do(c.CloseMatch())
    table.start()
    table.do(c.OpenTable((), table.table.timing, None))
    assert seat(table, CLEO).handicap == 200 * MS


def test_setting_one_is_a_step_that_can_be_taken_back_and_done_again() -> None:
    table = with_head_start(CLEO, 200)
    events = table.do(c.SetHandicap(CLEO, 350))
    assert events[1:] == (e.HandicapSet(CLEO, 350 * MS),)
    assert table.table.past is not None
    assert table.table.past.label.text == "Head start of 350 ms for Cleo"
    table.do(c.Undo())
    assert seat(table, CLEO).handicap == 200 * MS
    table.do(c.Redo())
    assert seat(table, CLEO).handicap == 350 * MS


def test_taking_back_a_race_does_not_change_what_the_hands_were_worth() -> None:
    table = with_head_start(CLEO, 200)
    race(table, ben=300, cleo=450)
    ruled = finish(table)
    table.do(c.SetHandicap(CLEO, 0))
    table.do(c.Undo())
    table.do(c.Redo())
    assert table.race.finish == ruled


@pytest.mark.parametrize("ms", [-1, 2001, 10**30])
def test_a_head_start_has_its_limits(ms: int) -> None:
    table = Evening(3)
    refusal = table.refused(c.SetHandicap(CLEO, ms))
    assert str(refusal) == "A head start is at least 0 and at most 2000 ms."
    assert table.refused(c.SetHandicap(9, 100)).sentence.code == "unknown_seat"
