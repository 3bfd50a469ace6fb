"""Street Races as people really run them: late, twice, with resting hands and with cheats."""

from __future__ import annotations

import pytest

from tests.situations.conftest import Seat
from tests.situations.running import ANA, BEN, CLEO, DAN, DARK, EVA, RunningTable

PERIODS = [pytest.param(period, id=f"every {period} s") for period in (0.3, 0.4, 0.5, 0.6)]


def taps(period: float, until: float, since: float = 0.0) -> tuple[float, ...]:
    """The moments of somebody who taps on and on."""
    return tuple(round(since + n * period, 3) for n in range(round((until - since) / period)))


@pytest.mark.parametrize("period", PERIODS)
@pytest.mark.parametrize("shift", [0.0, 0.1, 0.2])
def test_somebody_who_taps_all_round_long_is_not_safe_from_being_last(
    seat: Seat, period: float, shift: float
) -> None:
    table = seat(4).deal()
    table.hands(dan=taps(period, 16, shift), ben=12.05, cleo=12.25)
    table.wait(1)
    assert (table.race["layer"], table.race["how"]) == (ANA, "hands")
    assert table.races == [("last", [DAN])]
    assert table.owed == {"dan": 4}


@pytest.mark.parametrize("period", PERIODS)
def test_tapping_all_round_long_does_not_help_where_the_race_is_tapped_in_either(
    seat: Seat, period: float
) -> None:
    table = seat(3).deal()
    table.hands(cleo=taps(period, 12), ben=11.3)
    table.do("declare_race", layer=ANA)
    table.wait(12)
    assert table.races == [("no_order", [BEN, CLEO])], "one resting hand shows no order"
    assert table.owed == {}


def test_a_race_that_is_tapped_in_waits_for_its_slaps_although_everybody_touched_a_button(
    seat: Seat,
) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, cleo=0.7, dan=1.4)
    table.wait(0.5)
    table.do("declare_race", layer=ANA)
    table.wait(0.5)
    assert table.race["state"] == "running"
    assert table.races == []
    table.hands(dan=0.2, cleo=0.25, ben=0.4)
    table.wait(1)
    assert table.races == [("last", [BEN])]
    assert table.finish() == [("dan", 0), ("cleo", 50), ("ben", 200)]


def test_slaps_that_follow_a_race_tapped_in_long_before_replace_what_was_ruled(seat: Seat) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, cleo=0.7, dan=1.4)
    table.do("declare_race", layer=ANA)
    table.wait(3)
    table.hands(dan=0.2, cleo=0.25, ben=0.4)
    table.wait(1)
    assert table.races == [("last", [BEN])]
    assert table.owed == {"ben": 4}


@pytest.mark.parametrize("after", [1.6, 2.5, 6.0])
def test_a_layer_who_presses_after_the_resting_hands_of_the_racers_stays_the_layer(
    seat: Seat, after: float
) -> None:
    table = seat(4).deal()
    table.hands(rest=4.0, ben=0.0, dan=0.1, cleo=0.3, ana=after)
    table.wait(10)
    assert (table.race["layer"], table.race["state"]) == (ANA, "ruled")
    assert table.races == [("last", [CLEO])]
    assert table.questions == []


@pytest.mark.parametrize("after", [0.32, 0.35, 0.4, 0.5, 0.7, 0.9, 1.4])
def test_a_layer_who_presses_right_after_the_others_is_not_taken_for_last(
    seat: Seat, after: float
) -> None:
    """Where the layer's hand comes so soon that it cannot be told from a slap, the table asks."""
    table = seat(4).deal()
    table.hands(rest=4.0, ben=0.0, dan=0.1, cleo=0.3, ana=after)
    table.wait(6)
    if table.questions:
        assert [question["kind"] for question in table.questions] == ["who_laid"]
        assert table.owed == {}
        table.answer(str(ANA))
        table.wait(1)
    assert table.race["layer"] == ANA
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}


def test_in_a_race_with_a_known_layer_it_does_not_matter_what_the_layer_presses(
    seat: Seat,
) -> None:
    table = seat(4).deal()
    table.hands(rest=4.0, ana=0.05, ben=0.0, dan=0.1, cleo=0.3)
    table.do("declare_race", layer=ANA)
    table.wait(2)
    assert table.races == [("last", [CLEO])]
    assert [name for name, _ in table.finish()] == ["ben", "dan", "cleo"]


