"""A page that was left open while the table was updated."""

from __future__ import annotations

from playwright.sync_api import Route, expect

from tests.page.fingers import Fingers


class Upgrade:
    """From here on the files of the page are gone, until somebody asks for the page itself."""

    def __init__(self, fingers: Fingers) -> None:
        self.over = False
        fingers.forgive("404")
        fingers.page.route("**/*", self._answer)

    def _answer(self, route: Route) -> None:
        request = route.request
        self.over = self.over or request.is_navigation_request()
        if self.over or "/built/" not in request.url:
            route.fallback()
        else:
            route.fulfill(status=404, body="")


def test_a_part_that_an_upgrade_has_taken_away_brings_the_new_page_which_says_so(referee):
    referee.seat_down("Ana", "Ben")
    upgrade = Upgrade(referee)
    referee.tap("Menu")
    referee.tap("Sound, voice and screen")
    notice = referee.page.locator(".banner.notice")
    expect(notice).to_contain_text("The table was updated, so this page reloaded itself.")
    assert upgrade.over
    referee.page.reload()
    referee.live()
    expect(notice).to_have_count(0)
