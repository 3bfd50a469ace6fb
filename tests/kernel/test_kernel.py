"""The table's own button code on the lines of a real kernel, in emulated machines."""

from __future__ import annotations

import pytest

from companion.referee import commands as c
from hardware.contact.edges import HAND
from tests.kernel.conftest import RACES
from tests.kernel.plan import CHATTERING, CHIPS, CONTROLS, FACTORIES, LAMPS, LOADS, NOISY, STUCK
from tests.kernel.races import MILLISECOND
from tests.kernel.verdicts import (
    Seen,
    judge_by_arrival,
    judge_scene,
    reports_of,
    scene_of,
    total,
    truth,
)

pytestmark = [
    pytest.mark.kernel,
    pytest.mark.xdist_group("kernel"),
]


def judged(played, act, scene, broken=()) -> Seen:
    races = played.acts[act].scene(scene).races
    seen = judge_scene(played.results[act], scene, races, broken)
    print(f"{act:19} {scene:9} {seen.row()}")
    return seen


def by_arrival(played, act, by="arrived") -> Seen:
    """Judge every scene of a control by what plain gpiozero tells."""
    rows = []
    for scene in played.acts[act].scenes:
        rows.append(judge_by_arrival(played.results[act], scene.name, scene.races, by=by))
        print(f"{act:19} {scene.name:9} {rows[-1].row()}")
    return total(rows)


def honest(seen: Seen) -> None:
    """Nothing was wrong, nothing was lost without a word, no date was surer than it could be."""
    assert seen.wrong_last == 0, seen.remarks
    assert seen.wrong_order == 0, seen.remarks
    assert seen.contradicted == 0, seen.remarks
    assert seen.missing == 0
    assert seen.extra == 0


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_the_verdict_is_the_known_order_or_an_honest_dead_heat(two_processors, factory, load):
    name = f"{factory} {load}"
    assert two_processors.results[name]["ready"] == factory
    seen = judged(two_processors, name, "plain")
    honest(seen)
    assert seen.timid == 0
    if factory == "gpiod":
        # Without numbers any date may have been overwritten, by as much as reports come late here.
        assert seen.decided > 0
    honest(judged(two_processors, name, "greetings"))


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_ten_hands_that_come_down_almost_together(two_processors, factory, load):
    seen = judged(two_processors, f"{factory} {load}", "crowd")
    honest(seen)
    assert seen.timid == 0


