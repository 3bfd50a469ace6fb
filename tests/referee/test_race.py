"""R12: Street Races, judged from the times of hands and from nothing else."""

from __future__ import annotations

import itertools

import pytest

from companion.referee import commands as c
from companion.referee import events as e
from companion.referee.cards import Card
from companion.referee.presses import MILLISECOND, SECOND
from companion.referee.rulings import Finish
from companion.referee.table import Race
from tests.referee.evening import ANA, BEN, CLEO, DAN, Evening

MS = MILLISECOND


def slaps(table: Evening, layer_at: int, **after_ms: float) -> None:
    """Let the named hands slap so many milliseconds after the layer's press."""
    seats = {"ana": ANA, "ben": BEN, "cleo": CLEO, "dan": DAN}
    for name, ms in after_ms.items():
        at = layer_at + int(ms * MS)
        table.wait(max(0, at - table.now))
        table.tap(seats[name], at)


def pressed_at(table: Evening, seat: int) -> int:
    """Tell when a seat slapped in the latest race."""
    return next(p.press.at for p in finish(table).places if p.seat == seat and p.press is not None)


def finish(table: Evening) -> Finish:
    found = table.race.finish
    assert found is not None
    return found


@pytest.mark.rule("R12")
def test_the_last_hand_draws_and_the_margin_is_said() -> None:
    table = Evening(4).start()
    at = table.press(ANA)
    slaps(table, at, ben=300, dan=310, cleo=322)
    table.wait(SECOND)
    assert table.said == "Cleo draws 4, by 12 ms."
    assert {seat: table.owed(seat) for seat in (ANA, BEN, CLEO, DAN)} == {
        ANA: 0,
        BEN: 0,
        CLEO: 4,
        DAN: 0,
    }
    assert [place.seat for place in finish(table).places] == [BEN, DAN, CLEO]
    assert [place.after for place in finish(table).places] == [300 * MS, 310 * MS, 322 * MS]
    assert finish(table).margin == 12 * MS
    assert table.ruling.evidence == finish(table)


@pytest.mark.rule("R12")
def test_a_long_margin_is_said_in_whole_milliseconds() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=1400)
    assert table.said == "Cleo draws 4, by 1300 ms."


@pytest.mark.rule("R12")
def test_a_hand_quicker_than_the_layers_button_has_a_negative_time() -> None:
    table = Evening().start()
    table.tap(BEN)
    table.wait(200 * MS)
    table.hold(ANA)
    table.tap(CLEO)
    assert finish(table).places[0].after == -200 * MS
    assert table.owed(CLEO) == 4


def _ruling_when_declared(how: str, after_last: int) -> tuple[object, ...]:
    """Ben slaps at 300 ms, Cleo at 350 ms; the race becomes known in one of several ways."""
    table = Evening().start()
    start = table.now + 2 * SECOND
    table.wait(start - table.now)
    if how == "hold":
        table.press(ANA, start)
    elif after_last < 0:
        table.do(c.DeclareRace(ANA), after=0)
    slaps(table, start, ben=300)
    if how == "tablet" and after_last == 0:
        table.do(c.DeclareRace(ANA), after=10 * MS)
    slaps(table, start, cleo=350)
    if how == "tablet" and after_last > 0:
        table.do(c.DeclareRace(ANA), after=after_last)
    table.wait(2 * SECOND)
    return table.said, finish(table).margin, finish(table).last, table.owed(CLEO)


def test_declaring_before_during_or_after_the_slaps_gives_the_same_ruling() -> None:
    ways = [("hold", 0), ("tablet", -1), ("tablet", 0), ("tablet", SECOND), ("tablet", 3 * SECOND)]
    rulings = {_ruling_when_declared(how, when) for how, when in ways}
    assert rulings == {("Cleo draws 4, by 50 ms.", 50 * MS, (CLEO,), 4)}


def test_the_order_in_which_presses_are_delivered_changes_nothing() -> None:
    rulings = set()
    for order in itertools.permutations([(ANA, 0), (BEN, 310), (CLEO, 300), (DAN, 302)]):
        table = Evening(4).start()
        start = table.now
        table.now += 500 * MS
        for seat, after in order:
            table.press(seat, start + after * MS)
        table.wait(2 * SECOND)
        rulings.add((table.said, finish(table).last, table.owed(BEN)))
    assert rulings == {("Ben draws 4, by 8 ms.", (BEN,), 4)}


