"""The screen stays awake, on encrypted pages and on a table at home alike."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served
from tests.page.fingers import NAME_AT_HOME, Fingers

LOCKED = """
    window.locks = [];
    Object.defineProperty(navigator, "wakeLock", { value: { async request(kind) {
        const lock = Object.assign(new EventTarget(), { kind, released: false });
        window.locks.push(lock);
        return lock;
    } } });
"""
OUT_OF_SIGHT = """() => {
    const lock = window.locks.at(-1);
    lock.released = true;
    lock.dispatchEvent(new Event("release"));
}"""
IN_SIGHT = "() => document.dispatchEvent(new Event('visibilitychange'))"
PLAYING = """() => {
    const film = document.querySelector("video.awake");
    return film && !film.paused && film.videoWidth > 0 && film.currentTime > 0.2;
}"""


def settings(fingers: Fingers) -> None:
    fingers.tap("Menu")
    fingers.tap("Sound, voice and screen")


def test_the_browsers_own_lock_is_asked_for_and_asked_for_again(quiet, screens):
    tablet: Fingers = screens(quiet, before=LOCKED)
    tablet.open(quiet.link)
    settings(tablet)
    told = tablet.page.locator(".awake-line")
    expect(told).to_have_attribute("data-awake", "lock")
    expect(told).to_contain_text("stays on")
    tablet.page.evaluate(OUT_OF_SIGHT)
    expect(told).to_have_attribute("data-awake", "no")
    tablet.page.evaluate(IN_SIGHT)
    expect(told).to_have_attribute("data-awake", "lock")
    assert tablet.page.evaluate("() => window.locks.map((lock) => lock.kind)") == ["screen"] * 2
    assert tablet.page.locator("video").count() == 0


class TestAtHome:
    """Over plain HTTP, by a name of the home network, there is no lock to ask for."""

    @pytest.fixture
    def config(self) -> str:
        return f'[server]\nnames = ["{NAME_AT_HOME}"]\n'

    @pytest.mark.parametrize("path", ["/", "/board"])
    def test_a_silent_film_behind_the_page_keeps_the_screen_awake(
        self, served: Served, screens: Callable[..., Fingers], path: str
    ) -> None:
        served.address = f"http://{NAME_AT_HOME}:{served.port}"
        screen = screens(served)
        screen.open(served.link if path == "/" else served.address + path)
        assert (
            screen.page.evaluate("() => [isSecureContext, 'wakeLock' in navigator]") == [False] * 2
        )
        screen.page.wait_for_function(PLAYING)
        film = screen.page.locator("video.awake")
        assert film.bounding_box() == {"x": 0, "y": 0, "width": 1280, "height": 800}
        assert film.evaluate("(film) => film.muted && getComputedStyle(film).zIndex") == "-1"
        if path == "/":
            settings(screen)
        else:
            screen.page.mouse.click(640, 90)
        expect(screen.page.locator(".awake-line")).to_contain_text("thanks to a silent video")
        film.evaluate("(film) => film.pause()")
        expect(screen.page.locator(".awake-line")).to_have_attribute("data-awake", "no")
        screen.page.evaluate(IN_SIGHT)
        expect(screen.page.locator(".awake-line")).to_have_attribute("data-awake", "video")
