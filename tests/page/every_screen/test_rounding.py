"""One race is told with the same digits wherever its numbers stand side by side."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from companion.referee import commands as c
from companion.referee.model.presses import MILLISECOND, SECOND
from tests.kit.served import Served
from tests.page.moments import Line, Told, pair

TIMES = re.compile(r"([\d.]+) ms")
DIGITS = re.compile(r"[\d]+(?:\.(\d+))? ms")
EXACTNESS = re.compile(r"± \d+ ms")
"""What a phone says of its own clock is no time of the race."""


def finished(*apart: float) -> tuple[Told, str]:
    """A race whose hands came down so many milliseconds apart, and how the table says it."""
    told = Told(len(apart) + 2)
    told.evening.start()
    told.evening.wait(2 * SECOND)
    told.evening.do(c.DeclareRace(1))
    for seat, gap in enumerate((*apart, 0), 2):
        told.evening.tap(seat)
        told.evening.wait(round(gap * MILLISECOND))
    told.evening.wait(12 * SECOND)
    return told, told.shown()["table"]["rulings"][0]["sentence"]["text"]


def opened(
    browser: Browser, table: Served, path: str, told: Told, role: str, seat: int | None
) -> Page:
    context = browser.new_context(locale="en-GB", reduced_motion="reduce")
    if role == "referee":
        pair(context, table)
    page = context.new_page()
    line = Line(page, role, seat)
    page.goto(table.address + path, wait_until="commit")
    line.show(told.shown())
    return page


@pytest.mark.parametrize(
    ("apart", "digits"),
    [
        pytest.param((72.43, 39.84), 1, id="the last two within a tenth of a second"),
        pytest.param((3.26, 116.42), 1, id="two within ten milliseconds, the last far behind"),
        pytest.param((72.43, 116.42), 0, id="a clear race"),
        pytest.param((40.71, 39.84, 99.97), 1, id="a margin that rounds to a hundred"),
        pytest.param((172.43, 8.26), 1, id="the last two under the lens"),
    ],
)
def test_a_race_is_told_alike_in_its_sentence_and_in_all_lanes(browser, quiet, apart, digits):
    told, sentence = finished(*apart)
    seen = [sentence]
    last, third = 2 + len(apart), 3
    for path, role, seat, where in (
        ("/", "referee", None, ".verdict .race-sub, .photo-lane .lane-time, .lens strong"),
        ("/board", "watcher", None, ".verdict-why, .photo-lane .lane-time, .lens strong"),
        (f"/seat/{last}", "player", last, ".phone"),
        (f"/seat/{third}", "player", third, ".phone"),
    ):
        page = opened(browser, quiet, path, told, role, seat)
        page.locator(where).first.wait_for()
        texts = page.locator(where).all_inner_texts()
        assert TIMES.search(" ".join(texts)), (path, texts)
        seen += texts
        page.context.close()
    said = [
        len(found[1] or "") for text in seen for found in DIGITS.finditer(EXACTNESS.sub("", text))
    ]
    assert set(said) == {digits}, seen
    margin = TIMES.search(sentence)
    assert margin
    assert all(f"last by {margin[1]} ms" in text for text in seen if "last by" in text)


@pytest.mark.parametrize(
    ("apart", "lenses"),
    [
        pytest.param((172.43, 8.26), 1, id="the last two are close"),
        pytest.param((3.26, 116.42), 0, id="the first two are close"),
        pytest.param((172.43, 71.26), 0, id="everybody can be told apart"),
    ],
)
def test_a_lens_lies_over_the_last_two_where_they_are_close(browser, quiet, apart, lenses):
    told, _ = finished(*apart)
    page = opened(browser, quiet, "/board", told, "watcher", None)
    expect(page.locator(".photo-lane")).to_have_count(3)
    expect(page.locator(".lens")).to_have_count(lenses)
    page.context.close()
