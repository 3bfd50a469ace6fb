"""UNO as people really call it: before the card is tapped in, over a late record, by accident."""

from __future__ import annotations

import pytest

from tests.situations.conftest import Seat
from tests.situations.running import ANA, BEN, CLEO, DAN
from tests.situations.test_races import taps


def test_one_who_taps_all_round_long_has_called_nothing_and_is_caught(seat: Seat) -> None:
    table = seat(4).deal()
    table.hands(dan=taps(0.5, 20), ben=19.2)
    table.wait(3)
    table.do("catch", seat=DAN, by=BEN)
    table.wait(1)
    assert table.catches == [("caught", [DAN])]
    assert table.owed == {"dan": 2}


@pytest.mark.parametrize("later", [1, 8, 20])
def test_one_who_taps_all_round_long_is_caught_in_refereed_play_too(seat: Seat, later: int) -> None:
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.hands(ben=taps(0.5, 50))
    table.play("red-7")
    table.hands(ben=taps(0.5, later + 2), cleo=(later, later + 0.6))
    table.wait(1)
    assert table.catches == [("caught", [BEN])]
    assert table.owed == {"ben": 2}


def test_ben_calls_for_himself_before_his_card_is_tapped_in_and_catches_nobody(
    seat: Seat,
) -> None:
    """Ana is on one card and has not called, so his press could be taken for half a catch."""
    table = seat(3).deal("refereed")
    table.cards(ana=2, ben=2)
    table.do("correct", turn=ANA)
    table.play("red-7")
    table.wait(2)
    table.touch("ben")
    table.wait(1.5)
    table.play("red-9")
    table.wait(1)
    assert table.catches == []
    assert table.owed == {}
    assert table.seat("ben")["called"]
    table.catch("cleo")
    assert table.catches == [("called", [BEN, CLEO])]
    assert table.owed == {}


def test_after_one_press_the_lamp_asks_for_the_second_and_then_it_is_a_catch(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.play("red-7")
    table.wait(1)
    table.touch("cleo")
    assert table.seat("cleo")["press_again"]
    assert table.catches == []
    table.wait(0.4)
    table.touch("cleo")
    assert not table.seat("cleo")["press_again"]
    table.wait(1)
    assert table.catches == [("caught", [BEN])]
    assert table.owed == {"ben": 2}


@pytest.mark.parametrize("late", [3, 8, 14])
def test_a_call_made_in_time_counts_although_the_record_is_two_turns_behind(
    seat: Seat, late: int
) -> None:
    """Ben and Cleo have played, Dan too and down to one; only then is anything tapped in."""
    table = seat(4).deal("refereed")
    table.cards(dan=2)
    table.wait(4)
    table.touch("dan")
    table.wait(late)
    for card in ("red-7", "red-9", "red-1"):
        table.wait(0.8)
        table.play(card)
    assert table.seat("dan")["on_one"]
    assert table.seat("dan")["called"]
    table.catch("ben")
    assert table.catches == [("called", [DAN, BEN])]
    assert table.owed == {}


def test_a_catch_made_in_time_counts_although_the_record_is_behind(seat: Seat) -> None:
    table = seat(4).deal("refereed")
    table.cards(dan=2)
    table.hands(ben=(3.0, 3.6))
    table.wait(4)
    for card in ("red-7", "red-9", "red-1"):
        table.wait(0.5)
        table.play(card)
    table.wait(1)
    assert table.catches == [("caught", [DAN])]
    assert table.owed == {"dan": 2}


@pytest.mark.parametrize("ago", [13, 60])
def test_one_stray_tap_long_ago_does_not_protect_from_a_later_catch(seat: Seat, ago: int) -> None:
    table = seat(4).deal()
    table.touch("dan")
    table.wait(ago)
    table.touch("ben")
    table.wait(3)
    table.do("catch", seat=DAN, by=BEN)
    table.wait(1)
    assert table.catches == [("caught", [DAN])]
    assert table.owed == {"dan": 2}


def test_one_stray_tap_long_ago_does_not_protect_where_the_catcher_did_not_press(
    seat: Seat,
) -> None:
    table = seat(4).deal()
    table.touch("dan")
    table.wait(40)
    table.do("catch", seat=DAN)
    table.wait(1)
    assert table.catches == [("caught", [DAN])]


@pytest.mark.parametrize("way", ["free", "refereed"])
@pytest.mark.parametrize("after", [0.1, 0.5, 6])
def test_two_who_tap_in_that_the_same_one_is_caught_catch_once(
    seat: Seat, way: str, after: float
) -> None:
    table = seat(4).deal(way, wrong_catch_draws=2)
    if way == "refereed":
        table.cards(ben=2)
        table.play("red-7")
    else:
        table.hands(ana=0.0, dan=0.4)
    table.wait(1)
    table.do("catch", seat=BEN, by=ANA)
    table.wait(after)
    assert "Ben" in table.refused("catch", seat=BEN, by=DAN)
    table.wait(1)
    assert table.catches == [("caught", [BEN])]
    assert table.owed == {"ben": 2}


def test_somebody_who_was_caught_and_drew_can_be_caught_again(seat: Seat) -> None:
    table = seat(4).deal()
    for _ in range(2):
        table.do("catch", seat=BEN)
        table.wait(1)
        (debt,) = table.view["debts"]
        table.do("drawn", debt=debt["number"])
    table.do("catch", seat=BEN)
    table.wait(16)
    table.do("catch", seat=BEN)
    table.wait(1)
    assert table.catches == [("caught", [BEN])] * 4


def test_somebody_who_called_is_not_caught_in_free_play(seat: Seat) -> None:
    table = seat(4).deal()
    table.hands(dan=0.0, ben=2.0)
    table.wait(3)
    table.do("catch", seat=DAN, by=BEN)
    table.wait(1)
    assert table.catches == [("called", [DAN, BEN])]
    assert table.owed == {}


@pytest.mark.parametrize("walk", [2, 6, 12])
@pytest.mark.parametrize("by", [BEN, None])
def test_whoever_taps_on_hearing_caught_is_caught_all_the_same(
    seat: Seat, walk: int, by: int | None
) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, dan=0.9)
    table.wait(walk)
    table.do("catch", seat=DAN, **({} if by is None else {"by": by}))
    table.wait(1)
    assert table.catches == [("caught", [DAN])]
    assert table.owed == {"dan": 2}


