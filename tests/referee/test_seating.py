"""Sitting down, names, buttons, and what a match is played by."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.referee import commands as c
from companion.referee.model.house import HouseRules
from companion.referee.model.presses import SECOND
from companion.referee.model.table import marks
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening


def names(table: Evening) -> dict[int, str]:
    return {seat.number: seat.name for seat in table.table.game.seats}


def test_pressing_a_free_button_takes_the_next_seat() -> None:
    table = Evening(2)
    table.press(7)
    assert names(table) == {1: "Ana", 2: "Ben", 3: "Player 3"}
    assert table.table.game.seats[2].button == 7
    table.press(7)
    assert len(table.table.game.seats) == 3, "a second press of the same button seats nobody else"


def shown(table: Evening) -> dict[int, int]:
    return marks(table.table.game.seats)


def test_everybody_has_the_mark_of_the_seat_until_they_choose_another() -> None:
    table = Evening(3)
    assert shown(table) == {ANA: 1, BEN: 2, CLEO: 3}
    table.do(c.ChooseMark(BEN, 7))
    assert shown(table) == {ANA: 1, BEN: 7, CLEO: 3}
    table.do(c.Swap(BEN, DAN))
    assert shown(table) == {ANA: 1, CLEO: 3, DAN: 7}, "a chosen mark goes with the player"
    table.do(c.Undo())
    table.do(c.Undo())
    assert shown(table) == {ANA: 1, BEN: 2, CLEO: 3}


def test_who_wants_the_mark_of_another_changes_with_them() -> None:
    table = Evening(3)
    table.do(c.ChooseMark(ANA, 3))
    assert shown(table) == {ANA: 3, BEN: 2, CLEO: 1}
    assert str(table.refused(c.ChooseMark(ANA, 3))) == "They have that mark already."


def test_no_two_have_the_same_mark_when_somebody_sits_down_later() -> None:
    table = Evening(2)
    table.do(c.ChooseMark(ANA, 3))
    table.do(c.Sit("Cleo"))
    assert shown(table) == {ANA: 3, BEN: 2, CLEO: 1}


def test_a_players_number_is_never_given_twice() -> None:
    table = Evening(2)
    table.do(c.Sit("Cleo"))
    table.do(c.Undo())
    table.do(c.Sit("Dan"))
    assert [seat.player for seat in table.table.game.seats] == [1, 2, 4]
    table.do(c.OpenTable(table.table.editions, table.table.timing, players=17))
    table.do(c.Sit("Eva"))
    assert table.table.game.seats[-1].player == 18


def test_a_full_table_takes_nobody_else() -> None:
    table = Evening(3, house={"most_players": 3})
    assert str(table.refused(c.Sit("Dan"))) == "The table is full: 3 is the limit."
    table.press(9)
    assert len(table.table.game.seats) == 3
    table.do(c.StartMatch())
    assert table.refused(c.Sit("Dan")).sentence.code == "table_full"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param("ana", "name_taken", id="somebody has it, in other letters"),
        pytest.param("A\u200bn\u3164a", "name_taken", id="somebody has it, but for what is unseen"),
        pytest.param("\u3164", "name_empty", id="a letter that draws nothing"),
        pytest.param("\u2800 \u2800", "name_empty", id="dots of which none is raised"),
        pytest.param("\ufe0f\u034f\U000e0041", "name_empty", id="marks of other signs"),
        pytest.param("\u0301\u20dd", "name_empty", id="accents of no letter"),
        pytest.param("x" * 10_000, "name_too_long", id="10,000 characters"),
        pytest.param("x" * 25, "name_too_long", id="one too many"),
    ],
)
def test_names_that_are_refused(name: str, code: str) -> None:
    table = Evening(2)
    assert table.refused(c.Sit(name)).sentence.code == code
    assert table.refused(c.Rename(BEN, name)).sentence.code == code


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        pytest.param("<b>Zoe</b>", "<b>Zoe</b>", id="markup is just text"),
        pytest.param("  Zoe \n\t Z ", "Zoe Z", id="spaces and line breaks are tidied"),
        pytest.param("Zo\x00e\x1b", "Zo e", id="control characters are dropped"),
        pytest.param("Zoë 王", "Zoë 王", id="any script"),
    ],
)
def test_names_that_are_taken(typed: str, kept: str) -> None:
    table = Evening(2)
    table.do(c.Sit(typed))
    assert names(table)[3] == kept


def test_a_name_can_be_changed_at_any_time_but_not_to_nothing() -> None:
    table = Evening(2).start()
    table.do(c.Rename(BEN, "Benno"))
    table.do(c.Rename(BEN, "BENNO"))
    assert names(table)[BEN] == "BENNO"
    assert table.match.entrants[1].name == "BENNO"
    assert str(table.refused(c.Rename(BEN, " \n "))) == "A name needs at least one letter."
    lobby = Evening(2)
    lobby.do(c.Rename(ANA, "Anna"))
    assert names(lobby)[ANA] == "Anna"


def test_a_stand_in_name_never_collides() -> None:
    table = Evening(2)
    table.do(c.Sit("Player 4"))
    table.press(9)
    assert names(table)[4] == "Player 5"


def test_seats_change_only_between_rounds() -> None:
    table = Evening(3).start()
    for command in (c.Sit("Dan"), c.Rematch(), c.Swap(ANA, BEN), c.SwitchWay("refereed")):
        refusal = table.refused(command)
        assert str(refusal) == "That has to wait until the round is over."


def test_a_taken_seat_or_button_is_refused() -> None:
    table = Evening(2)
    assert str(table.refused(c.Sit("Dan", ANA))) == "Seat 1 is taken by Ana."
    assert str(table.refused(c.Sit("Dan", button=2))) == "Button 2 belongs to Ben."
    assert str(table.refused(c.Stand(9))) == "Nobody sits at seat 9."


def test_two_players_change_places_and_the_buttons_stay() -> None:
    table = Evening(2)
    table.do(c.Swap(ANA, BEN))
    assert names(table) == {1: "Ben", 2: "Ana"}
    assert [seat.button for seat in table.table.game.seats] == [1, 2]
    assert table.refused(c.Swap(ANA, ANA)).sentence.code == "same_seat"


def test_a_player_may_move_to_an_empty_seat_with_the_button() -> None:
    table = Evening(2)
    table.do(c.Swap(ANA, 7))
    assert names(table) == {2: "Ben", 7: "Ana"}
    assert table.table.game.seats[1].button == 1


def test_a_tie_for_the_deal_follows_those_who_move_or_leave() -> None:
    table = Evening(4)
    table.do(c.StartMatch())
    ties = {ANA: "red-9", BEN: "blue-9", CLEO: "green-9", DAN: "red-1"}
    table.do(c.DrawForDeal(ties))  # type: ignore[arg-type]
    table.do(c.Swap(CLEO, DAN))
    assert table.match.deal_tied == (ANA, BEN, DAN)
    table.do(c.Stand(ANA))
    assert table.match.deal_tied == (BEN, DAN)
    table.do(c.Stand(BEN))
    assert table.match.deal_tied == ()


def test_a_seat_can_wait_for_its_button() -> None:
    table = Evening(2)
    table.do(c.AssignButton(BEN))
    assert table.table.awaiting_button == BEN
    table.press(8)
    assert table.table.game.seats[1].button == 8
    assert table.table.awaiting_button is None
    assert len(table.table.game.seats) == 2


def test_a_button_given_to_a_seat_is_taken_from_another() -> None:
    table = Evening(3)
    table.do(c.AssignButton(BEN, 1))
    assert [seat.button for seat in table.table.game.seats] == [None, 1, 3]


def test_a_spare_takes_over_a_broken_button_in_one_press_also_in_a_round() -> None:
    table = Evening(3).start()
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.press(9)
    assert table.table.game.seats[1].button == 9
    table.do(c.DeclareRace(ANA))
    table.press(3)
    table.wait(SECOND // 10)
    table.press(9)
    table.wait(SECOND)
    assert table.owed(BEN) == 4


def test_with_two_broken_buttons_a_spare_does_not_guess() -> None:
    table = Evening(3).start()
    table.do(c.SetAside(BEN, "stuck", table.now))
    table.do(c.SetAside(CLEO, "stuck", table.now))
    before = table.table
    table.press(9)
    assert table.table is before
    table.do(c.AssignButton(CLEO))
    table.press(9)
    assert table.table.game.seats[2].button == 9


def test_a_seat_that_was_left_while_waiting_takes_no_button() -> None:
    table = Evening(3)
    table.do(c.AssignButton(CLEO))
    table.do(c.Stand(CLEO))
    table.press(9)
    assert names(table) == {1: "Ana", 2: "Ben", 3: "Player 4"}


def test_set_up_keeps_what_is_left_out() -> None:
    table = Evening(2, edition="express", scoring="alternative")
    table.do(c.SetUp(way="refereed"))
    setup = table.table.game.setup
    assert (setup.edition, setup.scoring, setup.way) == ("express", "alternative", "refereed")
    refusal = table.refused(c.SetUp(edition="expres"))
    assert "Known: fast-and-furious, express." in str(refusal)
    table.do(c.StartMatch())
    assert table.refused(c.SetUp(way="free")).sentence.code == "match_on"
    assert table.refused(c.StartMatch()).sentence.code == "match_on"


def test_a_match_needs_two_players_also_for_each_deal() -> None:
    table = Evening(1)
    assert str(table.refused(c.StartMatch())) == "It takes at least two players."
    table.do(c.Sit("Ben"))
    table.do(c.StartMatch())
    table.do(c.ChooseDealer(ANA))
    table.do(c.Stand(BEN))
    assert table.refused(c.Deal()).sentence.code == "too_few_players"


def test_a_deal_that_the_deck_cannot_serve_is_refused() -> None:
    table = Evening(3)
    small = replace(table.table.editions[1], key="small", dealt=19)
    table.do(c.OpenTable((*table.table.editions, small), table.table.timing))
    table.do(c.SetUp(edition="small"))
    refusal = table.refused(c.StartMatch())
    assert str(refusal) == "Express doesn't have enough cards for 3 players."
    table.do(c.Stand(CLEO))
    table.do(c.StartMatch())
    table.do(c.ChooseDealer(ANA))
    table.do(c.Sit("Cleo"))
    assert table.refused(c.Deal()).sentence.code == "deck_too_small"


def test_an_edition_that_is_gone_after_a_restart_cannot_be_started() -> None:
    table = Evening(2)
    extra = replace(table.table.editions[1], key="extra")
    table.do(c.OpenTable((*table.table.editions, extra), table.table.timing))
    table.do(c.SetUp(edition="extra"))
    table.do(c.OpenTable(table.table.editions[:2], table.table.timing))
    assert table.refused(c.StartMatch()).sentence.code == "unknown_edition"


def test_the_way_of_playing_may_be_switched_between_rounds() -> None:
    table = Evening(2)
    table.do(c.StartMatch())
    table.do(c.ChooseDealer(ANA))
    table.do(c.SwitchWay("refereed"))
    table.do(c.Deal())
    assert table.round.way == "refereed"
    assert table.round.hands == {ANA: 7, BEN: 7}


def test_a_match_may_be_closed_at_any_time_and_the_closing_taken_back() -> None:
    table = Evening(2).start()
    table.do(c.CloseMatch())
    assert table.table.game.match is None
    for command in (c.CloseMatch(), c.Deal(), c.Rematch(), c.SwitchWay("free")):
        assert str(table.refused(command)) == "No match is on."
    table.do(c.Undo())
    assert table.round.number == 1


def test_commands_of_a_round_need_one() -> None:
    table = Evening(2)
    table.do(c.StartMatch())
    for command in (c.GoOut(ANA), c.DeclareRace(ANA), c.Call(ANA), c.PressSeat(ANA), c.Drawn(1)):
        assert str(table.refused(command)) == "No round is on."
    before = table.table
    table.press(ANA)
    table.do(c.PassTime())
    table.do(c.SetAside(ANA, "noise", table.now))
    assert table.table.game is before.game


def test_a_player_without_a_place_in_the_round_cannot_act_in_it() -> None:
    table = Evening(2).start()
    late = replace(table.table.game.seats[0], number=5, player=9, name="Late", button=5)
    game = replace(table.table.game, seats=(*table.table.game.seats, late))
    table.table = replace(table.table, game=game)
    assert str(table.refused(c.GoOut(5))) == "Late isn't playing this round."
    before = table.table
    table.press(5)
    assert table.table is before


def test_every_house_rule_has_the_default_of_the_rule_sheet() -> None:
    assert HouseRules() == HouseRules(
        deal_tie="redraw",
        reverse_skips_for_two=False,
        guilty_gives_turn_back=True,
        hands_stay_down=False,
        no_slap="pick",
        wrong_catch_draws=0,
        tie_goes_to="caller",
        race_on_last_card=False,
        lowest_tie="share",
        late_start="highest",
        target=None,
        next_dealer="left",
        most_players=10,
    )