@pytest.mark.parametrize("microseconds", [30, 300, 900])
def test_a_spike_on_a_resting_line_is_no_slap(seat: Seat, microseconds: int) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0)
    table.spike("dan", microseconds)
    table.hands(cleo=0.03)
    table.hands(dan=0.2)
    table.do("declare_race", layer=ANA)
    table.wait(3)
    assert table.races == [("last", [DAN])]
    assert [name for name, _ in table.finish()] == ["ben", "cleo", "dan"]


@pytest.mark.parametrize("late", [5, 8, 12, 25])
def test_a_race_declared_long_after_judges_the_old_slaps_from_their_first_hand(
    seat: Seat, late: int
) -> None:
    table = seat(3).deal()
    first = table.now
    table.hands(ben=0.0, cleo=0.14)
    table.wait(late)
    table.do("declare_race", layer=ANA)
    assert table.races == [("last", [CLEO])], "nothing more has to be waited for"
    assert table.race["anchor"] == first
    assert table.finish() == [("ben", 0), ("cleo", 140)]
    table.wait(15)
    assert table.owed == {"cleo": 4}
    assert table.questions == []


@pytest.mark.parametrize("late", [5, 8, 12, 25])
def test_a_race_that_the_hands_declared_is_not_run_again_by_a_late_tap(
    seat: Seat, late: int
) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, dan=0.14, cleo=0.28)
    table.wait(2)
    assert table.races == [("last", [CLEO])]
    table.wait(late - 2)
    table.touch("ben")
    table.wait(0.5)
    table.do("declare_race", layer=ANA)
    table.wait(12)
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}
    assert table.finish() == [("ben", 0), ("dan", 140), ("cleo", 280)]


@pytest.mark.parametrize("late", [5, 8, 12, 25])
def test_a_late_tap_finds_its_slaps_although_people_called_since(seat: Seat, late: int) -> None:
    table = seat(5).deal()
    table.hands(ben=0.0, dan=0.14, cleo=0.28, eva=0.35)
    table.wait(late - 3)
    table.touch("ana")
    table.wait(1.5)
    table.touch("eva")
    table.wait(1)
    table.do("declare_race", layer=ANA)
    table.wait(2)
    assert table.races == [("last", [EVA])]


def test_a_second_race_tapped_in_takes_nothing_away_from_the_first(seat: Seat) -> None:
    """Ben slapped in the race of Ana, and lays one himself soon after it."""
    table = seat(4).deal()
    table.hands(ben=0.0, dan=0.1, cleo=0.3)
    table.wait(3)
    (debt,) = table.view["debts"]
    table.do("drawn", debt=debt["number"])
    table.wait(5)
    table.do("declare_race", layer=BEN)
    table.wait(0.2)
    assert (table.race["layer"], table.race["state"]) == (BEN, "running")
    assert table.races == [("last", [CLEO])]
    table.hands(ana=0.2, cleo=0.3, dan=0.5)
    table.wait(1)
    assert table.races == [("last", [CLEO]), ("last", [DAN])]
    assert table.owed == {"dan": 4}, "Cleo has drawn already"


def test_a_first_hand_long_before_the_others_has_slapped_in_a_race_that_was_named(
    seat: Seat,
) -> None:
    """Whoever is quick while two others look elsewhere is not told that they never slapped."""
    table = seat(4).deal()
    table.do("declare_race", layer=ANA)
    table.hands(ben=0.3, cleo=2.8, dan=3.0)
    table.wait(12)
    assert "ben" not in table.owed


def test_whoever_has_slapped_and_then_catches_somebody_is_not_asked_about(seat: Seat) -> None:
    """Ana was quick and Cleo slow; then Ana presses twice, which is no slap any more."""
    table = seat(3).deal("refereed")
    table.play("street-race", colour="red")
    table.hands(ana=0.4, cleo=2.4)
    table.wait(1)
    assert table.races == [("last", [CLEO])]
    table.hands(ana=(0.6, 1.4))
    table.wait(3)
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}


