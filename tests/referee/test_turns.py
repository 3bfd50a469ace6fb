"""R5 to R9, R14 and R15: a turn, its symbols, the last card and the piles."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.cards import Card
from companion.referee.edition import EXPRESS, FAST_AND_FURIOUS
from companion.referee.turns import may_play
from tests.referee.evening import ANA, BEN, CLEO, Evening


def refereed(first: str = "red-5", **setup: object) -> Evening:
    """Ana has dealt, so Ben is on turn."""
    return Evening(way="refereed", **setup).refereed(first)  # type: ignore[arg-type]


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
    assert str(refusal) == "blue 6 does not go on red 5: the colour in play is red."
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
    assert table.said == "Ben plays blue 6, by the referee's word."
    assert "does not go on" in str(table.ruling.evidence)


@pytest.mark.rule("R5")
def test_out_of_turn_is_refused_and_by_insisting_play_goes_on_from_there() -> None:
    table = refereed()
    refusal = table.refused(c.Play(Card("red-6"), seat=ANA))
    assert str(refusal) == "It is Ben's turn, not Ana's."
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
        pytest.param("red-9", "red-5", "red", "red 9 goes on red 5.", id="it fits"),
        pytest.param(
            "blue-9", "red-5", "red", "blue 9 does not go on red 5: the colour in play is red.",
            id="it does not fit",
        ),
        pytest.param(
            "wild-draw", "red-5", "red",
            "Wild Draw Four may be laid only by who holds no red card.", id="it depends",
        ),
        pytest.param("wild", "wild", None, "Wild goes on Wild.", id="a wild on a wild"),
    ],
)  # fmt: skip
def test_may_i_play_this(card: str, top: str, colour: str | None, answer: str) -> None:
    named = colour if colour is None else "red"
    said = may_play(Card(card), Card(top), named, FAST_AND_FURIOUS)  # type: ignore[arg-type]
    assert said.text == answer


def test_a_card_of_which_every_copy_was_played_is_refused() -> None:
    table = refereed("red-5", edition="express")
    table.play("red-6")
    table.do(c.Play(Card("green-6")))
    refusal = table.refused(c.Play(Card("red-6")))
    assert str(refusal) == "All 1 of red 6 are in the discard pile already."
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
    assert table.refused(c.Draw()).sentence.code == "colour_open"
    table.do(c.NameColour("red"))
    assert (table.round.colour, table.round.chooser) == ("red", None)


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
    assert table.round.race is None
    assert table.rules("R14")
    assert str(table.refused(c.Draw())) == "Ben has gone out; the round is over."


@pytest.mark.rule("R14")
def test_a_street_race_as_the_last_card_is_raced_by_house_rule() -> None:
    table = refereed(house={"race_on_last_card": True})
    table.hands(ben=1)
    table.play("street-race")
    assert table.round.out == BEN
    assert table.race.state == "running"
    table.tap(ANA)
    table.wait(50_000_000)
    table.tap(CLEO)
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


def test_a_turn_counts_the_debts_of_its_player_as_drawn() -> None:
    table = refereed(players=2)
    table.play("red-draw")
    assert table.owed(ANA) == 2
    table.play("red-1")
    table.play("red-2")
    assert table.owed(ANA) == 0
    assert table.round.hands[ANA] == 7 + 2 - 1


def test_nothing_is_played_once_the_round_is_over() -> None:
    table = refereed("red-5", players=2, edition="express")
    table.hands(ben=1)
    table.play("red-6")
    assert table.refused(c.Play(Card("red-7"), seat=BEN, insist=True)).sentence.code == "round_over"


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


def test_a_debt_that_is_gone_cannot_be_ticked_again() -> None:
    table = refereed("red-draw")
    table.play("red-draw")
    debt = table.round.debts[1].number
    table.do(c.Drawn(debt))
    assert [open_debt.seat for open_debt in table.round.debts] == [BEN]
    assert table.refused(c.Drawn(debt)).sentence.code == "no_such_debt"
    assert table.refused(c.Forgive(debt)).sentence.code == "no_such_debt"
