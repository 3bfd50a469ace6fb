"""Takes the pictures of README and guides, and films a race, off the page: `make pictures`."""

from __future__ import annotations

import base64
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.kit.evening import NAMES
from tests.kit.served import Served
from tests.page import film, hall_pictures
from tests.page.fingers import FLAGS
from tests.page.moments import Line, free_play, refereed
from tests.page.screenshots import many_nights, standing

TABLET, TELEVISION, PHONE, SMALL = (1280, 800), (1280, 720), (390, 844), (960, 600)
LOOKS: dict[str, tuple[str, str, tuple[int, int]]] = {
    "seating": ("seating", "/", TABLET),
    "scoreboard": ("resting", "/", TABLET),
    "photo-finish": ("verdict", "/", TABLET),
    "won": ("won", "/", TABLET),
    "board": ("between", "/board", TELEVISION),
}
"""Each picture with its moment, its page and its screen."""
FIRST = """
[server]
address = "http://companion.local:8080"
[hardware]
seats = 4
"""
PHONES = ("seating", "verdict", "resting", "between")
ROW = """<body style="margin:0;display:flex;gap:24px;padding:24px;background:#0b1411">{}</body>"""
ONE = """<img style="height:760px;border-radius:28px" src="data:image/png;base64,{}">"""


class Studio:
    """A browser at a table whose moments are told to it."""

    def __init__(self, browser: Browser, served: Served, folder: Path) -> None:
        self.browser = browser
        self.served = served
        self.folder = folder

    def page(self, size: tuple[int, int]) -> Page:
        """A page of this size, that wants no motion."""
        width, height = size
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, locale="en", reduced_motion="reduce"
        )
        return context.new_page()

    def told(self, name: str, path: str, size: tuple[int, int], shown: dict[str, Any]) -> None:
        """Keep what a page shows of this moment."""
        page = self.page(size)
        line = Line(page, "referee")
        address = self.served.link if path == "/" else self.served.address + path
        page.goto(address, wait_until="commit")
        line.show(shown)
        page.wait_for_timeout(500)
        page.screenshot(path=self.folder / f"{name}.png")
        page.context.close()

    def phones(self, moments: dict[str, Any]) -> None:
        """Keep what a player's phone shows at several moments, side by side."""
        taken = []
        for moment in PHONES:
            page = self.page(PHONE)
            line = Line(page, "player", 2)
            page.goto(f"{self.served.address}/seat/2", wait_until="commit")
            line.show(moments[moment])
            page.wait_for_timeout(300)
            taken.append(ONE.format(base64.b64encode(page.screenshot()).decode()))
            page.context.close()
        row = self.page((1526, 810))
        row.set_content(ROW.format("".join(taken)))
        row.wait_for_timeout(300)
        row.locator("body").screenshot(path=self.folder / "phones.png")
        row.context.close()

    def past(self) -> None:
        """Keep the figures of many nights, a second look at a race, and what is sent to friends."""
        page = self.page(TABLET)
        page.goto(f"{self.served.address}/history?view=figures")
        page.locator("[data-picture=slaps]").scroll_into_view_if_needed()
        page.wait_for_timeout(500)
        page.screenshot(path=self.folder / "figures.png")
        told = self.served.get("/api/matches/1/story").json["rounds"]
        races = [one["number"] for round_ in told for one in round_["rulings"] if one["race"]]
        page.goto(f"{self.served.address}/history?match=1&race={races[0]}")
        page.locator(".look-lane").first.wait_for()
        page.wait_for_timeout(500)
        page.screenshot(path=self.folder / "second-look.png")
        page.goto(f"{self.served.address}/history?match=1")
        page.get_by_role("button", name="Share a picture").click()
        page.get_by_role("radio", name="Best photo finish").click()
        page.locator(".share-paper img[alt*=' ms']").wait_for()
        page.wait_for_timeout(500)
        page.screenshot(path=self.folder / "share.png")
        page.context.close()


def first_evening(browser: Browser, folder: Path) -> None:
    """Keep what the screens show between a new card and the first press, small."""
    with tempfile.TemporaryDirectory() as data:
        served = Served(Path(data), FIRST)
        try:
            served.pair()
            studio = Studio(browser, served, folder)
            here = f"http://127.0.0.1:{served.port}"
            board, tablet = studio.page(SMALL), studio.page(SMALL)
            board.goto(f"{here}/board")
            tablet.goto(f"{here}/?code={served.code}")
            assert served.post("/api/pairing", {}).status == 200
            board.locator(".referee-code img").wait_for()
            keep(board, folder / "first-referee.jpg")
            tablet.goto(f"{here}/hardware")
            tablet.locator('.bench-page[data-link="live"]').wait_for()
            tablet.get_by_role("button", name="Start the button test").click()
            tablet.locator(".walk.checking").wait_for()
            for button in (1, 2):
                served.push(button)
            keep(tablet, folder / "first-buttons.jpg")
        finally:
            served.stop()


def keep(page: Page, file: Path) -> None:
    """Keep a page in a small file, once it has come to rest."""
    page.wait_for_timeout(1000)
    page.screenshot(path=file, type="jpeg", quality=85)


def four(moments: Iterator[tuple[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    """Moments by their names."""
    return dict(moments)


def main(folder: Path) -> None:
    """Take all pictures into this folder."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        sys.exit("There is no Chromium here; on Debian: sudo apt install chromium")
    free, turns = four(free_play(4, names=NAMES)), four(refereed(4, names=NAMES))
    with sync_playwright() as playwright, standing(many_nights) as served:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        studio = Studio(browser, served, folder)
        for name, (moment, path, size) in LOOKS.items():
            studio.told(name, path, size, free[moment])
        studio.told("refereed", "/", TABLET, turns["challenge"])
        studio.phones(free)
        studio.past()
        first_evening(browser, folder)
        hall_pictures.take(browser, folder)
        browser.close()
    film.main(folder / "race.webp")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
