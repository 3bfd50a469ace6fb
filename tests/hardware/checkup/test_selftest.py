"""The check with a screwdriver in the other hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec import structs

from companion.referee.commands import PushButton, Release, SetAside
from hardware.checkup import report
from hardware.checkup.bench import FORGOTTEN, BoardCheckup, Pause
from hardware.checkup.selftest import ENOUGH, ButtonWalk, check, fairness
from hardware.contact.edges import MILLISECOND
from hardware.outputs.lamps import TEST, LampScene, LampState
from hardware.pins.advice import explained, held
from hardware.status import BoardStatus, ButtonStatus
from hardware.wiring.wiring import default_wiring
from tests.hardware.boards import running
from tests.kit.night import until


def button(number: int, **known) -> ButtonStatus:
    plain = ButtonStatus(
        number=number,
        name=f"seat {number}",
        place="GPIO 17, pin 11",
        spare=False,
        down=False,
        presses=8,
        last_press=None,
        uncertainty=50_000,
        bounces=2,
        bounce=MILLISECOND,
        typical_bounce=MILLISECOND,
        typical_dwell=90 * MILLISECOND,
        flickers=0,
        gaps=0,
        fault=None,
        lamp=None,
    )
    return structs.replace(plain, **known)


def board(*buttons: ButtonStatus, **known) -> BoardStatus:
    plain = BoardStatus(
        factory="gpiod",
        asked="auto",
        simulated=False,
        listening=True,
        sentence="Buttons are dated by the kernel.",
        remarks=(),
        at=0,
        buttons=buttons,
        buzzer=False,
    )
    return structs.replace(plain, **known)


def said(*buttons: ButtonStatus) -> list[str]:
    return list(report.fairness_lines(check(board(*buttons), ButtonWalk(board(*buttons)))))


def test_buttons_that_behave_alike_pass():
    found = fairness([button(n) for n in range(1, 5)])
    assert (found.verdict, found.odd, found.wanting) == ("alike", (), ())


def test_a_contact_that_bounces_far_longer_than_the_others_is_named():
    odd = button(4, typical_bounce=9 * MILLISECOND)
    (sentence,) = said(button(1), button(2), button(3), odd)
    assert sentence.startswith("seat 4 bounces for 9.00 ms, the others for about 1.00 ms")


def test_a_button_that_comes_up_slowly_is_named():
    odd = button(2, typical_dwell=400 * MILLISECOND)
    (sentence,) = said(button(1), odd, button(3))
    assert sentence.startswith("seat 2 stays down for 400.00 ms")


def test_too_few_pushes_compare_nothing():
    found = fairness([button(1), button(2, presses=ENOUGH - 1), button(3)])
    assert (found.verdict, found.wanting) == ("unknown", (2,))
    assert "at least 3 buttons 5 times" in said(button(1), button(2, presses=0), button(3))[0]


def test_two_buttons_are_compared_with_each_other():
    (odd,) = fairness([button(1), button(2, typical_bounce=9 * MILLISECOND)]).odd
    assert (odd.button, odd.trait) == (2, "bounce")


def test_a_broken_button_is_not_waited_for():
    alike = [button(1), button(2), button(3), button(4, presses=0, fault="stuck")]
    assert fairness(alike).wanting == ()


def test_the_walk_passes_when_every_button_was_pressed_since_it_began():
    walk = ButtonWalk(board(button(1, presses=3), button(2, presses=0)))
    one = check(board(button(1, presses=4), button(2, presses=0)), walk)
    assert (one.walk.heard, one.walk.silent, one.passed) == ((1,), (2,), False)
    both = check(board(button(1, presses=4), button(2, presses=1)), walk)
    assert both.passed
    assert report.walk_line(both) == "PASSED: all 2 buttons were heard."


def test_a_broken_button_spoils_the_walk_and_is_named():
    walk = ButtonWalk(board(button(1, presses=0), button(2, presses=0)))
    found = check(board(button(1), button(2, fault="chatter")), walk)
    assert not found.passed
    assert "Set aside: seat 2 (chatter)." in report.walk_line(found)


def test_a_table_that_was_started_again_has_heard_nobody():
    walk = ButtonWalk(board(button(1, presses=9), button(2, presses=9)))
    assert check(board(button(1, presses=0), button(2, presses=0)), walk).walk.heard == ()
    assert check(board(button(1, presses=1), button(2, presses=0)), walk).walk.heard == (1,)


def test_nobody_passes_where_nobody_listens():
    walk = ButtonWalk(board(button(1, presses=0)))
    found = check(board(button(1), listening=False), walk)
    assert not found.passed
    assert "The buttons are not being heard!" in list(report.described(found))


def test_the_report_says_how_late_an_overwritten_date_may_be():
    told = board(button(1), button(2), lateness=20 * MILLISECOND)
    assert (
        "A date that the kernel overwrote is taken to be up to 20.00 ms late."
        in report.described(check(told, ButtonWalk(told)))
    )


@pytest.mark.parametrize(
    ("factory", "asked", "why"),
    [
        pytest.param("gpiod", "auto", "best", id="the best one works"),
        pytest.param("lgpio", "auto", "second", id="the best one does not work"),
        pytest.param("lgpio", "lgpio", "asked", id="it was asked for"),
        pytest.param("simulated", "auto", "no_pi", id="no Pi"),
        pytest.param("simulated", "simulated", "asked", id="simulated by wish"),
        pytest.param("usb", "auto", "no_pins", id="encoders alone"),
    ],
)
def test_it_is_told_why_this_factory_was_taken(factory, asked, why):
    status = board(button(1), factory=factory, asked=asked)
    found = check(status, ButtonWalk(status))
    assert found.why == why
    assert report.WHY[why] in list(report.described(found))


def test_the_report_names_the_factory_every_button_and_every_fault():
    with running(default_wiring(2, spares=1, factory="simulated")) as table:
        checkup = BoardCheckup(table.board)
        table.tap(1)
        table.wait_for(Release, 1)
        text, data = checkup.text(), json.loads(checkup.json())
    assert "Pin factory: simulated (asked for simulated)." in text
    assert all(name in text for name in ("seat 1", "seat 2", "spare 1", "GPIO 17, pin 11"))
    assert "Heard 1 of 3 buttons. Not heard yet: seat 2, spare 1." in text
    assert data["check"]["buttons"][0]["presses"] == 1
    assert data["check"]["walk"]["silent"] == [2, 3]


def test_a_narrow_terminal_keeps_names_presses_and_trouble():
    status = board(button(1, fault="noise"), button(2, lamp="dark"))
    found = check(status, ButtonWalk(status))
    for width in (60, 80, 100):
        lines = list(report.table(found, width))
        assert all(len(line) <= width for line in lines)
        assert "presses" in lines[0]
        assert lines[1].endswith("noise")
    assert "where" in next(iter(report.table(found)))


class Stopped:
    """A clock that moves when it is told to."""

    at = 1_000

    def __call__(self) -> int:
        return self.at


def test_during_a_check_presses_mean_nothing_at_the_table():
    told: list[object] = []
    pause = Pause(told.append, Stopped())
    pause.begin()
    pause.hand_over(PushButton(1, 5, 0))
    pause.hand_over(Release(1, 6, 5))
    broken = SetAside(2, "stuck", 7)
    pause.hand_over(broken)
    assert told == [broken]
    pause.end()
    pause.hand_over(PushButton(1, 8, 0))
    assert told == [broken, PushButton(1, 8, 0)]


def test_a_press_and_its_release_go_the_same_way_whatever_happens_between():
    told: list[object] = []
    pause = Pause(told.append, Stopped())
    before, kept = PushButton(1, 5, 0), PushButton(2, 6, 0)
    pause.hand_over(before)
    pause.begin()
    pause.hand_over(kept)
    pause.hand_over(Release(1, 7, 5))
    pause.end()
    pause.hand_over(Release(2, 8, 6))
    assert told == [before, Release(1, 7, 5)]


def test_a_forgotten_check_ends_by_itself_and_each_press_prolongs_it():
    clock = Stopped()
    told: list[object] = []
    pause = Pause(told.append, clock)
    pause.begin()
    clock.at += FORGOTTEN - 1
    pause.hand_over(PushButton(1, 5, 0))
    clock.at += FORGOTTEN - 1
    assert pause.on
    clock.at += 1
    assert not pause.on
    pause.hand_over(PushButton(2, 6, 0))
    assert told == [PushButton(2, 6, 0)]


def test_hands_in_a_race_count_although_somebody_forgot_to_end_the_check():
    told: list[object] = []
    races: list[str] = []
    pause = Pause(told.append, Stopped(), racing=lambda: bool(races))
    pause.begin()
    assert pause.on
    races.append("a Street Race")
    pause.hand_over(PushButton(1, 5, 0))
    assert told == [PushButton(1, 5, 0)]
    races.clear()
    assert pause.over, "a race ends the check for good"


def test_outside_of_a_check_the_buttons_speak_to_the_table_alone():
    with running() as table:
        checkup, listener = BoardCheckup(table.board), table.board.listener
        usual = listener.hand_over
        checkup.begin()
        assert listener.hand_over != usual
        table.tap(1)
        until(lambda: table.board.listener.contacts[1].record.presses == 1)
        checkup.end()
        table.tap(2)
        table.wait_for(Release, 2)
        assert listener.hand_over == usual
        assert [report.button for report in table.reports if isinstance(report, PushButton)] == [2]


def test_a_new_walk_forgets_who_was_heard():
    with running() as table:
        checkup = BoardCheckup(table.board)
        table.tap(1)
        table.wait_for(Release, 1)
        assert checkup.check().walk.heard == (1,)
        checkup.begin()
        found = checkup.check()
        assert (found.walk.heard, found.checking) == ((), True)
        assert checkup.brief()["checking"]


def test_a_lamp_test_lights_one_after_the_other_and_leaves_what_they_say():
    with running() as table:
        lamps = table.board.lamps
        lamps.show({2: LampState.TURN})
        clock = Stopped()
        lamps._clock = clock
        assert table.board.test_lamps() == 5 * TEST
        lit = []
        for _ in range(5):
            lit.append(set(lamps.tested))
            clock.at += TEST
        assert lit == [{1}, {2}, {3}, {4}, {1, 2, 3, 4}]
        assert lamps.tested == frozenset()
        assert lamps.states[2] is LampState.TURN
        assert lamps._level(2, clock.at)[0] == 1.0
        assert lamps._level(1, clock.at)[0] == 0.0


def test_one_lamp_is_tested_alone_and_a_lamp_that_is_not_there_cannot_be():
    with running(default_wiring(2, factory="simulated")) as table:
        table.board.test_lamps(2)
        assert table.board.lamps.tested == {2}
        assert table.board.test_lamps(9) is None
    with running(default_wiring(2, factory="simulated", lamps="none")) as table:
        assert table.board.test_lamps() is None


def test_a_lamp_lights_up_at_a_moment_that_nobody_can_foresee():
    with running(default_wiring(2, factory="simulated")) as table:
        lamps = table.board.lamps
        clock = Stopped()
        lamps._clock = table.board._clock = clock
        moments = set()
        for _ in range(20):
            at = table.board.light_later(2)
            assert at is not None
            assert lamps.tested == frozenset()
            moments.add(at - clock.at)
            clock.at = at
            assert lamps.tested == {2}
        assert len(moments) > 1
        assert table.board.light_later(None) is None
        assert lamps.tested == frozenset()


def test_no_lamp_is_tested_in_the_dark_before_a_light():
    with running() as table:
        table.board.test_lamps()
        table.board.lamps.play(LampScene({}, light_at=1 << 62))
        assert table.board.lamps.tested == frozenset()
        assert table.board.test_lamps() is None


def test_who_may_not_use_the_pins_hears_of_the_group():
    chips = [Path("/dev/gpiochip0")]
    trouble, never = RuntimeError("Permission denied"), lambda chip: False
    told = explained(trouble, chips, never, lambda chip: "gpio")
    assert "usermod -aG gpio" in told
    plain = explained(trouble, chips, never, lambda chip: "root")
    assert "belongs to root alone" in plain
    assert "the `companion` that it installs" in plain
    assert "usermod" not in plain


def test_who_has_no_pins_and_who_finds_them_held_is_told_so():
    nothing = explained(RuntimeError("nothing found"), [], lambda chip: True)
    assert nothing.startswith("nothing found. This computer has no GPIO pins")
    busy = RuntimeError("GPIO 17 cannot be used: Device or resource busy.")
    assert "/hardware" in explained(busy, [Path("/dev/gpiochip0")], lambda chip: True)
    assert held(busy)
    assert not held(RuntimeError("Permission denied"))


def test_who_lacks_the_package_for_a_remote_pi_is_told_how_to_get_it():
    trouble = RuntimeError("The pin factory pigpio does not work here: No module named 'pigpio'.")
    assert "table-companion[remote]" in explained(trouble)
