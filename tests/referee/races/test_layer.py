"""R12: who laid the Street Race. Whoever did keeps the hands off, and everybody else slaps."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.evening import ANA, BEN, CLEO, DAN, EVA, FINN, NAMES, Evening

MS = MILLISECOND


@pytest.mark.rule("R12")
@pytest.mark.parametrize("players", range(4, 11))
@pytest.mark.parametrize("layer", [1, 3])
def test_from_four_on_the_hands_of_all_but_one_declare_the_race(players: int, layer: int) -> None:
    table = Evening(players).start()
    table.hands_off(layer, apart=30 * MS)
    table.wait(SECOND)
    assert (table.race.layer, table.race.how, table.race.state) == (layer, "hands", "ruled")
    assert table.race.record is None
    assert table.owed(players) == 4
    assert table.said == f"{NAMES[players - 1]} draws 4, by 30.0 ms."
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_hands_that_rest_show_who_laid_it_as_well_as_taps() -> None:
    table = Evening(4).start()
    for seat in (BEN, DAN, CLEO):
        table.wait(40 * MS)
        table.press(seat)
    table.wait(6 * SECOND)
    table.press(ANA)
    assert (table.race.layer, table.owed(CLEO)) == (ANA, 4)


@pytest.mark.rule("R12")
def test_holding_a_button_means_nothing_special() -> None:
    table = Evening(4).start()
    at = table.press(ANA)
    table.wait(5 * SECOND)
    table.let_go(ANA, at)
    assert table.round.races == ()
    assert set(table.round.calls.called) == {ANA}


@pytest.mark.rule("R12")
def test_between_three_two_hands_only_propose_a_race() -> None:
    table = Evening(3).start()
    start = table.hands_off(ANA)
    table.wait(start + 1500 * MS - table.now - MS)
    assert (table.race.state, table.race.layer, table.race.outcome) == ("proposed", ANA, None)
    assert table.round.questions == (), "the third hand may still come"
    table.wait(MS)
    assert table.text(table.question.sentence) == "Was that a Street Race, laid by Ana?"
    assert table.question.seats == (ANA,)
    assert table.match.rulings == ()
    table.answer("yes")
    table.wait(SECOND)
    assert (table.race.state, table.owed(CLEO)) == ("ruled", 4)
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_a_proposal_is_confirmed_by_one_press_of_the_layer() -> None:
    table = Evening(3).start()
    table.hands_off(BEN)
    table.wait(3 * SECOND)
    table.tap(BEN)
    table.wait(SECOND)
    assert (table.race.state, table.owed(CLEO)) == ("ruled", 4)
    assert BEN not in table.round.calls.called, "that press has said what it had to say"


@pytest.mark.rule("R12")
def test_a_proposal_that_nobody_confirms_goes_away_and_leaves_calls() -> None:
    table = Evening(3).start()
    table.hands_off(ANA)
    table.wait(11 * SECOND)
    assert (table.round.races, table.round.questions) == ((), ())
    assert set(table.round.calls.called) == {BEN, CLEO}
    assert table.match.rulings == ()


@pytest.mark.rule("R12")
def test_a_press_of_the_layer_right_at_the_question_is_no_answer() -> None:
    table = Evening(3).start()
    table.slaps(ben=0, cleo=50, ana=200)
    assert table.race.state == "proposed"
    assert table.race.layers == (ANA, BEN, CLEO)


@pytest.mark.rule("R12")
def test_between_two_a_race_comes_from_the_tablet_alone() -> None:
    table = Evening(2).start()
    table.slaps(ana=0)
    table.wait(20 * SECOND)
    table.slaps(ana=0, ben=40)
    table.wait(20 * SECOND)
    assert (table.round.races, table.round.questions) == ((), ())
    table.do(c.DeclareRace(ANA))
    assert table.owed(BEN) == 4


@pytest.mark.rule("R12")
def test_where_two_hands_are_missing_a_late_one_tells_who_laid_it() -> None:
    table = Evening(5).start()
    table.slaps(ben=0, cleo=40, dan=80)
    table.wait(4 * SECOND)
    assert (table.race.state, table.race.layers) == ("proposed", (ANA, EVA))
    assert table.round.questions == (), "nobody is asked for five seconds"
    table.tap(EVA)
    table.wait(1200 * MS - MS)
    assert (table.race.layer, table.race.state) == (ANA, "running"), "better hands may follow"
    table.wait(MS)
    assert (table.race.layer, table.race.state) == (ANA, "ruled")
    assert table.owed(EVA) == 4
    assert table.round.questions == ()


@pytest.mark.rule("R12")
def test_after_five_seconds_those_who_may_have_laid_it_are_asked() -> None:
    table = Evening(5).start()
    start = table.slaps(ben=0, cleo=40, dan=80)
    table.wait(start + 5 * SECOND - table.now - MS)
    assert table.round.questions == ()
    table.wait(MS)
    assert table.text(table.question.sentence) == "Who laid the Street Race: Ana, Eva?"
    assert table.question.seats == (ANA, EVA)
    assert [choice.key for choice in table.question.choices] == ["1", "5", "none"]
    assert [table.text(choice.sentence) for choice in table.question.choices] == [
        "Ana",
        "Eva",
        "No Street Race",
    ]


@pytest.mark.rule("R12")
@pytest.mark.parametrize(("layer", "last"), [(ANA, EVA), (EVA, ANA)])
def test_one_press_of_who_laid_it_answers(layer: int, last: int) -> None:
    table = Evening(5).start()
    table.slaps(ben=0, cleo=40, dan=80)
    table.wait(6 * SECOND)
    table.tap(layer)
    table.wait(500 * MS - MS)
    assert table.race.state == "proposed", "others may press along, and then it was no answer"
    table.wait(MS)
    assert (table.race.layer, table.race.state) == (layer, "running")
    table.wait(12 * SECOND)
    assert table.said == f"{NAMES[last - 1]} never slapped and draws 4."
    assert layer not in table.round.calls.called


@pytest.mark.rule("R12")
def test_that_it_was_no_race_at_all_is_an_answer_too() -> None:
    table = Evening(5).start()
    table.slaps(ben=0, cleo=40, dan=80)
    table.wait(6 * SECOND)
    table.answer("none")
    assert (table.round.races, table.round.questions) == ((), ())
    table.wait(SECOND)
    assert set(table.round.calls.called) == {BEN, CLEO, DAN}


@pytest.mark.rule("R12")
def test_where_everybody_slapped_everybody_may_have_laid_it() -> None:
    table = Evening(4).start()
    table.slaps(ana=0, ben=40, cleo=80, dan=120)
    table.wait(6 * SECOND)
    assert [choice.key for choice in table.question.choices] == ["1", "2", "3", "4", "none"]
    assert table.question.seats == (), "every lamp at once would tell nobody anything"
    table.answer("2")
    table.wait(SECOND)
    assert [place.seat for place in table.finish.places] == [ANA, CLEO, DAN]
    assert table.owed(DAN) == 4


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    ("hands", "layer"),
    [
        pytest.param(
            {"ben": 0, "cleo": 40, "dan": 80, "ana": 380}, ANA, id="well after the others"
        ),
        pytest.param({"ana": 0, "ben": 300, "cleo": 340, "dan": 380}, ANA, id="well before them"),
        pytest.param({"ben": 0, "cleo": 40, "dan": 80, "ana": 370}, None, id="hardly apart"),
    ],
)
def test_where_everybody_slapped_the_hand_well_apart_from_all_others_is_the_layers(
    hands: dict[str, float], layer: int | None
) -> None:
    table = Evening(4).start()
    table.slaps(**hands)
    table.wait(3 * SECOND)
    assert table.race.layer == layer
    assert table.race.state == ("proposed" if layer is None else "ruled")


@pytest.mark.rule("R12")
def test_where_the_slowest_came_late_and_the_missing_hand_later_either_may_have_laid_it() -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=300, dan=700, ana=2500)
    assert (table.race.state, table.race.layers) == ("proposed", (DAN, ANA))
    table.wait(5 * SECOND)
    assert table.question.seats == (DAN, ANA)
    table.answer("4")
    table.wait(2 * SECOND)
    assert table.owed(ANA) == 4


@pytest.mark.rule("R12")
def test_a_missing_hand_that_comes_after_two_races_time_was_no_slap() -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=300, dan=700, ana=3100)
    table.wait(2 * SECOND)
    assert (table.race.layer, table.owed(DAN)) == (ANA, 4)


@pytest.mark.rule("R12")
@pytest.mark.parametrize("players", [5, 6])
def test_the_hands_of_fewer_say_nothing(players: int) -> None:
    table = Evening(players).start()
    table.slaps(ben=0, cleo=40)
    table.wait(31 * SECOND)
    assert table.round.races == ()
    assert set(table.round.calls.called) == {BEN, CLEO}


@pytest.mark.rule("R12")
def test_between_four_two_hands_and_a_late_one_are_only_proposed() -> None:
    table = Evening(4).start()
    table.slaps(ben=0, cleo=40, dan=3000)
    table.wait(SECOND)
    assert (table.race.state, table.race.layer) == ("proposed", ANA)
    assert table.question.kind == "was_race"
    table.answer("yes")
    table.wait(2 * SECOND)
    assert table.owed(DAN) == 4


@pytest.mark.rule("R12")
@pytest.mark.parametrize(
    "before",
    [
        pytest.param("proposed", id="while it is only proposed"),
        pytest.param("asked", id="while the table asks"),
        pytest.param("seen", id="after the table saw it by itself"),
    ],
)
def test_whom_the_tablet_names_laid_it(before: str) -> None:
    table = Evening(5).start()
    if before == "seen":
        table.hands_off(EVA)
    else:
        table.slaps(ben=0, cleo=40, dan=80)
    table.wait({"proposed": 1, "asked": 6, "seen": 2}[before] * SECOND)
    table.do(c.DeclareRace(CLEO))
    table.wait(12 * SECOND)
    assert (table.race.layer, len(table.round.races)) == (CLEO, 1)
    assert CLEO not in [place.seat for place in table.finish.places]
    assert len(table.in_force) == 1


@pytest.mark.rule("R12")
def test_naming_whom_the_hands_have_shown_already_changes_nothing() -> None:
    table = Evening(4).start()
    table.hands_off(ANA)
    table.wait(SECOND)
    ruling = table.ruling
    table.do(c.DeclareRace(ANA))
    table.wait(2 * SECOND)
    assert table.ruling == ruling
    assert len(table.round.races) == 1


def test_a_race_that_is_known_and_still_on_is_not_named_twice() -> None:
    table = Evening().start()
    table.do(c.DeclareRace(ANA))
    refusal = table.refused(c.DeclareRace(ANA))
    assert str(refusal) == "That race of Ana is already known."


@pytest.mark.rule("R12")
def test_in_refereed_play_hands_declare_nothing() -> None:
    table = Evening(6, way="refereed").refereed()
    table.hands_off(FINN)
    table.wait(12 * SECOND)
    assert (table.round.races, table.round.questions) == ((), ())


@pytest.mark.rule("R12")
def test_hands_after_somebody_went_out_declare_nothing() -> None:
    table = Evening(4).start()
    table.do(c.GoOut(ANA))
    table.hands_off(ANA)
    table.wait(SECOND)
    assert table.round.races == ()
