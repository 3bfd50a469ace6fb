"""Presses whose news comes after the ruling: it is judged again with them."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening
from tests.referee.situations import last_press, on_a_phone

MS = MILLISECOND


def ruled_without_ben(house: dict[str, object] | None = None) -> tuple[Evening, int]:
    """A race whose time is up before the news of Ben's slap has come; tells its deadline."""
    table = Evening(3, house=house or {}).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    table.press(CLEO)
    table.wait(table.race.deadline + SECOND // 2 - table.now)
    assert table.race.state == "ruled"
    assert table.owed(BEN) == 4
    return table, table.race.deadline


@pytest.mark.rule("R12")
@pytest.mark.parametrize("house", [{}, {"hands_stay_down": True}], ids=["any hand", "hands stay"])
def test_a_slap_whose_news_comes_after_the_ruling_is_judged_with_it(
    house: dict[str, object],
) -> None:
    table, _ = ruled_without_ben(house)
    on_a_phone(table, BEN, last_press(table, CLEO).at - 400 * MS)
    table.wait(SECOND)
    old, new = table.rules("R12")
    assert old.overruled is not None
    assert table.text(old.overruled) == "Judged again: another press by Ben came in."
    assert table.text(new.sentence) == "Cleo draws 4, by 400 ms."
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 4)
    assert BEN not in table.round.calls.called


@pytest.mark.rule("R12")
def test_a_late_slap_that_cannot_be_told_apart_makes_a_dead_heat() -> None:
    table, _ = ruled_without_ben()
    on_a_phone(table, BEN, last_press(table, CLEO).at - 5 * MS)
    table.wait(SECOND)
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 0)


@pytest.mark.rule("R12")
def test_one_late_slap_can_follow_another() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.tap(DAN)
    table.wait(11 * SECOND)
    assert table.race.state == "undecided"
    on_a_phone(table, BEN, slapped - 300 * MS)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    on_a_phone(table, CLEO, slapped - 200 * MS)
    table.wait(SECOND)
    assert table.finish.last == (DAN,)


@pytest.mark.rule("R12")
def test_a_phone_in_the_place_of_a_broken_button_is_not_left_out_because_it_is_late() -> None:
    table = Evening(4).start()
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.wait(SECOND)
    slapped = table.now
    table.slaps(cleo=0, dan=30)
    table.wait(2 * SECOND)
    assert table.race.outcome == "unusable"
    on_a_phone(table, BEN, slapped - 50 * MS)
    table.wait(SECOND)
    assert [place.seat for place in table.finish.places] == [BEN, CLEO, DAN]
    assert (table.owed(DAN), table.owed(BEN)) == (4, 0)
    assert table.round.questions == ()


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("since", "at"),
    [
        pytest.param("nothing", 1, id="after the time was up"),
        pytest.param("cancel", -1, id="in a race that was cancelled"),
        pytest.param("overrule", -1, id="against the referee's word"),
    ],
)
def test_a_press_that_was_no_slap_in_time_changes_no_ruling(since: str, at: int) -> None:
    table, deadline = ruled_without_ben()
    if since == "cancel":
        table.do(c.CancelRace())
    elif since == "overrule":
        table.do(c.Overrule(table.ruling.number, (CLEO,), 1))
    before = table.match.rulings
    on_a_phone(table, BEN, deadline + at * MS)
    table.wait(SECOND)
    assert table.match.rulings == before


@pytest.mark.rule("R12")
def test_a_second_press_of_a_hand_that_was_seen_changes_no_ruling() -> None:
    table, _ = ruled_without_ben()
    before = table.match.rulings
    on_a_phone(table, CLEO, last_press(table, CLEO).at + 100 * MS)
    on_a_phone(table, ANA, last_press(table, CLEO).at - 200 * MS)
    table.wait(SECOND)
    assert table.match.rulings == before


@pytest.mark.rule("R12")
def test_whom_the_referee_has_picked_stays_picked() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    deadline = table.race.deadline
    table.wait(11 * SECOND)
    assert table.race.state == "undecided"
    table.do(c.PickLast((CLEO,)))
    on_a_phone(table, BEN, deadline - 100 * MS)
    table.wait(SECOND)
    assert table.ruling.outcome == "picked"
    assert (table.owed(BEN), table.owed(CLEO)) == (0, 4)


@pytest.mark.rule("R12")
def test_after_a_slap_off_no_slap_of_the_race_before_it_is_looked_for() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slapped = table.slaps(cleo=0, dan=0.001)
    table.wait(11 * SECOND)
    assert table.race.outcome == "never_slapped"
    table.do(c.RerunRace())
    table.slaps(ben=50, cleo=100, dan=100.001)
    table.wait(SECOND)
    assert table.race.tied == (CLEO, DAN)
    table.do(c.SlapOff())
    light = table.race.slap_off
    assert light is not None
    table.wait(light.light_at - table.now)
    table.slaps(cleo=200, dan=250)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    before = table.match.rulings
    on_a_phone(table, BEN, slapped)
    table.wait(SECOND)
    assert table.match.rulings == before


def caught() -> tuple[Evening, int]:
    """Ben is on his last card but one and was caught; tells when Ana caught him."""
    table = Evening(3, way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-7")
    table.wait(SECOND)
    at = table.catch_by_presses(ANA, 400 * MS)
    table.wait(400 * MS)
    assert table.owed(BEN) == 2
    return table, at


@pytest.mark.rule("R13")
@pytest.mark.parametrize("ago", [200, 9, 0], ids=["long before", "just before", "too close"])
def test_a_call_whose_news_comes_after_the_catch_was_ruled_saves_its_caller(ago: int) -> None:
    table, at = caught()
    on_a_phone(table, BEN, at - ago * MS)
    table.wait(SECOND)
    assert [ruling.outcome for ruling in table.rules("R13")] == ["caught", "called"]
    assert table.rules("R13")[0].overruled is not None
    assert table.owed(BEN) == 0
    on_a_phone(table, BEN, at - 100 * MS)
    assert table.in_force == ["called"]


@pytest.mark.rule("R13")
def test_a_call_after_the_catch_saves_nobody() -> None:
    table, at = caught()
    on_a_phone(table, BEN, at + 200 * MS)
    table.wait(SECOND)
    assert [ruling.outcome for ruling in table.rules("R13")] == ["caught"]
    assert table.owed(BEN) == 2


@pytest.mark.rule("R13")
def test_a_catch_may_be_made_on_a_phone_and_is_dated_by_its_first_press() -> None:
    table = Evening(3, way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-7")
    table.wait(SECOND)
    called = table.tap(BEN)
    table.wait(600 * MS)
    on_a_phone(table, CLEO, called - 60 * MS)
    on_a_phone(table, CLEO, called + 440 * MS)
    table.wait(SECOND)
    assert table.in_force == ["caught"]
    assert table.owed(BEN) == 2


@pytest.mark.rule("R12")
def test_where_presses_went_unseen_the_table_names_no_milliseconds() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    start = table.slaps(ben=100, dan=6000, cleo=8000)
    table.do(c.MissPresses((CLEO,), start, start + 7 * SECOND))
    table.wait(3 * SECOND)
    assert table.race.outcome == "dead_heat"
    assert "ms" not in table.said