def test_two_hands_missing_the_table_waits_and_asks_who_laid_the_card(seat: Seat) -> None:
    table = seat(5).deal()
    table.hands(ben=0.0, cleo=0.1, dan=0.25)
    table.wait(4)
    assert table.questions == []
    table.wait(1.5)
    (question,) = table.questions
    assert (question["kind"], question["seats"]) == ("who_laid", [ANA, EVA])
    assert [name for name in ("ana", "eva", "ben") if table.seat(name)["asked"]] == ["ana", "eva"]
    assert table.owed == {}
    table.touch("ana")
    table.wait(12)
    assert table.race["layer"] == ANA
    assert table.races == [("never_slapped", [EVA])]
    assert table.questions == []


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("slipped", ["first", "then"])
def test_a_race_that_was_named_twice_with_a_slip_of_the_finger_is_one_race(
    seat: Seat, players: int, slipped: str
) -> None:
    table = seat(players).deal()
    first, then = (BEN, ANA) if slipped == "first" else (ANA, BEN)
    table.do("declare_race", layer=first)
    table.hands(ben=0.3, cleo=0.7, **({"dan": 0.4, "eva": 0.5} if players == 5 else {}))
    table.wait(2)
    table.do("declare_race", layer=then)
    table.wait(12)
    if slipped == "first":
        assert table.race["layer"] == ANA
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}


def test_a_slow_slap_is_no_answer_to_who_laid_the_card(seat: Seat) -> None:
    """Cleo laid it as her last card but one, and calls; Dan has looked elsewhere meanwhile."""
    table = seat(4).deal()
    table.hands(ana=0.0, ben=0.1, cleo=1.5, dan=2.2)
    table.wait(4)
    assert table.races == []
    (question,) = table.questions
    assert (question["kind"], question["seats"]) == ("who_laid", [CLEO, DAN])
    table.answer(str(CLEO))
    table.wait(2)
    assert table.races == [("last", [DAN])]
    assert table.owed == {"dan": 4}


def test_three_players_are_asked_and_the_layers_own_press_says_yes(seat: Seat) -> None:
    table = seat(3).deal()
    table.hands(ben=0.0, cleo=0.2)
    table.wait(2)
    assert table.race["state"] == "proposed"
    assert table.owed == {}
    table.touch("ana")
    table.wait(1)
    assert table.races == [("last", [CLEO])]
    assert table.owed == {"cleo": 4}


def test_hands_that_were_no_race_are_one_no_more_after_a_tap(seat: Seat) -> None:
    table = seat(3).deal()
    table.hands(ben=0.0, cleo=0.2)
    table.wait(2)
    table.answer("no")
    table.touch("ana")
    table.wait(12)
    assert table.view["race"] is None
    assert table.races == []


@pytest.mark.parametrize("colour", ["first", "5 s later", "never"])
def test_a_street_race_card_is_raced_whenever_its_colour_is_chosen(seat: Seat, colour: str) -> None:
    table = seat(4).deal("refereed")
    table.play("street-race", **({"colour": "blue"} if colour == "first" else {}))
    table.hands(ana=0.4, dan=0.45, cleo=0.6)
    table.wait(1)
    assert table.race["layer"] == BEN
    assert table.races == [("last", [CLEO])]
    assert not any(seat["called"] for seat in table.view["seats"])
    table.wait(4)
    if colour == "5 s later":
        table.do("name_colour", colour="blue")
    table.play("blue-3")
    assert table.races == [("last", [CLEO])]
    assert table.view["round"]["turn"] == DAN
    assert table.view["round"]["top"] == "blue-3"
    assert table.view["round"]["colour"] == "blue"


def test_the_card_of_a_race_may_be_tapped_in_long_after_its_slaps(seat: Seat) -> None:
    table = seat(4).deal("refereed")
    table.hands(ana=0.0, dan=0.1, cleo=0.4)
    table.wait(9)
    table.play("street-race")
    table.wait(1.5)
    assert table.races == [("last", [CLEO])]
    assert table.finish() == [("ana", 0), ("dan", 100), ("cleo", 400)]


def tied(table: RunningTable) -> None:
    """Let three hands come down in a dead heat."""
    table.hands(ben=0.0, cleo=0.001, dan=0.002)
    table.wait(1)
    assert table.races == [("dead_heat", [BEN, CLEO, DAN])]


