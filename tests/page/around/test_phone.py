"""A player's phone: the button of one seat, and the count of its own hand."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kit.served import eventually
from tests.page.every_screen.test_accessibility import AXE, PHONE, check
from tests.page.fingers import Fingers
from tests.page.layout import faults

IN_STEP = "() => Number(document.querySelector('.exactness').dataset.exact || Infinity) < 50"


@pytest.fixture
def config() -> str:
    """A race that waits for phones on a slow machine, and so does the second press of a catch."""
    return "[timing]\nrace_limit_ms = 300000\ncatch_most_ms = 60000\n"


def in_step(*phones: Fingers) -> None:
    """Wait until the phones know the table's time within a twentieth of a second."""
    for phone in phones:
        phone.page.wait_for_function(IN_STEP)


def test_a_phone_becomes_the_button_of_its_seat_and_slaps_in_a_race(phone, night, lay):
    ben, cam = phone(2), phone(3)
    assert "code" not in ben.page.url
    expect(ben.page.locator("h1")).to_have_text("Ben")
    lay(1)
    button = ben.page.locator(".own-button")
    expect(button).to_have_attribute("data-meaning", "slap")
    expect(cam.page.locator(".own-button")).to_have_attribute("data-meaning", "slap")
    in_step(ben, cam)
    cam.page.locator(".own-button").tap()
    expect(cam.page.locator(".own-button")).to_have_attribute("data-meaning", "slapped")
    ben.page.wait_for_timeout(1200)
    button.tap()
    news = ben.page.locator(".own-news.draws")
    expect(news).to_have_text(re.compile(r"Draw 4\s*Ben draws 4, by [\d.]+ ms\."))
    expect(cam.page.locator(".own-news.safe")).to_contain_text("1st: safe!")
    first, last = night.table["race"]["finish"]["places"]
    assert [first["seat"], last["seat"]] == [3, 2]
    for place in (first, last):
        assert place["press"]["source"] == "phone"
        # What travels for too long on a slow machine is believed less.
        assert 4_000_000 <= place["press"]["uncertainty"] <= 10_000_000_000


def test_a_press_is_dated_by_the_phone_and_not_by_its_arrival(phone, night, lay):
    """The way from the phone to the table may take its time; the press happened before it."""
    ben, cam = phone(2), phone(3)
    lay(1)
    expect(ben.page.locator("[data-meaning=slap]")).to_be_visible()
    expect(cam.page.locator("[data-meaning=slap]")).to_be_visible()
    press = """(wait) => {
        const button = document.querySelector(".own-button");
        const made = new PointerEvent("pointerdown", { bubbles: true, cancelable: true });
        const busy = performance.now() + wait;
        while (performance.now() < busy) { /* a phone that has other things to do */ }
        button.dispatchEvent(made);
        return made.timeStamp;
    }"""
    ben.page.evaluate(press, 150)
    arrived = night.state()["service"]["now"]
    cam.page.evaluate(press, 0)
    slap = eventually(
        lambda: next((slap for slap in night.table["race"]["slaps"] if slap["seat"] == 2), None)
    )
    # A slow machine may deliver so late that the table only widens the doubt, back to the press.
    assert slap["at"] - slap["uncertainty"] < arrived - 140_000_000


