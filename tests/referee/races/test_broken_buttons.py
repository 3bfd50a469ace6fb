"""R12: buttons that break, players without one, and what the table did not hear."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, Evening
from tests.referee.situations import presses, refereed

MS = MILLISECOND


def pressed_at(table: Evening, seat: int) -> int:
    """Tell when a seat slapped in the latest race."""
    return next(p.press.at for p in table.finish.places if p.seat == seat and p.press is not None)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("fault", ["stuck", "chatter", "noise", "unreachable"])
def test_whoever_has_no_button_that_works_is_asked_about(fault: str) -> None:
    table = Evening(4).start()
    table.do(c.SetAside(DAN, fault, table.now))  # type: ignore[arg-type]
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(3 * SECOND)
    assert (table.race.outcome, table.race.unusable) == ("unusable", (DAN,))
    assert table.race.tied == (CLEO, DAN), "the last of those who could, or whoever could not"
    assert table.said == "Dan had no working button, so nobody can tell who was last."
    assert table.text(table.question.sentence) == "No working button: Dan. Who was last?"
    assert [choice.key for choice in table.question.choices] == ["4", "others"]
    assert table.round.debts == ()


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("answer", "last"), [("4", DAN), ("others", CLEO)])
def test_the_table_says_whether_they_were_last(answer: str, last: int) -> None:
    table = Evening(4).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(3 * SECOND)
    table.answer(answer)
    table.wait(SECOND)
    assert [seat for seat in (ANA, BEN, CLEO, DAN) if table.owed(seat)] == [last]
    assert table.race.state == "ruled"
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_whoever_was_not_last_by_the_tables_word_is_not_last_by_a_later_press_either() -> None:
    table = Evening(4).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(3 * SECOND)
    table.answer("others")
    table.do(c.PutBack(DAN, table.now))
    table.tap(DAN)
    table.wait(15 * SECOND)
    assert table.in_force == ["unusable", "last"]
    assert (table.owed(CLEO), table.owed(DAN)) == (4, 0)


@pytest.mark.rule("R12")
def test_whoever_was_not_last_in_a_slap_off_is_not_last_by_a_later_press_either() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=100, dan=100)
    table.wait(SECOND)
    table.do(c.SlapOff())
    table.do(c.SetAside(DAN, "stuck", table.now))
    light = table.race.slap_off
    assert light is not None
    table.wait(light.light_at - table.now)
    table.slaps(ben=100, cleo=150)
    table.wait(light.deadline - table.now + SECOND)
    table.answer("others")
    table.do(c.PutBack(DAN, table.now))
    assert (table.owed(CLEO), table.owed(DAN)) == (4, 0)
    table.press(DAN, light.deadline - SECOND)
    table.wait(15 * SECOND)
    assert (table.owed(CLEO), table.owed(DAN)) == (4, 0)


@pytest.mark.rule("R12")
def test_a_hand_well_after_the_others_lays_no_race_for_somebody_who_could_not_be_heard() -> None:
    table = Evening(5).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.slaps(ana=0, ben=100, cleo=200, eva=1200)
    table.wait(8 * SECOND)
    assert table.question.kind == "who_laid"
    assert table.question.seats == (EVA, DAN)
    assert table.round.debts == ()


@pytest.mark.rule("R12")
def test_a_hand_right_before_the_reach_of_a_late_record_is_not_said_to_be_missing() -> None:
    table = refereed(players=4)
    table.wait(15 * SECOND)
    table.do(c.SetAside(DAN, "stuck", table.now))
    presses(table, (0, ANA), (690, CLEO))
    table.wait(9_370 * MS)
    table.play("street-race red")
    table.wait(12 * SECOND)
    table.answer("others")
    table.wait(SECOND)
    assert table.race.outcome == "no_order"
    assert table.round.debts == ()


@pytest.mark.rule("R12")
def test_a_question_about_a_broken_button_can_be_answered_much_later() -> None:
    table = Evening(4).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(200 * SECOND)
    table.answer("others")
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_a_player_who_never_had_a_button_is_asked_about_too() -> None:
    table = Evening(4)
    table.do(c.AssignButton(ANA, DAN))
    table.start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(3 * SECOND)
    assert (table.race.outcome, table.race.unusable) == ("unusable", (DAN,))


@pytest.mark.rule("R12")
def test_a_race_shows_itself_where_one_button_is_broken_and_then_asks() -> None:
    table = Evening(5).start()
    table.do(c.SetAside(5, "stuck", table.now))
    table.slaps(ben=100, cleo=130, dan=160)
    table.wait(6 * SECOND)
    assert table.question.kind == "who_laid"
    table.answer("1")
    table.wait(12 * SECOND)
    assert (table.race.outcome, table.race.unusable) == ("unusable", (5,))


@pytest.mark.rule("R12")
def test_being_set_aside_on_purpose_does_not_save_from_being_last() -> None:
    """Dan's button breaks in mid-race; nobody is silently left out of who can be last."""
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.wait(3 * SECOND)
    assert (table.race.outcome, table.race.tied) == ("unusable", (CLEO, DAN))


