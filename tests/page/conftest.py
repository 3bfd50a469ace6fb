"""A real browser on a table that is really served."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.page.fingers import FLAGS, Fingers
from tests.web.served import Served


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("There is no Chromium here; on Debian: sudo apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def config() -> str:
    """A test may ask for another configuration of the table."""
    return ""


@pytest.fixture
def served(tmp_path: Path, config: str) -> Iterator[Served]:
    served = Served(tmp_path, config)
    yield served
    served.stop()


@pytest.fixture
def tablet(browser: Browser, served: Served) -> Iterator[Callable[..., Fingers]]:
    """Opens tablets; at the end no page has complained or asked anybody but the table."""
    opened: list[Fingers] = []

    def open_tablet(
        *, watching: bool = False, theme: str = "light", width: int = 1280, height: int = 800
    ) -> Fingers:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
        )
        context.set_default_timeout(8000)
        fingers = Fingers(context.new_page(), served)
        opened.append(fingers)
        fingers.open(served.address + "/" if watching else served.link)
        return fingers

    yield open_tablet
    for fingers in opened:
        fingers.page.context.close()
        hosts = {urlsplit(address).netloc for address in fingers.requests}
        assert hosts <= {urlsplit(served.address).netloc}
        assert fingers.complaints == []


@pytest.fixture
def referee(tablet: Callable[..., Fingers]) -> Fingers:
    return tablet()