def test_a_player_counts_the_own_hand_while_others_count_theirs(phone, night):
    ben, cam = phone(2), phone(3)
    night.do("go_out", seat=1)
    for card in ("red-5", "red-5", "wild"):
        ben.page.locator(f"[data-card='{card}']").tap()
    cam.page.locator("[data-card='blue-9']").tap()
    expect(ben.page.locator(".running")).to_have_text("3 cards, 60 points")
    ben.page.get_by_role("button", name="That’s all").tap()
    expect(ben.page.locator(".phone-wait")).to_have_text("Counted: 60 points")
    expect(ben.page.locator("[data-counted]")).to_have_count(2)
    expect(ben.page.locator("[data-counted='red-5'] .count")).to_have_text("2")
    expect(ben.page.locator(".hint")).to_contain_text("Cam")
    expect(cam.page.locator("[data-card='red-5']")).to_be_disabled()
    expect(cam.page.locator(".running")).to_have_text("1 card, 9 points")
    cam.page.get_by_role("button", name="That’s all").tap()
    expect(ben.page.locator(".hint")).to_contain_text("The referee scores the round.")
    left = night.table["round"]["left"]
    assert (left["2"]["points"], left["3"]["points"]) == (60, 9)
    ben.page.get_by_role("button", name="Change it").tap()
    ben.page.locator("[data-card='green-7']").tap()
    ben.page.get_by_role("button", name="That’s all").tap()
    expect(ben.page.locator(".phone-wait")).to_have_text("Counted: 67 points")


def test_a_phone_that_was_not_paired_only_watches(screen, night):
    phone = screen("/seat/2", width=390, height=844)
    expect(phone.page.locator(".banner.watching")).to_contain_text("Scan your seat’s code")
    expect(phone.page.locator(".own-button")).to_be_disabled()


def test_a_long_name_fits_a_narrow_phone(phone, night):
    night.do("rename", seat=2, name="Bartholomew the Third")
    ben = phone(2)
    ben.page.set_viewport_size({"width": 320, "height": 568})
    fits = "() => document.documentElement.scrollWidth <= innerWidth"
    expect(ben.page.locator(".own-button")).to_be_enabled()
    ben.page.wait_for_function(fits)
    night.do("go_out", seat=1)
    expect(ben.page.locator("[data-card='red-5']")).to_be_visible()
    ben.page.wait_for_function(fits)


@pytest.mark.parametrize("width", [320, 390])
def test_a_head_start_leaves_the_name_and_the_total_in_sight(phone, night, width):
    night.do("rename", seat=3, name="Clementine")
    night.do("set_handicap", seat=3, milliseconds=1200)
    cleo = phone(3, country="de-DE")
    cleo.page.set_viewport_size({"width": width, "height": 568})
    expect(cleo.page.locator(".phone-top .chip.start")).to_contain_text("1200 ms")
    expect(cleo.page.locator(".phone-total")).to_have_text("0 von 500")
    assert faults(cleo.page, ".phone-top") == []


def test_a_phone_speaks_to_its_player_and_not_to_the_referee(phone, served):
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        served.do("sit", name=name)
    ben = phone(2)
    told = ben.page.locator(".phone-wait")
    news = ben.page.locator(".own-news")
    expect(news).to_contain_text("You’re in, Ben!")
    in_step(ben)
    ben.page.locator(".own-button").tap()
    expect(news).to_contain_text("Ready, Ben!")
    expect(ben.page.locator(".banner")).to_have_count(0)
    served.do("start_match")
    served.do("choose_dealer", seat=2)
    expect(told).to_have_text("You shuffle and deal 7 cards to everyone.")
    served.do("deal")
    served.do("declare_race", layer=1)
    for seat in (3, 2):
        served.do("press_seat", seat=seat)
    eventually(lambda: served.table["race"]["state"] == "undecided")
    expect(ben.page.locator(".own-button")).to_have_attribute("data-meaning", "tie")
    expect(news).to_contain_text(re.compile(r"too close to call \(± \d+ ms"))
    expect(news).to_contain_text("The referee decides")
    served.do("cancel_race")
    served.do("go_out", seat=3)
    expect(ben.page.locator(".held .hint")).to_have_text("Tap every card you still have.")
    served.do("enter_points", seat=1, points=300)
    served.do("enter_hand", seat=2, cards={"red-1": 1})
    served.do("score_round")
    expect(ben.page.locator(".phone-place")).to_have_text("Place 2 of 3, 0 points")
    expect(ben.page.locator(".hint")).to_have_text("Round 1 got you 0 points.")
    expect(ben.page.locator(".phone-needs")).to_have_text("500 points to go")
    served.do("deal")
    served.do("go_out", seat=2)
    expect(told).to_have_text("You went out!")
    expect(ben.page.locator(".hint")).to_have_text("Still counting: Ana, Cam")
    for seat in (1, 3):
        served.do("enter_points", seat=seat, points=300)
    served.do("score_round")
    expect(told).to_have_text("You won!")
    expect(ben.page.locator(".phone-place")).to_have_text("Place 1 of 3, 600 points")