@pytest.mark.parametrize("load", LOADS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_hands_as_far_apart_as_people_are_mostly_decided(two_processors, factory, load):
    seen = judged(two_processors, f"{factory} {load}", "spread")
    honest(seen)
    assert seen.timid == 0
    assert seen.decided > seen.races // (2 if factory == "gpiod" else 5)


def test_as_many_races_were_judged_as_promised(two_processors):
    names = [f"{factory} {load}" for factory in FACTORIES for load in LOADS]
    seen = total(judged(two_processors, name, "plain") for name in names)
    assert seen.races >= RACES
    assert seen.decided >= seen.races // 10


@pytest.mark.parametrize("factory", FACTORIES)
def test_contacts_that_bounce_are_never_judged_wrong_with_confidence(two_processors, factory):
    """The kernel can lose the first edge's time; the stated uncertainty must cover the error."""
    seen = total(
        judged(two_processors, f"{factory} bouncing", scene) for scene in ("greetings", "bouncing")
    )
    honest(seen)
    assert seen.presses > seen.squeezed + seen.unforeseen + seen.aside


@pytest.mark.parametrize("factory", FACTORIES)
def test_contacts_that_bounce_are_always_judged_right_in_repeatable_time(repeatable_time, factory):
    """Where edges are numbered, only a date that was overwritten or is really off is doubted."""
    seen = judged(repeatable_time, factory, "bouncing")
    honest(seen)
    assert seen.squeezed == seen.unforeseen == seen.aside == 0
    if factory == "gpiod":
        assert seen.timid == 0
        assert seen.decided > seen.races // 4
        overwritten = repeatable_time.results[factory]["status"]["overwritten"]
        assert seen.blurred == 0 or overwritten > 0 or seen.worst_error > MILLISECOND // 10
        assert seen.blurred < seen.presses // 10


@pytest.mark.parametrize("factory", FACTORIES)
def test_a_hold_lasts_until_the_hand_lifts(two_processors, factory):
    act = two_processors.results[f"{factory} bouncing"]
    races = two_processors.acts[f"{factory} bouncing"].scene("holds").races
    reports = reports_of(act)
    compared = 0
    for race, made in zip(races, scene_of(act, "holds")["made"], strict=True):
        pressed, lifted = truth(made, race.presses), truth(made, race.releases)
        # A machine that stood still may have held a button for so long that it was stuck.
        brief = [b for b in pressed if lifted[b][1] - pressed[b][0] < HAND.stuck]
        for button in brief:
            held = [
                r
                for r in reports
                if isinstance(r, c.Release)
                and r.button == button
                and abs(r.pressed_at - pressed[button][0]) < 20 * MILLISECOND
            ]
            for release in held[:1]:
                off = max(lifted[button][0] - release.at, release.at - lifted[button][1])
                assert off < 20 * MILLISECOND
                compared += 1
    assert compared >= 2 * len(races)


def test_a_stopped_program_loses_nothing_where_edges_are_numbered(two_processors):
    act = two_processors.results["gpiod stall"]
    honest(judged(two_processors, "gpiod stall", "stalls"))
    assert [button["gaps"] for button in act["status"]["buttons"]] == [0] * 10


def test_a_stopped_program_admits_what_a_full_queue_may_have_dropped(two_processors):
    act = two_processors.results["lgpio stall"]
    honest(judged(two_processors, "lgpio stall", "stalls"))
    admitted = {b for r in reports_of(act) if isinstance(r, c.MissPresses) for b in r.buttons}
    full = {
        b for race in two_processors.acts["lgpio stall"].scene("stalls").races for b in race.holes
    }
    assert admitted & full


@pytest.mark.parametrize("factory", FACTORIES)
def test_broken_lines_are_set_aside_and_honest_ones_race_on(two_processors, factory):
    name = f"{factory} faults"
    act = two_processors.results[name]
    honest(judged(two_processors, name, "beside", broken=(STUCK, NOISY, CHATTERING)))
    faults = {r.button: r.fault for r in reports_of(act) if isinstance(r, c.SetAside)}
    assert faults[STUCK] == "stuck"
    assert faults[NOISY] in ("noise", "chatter")
    assert faults[CHATTERING] in ("noise", "chatter")
    assert faults.keys() == {STUCK, NOISY, CHATTERING}


@pytest.mark.parametrize("factory", FACTORIES)
def test_a_broken_line_comes_back_after_a_rest_and_a_push(two_processors, factory):
    act = two_processors.results[f"{factory} faults"]
    reports = reports_of(act)
    again = scene_of(act, "back")
    since = again["made"][0]["start"] - HAND.longest_bounce
    back = {r.button for r in reports if isinstance(r, c.PutBack) and r.at < since}
    assert back >= {STUCK, NOISY, CHATTERING}
    counted = [r.button for r in reports if isinstance(r, c.PushButton) and r.at >= since]
    assert counted == [STUCK, NOISY, CHATTERING]


def test_a_usb_encoder_is_dated_by_the_kernel_and_may_be_unplugged(two_processors):
    act = two_processors.results["usb"]
    reports = reports_of(act)
    presses = [r for r in reports if isinstance(r, c.PushButton)]
    pushes = act["status"]["made"]
    assert act["status"]["factory"] == "usb"
    assert [press.button for press in presses] == [number for number, _ in pushes]
    for press, (_, ((before, after), _)) in zip(presses, pushes, strict=True):
        assert before - 1_000 <= press.at <= after
        assert press.source == "usb"
    gone = [r for r in reports if isinstance(r, c.SetAside)]
    assert {(r.button, r.fault) for r in gone} == {(n, "unreachable") for n in (1, 2, 3)}
    assert {r.button for r in reports if isinstance(r, c.PutBack)} == {1, 2, 3}


@pytest.mark.parametrize("kind", LAMPS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_lamps_light_up_on_lines_of_the_same_chip(two_processors, factory, kind):
    act = two_processors.results[f"{factory} {kind}"]
    assert act["ready"] == factory
    assert act["status"]["read"] == [[1, 0, 1, 0], [0, 1, 0, 1]]


@pytest.mark.parametrize("pi", CHIPS)
@pytest.mark.parametrize("factory", FACTORIES)
def test_the_header_of_every_pi_is_found_by_its_label_and_heard(two_processors, factory, pi):
    told = two_processors.results[f"{factory} {pi}"]["status"]
    assert CHIPS[pi][told["place"]].startswith("pinctrl-")
    assert told["heard"] == 1


def test_the_order_of_arrival_is_wrong_or_this_test_proves_nothing(two_processors):
    heard = {(way, load): by_arrival(two_processors, f"{way} {load}") for way, load in CONTROLS}
    assert heard["wait_for_press", "busy"].wrong_order_races > 0
    called = [seen for (way, _), seen in heard.items() if way == "when_pressed"]
    # It errs in a few races of a hundred, so by luck in none; how far off it is leaves no doubt.
    assert max(seen.worst_error for seen in called) > 5 * MILLISECOND


@pytest.mark.parametrize("by", ["arrived", "at"])
def test_bounce_time_inverts_races_or_this_test_proves_nothing(repeatable_time, by):
    assert by_arrival(repeatable_time, "bounce_time", by).wrong_order > 0
