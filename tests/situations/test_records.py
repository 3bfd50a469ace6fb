"""Undo, late corrections and restarts: records come and go, what hands did stays."""

from __future__ import annotations

import pytest

from companion.referee.model.presses import SECOND
from tests.situations.conftest import Seat
from tests.situations.running import ANA, BEN, CLEO, DAN, EVA


def test_taking_back_a_mistyped_card_keeps_the_call_made_since(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.play("red-7")
    table.wait(1)
    table.touch("ben")
    table.wait(2)
    table.do("undo")
    assert table.view["round"]["top"] == "red-5"
    table.wait(1)
    table.play("red-8")
    assert table.seat("ben")["called"]
    table.catch("cleo")
    assert table.catches == [("called", [BEN, CLEO])]


def test_cancelling_a_race_keeps_the_calls_made_since(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.cards(cleo=2)
    table.play("street-race", colour="red")
    table.hands(ana=0.4, cleo=0.6)
    table.wait(3)
    table.touch("cleo")
    table.wait(0.5)
    table.do("cancel_race")
    assert table.races == []
    assert table.owed == {}
    table.play("red-8")
    table.catch("ben")
    assert table.catches == [("called", [CLEO, BEN])]


@pytest.mark.parametrize("how", ["cancel_race", "undo"])
@pytest.mark.parametrize("players", [3, 4])
def test_no_race_that_was_taken_back_comes_again_with_the_next_press(
    seat: Seat, how: str, players: int
) -> None:
    """Of four the hands declared it; of three it was tapped in, when nobody was asked any more."""
    table = seat(players).deal()
    table.hands(rest=3.0, ben=0.0, cleo=0.3, **({"dan": 0.1} if players == 4 else {}))
    if players == 3:
        table.wait(9)
        table.do("declare_race", layer=ANA)
    table.wait(1)
    assert table.owed == {"cleo": 4}
    table.do(how)
    for name in ("ben", "cleo", "ana", "ben"):
        table.hands(rest=2.0, **{name: 0.5})
        table.wait(1.5)
        assert table.view["race"] is None
    table.wait(12)
    assert table.view["race"] is None
    assert table.races == []
    assert table.owed == {}
    assert table.questions == []


def test_taking_back_a_tap_leaves_the_race_that_the_hands_had_declared_before_it(
    seat: Seat,
) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, dan=0.1, cleo=0.3)
    table.wait(3)
    table.do("declare_race", layer=ANA)
    table.wait(1)
    table.do("undo")
    assert table.race["how"] == "hands"
    assert table.races == [("last", [CLEO])]


def test_a_race_that_was_taken_back_can_be_brought_back(seat: Seat) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, dan=0.1, cleo=0.3)
    table.wait(1)
    table.do("undo")
    assert table.races == []
    table.do("redo")
    table.wait(1)
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}


@pytest.mark.parametrize("way", ["free", "refereed"])
def test_undo_right_after_an_accidental_press_touches_nothing_before_it(
    seat: Seat, way: str
) -> None:
    table = seat(4).deal(way)
    if way == "refereed":
        table.play("red-7")
    else:
        table.do("rename", seat=DAN, name="Daniel")
        table.do("rename", seat=DAN, name="Dan")
    before = table.view
    table.wait(3)
    table.touch("cleo")
    table.wait(1)
    assert table.seat("cleo")["called"]
    assert table.view["undo"]["code"] == "step_press"
    table.do("undo")
    after = table.view
    assert not table.seat("cleo")["called"]
    for part in ("round", "seats", "match", "debts", "race", "uno", "undo", "rulings"):
        assert after[part] == before[part], part
    table.do("undo")
    assert table.view["undo"] != before["undo"], "now it was the step before the press"


def test_undo_right_after_a_race_by_accident_touches_nothing_before_it(seat: Seat) -> None:
    """Somebody knocked against the table, and three hands caught their glasses."""
    table = seat(4).deal()
    table.do("declare_race", layer=BEN)
    table.hands(ana=0.3, cleo=0.4, dan=0.6)
    table.wait(5)
    before = table.view
    assert table.owed == {"dan": 4}
    table.hands(ben=0.0, cleo=0.1, dan=0.3)
    table.wait(1)
    assert len(table.races) == 2
    table.do("undo")
    assert table.view["debts"] == before["debts"]
    assert table.races == [("last", [DAN])]
    assert table.race["layer"] == BEN


def test_a_call_before_an_accidental_press_stays_when_that_is_taken_back(seat: Seat) -> None:
    table = seat(4).deal("refereed")
    table.cards(ben=2)
    table.touch("ben")
    table.wait(1)
    table.play("red-7")
    table.wait(2)
    table.touch("dan")
    table.wait(0.5)
    table.do("undo")
    assert table.view["round"]["top"] == "red-7"
    table.catch("cleo")
    assert table.catches == [("called", [BEN, CLEO])]


def test_a_question_survives_a_restart_and_can_be_answered_after_it(seat: Seat) -> None:
    table = seat(3).deal()
    table.hands(ben=0.0, cleo=0.2)
    table.wait(2)
    (before,) = table.questions
    table.restart()
    assert table.questions == [before]
    table.answer("yes")
    table.wait(1)
    assert table.race["layer"] == ANA
    assert [place["seat"] for place in table.race["finish"]["places"]] == [BEN, CLEO]
    assert table.races == [("last", [CLEO])]