def test_a_press_shown_as_a_call_is_re_read_when_a_race_claims_it() -> None:
    table = Evening().start()
    table.press(ANA)
    table.tap(BEN)
    assert set(table.round.calls) == {ANA, BEN}
    table.wait(SECOND)
    assert table.round.calls == {}
    declared = [event for event in table.events if isinstance(event, e.RaceDeclared)]
    assert declared[0].claimed == (ANA, BEN)


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("gap_ms", "last"),
    [
        pytest.param(0, (BEN, CLEO), id="the same moment"),
        pytest.param(0.9, (BEN, CLEO), id="inside the tolerance of two switches"),
        pytest.param(1.2, (CLEO,), id="clear of it"),
        pytest.param(-1.2, (BEN,), id="clear of it the other way"),
    ],
)
def test_too_close_to_tell_is_a_dead_heat(gap_ms: float, last: tuple[int, ...]) -> None:
    table = Evening().start()
    at = table.press(ANA)
    table.wait(800 * MS)
    table.press(BEN, at + 300 * MS)
    table.press(CLEO, at + 300 * MS + int(gap_ms * MS))
    assert finish(table).last == last
    assert table.race.state == ("ruled" if len(last) == 1 else "undecided")
    assert sum(table.owed(seat) for seat in (BEN, CLEO)) == (4 if len(last) == 1 else 0)


@pytest.mark.rule("R12")
def test_uncertainty_of_either_press_widens_the_dead_heat() -> None:
    table = Evening().start()
    at = table.press(ANA)
    table.wait(800 * MS)
    table.press(BEN, at + 300 * MS, uncertainty=10 * MS)
    table.press(CLEO, at + 310 * MS)
    assert finish(table).last == (BEN, CLEO)
    assert table.said == "Dead heat between Ben, Cleo: too close to call (± 11 ms)."
    assert finish(table).doubt == 10 * MS + 5_000 + MS


@pytest.mark.rule("R12")
def test_only_those_who_can_have_been_last_tie() -> None:
    table = Evening(4).start()
    at = table.press(ANA)
    table.wait(800 * MS)
    table.press(BEN, at + 300 * MS)
    table.press(CLEO, at + 300 * MS + 700_000)
    table.press(DAN, at + 301 * MS + 400_000)
    assert finish(table).last == (CLEO, DAN)


def dead_heat(**setup: object) -> Evening:
    table = Evening(**setup).start()  # type: ignore[arg-type]
    at = table.press(ANA)
    table.wait(800 * MS)
    table.press(BEN, at + 300 * MS)
    table.press(CLEO, at + 300 * MS)
    table.let_go(ANA, at)
    return table


def test_a_slap_off_is_lost_by_the_later_hand_after_the_light() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    light = table.race.slap_off
    assert light is not None
    assert SECOND < light.light_at - table.now <= 5 * SECOND
    assert not light.lit
    table.wait(light.light_at - table.now)
    assert table.race.slap_off is not None
    assert table.race.slap_off.lit
    slaps(table, table.now, cleo=200, ben=230)
    assert table.said == "Ben draws 4, by 30 ms."
    assert (table.race.state, table.owed(BEN), table.owed(CLEO)) == ("ruled", 4, 0)


@pytest.mark.parametrize("early", [(BEN,), (BEN, CLEO)])
def test_pressing_before_the_light_loses_and_two_early_hands_tie_again(
    early: tuple[int, ...],
) -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    table.wait(100 * MS)
    for seat in early:
        table.tap(seat)
        table.wait(20 * MS)
    table.wait(SECOND)
    if len(early) == 1:
        assert table.said == "Ben pressed before the light and draws 4."
        assert table.owed(BEN) == 4
    else:
        assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))


def test_a_slap_off_that_nobody_answers_is_undecided_again() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    table.wait(20 * SECOND)
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))
    assert finish(table).no_slap


def test_in_a_slap_off_other_hands_and_further_presses_count_for_nothing() -> None:
    table = dead_heat(players=4)
    assert table.race.state == "running"
    table.press(DAN, table.race.declared_at + 100 * MS)
    table.do(c.SlapOff())
    light = table.race.slap_off
    assert light is not None
    table.wait(light.light_at - table.now)
    slaps(table, table.now, dan=50, cleo=200, ben=201)
    assert table.race.tied == (BEN, CLEO)
    table.do(c.SlapOff())
    assert table.race.slap_off is not None
    table.wait(table.race.slap_off.light_at - table.now)
    slaps(table, table.now, cleo=200)
    slaps(table, table.now, cleo=10, ben=100)
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_the_referee_may_pick_both_of_a_dead_heat() -> None:
    table = dead_heat()
    assert table.refused(c.PickLast(())).sentence.code == "pick_nobody"
    assert table.refused(c.PickLast((ANA,))).sentence.code == "not_racing"
    table.do(c.PickLast((CLEO, BEN)))
    assert (table.owed(BEN), table.owed(CLEO)) == (4, 4)
    assert table.said == "Ben, Cleo: the referee says last, and that is 4 to draw."
    assert table.refused(c.PickLast((BEN,))).sentence.code == "race_decided"
    assert table.refused(c.SlapOff()).sentence.code == "race_decided"


