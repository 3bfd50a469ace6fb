"""R14: the last card, and who is out."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.edition import EXPRESS
from companion.referee.model.presses import SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening, stands
from tests.referee.situations import refereed


@pytest.mark.rule("R14")
@pytest.mark.parametrize(
    ("edition", "last", "draws"),
    [
        pytest.param("fast-and-furious", "red-7", 0, id="a number: nobody draws"),
        pytest.param("fast-and-furious", "red-draw", 2, id="Draw Two: the next draws two"),
        pytest.param("fast-and-furious", "wild-draw", 4, id="Wild Draw Four: the next draws four"),
        pytest.param("fast-and-furious", "red-reverse", 0, id="Reverse: nobody draws"),
        pytest.param("fast-and-furious", "street-race", 0, id="Street Race: nobody slaps"),
        pytest.param("express", "red-draw", 0, id="Draw One is not listed: nobody draws"),
        pytest.param("express", "wild-draw", 2, id="Wild Draw Two: the next draws two"),
    ],
)
def test_the_last_card(edition: str, last: str, draws: int) -> None:
    table = refereed("red-5", edition=edition)
    table.hands(ben=1)
    table.play(last)
    assert table.round.out == BEN
    assert table.owed(CLEO) == draws
    assert table.round.races == ()
    assert table.rules("R14")
    assert str(table.refused(c.Draw())) == "Ben has gone out; the round is over."


@pytest.mark.rule("R14")
def test_a_street_race_as_the_last_card_is_raced_by_house_rule() -> None:
    table = refereed(house={"race_on_last_card": True})
    table.hands(ben=1)
    table.play("street-race")
    assert table.round.out == BEN
    assert table.race.state == "running"
    table.slaps(ana=0, cleo=50)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    assert table.rules("R14")[0].house == ("race_on_last_card",)


@pytest.mark.rule("R14")
def test_the_cards_drawn_for_the_last_card_count_in_the_hand() -> None:
    table = refereed()
    table.hands(ben=1, cleo=1, ana=1)
    table.play("red-draw")
    refusal = table.refused(c.EnterHand(CLEO, {Card("red-1"): 1}))
    assert str(refusal) == "Cleo should have 3 in hand, not 1. Use 1 anyway?"
    table.do(c.EnterHand(CLEO, {Card("red-1"): 1, Card("blue-1"): 2}))
    assert table.round.hands[CLEO] == 3
    assert table.round.debts == ()


def test_nothing_is_played_once_the_round_is_over() -> None:
    table = refereed("red-5", players=2, edition="express")
    table.hands(ben=1)
    table.play("red-6")
    assert table.refused(c.Play(Card("red-7"), seat=BEN, insist=True)).sentence.code == "round_over"


def test_somebody_may_be_said_to_be_out_although_count_and_turn_say_otherwise() -> None:
    table = refereed()
    early = table.refused(c.GoOut(CLEO, Card("red-draw")))
    assert (str(early), early.insist) == ("It's Ben's turn, not Cleo's.", True)
    on_turn = table.refused(c.GoOut(BEN, Card("red-draw")))
    assert str(on_turn) == "By the count Ben still has 6 in hand. Out anyway?"
    assert (on_turn.rule, on_turn.insist) == ("R14", True)
    table.do(c.GoOut(CLEO, Card("red-draw"), confirm=True))
    assert (table.round.out, table.round.hands[CLEO]) == (CLEO, 0)
    assert table.owed(ANA) == 2
    assert sum(table.round.hands.values()) + table.round.draw_pile + table.round.discard_pile == 112


def test_in_free_play_a_last_card_that_draws_needs_to_know_who_is_next() -> None:
    table = Evening().start()
    refusal = table.refused(c.GoOut(BEN, Card("red-draw")))
    assert str(refusal) == "That last card makes the next player draw: say who is next."
    assert table.refused(c.GoOut(BEN, Card("red-draw"), BEN)).sentence.code == "next_unknown"
    table.do(c.GoOut(BEN, Card("red-draw"), ANA))
    assert table.owed(ANA) == 2
    assert EXPRESS.face(Card("red-draw")).draws_when_last is False


@pytest.mark.rule("R14")
def test_a_debt_that_nobody_ticked_off_holds_nobody_up_in_free_play() -> None:
    table = Evening().start()
    table.do(c.Catch(BEN))
    table.wait(500_000_000)
    table.do(c.GoOut(BEN, Card("red-7")))
    assert (table.round.out, table.round.debts) == (BEN, ())


@pytest.mark.rule("R14")
def test_in_refereed_play_cards_still_to_draw_are_cards_in_hand() -> None:
    table = refereed()
    table.hands(ben=1, cleo=1)
    table.do(c.Overrule(table.ruling.number, (BEN,), 2))
    refusal = table.refused(c.GoOut(BEN, Card("red-7")))
    assert str(refusal) == "By the count Ben still has 2 in hand. Out anyway?"
    table.do(c.Forgive(table.round.debts[0].number))
    table.do(c.GoOut(BEN, Card("red-7")))
    assert (table.round.out, table.round.top, table.round.hands[BEN]) == (BEN, "red-7", 0)


def test_nobody_goes_out_before_the_first_card() -> None:
    table = Evening(way="refereed").start()
    assert table.refused(c.GoOut(BEN, confirm=True)).rule == "R3"


def laid_too_soon(last: str, players: int = 3, edition: str = "fast-and-furious") -> Evening:
    """Ben lays his last card, but the table still counts two more in his hand."""
    table = refereed(players=players, edition=edition)
    table.hands(ben=3)
    table.play(last)
    assert table.round.out is None
    return table


@pytest.mark.rule("R14")
@pytest.mark.parametrize(
    ("edition", "last", "draws"),
    [
        pytest.param("fast-and-furious", "red-draw", 2, id="Draw Two"),
        pytest.param("fast-and-furious", "wild-draw blue", 4, id="Wild Draw Four"),
        pytest.param("fast-and-furious", "red-7", 0, id="a number"),
        pytest.param("express", "red-draw", 0, id="Draw One strikes nobody as the last card"),
    ],
)
@pytest.mark.parametrize("ticked", [False, True])
@pytest.mark.parametrize("named", [False, True])
def test_a_last_card_that_was_recorded_already_is_not_charged_twice(
    edition: str, last: str, draws: int, ticked: bool, named: bool
) -> None:
    table = laid_too_soon(last, edition=edition)
    dealt = table.round.hands[CLEO]
    if ticked and table.round.debts:
        table.do(c.Drawn(table.round.debts[0].number))
    said = c.GoOut(BEN, Card(last.split()[0]) if named else None)
    assert str(table.refused(said)).startswith("By the count Ben still has 2 in hand.")
    table.do(c.GoOut(said.seat, said.card, confirm=True))
    assert (table.round.out, table.round.hands[BEN]) == (BEN, 0)
    assert table.round.hands[CLEO] + table.owed(CLEO) == dealt + draws
    assert table.owed(CLEO) == (0 if ticked else draws)
    assert [r.rule for r in table.match.rulings if r.draws and stands(r)] == ["R14"] * bool(draws)
    table.do(c.Undo())
    assert (table.round.out, table.round.hands[BEN]) == (None, 2)
    table.do(c.Redo())
    assert table.round.out == BEN


@pytest.mark.rule("R14")
@pytest.mark.parametrize("house", [True, False])
def test_a_street_race_that_turns_out_to_be_the_last_card(house: bool) -> None:
    table = refereed(players=4, house={"race_on_last_card": house})
    table.hands(ben=3)
    table.play("street-race blue")
    table.hands_off(BEN)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    table.do(c.GoOut(BEN, confirm=True))
    table.wait(SECOND)
    assert table.round.out == BEN
    assert table.owed(DAN) == (4 if house else 0)


@pytest.mark.rule("R14")
def test_another_last_card_than_the_one_recorded_is_charged() -> None:
    table = laid_too_soon("red-draw")
    table.do(c.GoOut(BEN, Card("blue-draw"), confirm=True))
    assert table.owed(CLEO) == 2 + 2


@pytest.mark.rule("R14")
def test_whoever_just_drew_and_is_said_to_be_out_has_laid_something_since() -> None:
    table = refereed()
    table.do(c.Draw())
    table.do(c.GoOut(BEN, Card("red-draw"), confirm=True))
    assert (table.round.out, table.owed(CLEO)) == (BEN, 2)


@pytest.mark.rule("R14")
def test_a_changed_card_leaves_who_is_out_and_what_was_counted() -> None:
    """Ben's last card was not Draw Two but a Reverse, as Cleo says over her open hand."""
    table = laid_too_soon("red-draw")
    table.do(c.GoOut(BEN, confirm=True))
    table.do(c.EnterPoints(CLEO, 30))
    table.do(c.ChangePlay(table.round.turns[-1].number, Card("red-reverse")))
    assert (table.round.out, table.owed(CLEO)) == (BEN, 0)
    assert table.round.left[CLEO].points == 30
    assert table.round.hands[CLEO] == 7


