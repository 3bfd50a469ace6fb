"""Seats whose button cannot be used, and hands that stay where they are."""

from __future__ import annotations

import pytest

from tests.situations.conftest import Seat
from tests.situations.running import ANA, BEN, CLEO, DAN, DARK


@pytest.mark.parametrize(
    ("answer", "outcome", "last"), [("others", "last", CLEO), ("4", "picked", DAN)]
)
def test_a_seat_without_a_button_is_asked_about_and_neither_last_nor_left_out(
    seat: Seat, answer: str, outcome: str, last: int
) -> None:
    table = seat(4, buttonless=(DAN,)).deal()
    table.do("declare_race", layer=ANA)
    table.hands(ben=0.3, cleo=0.5)
    table.wait(3)
    assert [one for one, _ in table.races] == ["unusable"]
    assert table.owed == {}
    (question,) = table.questions
    assert question["kind"] == "who_was_last"
    table.answer(answer)
    assert table.races[-1] == (outcome, [last])
    assert list(table.owed.values()) == [4]


def test_a_seat_without_a_button_is_asked_about_where_hands_declare_the_race(seat: Seat) -> None:
    """Ana kept her hands off, Dan has no button: either may have laid the card."""
    table = seat(4, buttonless=(DAN,)).deal()
    table.hands(ben=0.0, cleo=0.2)
    table.wait(6)
    assert table.owed == {}
    (question,) = table.questions
    assert question["kind"] == "who_laid"
    table.answer(str(ANA))
    table.wait(12)
    assert [one for one, _ in table.races] == ["unusable"]
    table.answer("others")
    assert table.races[-1] == ("last", [CLEO])


def test_a_seat_without_a_button_may_be_pressed_for_on_the_tablet(seat: Seat) -> None:
    table = seat(4, buttonless=(DAN,)).deal()
    table.do("declare_race", layer=ANA)
    table.hands(ben=0.3, cleo=0.5)
    table.wait(0.4)
    table.do("press_seat", seat=DAN)
    table.wait(1)
    assert table.races == [("last", [DAN])]


@pytest.mark.parametrize("named", [False, True])
def test_hands_that_stay_on_their_buttons_have_slapped(seat: Seat, named: bool) -> None:
    table = seat(4).deal()
    if named:
        table.do("declare_race", layer=ANA)
    table.hands(rest=7.0, ben=0.3, dan=0.4, cleo=0.6)
    table.wait(12)
    assert table.race["layer"] == ANA
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}
    assert table.questions == []


def test_the_next_slap_of_hands_that_stayed_is_never_judged_wrong(seat: Seat) -> None:
    """Ben lays the second race, and all that Cleo and Dan did before was to rest their hands."""
    table = seat(4).deal()
    table.hands(rest=7.0, ben=0.3, dan=0.4, cleo=0.6)
    table.wait(8)
    assert table.races == [("last", [CLEO])]
    table.do("declare_race", layer=BEN)
    table.hands(ana=0.3, cleo=0.4, dan=0.6)
    table.wait(12)
    assert table.race["layer"] == BEN
    if table.races[-1] != ("last", [DAN]):
        assert table.races[-1] == ("unusable", [ANA, CLEO, DAN])
        assert [question["kind"] for question in table.questions] == ["who_was_last"]
        assert table.owed == {"cleo": 4}, "nothing more than before"


def test_after_hands_that_stayed_were_lifted_and_came_down_once_more_all_is_well(
    seat: Seat,
) -> None:
    table = seat(4).deal()
    table.hands(rest=7.0, ben=0.3, dan=0.4, cleo=0.6)
    table.wait(2)
    for name in ("ben", "dan", "cleo"):
        table.touch(name)
        table.wait(2)
    assert [seat["aside"] for seat in table.view["seats"]] == [None] * 4
    table.wait(30)
    table.hands(ana=0.3, cleo=0.4, dan=0.6)
    table.wait(1)
    assert table.race["layer"] == BEN
    assert table.races == [("last", [CLEO]), ("last", [DAN])]


def test_a_hand_that_stays_after_its_slap_is_no_fault_however_long_it_stays(seat: Seat) -> None:
    table = seat(4).deal()
    table.press_and_stay(ben=0.3, dan=0.4, cleo=0.6)
    table.wait(60)
    assert [seat["aside"] for seat in table.view["seats"]] == [None] * 4
    assert table.races == [("last", [CLEO])]


def test_a_hand_that_lies_on_a_button_without_a_race_is_named_and_its_next_press_counts(
    seat: Seat,
) -> None:
    table = seat(4).deal()
    table.press_and_stay(dan=0.3)
    table.wait(6)
    assert table.seat("dan")["aside"] == "stuck"
    table.let_go("dan")
    assert table.seat("dan")["aside"] is None
    table.wait(10)
    table.hands(ben=0.0, cleo=0.1, dan=0.3)
    table.wait(1)
    assert table.races == [("last", [DAN])]


def test_a_button_that_was_set_aside_before_a_restart_is_believed_after_it(seat: Seat) -> None:
    table = seat(4).deal()
    table.fail("dan")
    table.restart()
    assert table.seat("dan")["aside"] is None
    table.wait(10)
    table.hands(ben=0.0, cleo=0.1, dan=0.3)
    table.wait(1)
    assert table.races == [("last", [DAN])]


def test_a_slap_off_goes_on_without_somebody_whose_button_fails_in_it(seat: Seat) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, cleo=0.001, dan=0.002)
    table.wait(1)
    table.do("slap_off")
    table.fail("cleo")
    table.wait(DARK)
    table.hands(ben=0.1, dan=0.3)
    table.wait(12)
    assert table.owed == {}
    table.answer("others")
    table.wait(1)
    assert table.races[-1] == ("last", [DAN])
    assert table.questions == []
    assert table.owed == {"dan": 4}
