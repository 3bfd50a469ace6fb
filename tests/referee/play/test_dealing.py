"""R1 to R4 and R20: the deck, who deals, the deal and the first card."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.edition import EXPRESS, FAST_AND_FURIOUS, Edition
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening

EDITIONS = pytest.mark.parametrize(
    "edition",
    [pytest.param("fast-and-furious", id="Fast & Furious"), pytest.param("express", id="Express")],
)


@pytest.mark.rule("R1")
@pytest.mark.parametrize(
    ("edition", "size", "counts"),
    [
        pytest.param(
            FAST_AND_FURIOUS,
            112,
            {"red-0": 1, "red-9": 2, "blue-draw": 2, "green-reverse": 2, "yellow-skip": 2}
            | {"wild": 4, "wild-draw": 4, "street-race": 4},
            id="Fast & Furious",
        ),
        pytest.param(
            EXPRESS,
            56,
            {"red-0": 1, "red-9": 1, "blue-draw": 1, "green-reverse": 1, "yellow-skip": 1}
            | {"wild": 2, "wild-draw": 2},
            id="Express",
        ),
    ],
)
def test_the_deck_holds_what_the_sheet_lists(
    edition: Edition, size: int, counts: dict[str, int]
) -> None:
    assert edition.size == size
    assert {card: edition.deck[Card(card)] for card in counts} == counts
    assert edition.race_card == ("street-race" if "street-race" in counts else None)


@pytest.mark.rule("R1")
def test_the_numbers_of_the_two_sheets_differ_as_printed() -> None:
    def numbers(edition: Edition) -> tuple[int, ...]:
        draw, wild = edition.face(Card("red-draw")), edition.face(Card("wild-draw"))
        innocent = wild.draws + edition.innocent_extra
        return edition.dealt, edition.target, draw.draws, wild.draws, innocent

    assert numbers(FAST_AND_FURIOUS) == (7, 500, 2, 4, 6)
    assert numbers(EXPRESS) == (5, 250, 1, 2, 4)


@pytest.mark.rule("R2")
@EDITIONS
@pytest.mark.parametrize(
    ("cards", "dealer"),
    [
        pytest.param(("red-5", "blue-9", "green-0"), BEN, id="the highest number deals"),
        pytest.param(("wild", "blue-skip", "green-1"), CLEO, id="symbols count as zero"),
        pytest.param(("wild-draw", "blue-draw", "green-1"), CLEO, id="draw cards count as zero"),
    ],
)
def test_everyone_draws_and_the_highest_number_deals(
    edition: str, cards: tuple[str, ...], dealer: int
) -> None:
    table = Evening(edition=edition)
    table.do(c.StartMatch())
    table.do(c.DrawForDeal({seat: Card(card) for seat, card in enumerate(cards, 1)}))
    assert table.match.dealer == dealer
    assert table.ruling.rule == "R2"
    assert table.ruling.evidence is not None


@pytest.mark.rule("R2")
def test_a_tie_for_the_highest_is_drawn_again_by_the_tied_alone() -> None:
    table = Evening()
    table.do(c.StartMatch())
    table.do(c.DrawForDeal({ANA: Card("red-7"), BEN: Card("blue-7"), CLEO: Card("red-2")}))
    assert table.match.dealer is None
    assert table.match.deal_tied == (ANA, BEN)
    assert table.ruling.house == ("deal_tie",)
    refusal = table.refused(c.DrawForDeal({seat: Card("red-2") for seat in (ANA, BEN, CLEO)}))
    assert str(refusal) == "Cleo isn't drawing for the deal."
    table.do(c.DrawForDeal({ANA: Card("wild"), BEN: Card("red-1")}))
    assert table.match.dealer == BEN
    assert table.match.deal_tied == ()


@pytest.mark.rule("R2")
def test_all_symbols_is_a_tie_at_zero() -> None:
    table = Evening(2)
    table.do(c.StartMatch())
    table.do(c.DrawForDeal({ANA: Card("wild"), BEN: Card("red-0")}))
    assert table.match.deal_tied == (ANA, BEN)


@pytest.mark.rule("R2")
def test_a_house_may_let_the_first_of_the_tied_deal() -> None:
    table = Evening(house={"deal_tie": "first_seat"})
    table.do(c.StartMatch())
    table.do(c.DrawForDeal({ANA: Card("red-2"), BEN: Card("blue-7"), CLEO: Card("red-7")}))
    assert table.match.dealer == BEN
    assert table.ruling.house == ("deal_tie",)


def test_drawing_for_the_deal_with_cards_that_cannot_be_is_refused() -> None:
    table = Evening(edition="express")
    assert table.refused(c.DrawForDeal({})).sentence.code == "no_match"
    table.do(c.StartMatch())
    missing = table.refused(c.DrawForDeal({ANA: Card("red-1")}))
    assert str(missing) == "Still to draw for the deal: Ben, Cleo."
    twice = {ANA: Card("red-1"), BEN: Card("red-1"), CLEO: Card("red-2")}
    assert str(table.refused(c.DrawForDeal(twice))) == "Express has only 1 of red 1."
    odd = {ANA: Card("street-race"), BEN: Card("red-1"), CLEO: Card("red-2")}
    assert str(table.refused(c.DrawForDeal(odd))) == "Express has no Street Race."
    table.do(c.ChooseDealer(ANA))
    assert table.refused(c.DrawForDeal(odd)).sentence.code == "dealer_known"


@pytest.mark.rule("R3")
@EDITIONS
def test_the_dealer_deals_and_the_player_to_the_left_starts(edition: str) -> None:
    table = Evening(4, edition=edition, way="refereed").refereed("red-5", dealer=DAN)
    dealt = table.match.edition.dealt
    assert table.round.hands == dict.fromkeys((ANA, BEN, CLEO, DAN), dealt)
    assert table.round.draw_pile == table.match.edition.size - 4 * dealt - 1
    assert table.round.discard_pile == 1
    assert (table.round.turn, table.round.direction) == (ANA, 1)
    table.play("red-6")
    assert table.round.turn == BEN


def test_a_deal_needs_a_dealer_and_no_round() -> None:
    table = Evening()
    table.do(c.StartMatch())
    assert table.refused(c.Deal()).sentence.code == "no_dealer"
    table.do(c.ChooseDealer(ANA))
    table.do(c.Deal())
    assert table.refused(c.Deal()).sentence.code == "round_on"
    assert table.refused(c.ChooseDealer(BEN)).sentence.code == "round_on"


@pytest.mark.rule("R4")
@pytest.mark.parametrize(
    ("card", "turn", "direction", "owing"),
    [
        pytest.param("red-5", BEN, 1, {}, id="a number: the left of the dealer starts"),
        pytest.param("red-draw", CLEO, 1, {BEN: 2}, id="Draw Two: draws and misses the turn"),
        pytest.param("red-reverse", ANA, -1, {}, id="Reverse: the dealer plays, to the right"),
        pytest.param("red-skip", CLEO, 1, {}, id="Skip: the one after starts"),
    ],
)
def test_the_first_card(card: str, turn: int, direction: int, owing: dict[int, int]) -> None:
    table = Evening(way="refereed").refereed(card)
    assert (table.round.turn, table.round.direction) == (turn, direction)
    assert {seat: table.owed(seat) for seat in (ANA, BEN, CLEO) if table.owed(seat)} == owing
    assert table.round.colour == "red"


@pytest.mark.rule("R4")
def test_draw_one_turned_up_first_costs_one_card() -> None:
    table = Evening(edition="express", way="refereed").refereed("blue-draw")
    assert (table.owed(BEN), table.round.turn) == (1, CLEO)


@pytest.mark.rule("R4")
@pytest.mark.parametrize("card", ["wild", "street-race"])
def test_a_wild_turned_up_first_gets_its_colour_from_who_starts(card: str) -> None:
    table = Evening(way="refereed").refereed(card)
    assert table.round.chooser == BEN
    assert table.round.races == (), "nobody races for the first card"
    table.do(c.NameColour("green"))
    assert (table.round.turn, table.round.colour) == (BEN, "green")
    assert table.table.past is not None
    assert table.text(table.table.past.label) == "Ben names green"
    assert table.refused(c.Play(Card("red-1"))).sentence.code == "does_not_match"
    table.do(c.NameColour("red"))
    assert table.round.colour == "red", "it may be named otherwise while the card lies on top"
    table.play("red-1")
    assert table.refused(c.NameColour("green")).sentence.code == "no_colour_open"


@pytest.mark.rule("R4")
def test_the_game_begins_although_the_colour_of_the_first_card_is_still_open() -> None:
    table = Evening(way="refereed").refereed("wild")
    table.play("red-1")
    assert (table.round.top, table.round.colour) == ("red-1", "red")


@pytest.mark.rule("R4")
def test_a_wild_turned_up_first_with_its_colour_at_once() -> None:
    table = Evening(way="refereed").start()
    table.do(c.TurnUp(Card("wild"), "blue"))
    assert (table.round.chooser, table.round.colour) == (None, "blue")


@pytest.mark.rule("R4")
@EDITIONS
def test_a_wild_draw_card_turned_up_first_goes_back(edition: str) -> None:
    table = Evening(edition=edition, way="refereed").start()
    pile = table.round.draw_pile
    table.do(c.TurnUp(Card("wild-draw")))
    assert (table.round.top, table.round.draw_pile) == (None, pile)
    assert table.refused(c.Play(Card("red-1"))).sentence.code == "no_first_card"
    table.do(c.TurnUp(Card("red-1")))
    assert table.round.draw_pile == pile - 1
    assert table.refused(c.TurnUp(Card("red-1"))).sentence.code == "first_card_known"


def test_free_play_knows_no_first_card() -> None:
    assert Evening().start().refused(c.TurnUp(Card("red-1"))).sentence.code == "free_play"


def finish_round(table: Evening, out: int) -> None:
    table.do(c.GoOut(out))
    for seat in table.round.seats:
        if seat != out:
            table.do(c.EnterPoints(seat, 1))
    table.do(c.ScoreRound())


@pytest.mark.rule("R20")
@pytest.mark.parametrize(
    ("house", "dealers"),
    [
        pytest.param("left", [CLEO, ANA, BEN], id="the deal passes to the left"),
        pytest.param("winner", [CLEO, BEN, BEN], id="by house rule who went out deals"),
    ],
)
def test_who_deals_the_next_round(house: str, dealers: list[int]) -> None:
    table = Evening(house={"next_dealer": house}).start(CLEO)
    seen = [table.round.dealer]
    for _ in range(2):
        finish_round(table, BEN)
        table.do(c.Deal())
        seen.append(table.round.dealer)
    assert seen == dealers


@pytest.mark.rule("R20")
def test_the_deal_passes_over_a_seat_that_was_left() -> None:
    table = Evening(4).start(ANA)
    finish_round(table, ANA)
    table.do(c.Stand(BEN))
    table.do(c.Deal())
    assert table.round.dealer == CLEO


@pytest.mark.rule("R20")
def test_a_dealer_who_leaves_before_dealing_is_followed_by_the_left_neighbour() -> None:
    table = Evening(4)
    table.do(c.StartMatch())
    table.do(c.ChooseDealer(DAN))
    table.do(c.Stand(DAN))
    table.do(c.Deal())
    assert table.round.dealer == ANA


@pytest.mark.rule("R20")
def test_when_the_winner_has_left_the_deal_passes_to_the_left_after_all() -> None:
    table = Evening(4, house={"next_dealer": "winner"}).start(ANA)
    finish_round(table, DAN)
    table.do(c.Stand(DAN))
    table.do(c.Deal())
    assert table.round.dealer == BEN