def test_without_the_catchers_press_a_recent_tap_of_the_caught_one_is_asked_about(
    seat: Seat,
) -> None:
    table = seat(4).deal()
    table.touch("dan")
    table.wait(4)
    table.do("catch", seat=DAN)
    table.wait(1)
    assert table.catches == []
    assert table.owed == {}
    assert [question["kind"] for question in table.questions] == ["called_in_time"]
    table.answer("caught")
    assert table.catches == [("caught", [DAN])]
    assert table.owed == {"dan": 2}


def test_a_slap_is_no_call(seat: Seat) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, dan=0.1, cleo=0.3)
    table.wait(1)
    assert not any(seat["called"] for seat in table.view["seats"])
    table.touch("ben")
    table.wait(2)
    table.do("catch", seat=DAN, by=BEN)
    table.wait(1)
    assert table.catches == [("caught", [DAN])]


@pytest.mark.parametrize("how", ["two presses", "a tap"])
def test_somebody_whose_count_is_corrected_to_one_card_can_be_caught(seat: Seat, how: str) -> None:
    """Ben was believed to hold two more cards than he did, and he has not called."""
    table = seat(3).deal("refereed")
    table.cards(ben=4)
    table.play("red-7")
    table.wait(2)
    table.cards(ben=1)
    assert table.seat("ben")["on_one"]
    if how == "a tap":
        table.do("catch", seat=BEN)
        table.wait(1)
    else:
        table.catch("cleo")
    assert table.catches == [("caught", [BEN])]
    assert table.owed == {"ben": 2}


def test_nobody_is_caught_on_one_card_whose_count_is_corrected_to_more(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.play("red-7")
    table.wait(2)
    table.catch("cleo")
    assert table.catches == [("caught", [BEN])]
    table.cards(ben=4)
    assert table.catches == []
    assert table.owed == {}
    table.catch("ana")
    assert table.catches == []


def test_a_count_that_is_corrected_after_cards_were_drawn_changes_no_catch(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.play("red-7")
    table.catch("cleo")
    (debt,) = table.view["debts"]
    table.do("drawn", debt=debt["number"])
    table.cards(ben=4)
    table.wait(1)
    assert table.catches == [("caught", [BEN])]


@pytest.mark.parametrize("slap", [None, 0.5])
@pytest.mark.parametrize("late", [0, 6])
@pytest.mark.parametrize("apart", [0.5, 0.9])
def test_of_two_the_only_one_to_slap_can_catch_whoever_laid_the_race(
    seat: Seat, slap: float | None, late: int, apart: float
) -> None:
    """The race was Ben's last card but one. Ana is last anyway, so she need not even slap."""
    table = seat(2).deal("refereed")
    table.cards(ben=2)
    if not late:
        table.play("street-race", colour="red")
    table.hands(ana=(*([] if slap is None else [slap]), 3.0, 3.0 + apart))
    table.wait(late)
    if late:
        table.play("street-race", colour="red")
    table.wait(2)
    assert table.races == [("last", [ANA])]
    if slap is None and apart < 0.7:
        assert table.catches == [], "she may as well have slapped twice, to be sure"
    else:
        assert table.catches == [("caught", [BEN])]


def test_a_catch_right_before_the_next_card_was_tapped_in_is_asked_about(seat: Seat) -> None:
    """The next player may have begun already, which nobody could see on the tablet."""
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.play("red-7")
    table.hands(ana=(2.0, 2.5))
    table.play("red-9", seat=CLEO)
    table.wait(1)
    assert table.owed == {}
    assert [question["kind"] for question in table.questions] == ["caught_in_time"]
    table.answer("too_late")
    table.wait(1)
    assert table.owed == {}
    assert table.catches == [("too_late", [BEN, ANA])]


def test_a_call_and_a_catch_after_a_race_with_a_slow_hand_are_no_slaps_of_it(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.cards(cleo=3)
    table.play("street-race", seat=BEN, colour="green")
    table.hands(cleo=0.4, ana=2.6)
    table.wait(1)
    assert table.races == [("last", [ANA])]
    table.wait(1)
    table.cards(cleo=2)
    table.hands(cleo=4.4, ana=(5.5, 6.1))
    table.wait(4)
    table.play("green-6", seat=CLEO)
    table.wait(2)
    assert table.catches == [("called", [CLEO, ANA])]
    assert table.owed.get("cleo") is None
