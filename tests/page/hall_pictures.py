"""Takes the pictures of docs/hall.md from the real pages: desk, hall screen, sign-up."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

from tests.hall.played_evening import play_evening
from tests.hall.served_hall import ServedHall
from tests.kit.quick_start import Forked

DESK, SCREEN, PHONE = (1280, 800), (1280, 720), (390, 844)
TURN = 12_500
LONG = 300_000
"""Milliseconds in which some tables of a demonstration have surely finished."""


class DemoHall(ServedHall):
    """A hall whose tables play by themselves, so that the desk hears them."""

    def begin(self, said: list[str]) -> Any:
        place = ["--host", "127.0.0.1", "--port", str(self.port), "--seed", "7"]
        return Forked(["hall", "demo", *place, "--broker-port", str(self.broker_port)])


def take(browser: Browser, folder: Path) -> None:
    """Take them all, of an evening in its second round, and of one that is played meanwhile."""
    with tempfile.TemporaryDirectory() as scratch:
        play_evening(Path(scratch) / "hall", tables=12, playing=11)
        hall = ServedHall(Path(scratch))
        try:
            _correction(browser, hall, folder)
            _screen(browser, hall, folder)
            phone = _page(browser, PHONE)
            phone.goto(f"{hall.address}/join")
            _keep(phone, folder / "hall-join.png")
        finally:
            hall.stop()
        demo = DemoHall(Path(scratch))
        try:
            desk = _desk(browser, demo)
            desk.locator(".hall-tables .done").nth(2).wait_for(timeout=LONG)
            _keep(desk, folder / "hall-desk.png")
        finally:
            demo.stop()


def _desk(browser: Browser, hall: ServedHall) -> Page:
    desk = _page(browser, DESK)
    desk.goto(f"{hall.address}/desk?code={hall.code}")
    desk.get_by_role("button", name="Tables", exact=True).click()
    return desk


def _correction(browser: Browser, hall: ServedHall, folder: Path) -> None:
    desk = _desk(browser, hall)
    desk.locator(".hall-list li", has_text="Round 1").first.get_by_role("button").first.click()
    dialog = desk.get_by_role("dialog")
    for at, points in enumerate(("40", "310", "120", "90")):
        dialog.locator("input[type=number]").nth(at).fill(points)
    dialog.get_by_label("Why").fill("two columns of the sheet were swapped")
    dialog.get_by_role("button", name="See what changes").click()
    dialog.get_by_role("button", name="Save").last.scroll_into_view_if_needed()
    _keep(desk, folder / "hall-correction.png")


def _screen(browser: Browser, hall: ServedHall, folder: Path) -> None:
    screen = _page(browser, SCREEN)
    screen.clock.install()
    screen.goto(f"{hall.address}/hall")
    screen.locator(".hall-seats").wait_for()
    screen.screenshot(path=folder / "hall-screen.png")
    for _ in range(2):
        screen.clock.run_for(TURN)
    screen.locator(".hall-best").wait_for()
    _keep(screen, folder / "hall-best.png")


def _page(browser: Browser, size: tuple[int, int]) -> Page:
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, locale="en", reduced_motion="reduce"
    )
    return context.new_page()


def _keep(page: Page, file: Path) -> None:
    page.wait_for_timeout(500)
    page.screenshot(path=file)
    page.context.close()
