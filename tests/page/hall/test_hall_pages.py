"""The hall's pages: the desk by its link, the list, the screen and the prints."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.hall.served_hall import ServedHall
from tests.home.broker import PROGRAM
from tests.page.fingers import Fingers
from tests.page.test_accessibility import AXE, PHONE, TABLET, TELEVISION, check

PEOPLE = ["Ana", "Ben, Chess club", "Cleo", "Wilhelmine Hohenstein", "Emil", "Finn", "Gus", "Hana"]

pytestmark = [
    pytest.mark.skipif(PROGRAM is None, reason="there is no mosquitto here"),
    pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that"),
    pytest.mark.xdist_group("hall pages"),
]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedHall]:
    hall = ServedHall(tmp_path_factory.mktemp("hall"))
    hall.pair()
    hall.command("sign_up", people=PEOPLE)
    yield hall
    hall.stop()


def test_the_link_of_the_terminal_opens_the_desk(hall, screens: Callable[..., Fingers]) -> None:
    desk = screens(hall)
    desk.page.goto(f"{hall.address}/desk?code={hall.code}")
    expect(desk.page.get_by_role("button", name="Draw", exact=True)).to_be_visible()
    assert "code" not in desk.page.url
    for tab in ("People", "Draw", "Tables", "Standing", "The evening"):
        desk.page.get_by_role("button", name=tab, exact=True).click()
        check(desk, TABLET, PHONE)


def test_a_wrong_link_asks_for_the_code(hall, screens: Callable[..., Fingers]) -> None:
    desk = screens(hall)
    desk.forgive("403")
    desk.page.goto(f"{hall.address}/desk?code=AAAA-AAAA")
    expect(desk.page.get_by_text("That is not the code of this hall.")).to_be_visible()
    check(desk, TABLET, PHONE)


@pytest.mark.parametrize(
    ("path", "sizes"),
    [
        ("/join", (PHONE, TABLET)),
        ("/hall", (TELEVISION, TABLET)),
        ("/print/seats", (TABLET, PHONE)),
        ("/print/standing", (TABLET, PHONE)),
    ],
)
def test_everybody_can_read_a_page_of_the_hall(hall, screens, path, sizes) -> None:
    screen = screens(hall)
    screen.page.goto(hall.address + path)
    expect(screen.page.locator("h1").first).to_be_visible()
    check(screen, *sizes)