@pytest.mark.rule("R12")
def test_what_turns_out_to_be_noise_has_decided_no_race() -> None:
    """Its first edge came last and ended the race, before anybody could know it for what it was."""
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150, dan=200)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    table.do(c.SetAside(DAN, "noise", pressed_at(table, DAN)))
    table.wait(2 * SECOND)
    assert (table.owed(DAN), table.race.outcome) == (0, "unusable")
    first = table.rules("R12")[0]
    assert first.overruled is not None
    assert table.text(first.overruled) == "Judged again: Dan's button could not be trusted."


@pytest.mark.rule("R12")
@pytest.mark.parametrize("late", [1, 6_000], ids=["it broke after its slap", "it stuck afterwards"])
def test_a_slap_made_before_the_button_broke_still_counts(late: int) -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150, dan=200)
    table.wait(SECOND)
    table.do(c.SetAside(DAN, "stuck", pressed_at(table, DAN) + late * MS))
    table.wait(2 * SECOND)
    assert table.owed(DAN) == 4


@pytest.mark.rule("R12")
def test_a_slap_on_the_tablet_counts_although_the_button_was_broken() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100)
    table.wait(SECOND)
    table.do(c.PressSeat(CLEO))
    table.wait(2 * SECOND)
    assert table.owed(CLEO) == 4
    table.do(c.SetAside(CLEO, "chatter", table.now - 5 * SECOND))
    table.wait(2 * SECOND)
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_the_player_of_a_broken_button_slaps_on_the_tablet() -> None:
    table = Evening().start()
    table.do(c.SetAside(CLEO, "chatter", table.now))
    table.do(c.DeclareRace(ANA))
    table.tap(CLEO)
    table.do(c.PressSeat(CLEO))
    table.slaps(ben=500)
    table.wait(2 * SECOND)
    assert table.owed(BEN) == 4
    first = table.finish.places[0].press
    assert first is not None
    assert first.source == "tablet"


@pytest.mark.rule("R12")
def test_whoever_has_pressed_on_a_screen_before_is_waited_for() -> None:
    """Dan's button is broken and his phone is at hand: news of it may still come."""
    table = Evening(4).start()
    table.do(c.SetAside(DAN, "stuck", table.now))
    table.do(c.PressSeat(DAN))
    table.wait(20 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(6 * SECOND)
    assert table.race.state == "running"
    table.do(c.PressSeat(DAN))
    table.wait(2 * SECOND)
    assert table.owed(DAN) == 4


@pytest.mark.rule("R12")
def test_a_race_of_one_sound_button_is_for_the_table_to_decide() -> None:
    table = Evening().start()
    table.do(c.SetAside(CLEO, "chatter", table.now))
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100)
    table.wait(3 * SECOND)
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))


@pytest.mark.rule("R12")
def test_a_race_without_any_button_that_works_is_asked_about_at_its_end() -> None:
    table = Evening().start()
    for seat in (BEN, CLEO):
        table.do(c.SetAside(seat, "stuck", table.now))
    table.do(c.DeclareRace(ANA))
    table.wait(5 * SECOND)
    assert table.race.state == "running"
    table.wait(6 * SECOND)
    assert (table.race.outcome, table.race.tied) == ("unusable", (BEN, CLEO))
    table.answer("2")
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_a_button_put_back_races_again() -> None:
    table = Evening().start()
    table.do(c.SetAside(CLEO, "chatter", table.now))
    table.do(c.SetAside(20, "chatter", table.now))
    table.do(c.PutBack(CLEO, table.now))
    table.do(c.PutBack(20, table.now))
    table.wait(SECOND)
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4


def test_putting_back_a_button_that_was_not_set_aside_changes_nothing() -> None:
    table = Evening(4).start()
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.do(c.PutBack(CLEO, table.now))
    assert table.table.aside == {BEN: "stuck"}
    assert [span.until for span in table.table.evidence[-1].unusable] == [None]


@pytest.mark.rule("R12")
def test_a_button_that_was_broken_before_the_deal_still_is() -> None:
    table = Evening()
    table.do(c.SetAside(CLEO, "stuck", table.now))
    table.start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100)
    table.wait(3 * SECOND)
    assert table.race.unusable == (CLEO,)


@pytest.mark.rule("R12")
def test_a_spare_takes_over_in_the_middle_of_a_race() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    at = table.tap(CLEO)
    table.do(c.SetAside(CLEO, "noise", at))
    table.do(c.PushButton(20, table.now, 0))
    table.slaps(ben=50, dan=100)
    table.wait(50 * MS)
    table.do(c.PushButton(20, table.now, 0), after=0)
    table.wait(3 * SECOND)
    assert table.owed(CLEO) == 4, "what the broken button did is not believed"


@pytest.mark.rule("R12")
def test_a_button_that_goes_to_somebody_else_changes_no_race_of_before() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=150)
    table.wait(60 * SECOND)
    assert table.in_force == ["never_slapped"]
    table.do(c.AssignButton(CLEO, DAN))
    table.do(c.Call(BEN))
    table.do(c.Undo())
    table.wait(SECOND)
    assert table.in_force == ["never_slapped"]