@pytest.mark.rule("R12")
def test_whoever_never_slapped_is_last_after_the_time_limit() -> None:
    table = Evening().start()
    at = table.hold(ANA)
    slaps(table, at, ben=1200)
    assert table.race.state == "running"
    table.wait(11 * SECOND)
    assert table.said == "Cleo never slapped and draws 4."
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
@pytest.mark.parametrize("house", ["pick", "all_draw"])
def test_several_who_never_slapped_share_last_place(house: str) -> None:
    table = Evening(4, house={"no_slap": house}).start()
    at = table.hold(ANA)
    slaps(table, at, ben=1200)
    table.wait(11 * SECOND)
    if house == "pick":
        assert table.said == "Cleo, Dan never slapped: the referee picks, or a slap-off decides."
        assert table.race.tied == (CLEO, DAN)
        table.do(c.PickLast((DAN,)))
        assert (table.owed(CLEO), table.owed(DAN)) == (0, 4)
    else:
        assert (table.owed(CLEO), table.owed(DAN)) == (4, 4)
    assert table.ruling.house == ("no_slap",)


@pytest.mark.rule("R12")
def test_a_slap_after_the_time_limit_is_none() -> None:
    table = Evening().start()
    at = table.hold(ANA)
    slaps(table, at, ben=1200, cleo=10_100)
    table.wait(SECOND)
    assert table.said == "Cleo never slapped and draws 4."


@pytest.mark.rule("R12")
def test_between_two_the_only_slapper_is_last_at_once() -> None:
    table = Evening(2).start()
    table.hold(ANA)
    assert table.said == "Ben is the only one to slap and draws 4."


@pytest.mark.rule("R12")
def test_a_touch_on_a_screen_counts_as_a_hand_that_stays_down() -> None:
    table = Evening(house={"hands_stay_down": True}).start()
    table.hold(ANA)
    table.do(c.PressSeat(BEN))
    table.wait(SECOND)
    table.press(CLEO)
    assert table.race.state == "ruled"
    assert table.owed(CLEO) == 4


@pytest.mark.rule("R12")
def test_hands_that_must_stay_down_slap_again_when_let_go() -> None:
    table = Evening(house={"hands_stay_down": True}).start()
    table.do(c.DeclareRace(ANA))
    ben = table.press(BEN)
    table.wait(100 * MS)
    table.let_go(BEN, ben)
    table.wait(100 * MS)
    table.press(CLEO)
    assert table.race.state == "running"
    table.wait(100 * MS)
    table.press(BEN)
    assert table.said == "Ben draws 4, by 100 ms."
    assert table.ruling.house == ("hands_stay_down",)


@pytest.mark.rule("R12")
def test_a_hand_that_was_let_go_at_the_end_has_not_slapped() -> None:
    table = Evening(house={"hands_stay_down": True}).start()
    table.do(c.DeclareRace(ANA))
    ben = table.press(BEN)
    table.wait(100 * MS)
    table.let_go(BEN, ben)
    table.press(CLEO)
    table.wait(11 * SECOND)
    assert table.said == "Ben never slapped and draws 4."


@pytest.mark.rule("R12")
@pytest.mark.parametrize("house", [False, True])
def test_play_goes_on_with_the_next_player_who_loses_nothing(house: bool) -> None:
    table = Evening(way="refereed", house={"hands_stay_down": house}).refereed()
    table.play("street-race blue")
    assert (table.round.turn, table.round.colour) == (CLEO, "blue")
    assert str(table.refused(c.Play(Card("blue-1")))) == "The Street Race is still on."
    table.press(ANA)
    table.wait(100 * MS)
    table.press(CLEO)
    assert table.owed(CLEO) == 4
    table.play("blue-1")
    assert table.round.hands[CLEO] == 7 + 4 - 1


