"""People: leaving in the middle of a round, and a round that nobody finishes."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import SECOND
from companion.referee.rules.scoring import standing
from companion.view import view
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening


def seats(table: Evening) -> list[int]:
    """Who sits at the table."""
    return [seat.number for seat in table.table.game.seats]


def in_play(way: str = "refereed", players: int = 4, scoring: str = "classic") -> Evening:
    """A round in which it is Ben's turn."""
    table = Evening(players, way=way, scoring=scoring)
    return table.refereed() if way == "refereed" else table.start()


def cards(table: Evening) -> int:
    """All cards of a refereed round."""
    round_ = table.round
    return sum(round_.hands.values()) + round_.draw_pile + round_.discard_pile


@pytest.mark.parametrize("way", ["free", "refereed"])
def test_a_round_can_be_abandoned_and_nobody_scores(way: str) -> None:
    table = in_play(way)
    table.do(c.AbandonRound())
    assert (table.match.round, table.match.rounds) == (None, ())
    assert view(table.table).phase == "between"
    table.do(c.Undo())
    assert table.round.number == 1
    table.do(c.Redo())
    table.do(c.Deal())
    assert (table.round.number, table.round.dealer) == (1, ANA), "whoever dealt it deals again"


def test_a_round_that_was_abandoned_is_followed_by_the_winners_deal() -> None:
    table = Evening(2, house={"next_dealer": "winner"}).start()
    table.do(c.AbandonRound())
    table.do(c.Deal())
    assert table.round.dealer == ANA


def test_there_is_no_round_to_abandon_between_rounds() -> None:
    table = Evening(2)
    table.do(c.StartMatch())
    assert table.refused(c.AbandonRound()).sentence.code == "no_round"


def test_the_table_has_to_say_what_becomes_of_the_hand() -> None:
    table = in_play()
    refusal = table.refused(c.Stand(BEN))
    assert str(refusal) == (
        "A round is on: does Ben's hand go under the draw pile, or is it counted?"
    )


@pytest.mark.parametrize("hand", ["under", "counted"])
def test_two_cannot_become_one(hand: str) -> None:
    table = in_play(players=2)
    refusal = table.refused(c.Stand(BEN, hand))  # type: ignore[arg-type]
    assert str(refusal) == "It takes two to go on. Abandon the round instead."


def test_a_hand_under_the_draw_pile_has_no_part_in_the_round() -> None:
    table = in_play(scoring="alternative")
    pile = table.round.draw_pile
    table.do(c.Stand(BEN, "under"))
    assert (seats(table), table.round.seats) == ([ANA, CLEO, DAN], (ANA, CLEO, DAN))
    assert (table.round.draw_pile, table.round.turn) == (pile + 7, CLEO)
    assert cards(table) == 112
    table.do(c.GoOut(CLEO, confirm=True))
    table.do(c.EnterPoints(ANA, 10))
    table.do(c.EnterPoints(DAN, 20))
    table.do(c.ScoreRound())
    assert set(table.match.rounds[0].hands) == {1, 4}
    assert standing(table.match).alternative == {1: 10, 2: 0, 3: 0, 4: 20}


@pytest.mark.parametrize("way", ["free", "refereed"])
def test_a_hand_that_is_counted_waits_for_the_end_of_the_round(way: str) -> None:
    table = in_play(way)
    table.do(c.Stand(DAN, "counted"))
    assert (seats(table), table.round.seats) == ([ANA, BEN, CLEO, DAN], (ANA, BEN, CLEO))
    assert table.refused(c.Stand(DAN, "under")).sentence.code == "not_in_round"
    table.do(c.GoOut(BEN, confirm=True))
    assert view(table.table).round.missing_hands == (ANA, CLEO, DAN)  # type: ignore[union-attr]
    for seat in (ANA, CLEO, DAN):
        table.do(c.EnterPoints(seat, 10))
    preview = view(table.table).round.preview  # type: ignore[union-attr]
    assert preview is not None
    assert preview.alternative == {1: 10, 2: 0, 3: 10, 4: 10}
    table.do(c.ScoreRound())
    assert seats(table) == [ANA, BEN, CLEO]
    assert standing(table.match).classic[2] == 30
    table.do(c.Undo())
    assert seats(table) == [ANA, BEN, CLEO, DAN]