def test_a_player_chooses_another_mark_and_every_screen_shows_it(phone, screen, night):
    ben, board = phone(2), screen("/board")
    ben.page.get_by_role("button", name="Choose a mark").tap()
    ben.page.locator("[data-mark='3']").tap()
    expect(ben.page.locator("dialog")).to_have_count(0)
    expect(ben.page.locator(".phone-top .mark.tint-2")).to_be_visible()
    expect(board.page.locator(".place-row[data-seat='2'] > .mark.tint-2")).to_be_visible()
    expect(board.page.locator(".place-row[data-seat='3'] > .mark.tint-1")).to_be_visible()


def test_tablet_and_board_say_which_seats_press_with_a_phone(phone, tablet, screen, served):
    served.pair()
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    referee, board = tablet(), screen("/board")
    expect(referee.seat("Ben")).to_contain_text("No button")
    phone(2)
    expect(referee.seat("Ben")).to_contain_text("Phone")
    expect(referee.page.locator(".person[data-seat='2']")).to_contain_text("Phone")
    expect(board.page.locator(".chair[data-seat='2']")).to_contain_text("Phone")
    expect(board.page.locator(".chair[data-seat='1']")).to_contain_text("No button")
    referee.seat("Ben").locator(".seat-face, .seat-menu").click()
    referee.tap("Pair another phone with this seat")
    expect(referee.page.locator("dialog .paired")).to_contain_text("Ben has a phone paired already")


def test_an_address_without_a_page_leads_back_to_the_table(screen, served):
    lost = screen("/board", width=390, height=844, country="de-DE")
    lost.forgive("404")
    lost.page.goto(served.address + "/seat/99")
    expect(lost.page.locator("h1")).to_have_text("Hier ist nichts")
    lost.page.get_by_role("link", name="Zum Tisch").tap()
    lost.live()


def test_a_wrong_code_says_so_on_the_phone(screen, night):
    phone = screen("/seat/2", width=390, height=844)
    phone.forgive("403")
    phone.page.goto(phone.page.url + "?code=AAAA-AAAA")
    expect(phone.page.locator(".banner.notice")).to_contain_text("has been used")
    expect(phone.page).not_to_have_url(re.compile("code"))
    expect(phone.page.locator(".own-button")).to_be_disabled()


def test_a_phone_follows_its_player_to_another_seat_and_watches_once_they_left(phone, served):
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        served.do("sit", name=name)
    ben = phone(2)
    served.do("swap", seat=2, other=3)
    expect(ben.page.locator(".phone")).to_have_attribute("data-seat", "3")
    expect(ben.page.locator("h1")).to_have_text("Ben")
    served.do("stand", seat=3)
    expect(ben.page.locator(".phone")).to_have_attribute("data-role", "watcher")


def test_the_tablet_shows_the_code_of_a_seat_in_its_menu(tablet, served, screen):
    referee = tablet()
    referee.seat_down("Ana", "Ben")
    referee.start("Ana")
    referee.seat("Ben").locator(".seat-face, .seat-menu").click()
    referee.tap("Pair a phone with this seat")
    expect(referee.page.locator(".seat-link")).to_contain_text("/seat/2?code=")
    link = referee.page.locator(".seat-link").inner_text()
    phone = screen(link.removeprefix(served.address), width=390, height=844)
    expect(phone.page.locator(".phone")).to_have_attribute("data-role", "player")
    phone.page.locator(".own-button").tap()
    expect(referee.seat("Ben").locator(".uno")).to_be_visible()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_the_phone_can_be_used_by_everybody(phone, night, lay):
    ben = phone(2)
    expect(ben.page.locator(".own-button")).to_be_enabled()
    check(ben, PHONE)
    lay(1)
    expect(ben.page.locator("[data-meaning=slap]")).to_be_visible()
    check(ben, PHONE)
    night.do("cancel_race")
    night.do("go_out", seat=1)
    ben.page.locator("[data-card='wild']").tap()
    check(ben, PHONE)
    ben.page.get_by_role("button", name="That’s all").tap()
    expect(ben.page.locator(".phone-wait")).to_contain_text("50")
    check(ben, PHONE)