def test_nothing_goes_on_until_an_undecided_race_is_settled() -> None:
    table = Evening(way="refereed").refereed()
    table.play("street-race blue")
    at = table.press(ANA)
    table.press(CLEO, at)
    refusal = table.refused(c.Play(Card("blue-1")))
    assert "slap-off, pick, run again or cancel" in str(refusal)
    table.tap(CLEO)
    assert isinstance(table.events[-2], e.PressRecorded)
    table.do(c.CancelRace())
    table.play("blue-1")
    assert table.round.turn == ANA


def test_the_hold_and_the_later_card_are_one_race() -> None:
    table = Evening(way="refereed").refereed()
    table.hold(BEN)
    assert table.race.layer == BEN
    table.play("street-race blue")
    assert table.race.how == "hold"
    table.tap(ANA)
    table.wait(50 * MS)
    table.tap(CLEO)
    assert len(table.rules("R12")) == 1
    assert table.owed(CLEO) == 4


def test_the_card_recorded_after_the_race_was_ruled_starts_no_second_one() -> None:
    table = Evening(way="refereed").refereed()
    table.hold(BEN)
    slaps(table, table.now, ana=10, cleo=50)
    table.play("street-race blue")
    assert len(table.rules("R12")) == 1
    table.play("blue-1", "blue-2", "blue-3")
    table.do(c.Play(Card("street-race"), colour="red"))
    assert table.race.layer == CLEO
    assert table.race.how == "card"


def test_the_card_tells_the_right_layer_when_another_button_was_held() -> None:
    table = Evening(way="refereed").refereed()
    at = table.hold(ANA)
    table.do(c.Play(Card("street-race"), colour="red"))
    assert table.race.layer == BEN
    assert table.race.card_seen
    slaps(table, at, cleo=2000)
    assert table.owed(CLEO) == 4
    assert finish(table).places[0].seat == ANA


def test_a_hold_without_a_card_is_forgotten_after_the_next_turn_of_its_player() -> None:
    table = Evening(way="refereed").refereed()
    table.hold(BEN)
    slaps(table, table.now, ana=10, cleo=50)
    table.play("red-1", "red-2", "red-3")
    table.do(c.Draw())
    table.play("red-4", "red-6")
    table.play("street-race blue")
    assert table.race.how == "card"


def test_after_drawing_the_card_of_an_earlier_hold_will_not_come() -> None:
    table = Evening(way="refereed").refereed()
    table.hold(BEN)
    slaps(table, table.now, ana=10, cleo=50)
    table.do(c.Draw())
    assert table.race.card_seen


def test_a_racers_hand_that_stayed_down_is_not_the_layer_when_the_tablet_says_who_was() -> None:
    table = Evening().start()
    ben = table.press(BEN)
    table.wait(150 * MS)
    table.tap(CLEO)
    table.wait(800 * MS)
    assert table.race.layer == BEN
    table.do(c.DeclareRace(ANA))
    assert table.race.layer == ANA
    assert table.said == "Cleo draws 4, by 150 ms."
    table.let_go(BEN, ben)
    assert table.refused(c.DeclareRace(ANA)).sentence.code == "race_known"


def test_the_wrong_layer_is_judged_again_from_the_same_presses() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, cleo=100, ben=200)
    assert table.owed(BEN) == 4
    table.tap(ANA)
    table.do(c.ChangeLayer(BEN))
    assert table.owed(BEN) == 0
    assert table.race.state == "running"
    assert table.refused(c.ChangeLayer(BEN)).sentence.code == "race_known"
    slaps(table, table.now, ana=100)
    assert table.owed(ANA) == 4


def test_a_race_may_be_run_again_or_cancelled_and_its_debt_goes() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, cleo=100, ben=200)
    table.do(c.RerunRace())
    assert (table.owed(BEN), table.race.state) == (0, "running")
    slaps(table, table.now, ben=100, cleo=200)
    assert table.owed(CLEO) == 4
    table.do(c.CancelRace())
    assert (table.owed(CLEO), table.race.state) == (0, "void")
    for command in (c.CancelRace(), c.RerunRace(), c.ChangeLayer(BEN), c.SlapOff()):
        assert table.refused(command).sentence.code == "no_race"


def test_a_race_that_is_still_on_can_be_cancelled() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.do(c.CancelRace())
    assert table.race.state == "void"
    table.wait(SECOND)
    table.do(c.DeclareRace(BEN))
    assert table.race.layer == BEN


