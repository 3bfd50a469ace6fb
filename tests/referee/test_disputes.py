"""Overruling: the referee's word stands above every ruling, and above every later reading."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening

MS = MILLISECOND


def raced() -> Evening:
    """A race by Ana in which Dan was last."""
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.hands_off(ANA)
    table.wait(SECOND)
    assert table.owed(DAN) == 4
    return table


def caught() -> Evening:
    """Ben is on one card and was caught by Ana."""
    table = Evening(way="refereed").refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.catch_by_presses(ANA)
    table.wait(SECOND)
    assert table.owed(BEN) == 2
    return table


def test_a_ruling_can_be_overruled_with_another_consequence() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-draw")
    number = table.ruling.number
    table.do(c.Overrule(number, (ANA, BEN), 1))
    assert [table.owed(seat) for seat in (ANA, BEN, CLEO)] == [1, 1, 0]
    assert table.said == "The referee overrules: Ana, Ben to draw 1."
    assert table.ruling.outcome == "overruled"
    old = next(r for r in table.match.rulings if r.number == number)
    assert old.overruled is not None
    assert table.refused(c.Overrule(number)).sentence.code == "no_such_ruling"


def test_overruling_to_nobody() -> None:
    table = Evening(way="refereed").refereed()
    table.play("red-draw")
    table.do(c.Overrule(table.ruling.number))
    assert table.round.debts == ()
    assert table.said == "The referee overrules: nobody draws."


@pytest.mark.parametrize(
    "unclear",
    [
        pytest.param(((BEN,), 0), id="somebody draws nothing"),
        pytest.param(((), 2), id="two cards for nobody"),
    ],
)
def test_an_unclear_overruling_is_refused(unclear: tuple[tuple[int, ...], int]) -> None:
    table = Evening(way="refereed").refereed()
    seats, draws = unclear
    refusal = table.refused(c.Overrule(table.ruling.number, seats, draws))
    assert str(refusal) == "Say who draws and how many, or that nobody does."


def test_a_ruling_before_the_round_can_be_overruled_too() -> None:
    table = Evening(2)
    table.do(c.StartMatch())
    table.do(c.DrawForDeal({ANA: Card("red-1"), BEN: Card("red-2")}))
    table.do(c.Overrule(table.ruling.number))
    assert table.said == "The referee overrules: nobody draws."


@pytest.mark.rule("R12")
def test_overruling_a_race_settles_it_with_the_referees_word() -> None:
    table = raced()
    table.do(c.Overrule(table.ruling.number, (BEN,), 4))
    assert (table.owed(BEN), table.owed(DAN)) == (4, 0)
    assert table.race.state == "ruled"
    assert table.race.ruling == table.ruling.number


@pytest.mark.rule("R12")
def test_no_reading_gives_another_ruling_for_a_race_that_was_overruled() -> None:
    table = raced()
    table.do(c.Overrule(table.ruling.number, (BEN,), 4))
    before = table.match.rulings
    table.do(c.PhonePress(CLEO, table.race.anchor + 300 * MS, 0))
    table.do(c.SetAside(CLEO, "noise", table.race.anchor))
    table.wait(20 * SECOND)
    assert table.match.rulings == before
    assert (table.race.state, table.race.tied) == ("ruled", ())
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_a_dead_heat_may_be_overruled_and_is_open_no_longer() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=300, dan=300)
    table.wait(SECOND)
    assert table.race.state == "undecided"
    table.do(c.Overrule(table.ruling.number, (CLEO,), 2))
    assert (table.race.state, table.owed(CLEO)) == ("ruled", 2)
    assert table.refused(c.SlapOff()).sentence.code == "race_decided"
    table.wait(40 * SECOND)
    assert table.owed(CLEO) == 2


@pytest.mark.rule("R12")
def test_a_dead_heat_may_be_overruled_while_its_slap_off_is_on() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    table.slaps(ben=100, cleo=100, dan=100)
    table.wait(SECOND)
    dead_heat = table.ruling.number
    table.do(c.SlapOff())
    table.slaps(ben=100, cleo=120)
    table.do(c.Overrule(dead_heat, (BEN,), 1), after=0)
    table.wait(SECOND)
    table.tap(ANA)
    table.wait(20 * SECOND)
    assert (table.race.state, table.in_force) == ("ruled", ["overruled"])
    assert table.owed(BEN) == 1


@pytest.mark.rule("R12")
def test_a_race_that_was_overruled_may_be_cancelled_all_the_same() -> None:
    table = raced()
    table.do(c.Overrule(table.ruling.number, (BEN,), 4))
    table.do(c.CancelRace())
    table.wait(SECOND)
    assert table.race.state == "void"


@pytest.mark.rule("R13")
def test_overruling_a_catch_settles_it_with_the_referees_word() -> None:
    table = caught()
    table.do(c.Overrule(table.ruling.number, (ANA,), 1))
    assert (table.owed(ANA), table.owed(BEN)) == (1, 0)
    before = table.match.rulings
    at = table.round.claims[0].catch.at
    table.do(c.PhonePress(BEN, at - 500 * MS, 0))
    table.wait(SECOND)
    assert table.match.rulings == before, "a call that becomes known changes nothing any more"
    assert table.round.claims[0].ruling == table.ruling.number


@pytest.mark.rule("R12")
def test_overruling_one_of_two_races_leaves_the_other() -> None:
    table = raced()
    first = table.ruling
    table.wait(3 * SECOND)
    table.hands_off(BEN)
    table.wait(SECOND)
    table.do(c.Overrule(first.number, (CLEO,), 1))
    assert [race.ruling == first.number for race in table.round.races] == [False, False]
    assert (table.owed(CLEO), table.owed(DAN)) == (1, 4)


@pytest.mark.rule("R13")
def test_overruling_one_of_two_catches_leaves_the_other() -> None:
    table = caught()
    first = table.ruling
    table.do(c.Catch(CLEO, ANA))
    table.wait(SECOND)
    assert table.in_force == ["caught", "not_on_one"]
    table.do(c.Overrule(first.number))
    assert table.in_force == ["not_on_one", "overruled"]
    assert table.owed(BEN) == 0


@pytest.mark.rule("R13")
def test_a_debt_may_be_forgiven_and_the_ruling_stands() -> None:
    table = caught()
    (debt,) = table.round.debts
    table.do(c.Forgive(debt.number))
    table.wait(SECOND)
    assert table.round.debts == ()
    assert table.in_force == ["caught"]


def test_an_overruling_can_be_taken_back_and_done_again() -> None:
    table = raced()
    table.do(c.Overrule(table.ruling.number, (BEN,), 4))
    table.do(c.Undo())
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(DAN)) == (0, 4)
    table.do(c.Redo())
    table.wait(SECOND)
    assert (table.owed(BEN), table.owed(DAN)) == (4, 0)


def hit_and_drawn() -> Evening:
    """Ben laid Draw Two, and Cleo has drawn the two cards."""
    table = Evening(way="refereed").refereed()
    table.play("red-draw")
    table.do(c.Drawn(table.round.debts[0].number))
    assert (table.round.hands[CLEO], table.round.draw_pile) == (9, 112 - 21 - 1 - 2)
    return table


@pytest.mark.parametrize(
    ("seats", "draws", "holds", "owes", "back"),
    [
        pytest.param((), 0, 7, 0, 2, id="nobody should have drawn"),
        pytest.param((ANA,), 2, 7, 0, 2, id="somebody else should have"),
        pytest.param((CLEO,), 1, 8, 0, 1, id="one card was too many"),
        pytest.param((CLEO,), 2, 9, 0, 0, id="it was right all the same"),
        pytest.param((CLEO,), 5, 9, 3, 0, id="three more are to come"),
    ],
)
def test_overruling_after_the_cards_were_drawn_sets_the_hand_right(
    seats: tuple[int, ...], draws: int, holds: int, owes: int, back: int
) -> None:
    table = hit_and_drawn()
    pile = table.round.draw_pile
    table.do(c.Overrule(table.ruling.number, seats, draws))
    assert (table.round.hands[CLEO], table.owed(CLEO)) == (holds, owes)
    assert table.round.draw_pile == pile + back
    assert sum(one.cards for one in table.ruling.back) == back
    assert table.owed(ANA) == (2 if ANA in seats else 0)
    table.do(c.Undo())
    assert (table.round.hands[CLEO], table.round.draw_pile) == (9, pile)


def test_a_second_overruling_counts_what_is_still_in_the_hand() -> None:
    table = hit_and_drawn()
    table.do(c.Overrule(table.ruling.number, (CLEO,), 1))
    table.do(c.Overrule(table.ruling.number, (CLEO,), 2))
    assert (table.round.hands[CLEO], table.owed(CLEO)) == (8, 1)


def test_cards_that_were_played_since_cannot_go_back() -> None:
    table = hit_and_drawn()
    number = table.ruling.number
    table.hands(cleo=2)
    table.do(c.Overrule(number))
    assert table.round.hands[CLEO] == 1


def test_in_free_play_too_somebody_is_told_to_put_cards_back() -> None:
    table = raced()
    table.do(c.Drawn(table.round.debts[0].number))
    table.do(c.Overrule(table.ruling.number, (BEN,), 4))
    assert [(one.seat, one.cards) for one in table.ruling.back] == [(DAN, 4)]
    assert (table.owed(BEN), table.owed(DAN)) == (4, 0)


def test_a_forgiven_debt_was_not_drawn() -> None:
    table = raced()
    table.do(c.Forgive(table.round.debts[0].number))
    table.do(c.Overrule(table.ruling.number, (DAN,), 2))
    assert (table.owed(DAN), table.ruling.back) == (2, ())


@pytest.mark.rule("R12")
def test_a_race_that_was_none_gives_the_cards_back() -> None:
    table = Evening(4, way="refereed").refereed()
    table.play("street-race blue")
    table.hands_off(BEN)
    table.wait(SECOND)
    table.do(c.Drawn(table.round.debts[0].number))
    assert table.round.hands[DAN] == 11
    table.do(c.CancelRace())
    assert table.round.hands[DAN] == 7


def test_a_changed_card_keeps_what_was_drawn_by_the_referees_word() -> None:
    """Cleo should not have drawn, Ana should; Ana has, and then an earlier card is changed."""
    table = Evening(4, way="refereed").refereed()
    table.play("red-1")
    table.play("red-draw")
    table.do(c.Drawn(table.round.debts[0].number))
    table.do(c.Overrule(table.ruling.number, (ANA,), 3))
    table.do(c.Drawn(table.round.debts[0].number))
    before = dict(table.round.hands)
    assert (before[DAN], before[ANA]) == (7, 10)
    table.do(c.ChangePlay(table.round.turns[0].number, Card("red-2")))
    assert (table.round.hands, table.round.debts) == (before, ())


def test_an_overruling_is_gone_with_the_card_that_it_was_about() -> None:
    table = Evening(4, way="refereed").refereed()
    table.play("red-draw")
    table.do(c.Overrule(table.ruling.number, (ANA,), 3))
    table.do(c.ChangePlay(table.round.turns[0].number, Card("red-2")))
    assert table.round.debts == ()