def test_a_slap_off_in_which_several_jump_the_light_runs_again_among_them(seat: Seat) -> None:
    table = seat(4).deal()
    tied(table)
    table.do("slap_off")
    table.hands(ben=0.5, dan=0.6)
    table.wait(0.7)
    again = table.race["slap_off"]
    assert table.race["state"] == "slap_off"
    assert again["seats"] == [BEN, DAN]
    assert not again["lit"]
    assert again["slaps"] == []
    table.wait(DARK)
    table.hands(dan=0.1, ben=0.3)
    table.wait(1)
    assert table.race["state"] == "ruled"
    assert table.races[-1] == ("last", [BEN])
    assert table.owed == {"ben": 4}


def test_in_a_slap_off_one_who_jumps_the_light_alone_draws(seat: Seat) -> None:
    table = seat(4).deal()
    tied(table)
    table.do("slap_off")
    table.hands(cleo=0.5)
    table.wait(1)
    assert table.races[-1] == ("false_start", [CLEO])
    assert table.owed == {"cleo": 4}


@pytest.mark.parametrize("players", [3, 5])
def test_the_hands_of_a_slap_off_that_is_taken_back_make_no_race(seat: Seat, players: int) -> None:
    table = seat(players).deal()
    tied = ("ben", "cleo", "dan", "eva")[: players - 1]
    table.hands(**dict.fromkeys(tied, 0.0))
    table.wait(2)
    if players == 3:
        table.answer("yes")
    table.wait(1)
    before = table.races
    table.do("slap_off")
    table.hands(**{name: 0.2 + 0.1 * n for n, name in enumerate(tied)})
    table.wait(DARK)
    table.hands(**{name: 0.2 + 0.1 * n for n, name in enumerate(tied)})
    table.wait(1)
    after = table.races
    assert len(table.owed) == 1
    table.do("undo")
    table.wait(2)
    assert table.races == before == [("dead_heat", list(range(BEN, players + 1)))]
    assert (table.questions, table.owed) == ([], {})
    table.do("redo")
    table.wait(1)
    assert table.races == after


def test_a_card_entered_again_has_the_hands_of_its_race_and_not_those_of_a_slap_off(
    seat: Seat,
) -> None:
    table = seat(4).deal("refereed")
    table.play("street-race", colour="red")
    table.hands(ana=0.3, cleo=0.3, dan=0.3)
    table.wait(1)
    table.do("slap_off")
    table.wait(DARK)
    table.hands(ana=0.1, cleo=0.2, dan=0.4)
    table.wait(1)
    assert table.owed == {"dan": 4}
    table.do("undo")
    table.do("undo")
    table.wait(1)
    table.play("street-race", colour="blue")
    table.wait(1)
    assert table.races == [("dead_heat", [ANA, CLEO, DAN])]


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("layer", [ANA, BEN])
def test_a_race_that_was_cancelled_and_is_named_again_has_its_hands(
    seat: Seat, players: int, layer: int
) -> None:
    table = seat(players).deal()
    table.hands(ben=0.0, cleo=0.1, **({"dan": 0.2} if players == 4 else {}))
    table.wait(2)
    if players == 3:
        table.answer("yes")
    table.wait(1)
    table.do("cancel_race")
    table.wait(3)
    table.do("declare_race", layer=layer)
    table.wait(1)
    assert table.races == [], "hands may still come"
    table.wait(12)
    missing = [ANA] if layer == BEN else []
    assert table.races == [("never_slapped", missing) if missing else ("last", [players])]


def test_after_a_cancelled_race_the_next_one_waits_for_its_own_hands(seat: Seat) -> None:
    table = seat(4).deal()
    table.hands(ben=0.0, cleo=0.1, dan=0.2)
    table.wait(2)
    table.do("cancel_race")
    table.wait(3)
    table.do("declare_race", layer=ANA)
    table.hands(dan=1.5, ben=1.6, cleo=1.8)
    table.wait(1)
    assert table.races == [("last", [CLEO])]


def test_a_race_whose_layer_is_changed_keeps_the_hand_that_is_left_of_it(seat: Seat) -> None:
    table = seat(3).deal()
    table.hands(ben=0.0, ana=0.1)
    table.wait(2)
    table.answer("yes")
    table.wait(1)
    assert table.races == [("last", [ANA])]
    table.do("change_layer", layer=ANA)
    table.wait(4)
    table.touch("ben")
    table.wait(8)
    assert table.races == [("never_slapped", [CLEO])]
    assert table.finish() == [("ben", 0)]
    table.do("undo")
    table.do("redo")
    table.wait(1)
    assert table.races == [("never_slapped", [CLEO])]