def test_a_question_survives_a_restart_and_is_answered_by_a_press_after_it(seat: Seat) -> None:
    table = seat(3).deal()
    table.hands(ben=0.0, cleo=0.2)
    table.wait(2)
    table.restart()
    table.wait(1)
    table.touch("ana")
    table.wait(1)
    assert table.races == [("last", [CLEO])]


def test_slaps_made_before_a_restart_count_after_it_and_the_gap_is_shown(seat: Seat) -> None:
    table = seat(4).deal()
    table.do("declare_race", layer=ANA)
    table.hands(ben=0.3, dan=0.5)
    table.restart(2)
    assert table.race["state"] == "running"
    assert [slap["seat"] for slap in table.race["slaps"]] == [BEN, DAN]
    table.hands(cleo=0.5)
    table.wait(1)
    (gap,) = table.race["gaps"]
    assert gap["until"] - gap["since"] >= 2 * SECOND
    assert table.races == [("last", [CLEO])], "whenever she slapped, the others were before her"


def test_who_may_have_slapped_while_nobody_listened_cannot_be_told_apart(seat: Seat) -> None:
    table = seat(5).deal()
    table.do("declare_race", layer=ANA)
    table.hands(ben=0.3, dan=0.5)
    table.restart(2)
    table.hands(cleo=0.5, eva=0.7)
    table.wait(1)
    assert table.races == [("dead_heat", [CLEO, EVA])]
    assert table.owed == {}


def test_a_whole_race_before_a_restart_can_still_be_tapped_in_after_it(seat: Seat) -> None:
    table = seat(3).deal()
    table.hands(ben=0.0, cleo=0.2)
    table.restart(2)
    table.wait(9)
    table.do("declare_race", layer=ANA)
    table.wait(2)
    assert table.races == [("last", [CLEO])]
    assert table.finish() == [("ben", 0), ("cleo", 200)]


def test_a_call_made_before_a_restart_counts_after_it(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.touch("ben")
    table.wait(1)
    table.restart(2)
    table.play("red-7")
    table.wait(1)
    table.catch("cleo")
    assert table.catches == [("called", [BEN, CLEO])]


def test_a_card_that_really_was_a_street_race_makes_its_slaps_a_race_when_it_is_changed(
    seat: Seat,
) -> None:
    table = seat(4).deal("refereed")
    table.hands(ana=0.0, dan=0.1, cleo=0.3)
    table.wait(1)
    table.play("red-7")
    table.wait(2)
    table.play("red-9")
    assert table.races == []
    turn = table.view["round"]["turns"][0]["number"]
    table.do("change_play", turn=turn, card="street-race", colour="red")
    table.wait(2)
    assert table.race["layer"] == BEN
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}
    assert table.view["round"]["top"] == "red-9"
    table.do("undo")
    assert table.races == []
    assert table.owed == {}


def test_an_earlier_card_that_was_no_street_race_takes_its_ruling_back(seat: Seat) -> None:
    table = seat(4).deal("refereed")
    table.play("street-race", colour="red")
    table.hands(ana=0.3, dan=0.4, cleo=0.6)
    table.wait(1)
    table.play("red-9")
    assert table.races == [("last", [CLEO])]
    turn = table.view["round"]["turns"][0]["number"]
    table.do("change_play", turn=turn, card="red-7")
    table.wait(1)
    assert table.races == []
    assert table.owed == {}


def test_what_no_longer_fits_an_earlier_card_is_asked_about_and_kept(seat: Seat) -> None:
    table = seat(3).deal("refereed")
    table.play("red-7")
    table.play("red-9")
    table.play("blue-9")
    before = table.view["round"]
    turn = before["turns"][0]["number"]
    table.do("change_play", turn=turn, card="green-5")
    (question,) = table.questions
    assert question["kind"] == "play_stands"
    assert "Cleo" in question["sentence"]["text"]
    after = table.view["round"]
    assert (after["top"], after["turn"]) == (before["top"], before["turn"])
    assert [turn["card"] for turn in after["turns"]] == ["green-5", "red-9", "blue-9"]
    table.answer("stands")
    assert table.questions == []


def test_a_call_made_since_serves_the_card_as_it_was_changed(seat: Seat) -> None:
    """Ben drew, it was tapped in; he had really played, and called."""
    table = seat(3).deal("refereed")
    table.cards(ben=2)
    table.touch("ben")
    table.wait(1)
    table.do("draw")
    table.wait(1)
    turn = table.view["round"]["turns"][0]["number"]
    table.do("change_play", turn=turn, card="red-7")
    assert table.seat("ben")["on_one"]
    assert table.seat("ben")["called"]
    table.catch("cleo")
    assert table.catches == [("called", [BEN, CLEO])]


@pytest.mark.parametrize("way", ["free", "refereed"])
def test_hands_that_slap_while_somebody_is_out_by_mistake_count_when_that_is_taken_back(
    seat: Seat, way: str
) -> None:
    table = seat(4).deal(way)
    table.do("go_out", seat=DAN, confirm=True)
    table.wait(1)
    table.hands(ana=0.0, dan=0.1, cleo=0.3)
    table.wait(1)
    assert (table.races, table.owed) == ([], {})
    assert not any(shown["called"] for shown in table.view["seats"])
    table.do("undo")
    if way == "refereed":
        table.play("street-race", colour="red")
    table.wait(2)
    assert table.races == [("last", [CLEO])]
    assert table.race["layer"] == BEN