def test_whoever_left_with_a_hand_to_count_is_gone_when_the_round_is_abandoned() -> None:
    table = in_play()
    table.do(c.Stand(DAN, "counted"))
    table.do(c.AbandonRound())
    assert seats(table) == [ANA, BEN, CLEO]
    table.do(c.Deal())
    assert table.round.seats == (ANA, BEN, CLEO)


@pytest.mark.parametrize(
    ("hand", "holds"),
    [
        pytest.param("counted", 9, id="what was owed is in the hand that is counted"),
        pytest.param("under", None, id="what was owed is owed no more"),
    ],
)
def test_whoever_leaves_owes_nothing_any_more(hand: str, holds: int | None) -> None:
    table = in_play()
    table.play("red-draw")
    assert table.owed(CLEO) == 2
    table.do(c.Stand(CLEO, hand))  # type: ignore[arg-type]
    assert (table.round.debts, table.round.hands.get(CLEO)) == ((), holds)
    assert cards(table) == 112


@pytest.mark.parametrize("leaver", [BEN, CLEO])
def test_a_wild_draw_card_is_challenged_by_nobody_who_left(leaver: int) -> None:
    table = in_play()
    table.play("wild-draw blue")
    table.do(c.Stand(leaver, "under"))
    assert table.round.challenge is None
    assert (table.owed(CLEO), table.round.turn) == (4 if leaver == BEN else 0, DAN)


def test_a_challenge_between_others_stays_and_its_ruling_with_it() -> None:
    table = in_play()
    table.play("wild-draw blue")
    table.do(c.Stand(ANA, "under"))
    assert table.round.challenge is not None
    table.play("blue-1")
    table.do(c.ChangePlay(table.round.turns[-1].number, Card("blue-2")))
    assert table.owed(CLEO) == 4
    assert table.round.hands[DAN] == 6


def test_whoever_should_name_a_colour_and_leaves_leaves_it_open() -> None:
    table = in_play()
    table.play("wild")
    table.do(c.Stand(BEN, "under"))
    assert (table.round.chooser, table.round.colour) == (None, None)
    table.do(c.NameColour("red"))
    assert table.round.colour == "red"


def test_the_dealer_may_leave_before_the_first_card() -> None:
    table = Evening(4, way="refereed").start()
    table.do(c.Stand(ANA, "under"))
    table.do(c.TurnUp(Card("red-5")))
    assert table.round.turn == BEN


def test_nobody_leaves_while_a_race_is_open_and_the_next_is_among_those_who_are_left() -> None:
    table = in_play()
    table.play("street-race blue")
    assert table.refused(c.Stand(DAN, "under")).sentence.code == "race_undecided"
    table.hands_off(BEN)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    table.do(c.Stand(DAN, "counted"))
    table.wait(SECOND)
    assert (table.round.debts, table.round.hands[DAN]) == ((), 11)
    table.play("street-race red")
    table.slaps(ana=100, ben=200)
    table.wait(SECOND)
    assert table.owed(BEN) == 4


def test_an_earlier_race_is_not_read_again_without_somebody_who_left() -> None:
    table = in_play("free")
    table.hands_off(BEN)
    table.wait(2 * SECOND)
    assert table.owed(DAN) == 4
    table.do(c.Stand(ANA, "under"))
    table.do(c.Call(CLEO))
    table.do(c.Undo())
    table.wait(2 * SECOND)
    assert table.owed(DAN) == 4
    table.do(c.Undo())
    assert (table.round.seats, table.owed(DAN)) == ((ANA, BEN, CLEO, DAN), 4)


def test_a_card_can_be_changed_that_was_laid_after_somebody_left() -> None:
    table = in_play()
    table.play("red-1")
    before = table.round.turns[-1].number
    table.do(c.Stand(ANA, "under"))
    table.play("red-2", "red-3")
    table.do(c.ChangePlay(table.round.turns[0].number, Card("red-skip")))
    assert [table.round.hands[seat] for seat in (BEN, CLEO, DAN)] == [6, 6, 6]
    assert cards(table) == 112
    assert table.refused(c.ChangePlay(before, Card("red-4"))).sentence.code == "no_such_turn"
