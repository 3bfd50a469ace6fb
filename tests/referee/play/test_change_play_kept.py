"""An earlier card changed: what people have said, decided and answered since stays."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.apply.rulings import RULINGS_KEPT
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, stands
from tests.referee.situations import refereed, turn

MS = MILLISECOND


@pytest.mark.rule("R13")
def test_what_was_said_of_calls_catches_and_races_is_kept() -> None:
    table = refereed(players=4)
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.do(c.Call(BEN))
    table.do(c.Call(ANA))
    table.do(c.WithdrawCall(ANA))
    table.do(c.Catch(BEN, ANA))
    table.wait(SECOND)
    table.do(c.DeclareRace(CLEO))
    table.slaps(ana=100, ben=150, dan=200)
    table.wait(2 * SECOND)
    table.do(c.ChangePlay(turn(table), Card("red-4")))
    table.wait(SECOND)
    assert sorted(table.in_force) == ["called", "last"]
    assert table.owed(DAN) == 4
    assert ANA not in table.round.calls.called


@pytest.mark.rule("R13")
def test_what_was_answered_is_kept() -> None:
    table = refereed()
    table.hands(ben=2)
    table.wait(SECOND)
    table.play("red-1")
    table.wait(5 * SECOND)
    table.catch_by_presses(ANA, 400 * MS)
    table.play("red-2")
    table.wait(SECOND)
    table.answer("caught")
    table.do(c.ChangePlay(turn(table), Card("red-4")))
    assert table.owed(BEN) == 2
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_what_was_decided_about_a_race_is_kept() -> None:
    table = refereed()
    table.play("red-1", "street-race blue")
    table.slaps(ana=100, ben=100)
    table.wait(SECOND)
    table.do(c.PickLast((BEN,)))
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    assert (table.race.outcome, table.owed(BEN), table.owed(ANA)) == ("picked", 4, 0)


@pytest.mark.rule("R12")
def test_a_race_by_somebody_else_is_judged_for_them() -> None:
    table = refereed(players=4)
    table.play("street-race blue")
    table.slaps(ana=100, ben=150, dan=200)
    table.wait(12 * SECOND)
    assert table.owed(CLEO) == 4, "she kept her hands off, and was not the one who laid it"
    table.do(c.ChangePlay(turn(table), Card("street-race"), seat=CLEO, colour="blue"))
    table.wait(SECOND)
    assert (table.race.layer, table.owed(CLEO), table.owed(DAN)) == (CLEO, 0, 4)


def test_what_the_referee_overruled_stays_overruled() -> None:
    table = refereed()
    table.play("red-1", "red-draw")
    table.do(c.Overrule(table.ruling.number))
    table.play("red-2")
    assert table.round.debts == ()
    table.do(c.ChangePlay(turn(table, 3), Card("red-4")))
    assert table.round.debts == ()


@pytest.mark.rule("R12")
def test_a_race_that_the_referee_overruled_stays_overruled() -> None:
    table = refereed(players=4)
    table.play("red-1", "street-race blue")
    table.slaps(ana=100, ben=150, dan=200)
    table.wait(SECOND)
    table.do(c.Overrule(table.ruling.number, (ANA,), 1))
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    table.wait(SECOND)
    assert (table.owed(ANA), table.owed(DAN)) == (1, 0)


@pytest.mark.rule("R6")
def test_a_draw_card_that_becomes_known_is_still_to_be_drawn_for() -> None:
    """Cleo has played since, but nobody had told her to draw."""
    table = refereed()
    table.play("red-1", "red-2")
    table.do(c.ChangePlay(turn(table, 2), Card("red-draw")))
    assert (table.owed(CLEO), table.round.hands[CLEO]) == (2, 6)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("turns", [1, 2, 3], ids=["one", "two", "all"])
def test_a_race_that_becomes_known_is_still_to_be_drawn_for_by_everybody(turns: int) -> None:
    """Nobody slapped, and so many of those who draw for it have played since then."""
    table = refereed(players=4, house={"no_slap": "all_draw"})
    table.play("red-1")
    table.wait(20 * SECOND)
    table.play(*("red-2", "red-3", "red-4")[:turns])
    hands = table.round.hands
    table.do(c.ChangePlay(table.round.turns[0].number, Card("street-race"), colour="red"))
    table.wait(SECOND)
    assert [table.owed(seat) for seat in (ANA, BEN, CLEO, DAN)] == [4, 0, 4, 4]
    assert table.round.hands == hands


@pytest.mark.rule("R6")
@pytest.mark.parametrize(
    ("settled", "left"),
    [
        pytest.param(c.Drawn, 9, id="she has drawn"),
        pytest.param(c.Forgive, 7, id="she was forgiven"),
    ],
)
def test_what_was_settled_about_a_debt_stays_when_its_card_had_another_colour(
    settled: type[c.Drawn] | type[c.Forgive], left: int
) -> None:
    table = refereed()
    table.play("red-draw")
    table.do(settled(table.round.debts[0].number))
    assert table.round.hands[CLEO] == left
    table.do(c.ChangePlay(turn(table), Card("blue-draw")))
    assert (table.owed(CLEO), table.round.hands[CLEO]) == (0, left)


@pytest.mark.rule("R11")
def test_a_challenge_against_somebody_else_leaves_the_hand_of_who_was_right() -> None:
    table = refereed(players=4)
    table.play("wild-draw red")
    table.do(c.Challenge(guilty=True))
    table.do(c.ChangePlay(turn(table), Card("wild-draw"), ANA, "red"))
    assert (table.owed(ANA), table.owed(BEN)) == (4, 0)
    assert table.round.hands[BEN] == 7


@pytest.mark.rule("R12")
def test_a_race_long_ago_is_not_drawn_for_again() -> None:
    table = refereed(players=4)
    table.hands(ana=20, ben=20, cleo=20, dan=20)
    table.play("street-race red")
    table.slaps(ana=300, cleo=320, dan=400)
    table.wait(2 * SECOND)
    table.do(c.Drawn(table.round.debts[0].number))
    for _ in range(34):
        table.do(c.Play(Card("red-reverse"), insist=True))
    table.do(c.ChangePlay(turn(table), Card("red-5")))
    table.wait(SECOND)
    table.play("red-4")
    table.wait(SECOND)
    assert table.round.debts == ()


def test_rulings_of_a_round_are_kept_while_it_is_on_and_the_oldest_go_after_it() -> None:
    table = refereed()
    table.hands(ana=30, ben=30, cleo=30)
    for _ in range(70):
        table.do(c.Play(Card("red-skip"), insist=True))
    assert len(table.match.rulings) > RULINGS_KEPT
    out = table.round.turn
    assert out is not None
    table.do(c.GoOut(out, Card("red-1"), confirm=True))
    for seat in {ANA, BEN, CLEO} - {out}:
        table.do(c.EnterPoints(seat, 1))
    table.do(c.ScoreRound())
    table.do(c.Deal())
    table.do(c.TurnUp(Card("red-reverse")))
    assert len(table.match.rulings) == RULINGS_KEPT


@pytest.mark.rule("R12")
def test_what_somebody_still_owes_is_still_owed() -> None:
    """The referee picked Ana when she had played already; she has not drawn since then."""
    table = refereed(players=4)
    table.play("red-1", "street-race red")
    table.wait(12 * SECOND)
    table.play("red-2", "red-3")
    table.do(c.PickLast((ANA,)))
    hands = table.round.hands
    assert table.owed(ANA) == 4
    table.do(c.ChangePlay(table.round.turns[0].number, Card("red-4")))
    table.wait(SECOND)
    assert (table.owed(ANA), table.round.hands) == (4, hands)
    table.play("red-5")
    table.play("red-6", "red-7")
    assert table.owed(ANA) == 4
    table.play("red-8")
    assert (table.owed(ANA), table.round.hands[ANA]) == (0, hands[ANA] + 4 - 1)


@pytest.mark.rule("R12")
def test_whom_the_tablet_named_for_a_race_still_laid_it() -> None:
    table = refereed(players=4)
    table.play("red-1", "street-race red")
    table.slaps(cleo=300, ana=350, ben=400)
    table.wait(SECOND)
    table.do(c.ChangeLayer(DAN))
    table.wait(2 * SECOND)
    assert (table.race.layer, table.owed(BEN)) == (DAN, 4)
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    table.wait(12 * SECOND)
    assert (table.race.layer, table.owed(BEN)) == (DAN, 4)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("said", [None, c.CancelRace(), c.ChangeLayer(DAN)], ids=str)
def test_a_race_that_was_tapped_in_before_its_card_stays_one_race(said: c.Command | None) -> None:
    table = refereed(players=4)
    table.play("red-1")
    table.wait(5 * SECOND)
    table.do(c.DeclareRace(CLEO))
    table.slaps(ana=300, ben=400, dan=500)
    table.wait(2 * SECOND)
    table.play("street-race red")
    if said is not None:
        table.do(said)
    table.wait(12 * SECOND)
    was = table.race
    table.do(c.ChangePlay(turn(table, 2), Card("red-4")))
    table.wait(12 * SECOND)
    (race,) = table.round.races
    assert (race.state, race.layer, race.outcome) == (was.state, was.layer, was.outcome)


@pytest.mark.rule("R12")
def test_a_race_that_was_tapped_in_before_its_card_is_theirs_who_played_it() -> None:
    table = refereed(players=4)
    table.do(c.DeclareRace(BEN))
    table.slaps(ana=100, ben=150, dan=200)
    table.play("street-race blue")
    table.wait(12 * SECOND)
    table.do(c.ChangePlay(turn(table), Card("street-race"), seat=CLEO, colour="blue"))
    table.wait(SECOND)
    assert (table.race.layer, table.owed(CLEO), table.owed(DAN)) == (CLEO, 0, 4)
    table.do(c.ChangePlay(turn(table), Card("red-4"), seat=BEN))
    table.wait(SECOND)
    assert [race.how for race in table.round.races] == ["tablet"]


@pytest.mark.rule("R12")
def test_a_ruling_names_who_else_laid_the_card_also_where_the_same_hand_was_last() -> None:
    table = refereed(players=4)
    table.play("street-race blue")
    table.slaps(ben=300, cleo=350, ana=400, dan=500)
    table.wait(SECOND)
    table.do(c.ChangePlay(turn(table), Card("street-race"), seat=CLEO, colour="blue"))
    table.wait(SECOND)
    (ruling,) = [ruling for ruling in table.rules("R12") if stands(ruling)]
    assert ruling.evidence == table.finish
    assert (table.finish.layer, table.owed(DAN)) == (CLEO, 4)
