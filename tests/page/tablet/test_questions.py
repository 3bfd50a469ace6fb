"""What the table asks when it cannot know: on the tablet, the television and the right phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.every_screen.test_accessibility import (
    AXE,
    PHONE,
    TABLET,
    TELEVISION,
    UPRIGHT,
    check,
)
from tests.page.fingers import Fingers
from tests.page.layout import in_sight


@pytest.fixture
def three(referee: Fingers) -> Fingers:
    """Three in free play, of whom Ana and Ben have just slapped."""
    referee.seat_down("Ana", "Ben", "Cam")
    referee.start("Ana")
    referee.says("Play!")
    referee.push_together(1, 2)
    return referee


def test_two_of_three_slap_and_one_tap_says_that_it_was_a_race(three, screens):
    served: Served = three.served
    three.asks("Was that a Street Race, laid by Cam?")
    expect(three.page.locator(".race .lane")).to_have_count(0)
    served.pair()
    board: Fingers = screens(served, width=1920, height=1080)
    board.page.goto(f"{served.address}/board")
    expect(board.page.locator(".show-question")).to_contain_text("laid by Cam?")
    expect(board.page.locator("button")).to_have_count(0)
    phone = phone_of(served, screens, 3)
    expect(phone.page.locator(".question-line")).to_contain_text("laid by Cam?")
    other = phone_of(served, screens, 1)
    expect(other.page.locator(".own-button")).to_be_visible()
    expect(other.page.locator(".answers")).to_have_count(0)
    expect(three.seat("Cam")).to_have_class("seat asked")
    three.page.reload()
    three.live()
    three.asks("Was that a Street Race, laid by Cam?")
    three.answer("Yes")
    expect(three.page.locator(".answers")).to_have_count(0)
    expect(phone.page.locator(".answers")).to_have_count(0)
    expect(three.page.locator(".race")).to_contain_text("Street Race by Cam")
    expect(three.page.locator(".verdict, .undecided-choices")).to_be_visible()


def test_the_phone_of_whom_it_concerns_answers_too(three, screens):
    phone = phone_of(three.served, screens, 3)
    phone.answer("Yes")
    expect(three.page.locator(".race")).to_contain_text("Street Race by Cam")


def test_the_own_button_of_whoever_kept_hands_off_says_yes(three):
    three.asks("Was that a Street Race, laid by Cam?")
    three.page.wait_for_timeout(2000)  # a hand that comes sooner may be a late slap
    three.push(3)
    expect(three.page.locator(".race")).to_contain_text("Street Race by Cam")
    expect(three.page.locator(".answers")).to_have_count(0)


def test_hands_after_a_race_that_was_none_are_asked_about_again(three):
    three.asks("Was that a Street Race, laid by Cam?")
    three.answer("Yes")
    three.tap_like("No race")
    three.says("Play!")
    three.page.wait_for_timeout(3000)  # so that no hand looks like hammering
    three.push_together(2, 3)
    three.asks("Was that a Street Race, laid by Ana?")


def test_what_was_no_race_goes_away_with_one_tap(three):
    three.asks("Was that a Street Race")
    three.answer("No")
    expect(three.page.locator(".answers")).to_have_count(0)
    three.says("Play!")
    assert three.served.table["race"] is None
    assert three.served.table["rulings"] == []


def test_a_question_moves_nothing_and_is_reached_with_the_keys(three):
    three.asks("Was that a Street Race")
    buttons = three.page.locator(".actions .button")
    asked = [one.bounding_box() for one in buttons.all()]
    answers = three.page.locator(".answers .button").all()
    assert all(in_sight(one) for one in answers)
    assert all(in_sight(one) for one in buttons.all())
    yes = three.page.locator(".answers .button").first
    expect(yes).to_be_enabled()
    yes.focus()
    three.page.keyboard.press("Enter")
    three.tap_like("No race")
    three.says("Play!")
    assert eventually(lambda: [one.bounding_box() for one in buttons.all()] == asked)


def test_whoever_has_no_button_is_named_before_the_deal_and_helped(referee, served):
    referee.seat_down("Ana", "Ben")
    served.pair()
    served.do("sit", name="Cam")
    expect(referee.seat("Cam")).to_be_visible()
    referee.tap("Start the match")
    referee.page.locator(".deal .who", has_text="Ana").click()
    named = referee.page.get_by_role("group", name="No working button:")
    expect(named.get_by_role("button")).to_have_count(1)
    named.get_by_role("button", name="Cam").click()
    expect(referee.page.locator("dialog")).to_contain_text("the tablet asks after every race")
    referee.tap("Give a spare button")
    referee.says("Press the button that Cam should have.")
    referee.push(5)
    expect(named).to_have_count(0)


def test_who_was_last_is_asked_where_somebody_has_no_button(served, tablet):
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cam"), 1):
        served.do("sit", name=name, **({"button": number} if number < 3 else {}))
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        served.do(kind, **fields)
    referee: Fingers = tablet()
    referee.lay_race("Ana")
    referee.push(2)
    referee.asks("No working button: Cam")
    expect(referee.page.locator(".lane[data-seat='3']")).to_contain_text("No button")
    referee.answer("Cam")
    expect(referee.page.locator(".verdict")).to_contain_text("Cam")
    assert eventually(lambda: [debt["seat"] for debt in served.table["debts"]]) == [3]


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_everybody_can_answer(three, screens):
    three.asks("Was that a Street Race")
    expect(three.page.locator(".answers .button").first).to_be_enabled()
    check(three, TABLET, TELEVISION, UPRIGHT, PHONE)
    phone = phone_of(three.served, screens, 3)
    expect(phone.page.locator(".answers .button").first).to_be_enabled()
    check(phone, PHONE)


def phone_of(served: Served, screens: Callable[..., Fingers], seat: int) -> Fingers:
    """The phone of a seat, opened by its code."""
    served.pair()
    code = served.get(f"/api/seats/{seat}").json["code"]
    phone: Fingers = screens(served, width=390, height=844)
    phone.page.goto(f"{served.address}/seat/{seat}?code={code}")
    phone.page.locator(f".phone[data-link=live][data-seat='{seat}']").wait_for()
    return phone
