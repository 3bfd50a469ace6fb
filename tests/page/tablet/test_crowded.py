"""Ten at the table: everything on the tablet has its place, and what is needed is in sight."""

from __future__ import annotations

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers
from tests.page.layout import NAMES, covered, cut, dressed, in_sight

SEATS = ".seat-face, .rulings"


@pytest.fixture
def config() -> str:
    return "[timing]\nrace_limit_ms = 3000\n"


@pytest.fixture
def crowd(served: Served, tablet) -> Fingers:
    """Ten have sat down, and the first match has begun."""
    served.pair()
    for number, name in enumerate(NAMES, 1):
        button = {"button": number} if number < 6 else {}
        assert served.do("sit", name=name, **button).status == 200
    fingers: Fingers = tablet()
    dressed(fingers.page)
    expect(fingers.page.locator(".seats .seat, .person[data-seat]")).to_have_count(10)
    assert covered(fingers.page, ".seat-face") == []
    assert cut(fingers.page, ".seat-face .total") == []
    assert served.do("start_match").status == 200
    fingers.says("Who deals?")
    return fingers


def dealt(served: Served) -> None:
    for kind, fields in (("choose_dealer", {"seat": 1}), ("deal", {})):
        assert served.do(kind, **fields).status == 200


def test_whoever_deals_can_just_be_chosen(crowd):
    people = crowd.page.locator(".deal .who")
    expect(people).to_have_count(10)
    assert all(in_sight(one) for one in people.all())
    assert cut(crowd.page, ".deal .fit-text") == []
    people.last.click()
    crowd.says("Josephine shuffles and deals")


def test_the_dealer_is_found_by_the_numbers_without_scrolling(crowd):
    crowd.tap("Draw for it")
    numbers = crowd.page.locator(".draw-numbers li")
    expect(numbers).to_have_count(10)
    for number in range(10):
        button = numbers.nth(number).locator(f"[data-face='{number}']")
        assert in_sight(button)
        button.click()
    crowd.says("Josephine shuffles and deals")


def test_names_have_the_whole_width_between_rounds(crowd, served):
    served.do("choose_dealer", seat=1)
    crowd.tap("Players and seats")
    expect(crowd.page.locator(".person input").first).to_be_visible()
    assert cut(crowd.page, ".person input") == []


def test_nothing_lies_on_the_scores_or_the_rulings_below_a_banner(crowd, served):
    dealt(served)
    crowd.says("Play!")
    # In free play nobody has a turn: a refusal, which the tablet shows above the table.
    crowd.page.evaluate("async () => (await parts()).connection.act('draw')")
    expect(crowd.page.locator(".banner.notice")).to_be_visible()
    served.do("go_out", seat=1)
    crowd.says("Count the cards of Émile")
    expect(crowd.page.locator(".moment-screen")).to_be_visible()
    crowd.settled()
    assert covered(crowd.page, SEATS, ".next") == []
    assert in_sight(crowd.button("Émile Dupont-Moretti’s hand is done"))
    assert in_sight(crowd.page.locator(".typed input"))
    assert in_sight(crowd.button("Use this total"))


def test_who_was_caught_by_whom_is_asked_with_whole_names(crowd, served):
    dealt(served)
    crowd.tap_like("Caught!")
    expect(crowd.page.locator("dialog .who:visible")).to_have_count(10)
    crowd.page.get_by_text("Who caught them? (optional)").click()
    expect(crowd.page.locator("dialog .who:visible")).to_have_count(20)
    assert cut(crowd.page, "dialog .who .fit-text") == []


def test_a_race_that_many_missed_says_so_and_is_left_without_a_search(crowd, served):
    for seat in range(6, 11):
        served.do("assign_button", seat=seat, button=seat)
    dealt(served)
    served.do("declare_race", layer=1)
    served.do("press_seat", seat=2)
    crowd.says("Josephine never slapped. The referee picks who draws, or a slap-off decides.")
    assert in_sight(crowd.button("Slap-off"))
    lanes = crowd.page.locator(".race .lane")
    expect(lanes).to_have_count(9)
    assert all(in_sight(one) for one in lanes.all())
    assert served.do("pick_last", seats=[3, 4, 5, 6]).status == 200
    expect(crowd.page.locator(".verdict")).to_be_visible()
    assert in_sight(crowd.button("Back to the game"))
    assert all(in_sight(one) for one in lanes.all())
    crowd.tap("Back to the game")
    expect(crowd.page.locator(".verdict")).to_have_count(0)


def test_half_the_table_without_a_button_is_named_and_asked_about_in_sight(crowd, served):
    served.do("choose_dealer", seat=1)
    named = crowd.page.locator(".unheard-seat")
    expect(named).to_have_count(5)
    assert all(in_sight(one) for one in named.all())
    served.do("deal")
    served.do("declare_race", layer=1)
    for seat in (2, 3, 4, 5):
        served.do("press_seat", seat=seat)
    crowd.asks("No working button: Finn, Gustav-Adolf, Hana, Ivo, Josephine.")
    answers = crowd.page.locator(".answers .button")
    expect(answers).to_have_count(6)
    expect(answers.first).to_be_enabled()
    assert all(in_sight(one) for one in answers.all())
    crowd.answer("Ivo")
    expect(crowd.page.locator(".verdict")).to_contain_text("Ivo")


def ruled(served: Served, times: int) -> bool:
    return len(served.table["rulings"]) == times


def test_rulings_open_with_their_timelines_and_their_rule(crowd, served):
    dealt(served)
    for given, seat in enumerate((2, 3), 1):
        assert served.do("call", seat=seat).status == 200
        assert served.do("catch", seat=seat, by=seat + 3).status == 200
        eventually(partial(ruled, served, given))
    expect(crowd.page.locator(".moment-screen.safe")).to_be_visible()
    crowd.settled()
    crowd.page.locator(".ruling-open").click()
    expect(crowd.page.locator("dialog .calling")).to_have_count(2)
    crowd.page.locator("dialog .rule-badge").first.click()
    expect(crowd.page.locator("dialog")).to_contain_text(
        "If somebody catches you before the next turn begins"
    )


def test_an_edition_without_races_promises_none(served, tablet):
    served.pair()
    served.do("set_up", edition="express")
    help_ = tablet().page.locator(".setting", has_text="Way of playing").locator("small")
    expect(help_).to_have_text(re.compile("Buttons for UNO, the tablet"))
