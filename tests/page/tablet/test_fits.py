"""The tablet's own screens and dialogs: no text is cut off, broken in mid-word or overlapping.

Here every screen meets some size, every number of players some language; `make soak` takes all.
Where the tablet is a tablet nothing has to be scrolled, with ten players either.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.kit.served import Served
from tests.page.fingers import PARTS
from tests.page.layout import LASTING, dressed, faults
from tests.page.moments import FIGURES, Line, free_play, pair, refereed

SIZES = ((360, 640), (390, 844), (800, 1280), (1280, 800), (1920, 1080))
PLAYERS = (2, 4, 7, 10)
LANGUAGES = ("de-DE", "fr-FR", "pt-BR", "es-ES")
UPRIGHT = 760
"""Pixels of width up to which the page is a phone's, and may be scrolled."""

SCREENS = {
    "seating": ".seating",
    "deal": ".deal",
    "between": ".resting",
    "first_card": ".refereed",
    "hands": ".hands",
    "won": ".resting.won",
}
MOMENTS = {
    "caught": ".moment-screen.caught",
    "called": ".moment-screen.uno",
    "counting": ".moment-screen.out",
    "won": ".moment-screen.won",
}
DIALOGS: dict[str, tuple[tuple[str, dict[str, int | str]], ...]] = {
    "seating": (
        ("house", {}),
        ("menu", {}),
        ("settings", {}),
        ("hall", {}),
        ("pair", {}),
        ("seat", {"seat": 1}),
        ("mark", {"seat": 2}),
        ("handicap", {"seat": 1}),
        ("phone", {"seat": 1}),
        ("devices", {}),
    ),
    "between": (("people", {}), ("dealer", {}), ("sheet", {}), ("edit", {"round": 1})),
    "resting": (("race", {}), ("catch", {}), ("out", {}), ("rulings", {}), ("menu", {})),
    "verdict": (("photo", {}), ("layer", {}), ("rule", {"rule": "R12"})),
    "caught": (("rulings", {}), ("seat", {"seat": 2})),
    "one card": (("play", {}), ("correct", {}), ("out", {"seat": 1})),
}
OPEN = "async ([name, about]) => (await parts()).store.open(name, about)"
CLOSE = "async () => (await parts()).store.close()"
END = "() => document.querySelector('.moment-screen').click()"

Moments = Iterator[tuple[str, dict[str, Any]]]


def in_every_way(players: int) -> Iterator[Moments]:
    """A whole match in each way to play, each at a table of its own."""
    yield free_play(players)
    yield free_play(players, scoring="alternative", edition="express")
    yield refereed(players)


def screen_of(shown: dict[str, Any]) -> str:
    """Which screen the tablet shows, whatever moment lies above it."""
    table = shown["table"]
    race, phase = table["race"], table["phase"]
    fresh = race and race["state"] == "ruled" and any(seat["last"] for seat in table["seats"])
    if race and phase == "play" and (fresh or race["state"] not in ("ruled", "cancelled")):
        return f".drama .race.{race['state']}"
    if phase == "play":
        return ".resting" if table["round"]["way"] == "free" else ".refereed"
    return SCREENS[phase]


class Look:
    """A tablet that is led from moment to moment, and what is wrong on it."""

    def __init__(self, page: Page, line: Line) -> None:
        self.page, self.line = page, line
        self.wrong: list[str] = []

    def at(self, moment: str, root: str, sizes: Any, scrolls: bool = False) -> None:
        """Look at what is on the screen, in these sizes."""
        for width, height in sizes:
            self.page.set_viewport_size({"width": width, "height": height})
            within = "page" if scrolls or width <= UPRIGHT else "screen"
            self.wrong += [
                f"{moment} at {width}x{height}: {fault}"
                for fault in faults(self.page, root, within)
            ]

    def moment(self, name: str, shown: dict[str, Any], sizes: Any, dialogs: Any) -> None:
        """Show a moment: what takes the whole screen first, then the screen below, then dialogs."""
        self.line.show(shown)
        if drama := MOMENTS.get(name):
            self.page.locator(drama).wait_for()
            self.at(f"{name} (moment)", drama, sizes)
            self.page.evaluate(END)
            self.page.locator(drama).wait_for(state="detached")
        screen = screen_of(shown)
        self.page.locator(screen).wait_for()
        self.at(name, screen if ".drama" in screen else ".page", sizes)
        pad = self.page.locator(".typed input")
        if name == "counting" and pad.count():
            pad.click()
            self.page.locator(".number-pad").wait_for()
            self.at(f"{name}, number pad", ".page", sizes)
        for dialog, about in dialogs:
            if dialog == "play":
                about = {"turn": shown["table"]["round"]["turns"][0]["number"]}
            self.page.evaluate(OPEN, [dialog, about])
            self.page.locator("dialog[open] h2").first.wait_for()
            self.page.wait_for_load_state("networkidle")
            self.at(f"{name}, {dialog}", "dialog[open]", sizes, scrolls=True)
            self.page.evaluate(CLOSE)


@pytest.fixture
def look(browser: Browser, quiet: Served) -> Iterator[Callable[[str], Look]]:
    """The referee's tablet, on a line on which only the test speaks."""
    opened = []

    def open_tablet(country: str) -> Look:
        context = browser.new_context(locale=country, reduced_motion="reduce")
        opened.append(context)
        context.add_init_script(PARTS)
        context.add_init_script(LASTING)
        pair(context, quiet)
        page = context.new_page()
        page.route("**/api/statistics?*", lambda route: route.fulfill(json=FIGURES))
        line = Line(page, "referee")
        page.goto(quiet.address, wait_until="commit")
        dressed(page)
        return Look(page, line)

    yield open_tablet
    for context in opened:
        context.close()


@pytest.mark.parametrize(("players", "country"), [*zip(PLAYERS, LANGUAGES, strict=True)])
def test_the_tablet_fits_its_words(look, players, country):
    start = at = PLAYERS.index(players)
    wrong = []
    for match in in_every_way(players):
        tablet = look(country)
        for moment, shown in match:
            at += 1
            sizes = (SIZES[at % 5], SIZES[(at + 2) % 5])
            tablet.moment(moment, shown, sizes, DIALOGS.get(moment, ())[start % 2 :: 2])
        wrong += tablet.wrong
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("country", ["en-GB", *LANGUAGES])
@pytest.mark.parametrize("players", range(2, 11))
def test_the_tablet_fits_everything_everywhere(look, players, country):
    wrong = []
    for match in in_every_way(players):
        tablet = look(country)
        for moment, shown in match:
            tablet.moment(moment, shown, SIZES, DIALOGS.get(moment, ()))
        wrong += tablet.wrong
    assert not wrong, "\n".join(wrong)
