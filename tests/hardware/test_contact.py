"""Ten thousand traces of edges against a plain specification of a push, and every fault."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from companion.referee.commands import MissPresses, Press, PutBack, Release, SetAside
from hardware.contact import Contact
from hardware.edges import HAND, MICROSECOND, MILLISECOND, SECOND, Dating, Edge
from tests.hardware.traces import (
    NUMBERED,
    START,
    UNNUMBERED,
    edges_at,
    follow,
    hands,
    heard_pushes,
    level_at,
    movements,
    specified_pushes,
    traces,
    wild_traces,
)

MS = MILLISECOND


def contact(dating: Dating = NUMBERED) -> Contact:
    one = Contact(1, dating)
    assert one.begin(START, False) == []
    return one


def pressed(one: Contact, edge: Edge) -> Press:
    """Hand over an edge that ends in a press."""
    *_, press = one.edge(edge)
    assert isinstance(press, Press)
    return press


def kinds(reports: Any) -> list[str]:
    return [type(report).__name__ for report in reports]


@traces(4_000, hands())
def test_every_push_of_a_hand_is_one_press_dated_at_its_first_edge(hand):
    truth, edges = hand
    one = contact()
    reports = follow(one, edges)
    if edges:
        reports += one.rest(edges[-1].at + HAND.quiet, False)
    assert heard_pushes(reports) == truth
    assert not any(isinstance(report, SetAside | MissPresses) for report in reports)


@traces(3_000, wild_traces())
def test_any_trace_means_what_the_specification_says_until_it_is_no_hand(edges):
    reports = follow(contact(), edges)
    faults = [report for report in reports if isinstance(report, SetAside)]
    specified = specified_pushes(edges)
    if faults:
        before = [push for push in specified if push[0] < faults[0].at]
        assert [push[0] for push in heard_pushes(reports)][: len(before)] == [p[0] for p in before]
    else:
        rested = [p for p in specified if p[1] is None or p[1] < movements(edges)[-1][0].at]
        assert heard_pushes(reports)[: len(rested)] == rested


@traces(2_000, wild_traces(), st.lists(st.integers(1, 3_000), max_size=12))
def test_looking_at_the_level_now_and_then_changes_no_date(edges, looks):
    """Polls come between edges at any time, late or early, and never make or unmake a press."""
    plain, polled = contact(), contact()
    expected = follow(plain, edges)
    reports = []
    times = sorted(START + look * MS for look in looks)
    for edge in edges:
        while times and times[0] <= edge.at:
            now = times.pop(0)
            reports += polled.rest(now, level_at(edges, now))
        reports += polled.edge(edge)
    stuck = any(isinstance(report, SetAside) for report in reports)
    if not stuck:
        assert [r for r in reports if isinstance(r, Press)] == [
            r for r in expected if isinstance(r, Press)
        ]


@traces(1_000, wild_traces())
def test_no_press_is_left_open_or_reported_while_the_button_is_set_aside(edges):
    one = contact()
    reports = follow(one, edges)
    if edges:
        reports += one.rest(edges[-1].at + HAND.quiet, edges[-1].pressed)
        reports += one.rest(edges[-1].at + 10 * SECOND, edges[-1].pressed)
    open_press = None
    aside = False
    for report in reports:
        match report:
            case Press(at=at):
                assert open_press is None
                assert not aside
                assert any(edge.at == at for edge in edges)
                open_press = at
            case Release(pressed_at=pressed_at, at=at):
                assert open_press == pressed_at <= at
                open_press = None
            case SetAside():
                assert not aside
                aside = True
            case PutBack():
                assert aside
                aside = False
            case MissPresses(since=since, until=until):
                assert since <= until
    assert open_press is None


@pytest.mark.parametrize(
    ("changes", "pushes"),
    [
        pytest.param([(0, True), (80, False)], [(0, 80)], id="a clean tap"),
        pytest.param([(0, True), (4, False)], [(0, 4)], id="a tap of four milliseconds"),
        pytest.param(
            [(0, True), (1, False), (2, True), (90, False), (91, True), (92, False)],
            [(0, 90)],
            id="a contact that bounces on both ways",
        ),
        pytest.param(
            [(0, False), (1, True), (90, False)],
            [(0, 90)],
            id="the first edge was read after the contact had bounced open again",
        ),
        pytest.param([(0, False), (1, False)], [], id="a blip that never read as pressed"),
        pytest.param(
            [(0, True), (30, False), (75, True), (105, False)],
            [(0, 30), (75, 105)],
            id="two quick taps",
        ),
        pytest.param(
            [(0, True), (900, False), (901, True), (1600, False)],
            [(0, 1600)],
            id="a hold in which the contact was lost for a moment",
        ),
    ],
)
def test_a_push(changes, pushes):
    edges = edges_at(*((START + ms * MS, pressed) for ms, pressed in changes))
    one = contact()
    reports = follow(one, edges) + one.rest(edges[-1].at + HAND.quiet, edges[-1].pressed)
    assert heard_pushes(reports) == [(START + down * MS, START + up * MS) for down, up in pushes]


def test_a_press_is_reported_with_its_first_edge_and_not_when_it_settles():
    assert kinds(contact().edge(Edge(1, START + MS, True))) == ["Press"]


def test_a_button_down_at_the_start_is_stuck_until_it_was_pushed_once_more():
    one = Contact(1, NUMBERED)
    assert one.begin(START, True) == [SetAside(button=1, fault="stuck", at=START)]
    let_go = follow(one, edges_at((START + SECOND, False))) + one.rest(START + 2 * SECOND, False)
    assert let_go == []
    push = edges_at((START + 3 * SECOND, True), (START + 3 * SECOND + 80 * MS, False))
    reports = follow(one, push) + one.rest(START + 4 * SECOND, False)
    assert kinds(reports) == ["PutBack"]
    counted = follow(one, edges_at((START + 5 * SECOND, True)))
    assert kinds(counted) == ["Press"]


def test_a_button_that_jams_in_a_race_counts_once_and_is_then_set_aside():
    one = contact()
    reports = follow(one, edges_at((START + MS, True)))
    reports += one.rest(START + SECOND, True)
    reports += one.rest(START + 6 * SECOND, True)
    assert kinds(reports) == ["Press", "Release", "SetAside"]
    assert reports[-1] == SetAside(button=1, fault="stuck", at=START + 6 * SECOND)
    assert one.rest(START + 60 * SECOND, True) == []


@pytest.mark.parametrize("hertz", [50, 60, 100, 400, 1_000, 5_000])
def test_a_line_that_hums_is_noise_from_its_first_edge_on(hertz):
    half = SECOND // hertz // 2
    edges = edges_at(*((START + n * half, n % 2 == 0) for n in range(SECOND // half)))
    reports = follow(contact(), edges)
    assert kinds(reports) == ["Press", "Release", "SetAside"]
    assert reports[-1] == SetAside(button=1, fault="noise", at=START)


def test_a_contact_that_flutters_faster_than_any_hand_is_chatter():
    edges = edges_at(*((START + n * 20 * MS, n % 2 == 0) for n in range(60)))
    reports = follow(contact(), edges)
    aside = [report for report in reports if isinstance(report, SetAside)]
    assert aside == [SetAside(button=1, fault="chatter", at=START)]
    assert sum(isinstance(report, Press) for report in reports) == HAND.flutter - 1


def test_a_held_button_whose_contact_comes_and_goes_is_chatter():
    changes = [(START, True)]
    for n in range(1, 8):
        changes += [(START + n * 100 * MS, False), (START + n * 100 * MS + 2 * MS, True)]
    reports = follow(contact(), edges_at(*changes))
    assert kinds(reports) == ["Press", "Release", "SetAside"]
    assert isinstance(reports[-1], SetAside)
    assert reports[-1].fault == "chatter"


def test_spikes_too_short_for_a_finger_are_noise():
    changes = []
    for n in range(3):
        changes += [(START + n * SECOND, True), (START + n * SECOND + 200 * MICROSECOND, False)]
    one = contact()
    reports = follow(one, edges_at(*changes)) + one.rest(START + 3 * SECOND, False)
    assert [r for r in reports if isinstance(r, SetAside)] == [SetAside(1, "noise", START)]


def test_a_movement_that_nobody_could_read_is_admitted():
    one = contact()
    reports = follow(one, edges_at((START + MS, False), (START + 9 * MS, False)))
    reports += one.rest(START + SECOND, False)
    assert reports == [MissPresses(buttons=(1,), since=START, until=START + 9 * MS)]


def test_a_lone_edge_of_a_push_that_was_overwritten_is_admitted():
    one = contact()
    reports = one.edge(Edge(1, START + 50 * MS, False, doubt=33 * MS))
    reports += one.rest(START + SECOND, False)
    assert reports == [MissPresses(buttons=(1,), since=START, until=START + 50 * MS)]


def test_a_press_soon_after_a_movement_nobody_could_read_may_have_begun_with_it():
    one = contact()
    one.edge(Edge(1, START + MS, False))
    press = pressed(one, Edge(1, START + 16 * MS, True))
    assert press == Press(button=1, at=START + 16 * MS, uncertainty=15 * MS + 50 * MICROSECOND)


def test_twelve_taps_in_a_second_are_a_quick_hand_and_no_fault():
    edges = []
    for n in range(12):
        at = START + n * 83 * MS
        edges += edges_at((at, True), (at + MS, False), (at + 2 * MS, True), (at + 40 * MS, False))
    reports = follow(contact(), edges)
    assert sum(isinstance(report, Press) for report in reports) == 12
    assert not any(isinstance(report, SetAside) for report in reports)


def test_a_noisy_line_comes_back_only_after_a_rest_and_a_clean_push():
    one = contact()
    follow(one, edges_at(*((START + n * MS, n % 2 == 0) for n in range(401))))
    assert one.fault == "noise"
    follow(one, edges_at((START + 401 * MS, False)))
    assert one.rest(START + 500 * MS, False) == []
    soon = START + 700 * MS
    too_soon = follow(one, edges_at((soon, True), (soon + 80 * MS, False)))
    assert too_soon + one.rest(soon + 100 * MS, False) == []
    later = soon + 3 * SECOND
    clean = follow(one, edges_at((later, True), (later + 80 * MS, False)))
    clean += one.rest(later + 100 * MS, False)
    assert clean == [PutBack(button=1, at=later + 80 * MS)]


def test_a_release_that_never_arrived_is_found_by_its_level():
    one = contact()
    follow(one, edges_at((START + MS, True)))
    one.rest(START + 50 * MS, True)
    assert one.rest(START + 100 * MS, False) == []
    found = one.rest(START + 300 * MS, False)
    assert kinds(found) == ["MissPresses", "Release"]
    assert found[0] == MissPresses(buttons=(1,), since=START + 50 * MS, until=START + 300 * MS)


def test_a_press_that_never_arrived_is_found_by_its_level_and_never_guessed():
    one = contact()
    one.rest(START + 100 * MS, False)
    one.rest(START + 200 * MS, True)
    found = one.rest(START + 400 * MS, True)
    assert found == [MissPresses(buttons=(1,), since=START + 100 * MS, until=START + 400 * MS)]
    released = follow(one, edges_at((START + SECOND, False))) + one.rest(START + 2 * SECOND, False)
    assert released == []
    assert kinds(follow(one, edges_at((START + 3 * SECOND, True)))) == ["Press"]


def test_an_edge_that_is_only_late_is_no_loss():
    one = contact()
    one.rest(START + 100 * MS, True)
    assert kinds(one.edge(Edge(1, START + 90 * MS, True))) == ["Press"]
    assert one.rest(START + 400 * MS, True) == []


def test_a_lone_edge_in_a_hold_may_hide_that_the_hand_let_go_and_came_back():
    one = contact()
    follow(one, edges_at((START + MS, True)))
    one.rest(START + 100 * MS, True)
    reports = follow(one, edges_at((START + 200 * MS, True))) + one.rest(START + SECOND, True)
    assert reports == [MissPresses(buttons=(1,), since=START + 100 * MS, until=START + 200 * MS)]


def test_after_lost_edges_a_hold_that_moved_may_hide_a_press():
    one = contact()
    follow(one, edges_at((START + MS, True)))
    one.rest(START + 100 * MS, True)
    at = START + 2 * SECOND
    reports = one.gap(at) + follow(one, edges_at((at, True))) + one.rest(at + 100 * MS, True)
    assert kinds(reports) == ["MissPresses", "MissPresses", "Release"]


def test_a_new_contact_may_hide_a_long_bounce_where_edges_are_not_numbered():
    press = pressed(contact(UNNUMBERED), Edge(1, START + MS, True))
    assert press.uncertainty == 50 * MICROSECOND + 5 * MS


def test_a_contact_that_has_shown_itself_clean_is_dated_sharply_without_numbers():
    one = contact(UNNUMBERED)
    for n in range(8):
        at = START + n * SECOND
        follow(one, edges_at((at, True), (at + 100 * MS, False)))
    press = pressed(one, Edge(1, START + 10 * SECOND, True))
    assert press.uncertainty == 550 * MICROSECOND


def test_with_numbers_only_a_date_known_to_be_overwritten_is_in_doubt():
    sharp, late, vague = (contact() for _ in range(3))
    first = pressed(sharp, Edge(1, START + MS, True))
    second = pressed(late, Edge(1, START + MS, True, doubt=2 * MS))
    third = pressed(vague, Edge(1, START + MS, True, doubt=90 * SECOND))
    base = 50 * MICROSECOND
    assert [p.uncertainty for p in (first, second, third)] == [base, base + 2 * MS, base + 5 * MS]


def test_a_date_lost_longer_ago_than_this_contact_bounces_was_another_ones():
    one = contact()
    press = pressed(one, Edge(1, START + 9 * MS, True, doubt=9 * MS, doubt_least=6 * MS))
    assert press.uncertainty == 50 * MICROSECOND


def test_bounces_that_may_have_lost_their_beginning_do_not_make_a_contact_look_clean():
    one = contact()
    for n in range(12):
        at = START + n * SECOND
        one.edge(Edge(1, at, True, doubt=MS))
        follow(one, edges_at((at + 100 * MS, False)))
    press = pressed(one, Edge(1, START + 20 * SECOND, True, doubt=90 * SECOND))
    assert press.uncertainty == 50 * MICROSECOND + 5 * MS
