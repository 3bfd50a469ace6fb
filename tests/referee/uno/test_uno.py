"""R13 in refereed play: the call, the catch by two presses, and which came first."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.model.rulings import Calling
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening, stands
from tests.referee.situations import on_one, window

MS = MILLISECOND


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
    presses = [(call, BEN)] if call is not None else []
    if catch is not None:
        presses += [(catch, ANA), (catch + 500, ANA)]
    for at, seat in sorted(presses):
        moment = start + int(at * MS)
        table.wait(max(0, moment - table.now))
        table.tap(seat, moment)
    table.wait(SECOND)
    assert table.owed(BEN) == draws
    if catch is not None:
        assert table.ruling.rule == "R13"
        evidence = table.ruling.evidence
        assert isinstance(evidence, Calling)
        assert evidence.catch.at == start + catch * MS, "the first of the two presses dates it"
        assert evidence.by == ANA


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    ("apart", "caught"),
    [
        pytest.param(249, False, id="one trembling hand"),
        pytest.param(250, True, id="just two presses"),
        pytest.param(1200, True, id="the slowest two presses"),
        pytest.param(1201, False, id="two presses that have nothing to do with each other"),
    ],
)
def test_two_presses_of_one_seat_are_a_catch(apart: int, caught: bool) -> None:
    table = on_one()
    table.catch_by_presses(ANA, apart * MS)
    table.wait(SECOND)
    assert table.owed(BEN) == (2 if caught else 0)


@pytest.mark.rule("R13")
def test_one_press_alone_catches_nobody() -> None:
    table = on_one(4)
    for seat in (ANA, CLEO, DAN):
        table.tap(seat)
        table.wait(200 * MS)
    table.wait(3 * SECOND)
    assert table.rules("R13") == []


@pytest.mark.rule("R13")
def test_after_one_press_in_an_open_window_the_second_one_is_asked_for() -> None:
    table = on_one()
    at = table.tap(ANA)
    assert table.round.calls.again == {ANA: at + 1200 * MS}
    table.wait(1200 * MS)
    assert table.round.calls.again == {}
    table.tap(BEN)
    table.tap(CLEO)
    assert table.round.calls.again == {}, "nobody is asked against somebody who has called"


@pytest.mark.rule("R13")
def test_nobody_is_asked_for_a_second_press_where_nobody_is_on_one() -> None:
    table = Evening(way="refereed").refereed()
    table.tap(ANA)
    assert table.round.calls.again == {}


@pytest.mark.rule("R13")
def test_who_has_caught_somebody_is_not_asked_again() -> None:
    table = on_one()
    table.tap(ANA)
    table.wait(400 * MS)
    table.tap(ANA)
    assert table.round.calls.again == {}


@pytest.mark.rule("R13")
def test_a_catch_is_ruled_a_moment_after_its_second_press() -> None:
    table = on_one()
    table.catch_by_presses(ANA, 400 * MS)
    table.wait(299 * MS)
    assert table.owed(BEN) == 0
    table.wait(MS)
    assert table.owed(BEN) == 2
    assert table.said == "Ben did not call UNO and draws 2."


@pytest.mark.rule("R13")
def test_a_call_that_was_delivered_after_the_catch_still_counts_by_its_time() -> None:
    table = on_one()
    start = table.now
    table.now += SECOND
    table.tap(ANA, start + 60 * MS)
    table.tap(ANA, start + 500 * MS)
    table.tap(BEN, start + 40 * MS)
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.said == "Ben called UNO in time."


@pytest.mark.rule("R13")
def test_the_earliest_catch_counts_in_whatever_order_they_arrive() -> None:
    table = on_one(4)
    start = table.now
    table.now += SECOND
    for seat, ms in ((DAN, 70), (DAN, 570), (ANA, 50), (ANA, 600)):
        table.tap(seat, start + ms * MS)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    (evidence,) = [ruling.evidence for ruling in table.rules("R13") if stands(ruling)]
    assert isinstance(evidence, Calling)
    assert evidence.by == ANA


@pytest.mark.rule("R13")
def test_a_house_may_give_the_tie_to_the_catcher() -> None:
    table = on_one(house={"tie_goes_to": "catcher"})
    at = table.tap(BEN)
    table.tap(ANA, at)
    table.wait(400 * MS)
    table.tap(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    assert table.ruling.house == ("tie_goes_to",)


@pytest.mark.rule("R13")
def test_a_tie_that_goes_to_the_caller_names_the_house_rule() -> None:
    table = on_one()
    at = table.tap(BEN)
    table.tap(ANA, at)
    table.wait(400 * MS)
    table.tap(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.ruling.house == ("wrong_catch_draws", "tie_goes_to")


@pytest.mark.rule("R13")
@pytest.mark.parametrize(
    "then",
    [
        pytest.param(c.Play(Card("red-2")), id="Cleo has played"),
        pytest.param(c.Draw(), id="Cleo has drawn"),
    ],
)
@pytest.mark.parametrize("wait", [1, 20])
def test_once_the_next_turn_has_begun_it_is_too_late(then: c.Command, wait: int) -> None:
    table = on_one()
    table.do(then)
    table.wait(wait * SECOND)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert (table.owed(BEN), table.rules("R13")) == (0, [])
    table.do(c.Catch(BEN, ANA))
    table.wait(SECOND)
    assert table.owed(BEN) == 0
    assert table.said == "Too late to catch Ben: the next turn has begun."
    assert table.ruling.outcome == "too_late"


@pytest.mark.rule("R13")
def test_a_second_catch_of_somebody_who_was_caught_says_nothing_more() -> None:
    table = on_one(4)
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    table.catch_by_presses(DAN)
    table.wait(SECOND)
    assert table.in_force == ["caught"]
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_a_caught_player_who_has_drawn_is_no_longer_on_one() -> None:
    table = on_one()
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    table.do(c.Drawn(table.round.debts[0].number))
    assert table.round.hands[BEN] == 3
    assert table.round.calls.window is None
    table.catch_by_presses(CLEO)
    table.wait(SECOND)
    assert table.in_force == ["caught"]


@pytest.mark.rule("R13")
def test_nobody_is_caught_by_presses_of_their_own() -> None:
    table = on_one()
    table.catch_by_presses(BEN)
    table.wait(SECOND)
    assert table.rules("R13") == []
    assert window(table).call is not None


@pytest.mark.rule("R13")
def test_going_out_right_after_a_catch_does_not_lose_it() -> None:
    table = on_one(2)
    table.hands(ana=1)
    table.catch_by_presses(ANA)
    table.play("red-2")
    table.wait(SECOND)
    assert table.round.out == ANA
    table.answer("caught")
    assert table.owed(BEN) == 2


def test_nobody_catches_themselves_or_somebody_who_is_not_there() -> None:
    table = on_one()
    assert table.refused(c.Catch(BEN, BEN)).sentence.code == "catch_self"
    assert table.refused(c.Catch(9)).sentence.code == "unknown_seat"
