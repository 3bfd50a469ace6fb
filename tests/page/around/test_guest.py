"""A guest who opens the page sees the show, and finds the way to a seat."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, check


@pytest.fixture
def guest(screen):
    fingers = screen("/", width=390, height=844)
    fingers.forgive("403")  # a code on its way to the show ends with the deal
    return fingers


def test_a_guest_joins_by_tapping_the_own_name_and_the_phone_is_the_button(guest, served):
    served.pair()
    for name in ("Ana", "Ben"):
        served.do("sit", name=name)
    expect(guest.page.locator(".chair")).to_have_count(2)
    guest.tap("Join")
    guest.page.locator(".guest-seat", has_text="Ben").tap()
    expect(guest.page.locator(".phone")).to_have_attribute("data-role", "player")
    expect(guest.page.locator("h1")).to_have_text("Ben")
    guest.page.goto(served.address + "/")
    expect(guest.page.locator(".phone[data-seat='2']")).to_be_visible()


def test_a_guest_without_a_seat_takes_a_free_one_by_name(guest, served):
    guest.tap("Join")
    guest.page.get_by_label("Your name").fill("Zoe")
    guest.tap("Sit down")
    expect(guest.page.locator(".phone[data-seat='1']")).to_have_attribute("data-role", "player")
    expect(guest.page.locator("h1")).to_have_text("Zoe")
    expect(guest.page.locator(".own-news")).not_to_have_class(re.compile("safe"))
    guest.page.locator(".own-button").tap()
    expect(guest.page.locator(".own-news.safe")).to_contain_text("Ready, Zoe!")


def test_once_cards_are_dealt_a_guest_watches(guest, night):
    expect(guest.page.locator(".place-row")).to_have_count(3)
    guest.tap("Join")
    expect(guest.page.locator("dialog")).to_contain_text("The cards are dealt already.")
    expect(guest.page.locator(".guest-seat").first).to_be_disabled()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_the_guests_page_can_be_read_by_everybody(guest, night):
    expect(guest.page.locator(".place-row")).to_have_count(3)
    check(guest, PHONE, TABLET)
    guest.tap("Join")
    check(guest, PHONE, TABLET)
