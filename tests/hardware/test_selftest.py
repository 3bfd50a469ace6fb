"""The check with a screwdriver in the other hand."""

from __future__ import annotations

from msgspec import structs

from hardware.board import ButtonStatus
from hardware.edges import MILLISECOND
from hardware.selftest import fairness, report
from hardware.wiring import default_wiring
from tests.hardware.boards import running


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


def test_buttons_that_behave_alike_pass():
    assert fairness([button(n) for n in range(1, 5)]) == ("All buttons behave alike.",)


def test_a_contact_that_bounces_far_longer_than_the_others_is_named():
    odd = button(4, typical_bounce=9 * MILLISECOND)
    (sentence,) = fairness([button(1), button(2), button(3), odd])
    assert sentence.startswith("seat 4 bounces for 9.00 ms, the others for about 1.00 ms")


def test_a_button_that_comes_up_slowly_is_named():
    odd = button(2, typical_dwell=400 * MILLISECOND)
    (sentence,) = fairness([button(1), odd, button(3)])
    assert sentence.startswith("seat 2 stays down for 400.00 ms")


def test_too_few_pushes_compare_nothing():
    assert "at least three buttons" in fairness([button(1), button(2, presses=2)])[0]


def test_the_report_names_the_factory_every_button_and_every_fault():
    with running(default_wiring(2, spares=1, factory="simulated")) as table:
        table.tap(1)
        text = report(table.board.status())
    assert text.startswith("Pin factory: simulated (asked for simulated).")
    assert all(name in text for name in ("seat 1", "seat 2", "spare 1", "GPIO 17, pin 11"))
