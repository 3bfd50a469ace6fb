"""Screens around the table: boards, phones and pages to read, each in a browser of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser

from tests.page.fingers import Fingers
from tests.web.served import Served


@pytest.fixture
def screen(browser: Browser, served: Served) -> Iterator[Callable[..., Fingers]]:
    """Opens any address of the table; at the end no page has complained or asked anybody else."""
    opened: list[Fingers] = []

    def open_screen(
        path: str, *, theme: str = "light", width: int = 1280, height: int = 800
    ) -> Fingers:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            has_touch=width < 500,
        )
        context.set_default_timeout(20_000)
        fingers = Fingers(context.new_page(), served)
        opened.append(fingers)
        fingers.page.goto(served.address + path)
        return fingers

    yield open_screen
    for fingers in opened:
        fingers.page.context.close()
        hosts = {urlsplit(address).netloc for address in fingers.requests}
        assert hosts <= {urlsplit(served.address).netloc}
        assert fingers.complaints == []


@pytest.fixture
def night(served: Served) -> Served:
    """Three at the table with buttons 1 to 3, in the first round of free play."""
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cam"), 1):
        assert served.do("sit", name=name, button=number).status == 200
    for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})):
        assert served.do(kind, **fields).status == 200
    return served


@pytest.fixture
def push(served: Served) -> Callable[..., None]:
    """Presses a simulated button of the table, for so many seconds."""

    def push_button(button: int, seconds: float = 0.03) -> None:
        assert served.post("/api/simulate", {"button": button, "down": True}).status == 200
        time.sleep(seconds)
        assert served.post("/api/simulate", {"button": button, "down": False}).status == 200

    return push_button


@pytest.fixture
def phone(screen: Callable[..., Fingers], served: Served) -> Callable[..., Fingers]:
    """Opens a phone by the code of a seat, as its camera would."""

    def open_phone(seat: int, **how: str) -> Fingers:
        code = served.get(f"/api/seats/{seat}").json["code"]
        fingers = screen(f"/seat/{seat}?code={code}", width=390, height=844, **how)
        fingers.page.locator(f".phone[data-link=live][data-seat='{seat}']").wait_for()
        return fingers

    return open_phone
