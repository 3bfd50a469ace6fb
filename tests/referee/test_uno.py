"""R13: the call, the catch, and which came first."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import Card
from companion.referee.presses import MILLISECOND, SECOND
from companion.referee.rulings import Calling
from tests.referee.evening import ANA, BEN, CLEO, Evening

MS = MILLISECOND


def on_one(**setup: object) -> Evening:
    """Ben has just been recorded with his next-to-last card; Cleo is on turn."""
    table = Evening(way="refereed", **setup).refereed()  # type: ignore[arg-type]
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    return table


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("call", "catch", "draws"),
    [
        pytest.param(300, None, 0, id="Ben calls, nobody doubts it"),
        pytest.param(None, 300, 2, id="Ben forgets and Ana notices"),
        pytest.param(300, 600, 0, id="Ben calls before Ana catches"),
        pytest.param(600, 300, 2, id="Ben calls after he was caught"),
        pytest.param(310.5, 310, 0, id="too close to tell, so the call stands"),
        pytest.param(312, 310, 2, id="clearly too late"),
        pytest.param(None, None, 0, id="Ben forgets and nobody notices"),
    ],
)
def test_on_the_last_card_but_one(call: float | None, catch: float | None, draws: int) -> None:
    table = on_one()
    start = table.now
    presses = [(at, seat) for at, seat in ((call, BEN), (catch, ANA)) if at is not None]
    for at, seat in sorted(presses):
        moment = start + int(at * MS)
        table.wait(max(0, moment - table.now))
        table.tap(seat, moment)
    table.wait(SECOND)
    assert table.owed(BEN) == draws
    if catch is not None:
        assert table.ruling.rule == "R13"
        assert isinstance(table.ruling.evidence, Calling)


@pytest.mark.rule("R13")
def test_a_call_that_was_delivered_after_the_catch_still_counts_by_its_time() -> None:
    table = on_one()
    start = table.now
    table.now += 100 * MS
    table.tap(ANA, start + 60 * MS)
    table.tap(BEN, start + 40 * MS)
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.said == "Ben had called UNO 0.0 s before the catch."


@pytest.mark.rule("R13")
def test_the_earliest_catch_counts_in_whatever_order_they_arrive() -> None:
    table = on_one()
    start = table.now
    table.now += 100 * MS
    table.tap(CLEO, start + 70 * MS)
    table.tap(ANA, start + 50 * MS)
    table.tap(ANA, start + 90 * MS)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    evidence = table.ruling.evidence
    assert isinstance(evidence, Calling)
    assert evidence.by == ANA


@pytest.mark.rule("R13")
def test_a_house_may_give_the_tie_to_the_catcher() -> None:
    table = on_one(house={"tie_goes_to": "catcher"})
    at = table.tap(BEN)
    table.tap(ANA, at)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    assert table.ruling.house == ("tie_goes_to",)


@pytest.mark.rule("R13")
def test_a_call_made_in_the_same_turn_before_the_card_was_recorded_counts() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.tap(BEN)
    table.wait(200 * MS)
    table.play("red-1")
    table.tap(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.said == "Ben had called UNO 0.3 s before the catch."


@pytest.mark.rule("R13")
def test_a_call_from_an_earlier_turn_does_not_count() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=3)
    table.tap(BEN)
    table.play("red-1", "red-2", "red-3")
    table.play("red-4")
    table.tap(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_drawing_and_playing_back_to_one_card_needs_a_new_call() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=1)
    table.tap(BEN)
    table.do(c.Play(Card("red-1"), drawn=True))
    assert table.round.window is not None
    assert table.round.window.call is not None
    table.play("red-2", "red-3")
    table.do(c.Play(Card("red-4"), drawn=True))
    assert table.round.window is not None
    assert table.round.window.call is None


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    "then",
    [
        pytest.param(c.Play(Card("red-2")), id="Cleo has played"),
        pytest.param(c.Draw(), id="Cleo has drawn"),
    ],
)
def test_once_the_next_turn_has_begun_it_is_too_late(then: c.Command) -> None:
    table = on_one()
    table.do(then)
    table.do(c.Catch(BEN, ANA))
    assert table.owed(BEN) == 0
    assert table.said == "Too late to catch Ben: the next turn has begun."


@pytest.mark.rule("R13")
def test_the_next_turn_rules_a_catch_that_is_still_settling() -> None:
    table = on_one()
    table.tap(ANA)
    table.play("red-2")
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_a_catch_of_somebody_with_more_cards_costs_nothing_unless_the_house_says() -> None:
    table = on_one(house={"wrong_catch_draws": 1})
    table.do(c.Catch(CLEO, ANA))
    assert table.said == "Cleo is not on one card."
    assert table.owed(ANA) == 1
    assert table.ruling.house == ("wrong_catch_draws",)


@pytest.mark.rule("R13")
def test_a_wrong_catch_by_nobody_in_particular_costs_nobody() -> None:
    table = on_one(house={"wrong_catch_draws": 1})
    table.do(c.Catch(CLEO))
    assert table.round.debts == ()


@pytest.mark.rule("R13")
def test_after_a_failed_catch_that_button_has_to_wait() -> None:
    table = on_one()
    table.tap(BEN)
    table.wait(100 * MS)
    table.tap(ANA)
    table.wait(SECOND)
    rulings = len(table.match.rulings)
    table.tap(ANA)
    table.wait(SECOND)
    assert len(table.match.rulings) == rulings
    refusal = table.refused(c.Catch(BEN, ANA))
    assert str(refusal) == "Ana has just made a wrong catch and has to wait a moment."
    table.wait(3 * SECOND)
    table.tap(ANA)
    table.wait(SECOND)
    assert len(table.match.rulings) == rulings + 1


@pytest.mark.rule("R13")
def test_in_free_play_a_catch_asks_the_record() -> None:
    table = Evening().start()
    table.tap(BEN)
    table.wait(1300 * MS)
    table.do(c.Catch(BEN), after=0)
    table.wait(SECOND)
    assert table.said == "Ben had called UNO 1.3 s before the catch."
    table.do(c.Catch(CLEO, ANA))
    table.wait(SECOND)
    assert table.said == "Cleo did not call UNO and draws 2."
    table.do(c.Drawn(table.round.debts[0].number))
    assert table.round.debts == ()


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("calls", "said"),
    [
        pytest.param((), "Ben did not call UNO and draws 2.", id="never called"),
        pytest.param((3000,), "Ben did not call UNO and draws 2.", id="called while they tapped"),
        pytest.param((-800,), "Ben had called UNO 0.8 s before the catch.", id="called before"),
        pytest.param(
            (-800, 3000), "Ben had called UNO 0.8 s before the catch.", id="called before and again"
        ),
    ],
)
def test_the_first_tap_is_the_catch_however_long_the_names_take(
    calls: tuple[int, ...], said: str
) -> None:
    table = Evening().start()
    table.wait(SECOND)
    tapped = table.now
    for after in calls:
        table.wait(max(0, tapped + after * MS - table.now))
        table.tap(BEN, tapped + after * MS)
    table.wait(tapped + 7 * SECOND - table.now)
    table.do(c.Catch(BEN, ANA, 7000), after=0)
    assert table.said == said


def test_a_catch_in_a_refereed_round_is_not_older_than_its_window() -> None:
    table = on_one()
    table.wait(SECOND)
    table.do(c.Catch(BEN, ANA, 60_000), after=0)
    evidence = table.ruling.evidence
    assert isinstance(evidence, Calling)
    assert table.owed(BEN) == 2
    assert table.round.window is None
    assert evidence.catch.at > table.now - 30 * SECOND


@pytest.mark.rule("R13")
def test_in_free_play_a_call_is_spent_when_its_player_draws() -> None:
    table = Evening().start()
    table.do(c.Catch(BEN))
    table.wait(SECOND)
    table.tap(BEN)
    table.do(c.Drawn(table.round.debts[0].number))
    assert table.round.calls == {}


def test_a_second_catch_settles_the_first() -> None:
    table = Evening().start()
    table.do(c.Catch(BEN))
    table.do(c.Catch(CLEO))
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(CLEO)) == (2, 2)


def test_a_catch_from_the_tablet_in_a_refereed_round() -> None:
    table = on_one()
    table.do(c.Catch(BEN, ANA))
    assert table.owed(BEN) == 0
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    assert table.round.window is None


def test_a_call_from_the_tablet_and_its_withdrawal() -> None:
    table = on_one()
    table.do(c.Call(BEN))
    assert table.round.window is not None
    assert table.round.window.call is not None
    table.do(c.WithdrawCall(BEN))
    assert table.round.window.call is None
    assert table.refused(c.WithdrawCall(BEN)).sentence.code == "no_call"
    table.do(c.Call(ANA))
    table.do(c.WithdrawCall(ANA))
    assert ANA not in table.round.calls


def test_calling_twice_keeps_the_first_call_of_the_window() -> None:
    table = on_one()
    first = table.tap(BEN)
    table.wait(100 * MS)
    table.tap(BEN)
    assert table.round.window is not None
    assert table.round.window.call is not None
    assert table.round.window.call.at == first


def test_nobody_catches_themselves_or_somebody_who_is_not_there() -> None:
    table = on_one()
    assert table.refused(c.Catch(BEN, BEN)).sentence.code == "catch_self"
    assert table.refused(c.Catch(9)).sentence.code == "unknown_seat"


def test_a_street_race_as_the_last_card_but_one_opens_both() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("street-race blue")
    assert table.race.state == "running"
    assert table.round.window is not None
    table.tap(ANA)
    table.wait(100 * MS)
    table.tap(ANA)
    table.wait(100 * MS)
    table.tap(CLEO)
    table.wait(SECOND)
    assert table.owed(BEN) == 0, "further presses while the race is on are no catches"
    table.tap(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2, "after the race is ruled they are"


def test_the_layers_hold_is_no_call_but_a_tap_is() -> None:
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.hold(BEN)
    table.play("street-race blue")
    assert table.round.window is not None
    assert table.round.window.call is None
    table.tap(BEN)
    assert table.round.window.call is not None


def test_a_held_catch_against_somebody_who_has_called_lays_a_race_instead() -> None:
    table = on_one()
    table.tap(BEN)
    table.wait(200 * MS)
    table.hold(CLEO)
    assert table.race.layer == CLEO
    assert table.round.cooldowns == {}
    assert not table.rules("R13")


def test_a_held_catch_against_somebody_who_has_not_called_is_a_catch() -> None:
    table = on_one()
    table.hold(CLEO)
    assert table.owed(BEN) == 2
    assert table.round.race is None


def test_in_express_a_long_catch_is_ruled_as_soon_as_it_has_settled() -> None:
    table = on_one(edition="express")
    table.tap(BEN)
    table.wait(100 * MS)
    table.press(CLEO)
    table.wait(400 * MS)
    assert len(table.rules("R13")) == 1


def test_a_call_on_one_card_is_not_taken_for_a_slap() -> None:
    table = on_one()
    table.tap(BEN)
    table.wait(500 * MS)
    table.play("street-race green")
    assert table.race.layer == CLEO
    slaps = [press.seat for press in table.race.presses]
    assert BEN not in slaps
    assert BEN in table.round.calls


def test_going_out_while_a_catch_is_settling_rules_it_first() -> None:
    table = on_one(players=2)
    table.hands(ana=1)
    table.tap(ANA)
    table.play("red-2")
    assert table.round.out == ANA
    assert table.owed(BEN) == 2


def test_a_caught_player_who_draws_in_time_is_no_longer_on_one() -> None:
    table = on_one()
    table.do(c.Overrule(table.rules("R3")[0].number, (BEN,), 1))
    table.do(c.Drawn(table.round.debts[0].number))
    assert table.round.window is None
    table.do(c.Catch(BEN, ANA))
    assert table.said == "Ben is not on one card."


def test_presses_are_recorded_with_what_they_were_taken_for() -> None:
    table = on_one()
    table.tap(BEN)
    table.wait(20 * MS)
    table.tap(ANA)
    table.wait(SECOND)
    table.tap(ANA)
    meanings = [ev.meaning for ev in table.events if isinstance(ev, e.PressRecorded)]
    assert meanings == ["call", "catch", "cooldown"]
