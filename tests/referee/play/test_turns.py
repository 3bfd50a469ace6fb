"""R5 to R9, R14 and R15: a turn, its symbols, the last card and the piles."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.edition import FAST_AND_FURIOUS
from companion.referee.rules.turns import may_play
from companion.referee.sentences import spoken
from tests.kit.evening import ANA, BEN, CLEO
from tests.referee.situations import refereed


@pytest.mark.rule("R5")
@pytest.mark.parametrize(
    "card",
    [
        pytest.param("red-9", id="by colour"),
        pytest.param("blue-5", id="by number"),
        pytest.param("red-skip", id="a symbol by colour"),
        pytest.param("wild red", id="a wild always"),
        pytest.param("wild-draw blue", id="a wild draw card always"),
    ],
)
def test_a_card_that_fits_is_recorded(card: str) -> None:
    table = refereed()
    table.play(card)
    assert table.round.hands[BEN] == 6
    assert table.round.top == card.split()[0]


@pytest.mark.rule("R5")
def test_a_symbol_fits_on_its_own_kind() -> None:
    table = refereed("red-5", players=4)
    table.play("red-skip", "blue-skip", "blue-3")
    assert table.round.top == "blue-3"


@pytest.mark.rule("R5")
def test_a_card_that_does_not_fit_is_refused_with_the_reason() -> None:
    table = refereed()
    refusal = table.refused(c.Play(Card("blue-6")))
    assert str(refusal) == "You can't play a blue 6 on a red 5: the colour is red."
    assert (refusal.rule, refusal.insist) == ("R5", True)


@pytest.mark.rule("R5")
def test_after_a_wild_only_the_named_colour_counts() -> None:
    table = refereed()
    table.play("wild green")
    assert table.refused(c.Play(Card("red-5"))).sentence.code == "does_not_match"
    table.play("green-0")
    assert table.round.turn == ANA


@pytest.mark.rule("R5")
def test_the_referee_may_insist_and_the_ruling_remembers_why_it_was_illegal() -> None:
    table = refereed()
    table.do(c.Play(Card("blue-6"), insist=True))
    assert (table.round.top, table.round.colour, table.round.turn) == ("blue-6", "blue", CLEO)
    assert table.said == "Ben plays blue 6 because the referee says so."
    assert "does_not_match" in str(table.ruling.evidence)


@pytest.mark.rule("R5")
def test_out_of_turn_is_refused_and_by_insisting_play_goes_on_from_there() -> None:
    table = refereed()
    refusal = table.refused(c.Play(Card("red-6"), seat=ANA))
    assert str(refusal) == "It's Ben's turn, not Ana's."
    table.do(c.Play(Card("red-6"), seat=ANA, insist=True))
    assert table.round.turn == BEN
    assert table.round.hands == {ANA: 6, BEN: 7, CLEO: 7}


@pytest.mark.rule("R5")
def test_drawing_keeps_the_card_and_ends_the_turn() -> None:
    table = refereed()
    pile = table.round.draw_pile
    table.do(c.Draw())
    assert (table.round.hands[BEN], table.round.draw_pile, table.round.turn) == (8, pile - 1, CLEO)
    assert table.refused(c.Draw(ANA)).sentence.code == "not_your_turn"


@pytest.mark.rule("R5")
def test_a_drawn_card_may_be_played_at_once() -> None:
    table = refereed()
    pile = table.round.draw_pile
    table.do(c.Play(Card("red-7"), drawn=True))
    assert (table.round.hands[BEN], table.round.draw_pile, table.round.turn) == (7, pile - 1, CLEO)


@pytest.mark.rule("R5")
@pytest.mark.parametrize(
    ("card", "top", "colour", "answer"),
    [
        pytest.param("red-9", "red-5", "red", "You can play a red 9 on a red 5.", id="it fits"),
        pytest.param(
            "blue-9", "red-5", "red", "You can't play a blue 9 on a red 5: the colour is red.",
            id="it does not fit",
        ),
        pytest.param(
            "wild-draw", "red-5", "red",
            "You can only play a Wild Draw Four if you hold no red card.", id="it depends",
        ),
        pytest.param("wild", "wild", None, "You can play a Wild on a Wild.", id="a wild on a wild"),
    ],
)  # fmt: skip
def test_may_i_play_this(card: str, top: str, colour: str | None, answer: str) -> None:
    named = colour if colour is None else "red"
    said = may_play(Card(card), Card(top), named, FAST_AND_FURIOUS)  # type: ignore[arg-type]
    assert spoken(said, {}).text == answer


def test_a_card_of_which_every_copy_was_played_is_refused() -> None:
    table = refereed("red-5", edition="express")
    table.play("red-6")
    table.do(c.Play(Card("green-6")))
    refusal = table.refused(c.Play(Card("red-6")))
    assert str(refusal) == "No red 6 is left: 1 of 1 are in the discard pile."
    assert refusal.insist


def test_express_refuses_a_street_race_card() -> None:
    table = refereed("red-5", edition="express")
    assert str(table.refused(c.Play(Card("street-race")))) == "Express has no Street Race."
    assert (
        str(table.refused(c.Play(Card("red-draw-9")))) == "Express has no card called red-draw-9."
    )


@pytest.mark.rule("R6")
@pytest.mark.parametrize(
    ("edition", "cards"),
    [
        pytest.param("fast-and-furious", 2, id="Draw Two"),
        pytest.param("express", 1, id="Draw One"),
    ],
)
def test_a_draw_card_makes_the_next_player_draw_and_miss_the_turn(edition: str, cards: int) -> None:
    table = refereed("red-5", edition=edition)
    before = dict(table.round.hands)
    table.play("red-draw")
    assert (table.owed(CLEO), table.round.turn, table.ruling.rule) == (cards, ANA, "R6")
    table.do(c.Drawn(table.round.debts[0].number))
    assert table.round.hands[CLEO] == before[CLEO] + cards
    assert table.round.debts == ()
    table.play("blue-draw")
    assert table.owed(BEN) == cards


@pytest.mark.rule("R7")
def test_a_reverse_turns_the_direction() -> None:
    table = refereed()
    table.play("red-reverse")
    assert (table.round.direction, table.round.turn) == (-1, ANA)
    table.play("blue-reverse")
    assert (table.round.direction, table.round.turn) == (1, BEN)


@pytest.mark.rule("R7")
@pytest.mark.parametrize(
    ("house", "turn"),
    [
        pytest.param(False, ANA, id="by the letter the other player is next"),
        pytest.param(True, BEN, id="by house rule it skips"),
    ],
)
def test_a_reverse_between_two(house: bool, turn: int) -> None:
    table = refereed(players=2, house={"reverse_skips_for_two": house})
    table.play("red-reverse")
    assert table.round.turn == turn
    assert table.round.direction == -1
    assert table.ruling.house == ("reverse_skips_for_two",)


@pytest.mark.rule("R8")
def test_a_skip_costs_the_next_player_the_turn() -> None:
    table = refereed()
    table.play("red-skip")
    assert (table.round.turn, table.said) == (ANA, "Cleo misses the turn.")


@pytest.mark.rule("R8")
def test_a_skip_between_two_comes_back() -> None:
    table = refereed(players=2)
    table.play("red-skip")
    assert table.round.turn == BEN


@pytest.mark.rule("R9")
def test_a_wild_takes_the_colour_that_its_player_names_also_the_same_one() -> None:
    table = refereed()
    table.play("wild")
    assert (table.round.chooser, table.round.turn) == (BEN, CLEO)
    table.do(c.NameColour("red"))
    assert (table.round.colour, table.round.chooser) == ("red", None)


@pytest.mark.rule("R9")
def test_an_open_colour_holds_nothing_up_and_anything_may_go_on_it() -> None:
    table = refereed()
    table.play("wild", "green-3")
    assert (table.round.turn, table.round.colour) == (ANA, "green")
    table.play("wild")
    table.do(c.Draw())
    assert table.round.turn == CLEO
    table.do(c.NameColour("blue"))
    assert (table.round.colour, table.round.turn) == ("blue", CLEO)
    assert table.table.past is not None


def test_a_turn_counts_the_debts_of_its_player_as_drawn() -> None:
    table = refereed(players=2)
    table.play("red-draw")
    assert table.owed(ANA) == 2
    table.play("red-1")
    table.play("red-2")
    assert table.owed(ANA) == 0
    assert table.round.hands[ANA] == 7 + 2 - 1


def test_a_debt_that_is_gone_cannot_be_ticked_again() -> None:
    table = refereed("red-draw")
    table.play("red-draw")
    debt = table.round.debts[1].number
    table.do(c.Drawn(debt))
    assert [open_debt.seat for open_debt in table.round.debts] == [BEN]
    assert table.refused(c.Drawn(debt)).sentence.code == "no_such_debt"
    assert table.refused(c.Forgive(debt)).sentence.code == "no_such_debt"
