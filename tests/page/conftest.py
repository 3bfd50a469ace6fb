"""A real browser on a table that is really served."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.kit.network import network_stays
from tests.kit.served import Served
from tests.page.fingers import FLAGS, Fingers

PATIENCE = 60_000  # milliseconds; a busy machine is slow, and only a failing test waits so long

expect.set_options(timeout=PATIENCE)


@pytest.fixture(autouse=True)
def same_network() -> Iterator[None]:
    """No machine is plugged in or out while a page loads."""
    with network_stays():
        yield


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("There is no Chromium here; on Debian: sudo apt install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def quiet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A table at which nobody sits; for tests that only look and leave it as it is."""
    served = Served(tmp_path_factory.mktemp("quiet"))
    yield served
    served.stop()


@pytest.fixture
def config() -> str:
    """A race that waits for as long as a slow machine takes; a test may ask for something else."""
    return "[timing]\nrace_limit_ms = 300000\n"


@pytest.fixture
def served(tmp_path: Path, config: str) -> Iterator[Served]:
    served = Served(tmp_path, config)
    yield served
    served.stop()


@pytest.fixture
def screens(browser: Browser) -> Iterator[Callable[..., Fingers]]:
    """Opens screens of any table; at the end no page has complained or asked anybody else."""
    opened: list[Fingers] = []

    def open_screen(
        served: Served,
        *,
        theme: str = "night",
        width: int = 1280,
        height: int = 800,
        country: str = "en-GB",
        before: str = "",
    ) -> Fingers:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            has_touch=width < 500,
            locale=country,
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE)
        # A page that could not be reached has no store.
        context.add_init_script(f"try {{ localStorage.setItem('theme', '{theme}') }} catch {{}}")
        if before:
            context.add_init_script(before)
        fingers = Fingers(context.new_page(), served)
        opened.append(fingers)
        return fingers

    yield open_screen
    for fingers in opened:
        fingers.page.context.close()
        hosts = {urlsplit(address).netloc for address in fingers.requests}
        assert hosts <= {urlsplit(fingers.served.address).netloc}
        assert fingers.complaints == []


@pytest.fixture
def tablet(served: Served, screens: Callable[..., Fingers]) -> Callable[..., Fingers]:
    """Opens tablets: the referee's, or one that only watches."""

    def open_tablet(*, watching: bool = False, **how: Any) -> Fingers:
        fingers = screens(served, **how)
        fingers.open(served.address + "/" if watching else served.link)
        return fingers

    return open_tablet


@pytest.fixture
def referee(tablet: Callable[..., Fingers]) -> Fingers:
    return tablet()
