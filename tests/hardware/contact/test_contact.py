"""Ten thousand traces of edges against a plain specification of a push, and every fault."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import strategies as st

from companion.referee.commands import MissPresses, PushButton, PutBack, Release, SetAside
from hardware.contact.contact import Contact
from hardware.contact.edges import HAND, MICROSECOND, MILLISECOND, SECOND, Dating, Edge
from tests.hardware.contact.traces import (
    NUMBERED,
    START,
    UNNUMBERED,
    edges_at,
    first_edge,
    follow,
    hands,
    heard_pushes,
    level_at,
    looked,
    specified_pushes,
    traces,
    wild_traces,
)

MS = MILLISECOND


def contact(dating: Dating = NUMBERED) -> Contact:
    one = Contact(1, dating)
    assert one.begin(START, False) == []
    return one


def pressed(one: Contact, edge: Edge) -> PushButton:
    """Hand over an edge after which the contact stays closed until that is a press."""
    *_, press = one.edge(edge) + looked(one, edge.at + HAND.spike, True)
    assert isinstance(press, PushButton)
    return press


def kinds(reports: Any) -> list[str]:
    return [type(report).__name__ for report in reports]


@traces(4_000, hands())
def test_every_push_of_a_hand_is_one_press_dated_at_its_first_edge(hand):
    truth, edges = hand
    one = contact()
    reports = follow(one, edges)
    if edges:
        reports += looked(one, edges[-1].at + HAND.recoil, False)
    assert heard_pushes(reports) == truth
    assert not any(isinstance(report, SetAside | MissPresses) for report in reports)


@traces(3_000, wild_traces())
def test_any_trace_means_what_the_specification_says_until_it_is_no_hand(edges):
    one = contact()
    reports = follow(one, edges)
    if edges:
        reports += looked(one, edges[-1].at + HAND.recoil, edges[-1].pressed)
    faults = [report for report in reports if isinstance(report, SetAside)]
    specified = specified_pushes(edges)
    if faults:
        before = [push for push in specified if push[0] < faults[0].at]
        assert [push[0] for push in heard_pushes(reports)][: len(before)] == [p[0] for p in before]
    else:
        assert heard_pushes(reports) == specified


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
            reports += looked(polled, now, level_at(edges, now))
        reports += polled.edge(edge)
    stuck = any(isinstance(report, SetAside) for report in reports)
    if not stuck:
        assert [r for r in reports if isinstance(r, PushButton)] == [
            r for r in expected if isinstance(r, PushButton)
        ]


@traces(1_000, wild_traces())
def test_no_press_is_left_open_or_reported_while_the_button_is_set_aside(edges):
    one = contact()
    reports = follow(one, edges)
    if edges:
        reports += looked(one, edges[-1].at + HAND.recoil, edges[-1].pressed)
        reports += looked(one, edges[-1].at + 10 * SECOND, edges[-1].pressed)
    open_press = None
    aside = False
    for report in reports:
        match report:
            case PushButton(at=at):
                assert open_press is None
                assert not aside
                assert any(edge.at == first_edge(report) for edge in edges)
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
    reports = follow(one, edges) + looked(one, edges[-1].at + HAND.recoil, edges[-1].pressed)
    assert heard_pushes(reports) == [(START + down * MS, START + up * MS) for down, up in pushes]


def test_a_press_is_reported_once_it_was_closed_for_a_millisecond_and_not_when_it_settles():
    one = contact()
    assert one.edge(Edge(1, START + MS, True)) == []
    assert one.look_at == START + 2 * MS
    assert looked(one, START + 2 * MS - 1, True) == []
    assert kinds(looked(one, START + 2 * MS, True)) == ["PushButton"]


def test_closings_of_a_bouncing_contact_are_added_up():
    edges = edges_at(*((START + n * 400 * MICROSECOND, n % 2 == 0) for n in range(6)))
    one = contact()
    assert [kinds(one.edge(edge)) for edge in edges] == [[], [], [], [], [], ["PushButton"]]


def test_a_button_down_at_the_start_is_stuck_until_it_is_let_go_and_its_next_press_counts():
    one = Contact(1, NUMBERED)
    assert one.begin(START, True) == [SetAside(button=1, fault="stuck", at=START)]
    let_go = follow(one, edges_at((START + SECOND, False))) + looked(one, START + 2 * SECOND, False)
    assert let_go == [PutBack(button=1, at=START + SECOND)]
    assert pressed(one, Edge(1, START + 3 * SECOND, True)).at == START + 3 * SECOND


def test_a_hand_that_stays_while_a_race_is_on_is_no_fault():
    one = contact()
    one.racing = True
    reports = follow(one, edges_at((START + MS, True)))
    for second in range(1, 60):
        reports += looked(one, START + second * SECOND, True)
    assert kinds(reports) == ["PushButton"]
    one.racing = False
    assert looked(one, START + 63 * SECOND, True) == []
    assert kinds(looked(one, START + 65 * SECOND, True)) == ["Release", "SetAside"]


def test_a_hand_that_stays_after_a_race_has_used_its_press_is_no_fault():
    one = contact()
    press = pressed(one, Edge(1, START + MS, True))
    one.slap = press.at
    assert looked(one, START + 60 * SECOND, True) == []
    up, again = START + 61 * SECOND, START + 62 * SECOND
    reports = follow(one, edges_at((up, False), (again, True))) + looked(one, again + SECOND, True)
    assert kinds(reports) == ["Release", "PushButton"]
    assert kinds(looked(one, again + 6 * SECOND, True)) == ["Release", "SetAside"]


def test_a_button_that_jams_in_a_race_counts_once_and_is_then_set_aside():
    one = contact()
    reports = follow(one, edges_at((START + MS, True)))
    reports += looked(one, START + SECOND, True)
    reports += looked(one, START + 6 * SECOND, True)
    assert kinds(reports) == ["PushButton", "Release", "SetAside"]
    assert reports[-1] == SetAside(button=1, fault="stuck", at=START + 6 * SECOND)
    assert looked(one, START + 60 * SECOND, True) == []


@pytest.mark.parametrize("hertz", [50, 60, 100, 400, 1_000, 5_000])
def test_a_line_that_hums_is_noise_from_its_first_edge_on(hertz):
    half = SECOND // hertz // 2
    edges = edges_at(*((START + n * half, n % 2 == 0) for n in range(SECOND // half)))
    reports = follow(contact(), edges)
    assert kinds(reports) == ["PushButton", "Release", "SetAside"]
    assert reports[-1] == SetAside(button=1, fault="noise", at=START)


def test_a_contact_that_flutters_faster_than_any_hand_is_chatter():
    edges = edges_at(*((START + n * 20 * MS, n % 2 == 0) for n in range(60)))
    reports = follow(contact(), edges)
    aside = [report for report in reports if isinstance(report, SetAside)]
    assert aside == [SetAside(button=1, fault="chatter", at=START)]
    assert sum(isinstance(report, PushButton) for report in reports) == 1


@pytest.mark.parametrize(
    ("closed", "period"),
    [
        pytest.param(5, 20, id="so fast that all is one release"),
        pytest.param(5, 30, id="as every second closing could be a push"),
        pytest.param(5, 50, id="as each could"),
    ],
)
def test_a_contact_that_rattles_is_chatter(closed, period):
    changes = []
    for n in range(40):
        at = START + n * period * MS
        changes += [(at, True), (at + closed * MS, False)]
    faults = [r.fault for r in follow(contact(), edges_at(*changes)) if isinstance(r, SetAside)]
    assert faults == ["chatter"]


def test_twelve_taps_in_a_second_that_bounce_from_their_releases_are_a_quick_hand():
    changes = []
    for n in range(12):
        at = START + n * 83 * MS
        changes += [(at, True), (at + 30 * MS, False), (at + 45 * MS, True), (at + 47 * MS, False)]
    reports = follow(contact(), edges_at(*changes))
    assert sum(isinstance(report, PushButton) for report in reports) == 12
    assert not any(isinstance(report, SetAside) for report in reports)


def test_a_held_button_whose_contact_comes_and_goes_is_chatter():
    changes = [(START, True)]
    for n in range(1, 8):
        changes += [(START + n * 100 * MS, False), (START + n * 100 * MS + 2 * MS, True)]
    reports = follow(contact(), edges_at(*changes))
    assert kinds(reports) == ["PushButton", "Release", "SetAside"]
    assert isinstance(reports[-1], SetAside)
    assert reports[-1].fault == "chatter"


def test_spikes_too_short_for_a_finger_are_noise():
    changes = []
    for n in range(3):
        changes += [(START + n * SECOND, True), (START + n * SECOND + 200 * MICROSECOND, False)]
    one = contact()
    reports = follow(one, edges_at(*changes)) + looked(one, START + 3 * SECOND, False)
    assert reports == [SetAside(1, "noise", START)]


def test_a_movement_that_nobody_could_read_is_admitted():
    one = contact()
    reports = follow(one, edges_at((START + MS, False), (START + 9 * MS, False)))
    reports += looked(one, START + SECOND, False)
    assert reports == [MissPresses(buttons=(1,), since=START, until=START + 9 * MS)]


def test_a_lone_edge_of_a_push_that_was_overwritten_is_admitted():
    one = contact()
    reports = one.edge(Edge(1, START + 50 * MS, False, doubt=33 * MS))
    reports += looked(one, START + SECOND, False)
    assert reports == [MissPresses(buttons=(1,), since=START, until=START + 50 * MS)]


def test_a_press_soon_after_a_movement_nobody_could_read_may_have_begun_with_it():
    one = contact()
    one.edge(Edge(1, START + MS, False))
    press = pressed(one, Edge(1, START + 16 * MS, True))
    assert (press.at - press.uncertainty, press.at + press.uncertainty) == (
        START + MS - 50 * MICROSECOND,
        START + 16 * MS + 50 * MICROSECOND,
    )


def test_twelve_taps_in_a_second_are_a_quick_hand_and_no_fault():
    edges = []
    for n in range(12):
        at = START + n * 83 * MS
        edges += edges_at((at, True), (at + MS, False), (at + 2 * MS, True), (at + 40 * MS, False))
    reports = follow(contact(), edges)
    assert sum(isinstance(report, PushButton) for report in reports) == 12
    assert not any(isinstance(report, SetAside) for report in reports)


def test_a_noisy_line_comes_back_only_after_a_rest_and_a_clean_push():
    one = contact()
    follow(one, edges_at(*((START + n * MS, n % 2 == 0) for n in range(401))))
    assert one.fault == "noise"
    follow(one, edges_at((START + 401 * MS, False)))
    assert looked(one, START + 500 * MS, False) == []
    soon = START + 700 * MS
    too_soon = follow(one, edges_at((soon, True), (soon + 80 * MS, False)))
    assert too_soon + looked(one, soon + 200 * MS, False) == []
    later = soon + 3 * SECOND
    clean = follow(one, edges_at((later, True), (later + 80 * MS, False)))
    clean += looked(one, later + 200 * MS, False)
    assert clean == [PutBack(button=1, at=later + 80 * MS)]


def test_a_release_that_never_arrived_is_found_by_its_level():
    one = contact()
    follow(one, edges_at((START + MS, True)))
    looked(one, START + 50 * MS, True)
    assert looked(one, START + 100 * MS, False) == []
    found = looked(one, START + 300 * MS, False)
    assert kinds(found) == ["MissPresses", "Release"]
    assert found[0] == MissPresses(buttons=(1,), since=START + 50 * MS, until=START + 300 * MS)


def test_a_press_that_never_arrived_is_found_by_its_level_and_never_guessed():
    one = contact()
    looked(one, START + 100 * MS, False)
    looked(one, START + 200 * MS, True)
    found = looked(one, START + 400 * MS, True)
    assert found == [MissPresses(buttons=(1,), since=START + 100 * MS, until=START + 400 * MS)]
    released = follow(one, edges_at((START + SECOND, False))) + looked(
        one, START + 2 * SECOND, False
    )
    assert released == []
    assert pressed(one, Edge(1, START + 3 * SECOND, True)).at == START + 3 * SECOND


def test_an_edge_that_is_only_late_is_no_loss():
    one = contact()
    looked(one, START + 100 * MS, True)
    assert one.edge(Edge(1, START + 90 * MS, True)) == []
    assert kinds(looked(one, START + 400 * MS, True)) == ["PushButton"]


def test_a_lone_edge_in_a_hold_may_hide_that_the_hand_let_go_and_came_back():
    one = contact()
    follow(one, edges_at((START + MS, True)))
    looked(one, START + 100 * MS, True)
    reports = follow(one, edges_at((START + 200 * MS, True))) + looked(one, START + SECOND, True)
    assert reports == [MissPresses(buttons=(1,), since=START + 100 * MS, until=START + 200 * MS)]


def test_after_lost_edges_a_hold_that_moved_may_hide_a_press():
    one = contact()
    follow(one, edges_at((START + MS, True)))
    looked(one, START + 100 * MS, True)
    at = START + 2 * SECOND
    reports = one.gap(at) + follow(one, edges_at((at, True))) + looked(one, at + 100 * MS, True)
    assert kinds(reports) == ["MissPresses", "MissPresses", "Release"]


@pytest.mark.parametrize("dating", [NUMBERED, UNNUMBERED], ids=["numbered", "not numbered"])
@pytest.mark.parametrize(
    ("doubt", "late"),
    [
        pytest.param(0, 0, id="sure of its date"),
        pytest.param(2 * MS, 2 * MS, id="overwritten, perhaps"),
        pytest.param(30 * MS, 20 * MS, id="no contact bounces as long as that"),
    ],
)
def test_a_date_that_was_overwritten_is_late_and_never_early(dating, doubt, late):
    first = START + SECOND
    press = pressed(contact(dating), Edge(1, first, True, doubt=doubt))
    base = dating.base
    assert press.at + press.uncertainty == first + base
    assert press.at - press.uncertainty == first - late - base


def test_how_gently_a_contact_bounced_so_far_teaches_nothing():
    one = contact()
    for n in range(40):
        at = START + n * SECOND
        follow(one, edges_at((at, True), (at + 100 * MS, False)))
    press = pressed(one, Edge(1, START + 50 * SECOND, True, doubt=6 * MS))
    assert 2 * press.uncertainty >= 6 * MS


def test_a_press_behind_so_long_a_hole_may_be_the_second_of_two():
    one = contact()
    at = START + SECOND
    looked(one, at - 100 * MS, False)
    reports = one.edge(Edge(1, at, True, doubt=50 * MS)) + looked(one, at + MS, True)
    assert reports[0] == MissPresses(buttons=(1,), since=at - 100 * MS, until=at)
    assert kinds(reports) == ["MissPresses", "PushButton"]


@pytest.mark.parametrize(
    ("doubt", "said"),
    [
        pytest.param(50 * MS, ["MissPresses", "Release"], id="time enough for a hand to come back"),
        pytest.param(39 * MS, ["Release"], id="a contact would bounce for that long"),
    ],
)
def test_a_release_behind_a_hole_may_hide_a_release_and_a_press(doubt, said):
    one = contact()
    press = pressed(one, Edge(1, START + MS, True))
    looked(one, START + 100 * MS, True)
    up = START + 300 * MS
    reports = one.edge(Edge(1, up, False, doubt=doubt)) + looked(one, up + SECOND, False)
    assert kinds(reports) == said
    assert isinstance(reports[-1], Release)
    assert (reports[-1].at, reports[-1].pressed_at) == (up, press.at)
    if len(said) == 2:
        assert reports[0] == MissPresses(buttons=(1,), since=START + 100 * MS, until=up)


def touches(one: Contact, *changes: tuple[int, bool]) -> list[int]:
    """When a push is shown before it is believed, while the contact changes so."""
    shown = []
    for edge in edges_at(*changes):
        one.edge(edge)
        if (touch := one.touched) is not None:
            shown.append(touch.at)
    return shown


def test_a_push_is_shown_with_its_first_edge_and_bounces_are_not():
    one = contact()
    down = (START, True), (START + MS // 4, False), (START + MS // 2, True)
    assert touches(one, *down) == [START]
    looked(one, START + 20 * MS, True)
    assert touches(one, (START + 90 * MS, False)) == []


def test_after_a_spike_nothing_is_shown_before_it_is_believed():
    one = contact()
    assert touches(one, (START, True), (START + MS // 4, False)) == [START]
    looked(one, START + SECOND, False)
    assert one.record.blips == 1
    assert touches(one, (START + 2 * SECOND, True)) == []


def test_a_button_that_was_set_aside_shows_nothing():
    one = contact()
    assert kinds(one.lose(START)) == ["SetAside"]
    assert touches(one, (START + SECOND, True)) == []
