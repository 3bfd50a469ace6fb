"""The score as a race: roads as long as the names leave them, and notes only where they matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from companion.referee import commands as c
from tests.kit.served import Served
from tests.page.layout import dressed
from tests.page.moments import LONGEST, Line, Told, pair, race

SHORT = ("Ana", "Ben", "Cleo", "Dan")
SHARE = """(row) => row.querySelector(".run").offsetWidth / row.offsetWidth"""
ENDS = """(all) => all.map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return Math.round(range.getBoundingClientRect().right);
})"""


@pytest.fixture
def shown(browser: Browser, quiet: Served) -> Iterator[Callable[..., Page]]:
    """A tablet of this size that is told this."""
    opened = []

    def show(told: dict[str, Any], size: tuple[int, int] = (1280, 800)) -> Page:
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", reduced_motion="reduce"
        )
        opened.append(context)
        pair(context, quiet)
        page = context.new_page()
        line = Line(page, "referee")
        page.goto(quiet.address, wait_until="commit")
        dressed(page)
        line.show(told)
        return page

    yield show
    for context in opened:
        context.close()


def resting(names: Sequence[str], **setup: Any) -> Told:
    """Two rounds are counted, and the third is dealt."""
    told = Told(4, names, **setup)
    told.evening.do(c.StartMatch())
    told.evening.do(c.ChooseDealer(1))
    for out in (2, 1):
        told.evening.do(c.Deal())
        told.score(out)
    told.evening.do(c.Deal())
    return told


@pytest.mark.parametrize(
    ("names", "size", "least"),
    [
        pytest.param(SHORT, (1280, 800), 0.5, id="short names on a tablet"),
        pytest.param(SHORT, (800, 1280), 0.42, id="short names on an upright tablet"),
        pytest.param(LONGEST, (1280, 800), 0.35, id="long names on a tablet"),
        pytest.param(LONGEST, (800, 1280), 0.3, id="long names on an upright tablet"),
    ],
)
def test_a_road_is_as_long_as_the_names_leave_it(shown, names, size, least):
    page = shown(resting(names).shown(), size)
    page.locator(".seat").nth(3).wait_for()
    for row in page.locator(".seat").all():
        assert row.evaluate(SHARE) > least


def test_where_the_lowest_wins_only_the_highest_is_told_how_near_the_limit_is(shown):
    page = shown(resting(SHORT, scoring="alternative").shown())
    page.locator(".seat").nth(3).wait_for()
    notes = page.locator(".seat-total small").all_inner_texts()
    assert [bool(note) for note in notes] == [False, False, False, True]
    assert "to the limit" in notes[-1]


def test_places_and_times_of_a_photo_finish_end_on_one_line(shown):
    told = resting(SHORT)
    verdict = next(view for moment, view in race(told) if moment == "verdict")
    page = shown(verdict)
    page.locator(".photo-lane").nth(2).wait_for()
    ends = page.locator(".photo-lane .lane-time").evaluate_all(ENDS)
    assert max(ends) - min(ends) <= 1