@pytest.mark.rule("R14")
def test_a_changed_card_leaves_who_was_said_to_be_out() -> None:
    table = refereed()
    table.play("red-1")
    table.do(c.GoOut(CLEO, Card("red-3"), confirm=True))
    table.do(c.ChangePlay(table.round.turns[0].number, Card("red-2")))
    assert (table.round.out, table.round.top) == (CLEO, "red-3")


@pytest.mark.rule("R14")
@pytest.mark.parametrize("way", ["free", "refereed"])
@pytest.mark.parametrize("house", [True, False])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("early", [True, False])
def test_a_street_race_as_the_last_card_is_alike_in_both_ways(
    way: str, house: bool, players: int, early: bool
) -> None:
    """Hands come before the tap or after it; Eva, who has no button, is somebody's neighbour."""
    table = Evening(players, way=way, house={"race_on_last_card": house})
    table.start()
    if way == "refereed":
        table.do(c.TurnUp(Card("red-5")))
        table.hands(ben=1)
        table.wait(SECOND)
    if early:
        table.hands_off(BEN)
        table.wait(SECOND)
    if way == "refereed":
        table.play("street-race")
    else:
        table.do(c.GoOut(BEN, Card("street-race")))
    if not early:
        table.hands_off(BEN)
    table.wait(12 * SECOND)
    last = max(seat for seat in table.round.seats if seat != BEN)
    assert table.in_force == (["last"] if house else [])
    assert table.owed(last) == (4 if house else 0)
    assert table.round.questions == ()