def test_one_race_at_a_time() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    assert table.refused(c.DeclareRace(BEN)).sentence.code == "race_open"
    assert table.refused(c.GoOut(BEN)).sentence.code == "race_open"


def test_express_has_no_race_to_declare() -> None:
    table = Evening(edition="express").start()
    assert str(table.refused(c.DeclareRace(ANA))) == "Express has no Street Race."
    table.hold(ANA, 2 * SECOND)
    assert table.round.race is None
    assert ANA in table.round.calls


def test_a_race_does_not_look_back_past_the_last_ruling() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=200)
    table.do(c.DeclareRace(BEN), after=300 * MS)
    assert table.race.presses == ()
    assert table.race.since > table.now - SECOND


def test_a_press_of_the_layer_or_of_nobody_in_the_race_is_shown_and_ignored() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    table.tap(ANA)
    table.tap(BEN)
    table.tap(BEN)
    meanings = [ev.meaning for ev in table.events if isinstance(ev, e.PressRecorded)]
    assert meanings == ["call", "slap", "extra"]
    assert table.race.state == "running"


def test_a_late_release_shows_that_the_button_was_not_held() -> None:
    table = Evening().start()
    at = table.press(ANA)
    table.wait(750 * MS)
    assert table.race.state == "running"
    table.let_go(ANA, at, at + 650 * MS)
    assert table.race.state == "void"
    assert table.round.debts == ()


def test_a_release_that_comes_with_a_long_hold_declares_the_race() -> None:
    table = Evening().start()
    at = table.press(ANA)
    table.now += 900 * MS
    table.let_go(ANA, at)
    assert table.race.declared_at == at


@pytest.mark.parametrize("fault", ["stuck", "chatter", "noise", "unreachable"])
def test_a_broken_button_neither_decides_nor_stops_a_race(fault: str) -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, dan=1, ben=100)
    table.do(c.SetAside(DAN, fault, table.now))  # type: ignore[arg-type]
    assert table.race.state == "running"
    slaps(table, table.now, cleo=100)
    assert table.owed(CLEO) == 4
    assert finish(table).aside == (DAN,)


def test_what_turns_out_to_be_noise_has_decided_no_race() -> None:
    """Its first edge came last and ended the race, before anybody could know it for what it was."""
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=150, dan=200)
    assert table.owed(DAN) == 4
    table.do(c.SetAside(DAN, "noise", pressed_at(table, DAN)))
    assert table.owed(DAN) == 0
    assert table.owed(CLEO) == 4
    assert finish(table).aside == (DAN,)
    assert [r.sentence.text for r in table.match.rulings if r.sentence.code == "broken_button"] == [
        "The button of Dan was broken; the race is judged without it."
    ]


@pytest.mark.parametrize("late", [1, 6_000], ids=["it broke after its slap", "it stuck afterwards"])
def test_a_slap_made_before_the_button_broke_still_counts(late: int) -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=150, dan=200)
    table.do(c.SetAside(DAN, "stuck", pressed_at(table, DAN) + late * MS))
    assert table.owed(DAN) == 4


def test_a_slap_on_the_tablet_counts_although_the_button_was_broken() -> None:
    table = Evening(3).start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100)
    table.wait(SECOND)
    table.do(c.PressSeat(CLEO))
    assert table.owed(CLEO) == 4
    table.do(c.SetAside(CLEO, "chatter", table.now - 5 * SECOND))
    assert table.owed(CLEO) == 4


def test_a_dead_heat_with_noise_is_judged_again_without_it() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=200, dan=200)
    assert table.race.state == "undecided"
    table.do(c.SetAside(DAN, "chatter", pressed_at(table, DAN)))
    assert table.owed(CLEO) == 4


def test_a_race_stops_waiting_for_a_button_that_breaks() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=150)
    table.do(c.SetAside(DAN, "stuck", table.now))
    assert table.owed(CLEO) == 4


def test_the_player_of_a_broken_button_slaps_on_the_tablet() -> None:
    table = Evening().start()
    table.do(c.SetAside(CLEO, "chatter", table.now))
    table.do(c.DeclareRace(ANA))
    table.tap(CLEO)
    table.do(c.PressSeat(CLEO))
    slaps(table, table.now, ben=500)
    assert table.owed(BEN) == 4
    first = finish(table).places[0].press
    assert first is not None
    assert first.source == "tablet"


def test_a_race_of_one_sound_button_is_for_the_referee_to_decide() -> None:
    table = Evening().start()
    table.do(c.SetAside(CLEO, "chatter", table.now))
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100)
    assert (table.race.state, table.race.tied) == ("undecided", (BEN, CLEO))


