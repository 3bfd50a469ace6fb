"""R14: the last card, and who is out."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.cards import Card
from companion.referee.edition import EXPRESS
from companion.referee.presses import SECOND
from tests.referee.evening import ANA, BEN, CLEO, Evening
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
    assert str(refusal) == "Cleo should hold 3 cards, not 1. Keep it all the same?"
    table.do(c.EnterHand(CLEO, {Card("red-1"): 1, Card("blue-1"): 2}))
    assert table.round.hands[CLEO] == 3
    assert table.round.debts == ()


def test_nothing_is_played_once_the_round_is_over() -> None:
    table = refereed("red-5", players=2, edition="express")
    table.hands(ben=1)
    table.play("red-6")
    assert table.refused(c.Play(Card("red-7"), seat=BEN, insist=True)).sentence.code == "round_over"


def test_somebody_may_be_said_to_be_out_although_the_count_says_otherwise() -> None:
    table = refereed()
    table.do(c.GoOut(CLEO, Card("red-draw")))
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


def test_nobody_is_out_who_still_has_cards_to_draw() -> None:
    table = Evening().start()
    table.do(c.Catch(BEN))
    table.wait(500_000_000)
    assert str(table.refused(c.GoOut(BEN))) == "Ben still has 2 to draw and cannot be out."
    table.do(c.Forgive(table.round.debts[0].number))
    table.do(c.GoOut(BEN, Card("red-7")))
    assert table.round.out == BEN
