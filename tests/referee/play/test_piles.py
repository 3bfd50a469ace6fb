"""R15, and what the companion believes of hands and piles."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.edition import EXPRESS
from tests.kit.evening import ANA, BEN, Evening
from tests.referee.situations import refereed


@pytest.mark.rule("R15")
def test_an_empty_draw_pile_is_made_anew_from_the_discards_less_the_top() -> None:
    table = refereed("red-5", players=2, edition="express")
    table.play("red-6", "red-7")
    table.do(c.Correct(hands={ANA: 26, BEN: 26}))
    assert (table.round.draw_pile, table.round.discard_pile) == (1, 3)
    table.do(c.Draw())
    assert (table.round.draw_pile, table.round.discard_pile) == (0, 3)
    table.do(c.Draw())
    assert (table.round.draw_pile, table.round.discard_pile) == (1, 1)
    assert table.round.seen == {"red-7": 1}
    assert sum(table.round.hands.values()) == 54


@pytest.mark.rule("R15")
def test_a_card_that_was_just_drawn_from_a_reshuffled_pile_may_be_played() -> None:
    table = refereed("red-5", players=2, edition="express")
    table.play("red-6", "red-7")
    table.do(c.Correct(hands={ANA: 26, BEN: 27}))
    assert table.round.draw_pile == 0
    refusal = table.refused(c.Play(Card("red-6")))
    assert refusal.sentence.code == "all_played"
    table.do(c.Play(Card("red-6"), drawn=True))
    assert table.round.top == "red-6"


@pytest.mark.rule("R15")
def test_a_card_left_in_hand_may_have_come_out_of_a_reshuffled_pile() -> None:
    table = refereed("red-5", players=2, edition="express")
    table.play("red-6")
    table.do(c.Correct(hands={ANA: 1, BEN: 53}))
    assert table.round.draw_pile == 0
    table.play("wild-draw")
    assert table.round.out == ANA
    rest = {card: 1 for card in EXPRESS.deck if card not in ("red-5", "wild-draw", "wild")}
    more = {Card("red-5"): 1, Card("wild"): 2, Card("wild-draw"): 1}
    table.do(c.EnterHand(BEN, {**rest, **more}))
    assert table.round.hands[BEN] == 55


@pytest.mark.rule("R15")
def test_when_every_card_is_in_a_hand_nobody_can_draw() -> None:
    table = refereed("red-5", players=2, edition="express")
    table.do(c.Correct(hands={ANA: 25, BEN: 30}))
    assert table.round.draw_pile == 0
    table.do(c.Draw())
    assert (table.round.hands[BEN], table.round.turn) == (30, ANA)
    assert table.said == "Ben should draw 1, but both piles are empty: 1 short."


@pytest.mark.rule("R15")
@pytest.mark.parametrize(
    ("pile", "short"),
    [
        pytest.param(0, "Ana should draw 2, but both piles are empty: 1 short."),
        pytest.param(1, None, id="the discards make up for it"),
    ],
)
def test_a_reshuffle_that_cannot_serve_a_debt_says_how_many_are_missing(
    pile: int, short: str | None
) -> None:
    """Only the card under Ben's Wild Draw Two can be shuffled in."""
    table = refereed("red-5", players=2, edition="express")
    table.do(c.Correct(hands={ANA: 25, BEN: 30 - pile}))
    table.play("wild-draw blue")
    table.do(c.Drawn(table.round.debts[0].number))
    told = [table.text(ruling.sentence) for ruling in table.rules("R15")]
    assert told == ([] if short is None else [short])
    assert table.round.hands[ANA] == 26 + pile
    assert table.round.draw_pile == 0


@pytest.mark.rule("R15")
@pytest.mark.parametrize(
    ("wrong", "seen"),
    [
        pytest.param(c.Correct(draw_pile=46), {"red-7": 1}, id="shuffled, and nobody said so"),
        pytest.param(c.Correct(draw_pile=43), {"red-5": 1, "red-6": 1, "red-7": 1}, id="it fits"),
        pytest.param(c.Correct(top=Card("blue-7")), {"red-5": 1, "red-6": 1, "blue-7": 1}),
        pytest.param(c.Correct(top=Card("red-5")), {"red-5": 1}, id="there is only one red 5"),
    ],
)
def test_a_correction_leaves_no_card_seen_that_cannot_be(
    wrong: c.Correct, seen: dict[str, int]
) -> None:
    table = refereed("red-5", players=2, edition="express")
    table.play("red-6", "red-7")
    table.do(wrong)
    assert table.round.seen == seen


def test_what_the_companion_believes_can_be_set_right_but_cards_must_add_up() -> None:
    table = refereed(players=3)
    table.do(c.Correct(turn=ANA, direction=-1, top=Card("green-3")))
    assert (table.round.turn, table.round.direction) == (ANA, -1)
    assert (table.round.top, table.round.colour) == ("green-3", "green")
    table.do(c.Correct(top=Card("wild"), colour="blue"))
    assert table.round.colour == "blue"
    table.do(c.Correct(top=Card("wild-draw")))
    assert table.round.colour == "blue"
    table.do(c.Correct(draw_pile=80))
    assert (table.round.draw_pile, table.round.discard_pile) == (80, 11)
    assert table.refused(c.Correct(draw_pile=91)).sentence.code == "cards_do_not_add_up"
    assert table.refused(c.Correct(hands={ANA: 200})).sentence.code == "cards_do_not_add_up"
    assert table.refused(c.Correct(hands={ANA: 0})).sentence.code == "hand_cannot_be_empty"
    assert table.refused(c.Correct(hands={9: 1})).sentence.code == "unknown_seat"
    assert table.refused(c.Correct(turn=9)).sentence.code == "unknown_seat"
    assert table.refused(c.Correct(top=Card("pink-3"))).sentence.code == "unknown_card"


def test_naming_the_colour_by_correction_closes_the_question() -> None:
    table = refereed()
    table.play("wild")
    table.do(c.Correct(colour="yellow"))
    assert (table.round.chooser, table.round.colour) == (None, "yellow")


def test_nothing_is_recorded_or_corrected_before_the_first_card_or_in_free_play() -> None:
    table = Evening(way="refereed").start()
    assert table.refused(c.Correct(turn=ANA)).sentence.code == "no_first_card"
    free = Evening().start()
    assert free.refused(c.Play(Card("red-1"))).sentence.code == "free_play"
    assert free.refused(c.Correct(turn=ANA)).sentence.code == "free_play"
    assert free.refused(c.NameColour("red")).sentence.code == "no_colour_open"
