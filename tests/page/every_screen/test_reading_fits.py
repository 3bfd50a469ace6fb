"""The pages to read, and the one for the screwdriver: no text is cut off, broken or overlapping.

Here every page meets every size in some language; `make soak` takes them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from companion.referee import commands as c
from tests.kit.served import Served
from tests.page.evenings import Evenings
from tests.page.layout import dressed, faults
from tests.page.moments import LONGEST

pytestmark = pytest.mark.xdist_group("reading fits")

SIZES = ((360, 640), (390, 844), (800, 1280), (1280, 800), (1920, 1080))
LANGUAGES = ("de-DE", "fr-FR", "pt-BR", "es-ES")
FULL = c.SetUp("fast-and-furious", "classic")


@pytest.fixture(scope="module")
def nights(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Matches of ten with long names, of four and of two, in both editions and scorings."""
    folder = tmp_path_factory.mktemp("fits")
    evenings = Evenings(folder / "data", seed=3)
    for players in (10, 4, 2):
        evenings.sit(*LONGEST[:players])
        for rules in (FULL, c.SetUp("express", "alternative")):
            evenings.play(rules, rounds=5, races=2)
    evenings.close()
    served = Served(folder, "[hardware]\nseats = 10\n")
    served.pair()
    yield served
    served.stop()


def opened(summary: str) -> Callable[[Page], None]:
    """Open the first of these, as somebody does who wants to know more."""
    return lambda page: page.locator(summary).first.click()


def judged_otherwise(page: Page) -> None:
    """Ask what another rule would have made of it."""
    page.locator(".what-if-preset, .wish [role=radio]").last.click()
    page.locator(".what-if-sum").wait_for()


def asked(page: Page) -> None:
    """Ask whether a card may be played."""
    for card in ("red-5", "wild-draw"):
        page.locator(f"[data-card='{card}']").first.click()
    page.locator(".lookup-answer").wait_for()


def lens(which: int) -> Callable[[Page], None]:
    """Look at a race in another way: its last two hands, or how its contacts closed."""

    def choose(page: Page) -> None:
        page.locator(".look-tools [role=radio]").nth(which).click()

    return choose


Step = tuple[str, str, str, Callable[[Page], None] | None]


def pages(served: Served) -> list[Step]:
    """Every page to read: its name, address, what has to be there, and what is done on it."""
    story = served.get("/api/matches/1/story").json["rounds"][0]["rulings"]
    race = next(one["number"] for one in story if one["race"])
    look = f"/history?match=1&race={race}"
    return [
        ("matches", "/history", ".view-link", None),
        ("players", "/history?view=players", ".view-link", None),
        ("groups", "/history?view=groups", ".view-link", None),
        ("figures", "/history?view=figures", ".totals", None),
        ("what if", "/history?view=what_if", ".wish", judged_otherwise),
        ("match", "/history?match=1", ".round-box", opened(".round-box > summary")),
        ("match of two", "/history?match=5", ".round-box", opened(".round-box > summary")),
        ("second look", look, ".look-lane", None),
        ("last two hands", look, ".look-lane", lens(1)),
        ("contacts", look, ".look-lane", lens(2)),
        ("rules", "/rules", "#R14", asked),
        ("hardware", "/hardware", ".bench-button", None),
    ]


@pytest.fixture
def wrong(browser: Browser, nights: Served) -> Iterator[Callable[..., list[str]]]:
    """Goes through all pages in a language, and tells what is wrong in the sizes for each."""
    contexts = []

    def look(country: str, sizes: Callable[[int], Any]) -> list[str]:
        context = browser.new_context(locale=country, reduced_motion="reduce")
        contexts.append(context)
        name, _, value = str(nights.cookie).partition("=")
        context.add_cookies([{"name": name, "value": value, "url": nights.address}])
        page = context.new_page()
        found = []
        for at, (what, address, there, then) in enumerate(pages(nights)):
            page.goto(nights.address + address)
            dressed(page)
            page.locator(there).first.wait_for()
            if then:
                then(page)
            page.wait_for_load_state("networkidle")
            root = "dialog[open]" if "race=" in address else "body"
            for width, height in sizes(at):
                page.set_viewport_size({"width": width, "height": height})
                seen = faults(page, root, "page")
                found += [f"{what} at {width}x{height} in {country}: {fault}" for fault in seen]
        return found

    yield look
    for context in contexts:
        context.close()


@pytest.mark.parametrize("country", LANGUAGES)
def test_every_page_to_read_fits_some_sizes(wrong, country):
    start = LANGUAGES.index(country)
    found = wrong(country, lambda at: (SIZES[(at + start) % 5], SIZES[(at + start + 3) % 5]))
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("country", ["en-GB", *LANGUAGES])
def test_every_page_to_read_fits_every_size(wrong, country):
    found = wrong(country, lambda _at: SIZES)
    assert not found, "\n".join(found)
