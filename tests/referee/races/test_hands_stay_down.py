"""R12, house rule `hands_stay_down`: a slap counts while the button stays down."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, Evening

MS = MILLISECOND


def named(players: int = 3, **setup: object) -> Evening:
    """Ana has laid a Street Race where hands must stay down."""
    house = {"hands_stay_down": True}
    table = Evening(players, house=house, **setup).start()  # type: ignore[arg-type]
    table.do(c.DeclareRace(ANA))
    return table


@pytest.mark.rule("R12")
def test_hands_that_stay_are_judged_by_when_they_came_down() -> None:
    table = named(4)
    for seat in (BEN, DAN, CLEO):
        table.press(seat)
        table.wait(40 * MS)
    table.wait(SECOND)
    assert table.said == "Cleo draws 4, by 40.0 ms."
    assert table.ruling.house == ("hands_stay_down",)


@pytest.mark.rule("R12")
def test_a_hand_that_was_let_go_slaps_again() -> None:
    table = named()
    ben = table.press(BEN)
    table.wait(100 * MS)
    table.let_go(BEN, ben)
    table.wait(100 * MS)
    table.press(CLEO)
    table.wait(SECOND)
    assert table.race.state == "running"
    assert [press.seat for press in table.race.slaps] == [CLEO]
    table.press(BEN)
    table.wait(2 * SECOND)
    assert table.said == "Ben draws 4, by 1000 ms."


@pytest.mark.rule("R12")
def test_a_hand_that_was_let_go_at_the_end_has_not_slapped() -> None:
    table = named()
    ben = table.press(BEN)
    table.wait(100 * MS)
    table.let_go(BEN, ben)
    table.press(CLEO)
    table.wait(12 * SECOND)
    assert table.said == "Ben never slapped and draws 4."


@pytest.mark.rule("R12")
def test_once_all_hands_have_met_they_may_go() -> None:
    table = named()
    downs = [(seat, table.press(seat, table.now + seat * 10 * MS)) for seat in (BEN, CLEO)]
    table.wait(100 * MS)
    for seat, at in downs:
        table.let_go(seat, at)
    table.wait(12 * SECOND)
    assert table.in_force == ["last"]
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_a_release_that_was_long_on_its_way_has_the_race_judged_again() -> None:
    table = named()
    ben = table.press(BEN)
    table.wait(200 * MS)
    table.press(CLEO)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    table.let_go(BEN, ben, ben + 100 * MS)
    assert (table.owed(CLEO), table.race.state) == (0, "running")
    table.press(BEN)
    table.wait(2 * SECOND)
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_a_touch_on_a_screen_counts_as_a_hand_that_stays() -> None:
    table = named()
    table.do(c.PressSeat(BEN))
    table.wait(SECOND)
    table.press(CLEO)
    table.wait(2 * SECOND)
    assert table.race.state == "ruled"
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_where_hands_must_stay_nobody_is_last_for_hammering() -> None:
    table = named(4)
    for _ in range(5):
        table.tap(BEN)
        table.wait(300 * MS)
    for seat in (CLEO, BEN, DAN):
        table.press(seat)
        table.wait(30 * MS)
    table.wait(3 * SECOND)
    assert table.race.hammered == ()
    assert table.owed(DAN) == 4


@pytest.mark.rule("R12")
def test_hands_that_stay_declare_a_race_by_themselves_too() -> None:
    table = Evening(4, house={"hands_stay_down": True}).start()
    for seat in (BEN, CLEO, DAN):
        table.press(seat)
        table.wait(30 * MS)
    table.wait(SECOND)
    assert (table.race.layer, table.owed(DAN)) == (ANA, 4)


@pytest.mark.rule("R12")
def test_in_refereed_play_the_next_player_loses_nothing() -> None:
    table = Evening(way="refereed", house={"hands_stay_down": True}).refereed()
    table.play("street-race blue")
    assert (table.round.turn, table.round.colour) == (CLEO, "blue")
    table.press(ANA)
    table.wait(100 * MS)
    table.press(CLEO)
    table.wait(SECOND)
    assert table.owed(CLEO) == 4
    table.play("blue-1")
    assert table.round.hands[CLEO] == 7 + 4 - 1


def let_go_soon(players: int) -> Evening:
    """Everybody but Ana touched the button shortly and together, where hands must stay down."""
    table = Evening(players, house={"hands_stay_down": True}).start()
    table.hands_off(ANA, 100 * MS)
    table.wait(2 * SECOND)
    return table


@pytest.mark.rule("R12")
@pytest.mark.parametrize("said", ["no", "undo"])
def test_hands_that_did_not_stay_can_be_said_to_be_no_race(said: str) -> None:
    table = let_go_soon(3)
    assert table.question.kind == "was_race"
    table.do(c.Undo() if said == "undo" else c.Answer(table.question.number, said))
    assert (table.round.questions, table.round.races) == ((), ())
    table.wait(3 * SECOND)
    table.tap(ANA)
    table.wait(12 * SECOND)
    assert (table.round.questions, table.in_force) == ((), [])


@pytest.mark.rule("R12")
@pytest.mark.parametrize("later", [9 * SECOND, 15 * SECOND, 16 * SECOND, 30 * SECOND])
def test_hands_that_did_not_stay_are_judged_once(later: int) -> None:
    """All of them draw, and none of them draws again because somebody presses later."""
    table = Evening(4, house={"hands_stay_down": True, "no_slap": "all_draw"}).start()
    table.hands_off(ANA)
    table.wait(later)
    table.tap(BEN)
    table.wait(later)
    assert table.in_force == ["never_slapped"]
    assert len(table.round.races) == 1