def test_a_button_put_back_races_again() -> None:
    table = Evening().start()
    table.do(c.SetAside(CLEO, "chatter", table.now))
    table.do(c.SetAside(20, "chatter", table.now))
    table.do(c.PutBack(CLEO, table.now))
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=150)
    assert table.owed(CLEO) == 4


def reopen(table: Evening, away: int) -> None:
    """Restart the service, having been away for so long."""
    table.wait(100 * MS)
    since = table.now
    table.now += away
    table.do(c.OpenTable(table.table.editions, table.table.timing, since), after=0)


def test_a_restart_in_mid_race_goes_on_and_guesses_nothing() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100)
    reopen(table, 2 * SECOND)
    assert table.race.state == "running"
    slaps(table, table.now, cleo=100, dan=900)
    assert (table.race.state, table.race.tied) == ("undecided", (CLEO, DAN))
    assert finish(table).gaps


def test_a_gap_leaves_no_doubt_about_the_only_hand_still_missing() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100)
    table.wait(100 * MS)
    reopen(table, 2 * SECOND)
    slaps(table, table.now, cleo=100)
    assert table.owed(CLEO) == 4


def test_a_hand_missing_after_a_gap_may_have_slapped_in_it() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    reopen(table, SECOND)
    slaps(table, table.now, ben=100)
    table.wait(12 * SECOND)
    assert table.race.tied == (BEN, CLEO)


def test_presses_missed_by_some_buttons_leave_only_those_in_doubt() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    start = table.now
    slaps(table, start, ben=100)
    table.do(c.MissPresses((CLEO, 30), start, table.now))
    table.do(c.MissPresses((30,), start, table.now))
    slaps(table, start, dan=1000, cleo=1500)
    assert table.race.tied == (CLEO, DAN)


def test_a_gap_before_the_race_is_none_of_its_business() -> None:
    table = Evening().start()
    reopen(table, SECOND)
    table.wait(10 * SECOND)
    table.do(c.DeclareRace(ANA))
    table.do(c.MissPresses((BEN,), 0, SECOND))
    slaps(table, table.now, ben=100, cleo=200)
    assert table.owed(CLEO) == 4
    assert finish(table).gaps == ()


def test_a_race_declared_right_after_a_restart_knows_of_the_gap() -> None:
    table = Evening().start()
    reopen(table, SECOND)
    table.do(c.DeclareRace(ANA))
    slaps(table, table.now, ben=100, cleo=200)
    assert table.race.state == "undecided"


def test_a_restart_in_a_slap_off_leaves_it_undecided() -> None:
    table = dead_heat()
    table.do(c.SlapOff())
    reopen(table, 6 * SECOND)
    slaps(table, table.now, ben=100, cleo=900)
    assert table.race.state == "undecided"


def test_of_two_hands_held_down_the_earlier_one_laid_the_race() -> None:
    table = Evening().start()
    ana = table.press(ANA)
    table.press(BEN, ana + 200 * MS)
    table.now += 2 * SECOND
    table.do(c.PassTime(), after=0)
    assert table.race.layer == ANA
    assert table.race.declared_at == ana
    table.tap(CLEO)
    assert table.owed(CLEO) == 4


def test_a_button_let_go_after_the_round_was_scored_means_nothing() -> None:
    table = Evening(2).start()
    at = table.press(ANA)
    table.do(c.GoOut(BEN))
    table.do(c.EnterPoints(ANA, 3))
    table.do(c.ScoreRound())
    table.wait(SECOND)
    table.let_go(ANA, at)
    assert table.match.round is None


def test_unseated_buttons_and_presses_between_rounds_mean_nothing() -> None:
    table = Evening().start()
    before = table.table
    table.press(20)
    table.let_go(20, table.now)
    table.let_go(BEN, 123)
    assert table.table is before
    table.do(c.GoOut(BEN))
    before = table.table
    table.press(ANA)
    assert table.table is before
    assert table.refused(c.PressSeat(ANA)).sentence.code == "nothing_to_press"


def test_a_hold_during_a_race_lays_no_second_one() -> None:
    table = Evening(4).start()
    table.do(c.DeclareRace(ANA))
    race: Race = table.race
    table.hold(BEN, 2 * SECOND)
    assert table.race.declared_at == race.declared_at
    slaps(table, table.now, cleo=1, dan=50)
    table.wait(SECOND)
    assert table.race.declared_at == race.declared_at