def test_whoever_laid_the_race_is_told_to_keep_hands_off(phone, night, lay):
    ben = phone(2)
    button = ben.page.locator(".own-button")
    expect(button).to_contain_text("If you laid it: hands off.")
    lay(2)
    expect(button).to_have_attribute("data-meaning", "layer")
    expect(button).to_contain_text("Hands off!")


def test_a_phone_asks_for_the_second_press_of_a_catch(phone, served):
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        served.do("sit", name=name)
    for kind, fields in (
        ("set_up", {"way": "refereed"}),
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("turn_up", {"card": "red-5"}),
        ("correct", {"hands": {"2": 2}}),
    ):
        assert served.do(kind, **fields).status == 200, kind
    cam = phone(3)
    in_step(cam)
    served.do("play", card="red-7")
    button = cam.page.locator(".own-button")
    expect(button).to_contain_text("Press twice if UNO wasn’t called.")
    cam.page.wait_for_timeout(500)
    button.tap()
    expect(button).to_have_attribute("data-meaning", "twice")
    expect(button).to_contain_text("Press again to catch")
    cam.page.wait_for_timeout(300)  # sooner it would be the same touch
    button.tap()
    expect(button).not_to_have_attribute("data-meaning", "twice")
    (ruling,) = eventually(lambda: [one for one in served.table["rulings"] if one["rule"] == "R13"])
    assert ruling["outcome"] == "caught"


def test_a_slap_that_its_line_held_back_never_makes_its_hand_the_last(phone, night, lay, push):
    cam = phone(3)
    in_step(cam)
    lay(1)
    expect(cam.page.locator("[data-meaning=slap]")).to_be_visible()
    cam.page.context.set_offline(True)
    made = time.monotonic_ns()
    cam.page.locator(".own-button").dispatch_event("pointerdown")
    time.sleep(0.3)
    push(2)
    cam.forgive("ERR_INTERNET_DISCONNECTED", "WebSocket")
    time.sleep(0.7)
    cam.page.context.set_offline(False)

    def slapped() -> Any:
        finish = (night.table["race"] or {}).get("finish") or {"places": []}
        return [one["press"] for one in finish["places"] if one["seat"] == 3 and one["press"]]

    (press,) = eventually(slapped)
    assert press["at"] - press["uncertainty"] <= made
    assert night.table["race"]["state"] == "undecided"


@pytest.mark.parametrize(
    ("country", "place"),
    [
        pytest.param("pt-BR", "Posição 2 de 3, 0 pontos", id="many in Portuguese"),
        pytest.param("fr-FR", "Rang 2 sur 3, 0 point", id="one in French"),
    ],
)
def test_nothing_is_counted_as_people_say_it(screen, served, country, place):
    served.pair()
    for name in ("Ana", "Ben", "Cam"):
        assert served.do("sit", name=name).status == 200
    for kind, fields in (
        ("start_match", {}),
        ("choose_dealer", {"seat": 1}),
        ("deal", {}),
        ("go_out", {"seat": 3}),
        ("enter_points", {"seat": 1, "points": 20}),
        ("enter_points", {"seat": 2, "points": 20}),
        ("score_round", {}),
    ):
        assert served.do(kind, **fields).status == 200
    phone = screen("/seat/2", country=country, width=390, height=844)
    expect(phone.page.locator(".phone-place")).to_have_text(place)
