"""Screens around the table: boards, phones and pages to read, each in a browser of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers


@pytest.fixture
def screen(served: Served, screens: Callable[..., Fingers]) -> Callable[..., Fingers]:
    """Opens any address of the table."""

    def open_screen(path: str, **how: Any) -> Fingers:
        fingers = screens(served, **how)
        fingers.page.goto(served.address + path)
        return fingers

    return open_screen


@pytest.fixture
def read(quiet: Served, screens: Callable[..., Fingers]) -> Callable[[str], Page]:
    """Opens an address of a table at which nobody sits."""

    def open_page(path: str) -> Page:
        fingers = screens(quiet)
        fingers.page.goto(quiet.address + path)
        return fingers.page

    return open_page


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
def push(served: Served) -> Callable[[int], None]:
    """Presses a simulated button of the table."""

    return served.push


@pytest.fixture
def lay(served: Served) -> Callable[[int], None]:
    """Says who laid a Street Race, and waits until it is on."""

    def lay_race(seat: int) -> None:
        assert served.do("declare_race", layer=seat).status == 200
        eventually(lambda: (served.table["race"] or {}).get("state") == "running")

    return lay_race


@pytest.fixture
def phone(screen: Callable[..., Fingers], served: Served) -> Callable[..., Fingers]:
    """Opens a phone by the code of a seat, as its camera would."""

    def open_phone(seat: int, **how: str) -> Fingers:
        code = served.get(f"/api/seats/{seat}").json["code"]
        fingers = screen(f"/seat/{seat}?code={code}", width=390, height=844, **how)
        fingers.page.locator(f".phone[data-link=live][data-seat='{seat}']").wait_for()
        return fingers

    return open_phone
