"""Fingers on the tablet: what a person does to the page, in a real browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.kit.served import Served

# A name as a home network would give it, which the browser takes for as little secure as any.
NAME_AT_HOME = "table.test"

FLAGS = [
    f"--host-resolver-rules=MAP {NAME_AT_HOME} 127.0.0.1",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


PARTS = """
window.parts = () => import(document.querySelector("script[type=module]").src);
"""
"""For scripts of tests: the very modules that the page runs on, as its bundle shows them."""


class Fingers:
    """One tablet, and the finger that taps on it."""

    def __init__(self, page: Page, served: Served) -> None:
        self.page = page
        self.served = served
        self.complaints: list[str] = []
        self._forgiven: tuple[str, ...] = ()
        self.requests: list[str] = []
        page.add_init_script(PARTS)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self._complain(str(error)))
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("websocket", lambda socket: self.requests.append(socket.url))

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self._complain(message.text)

    def _complain(self, text: str) -> None:
        if not any(word in text for word in self._forgiven):
            self.complaints.append(text)

    def forgive(self, *words: str) -> None:
        """Expect complaints with one of these words from here on, however late they come."""
        self._forgiven += words

    def open(self, address: str) -> None:
        self.page.goto(address)
        if "?code=" in address:  # a guest's page, until the code is taken and the tablet's comes
            expect(self.page.locator(".page")).to_be_visible()
        self.live()

    def live(self) -> None:
        expect(self.page.locator("[data-link]")).to_have_attribute("data-link", "live")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def settled(self) -> None:
        """Wait until every tap so far was answered, as whoever looks before tapping on."""
        expect(self.page.locator("[data-pending=true]")).to_have_count(0)
        self.page.evaluate("document.querySelector('.moment-screen')?.click()")

    def tap(self, name: str) -> None:
        self.settled()
        self.button(name).click()

    def tap_like(self, name: str) -> None:
        """Tap the one button whose name contains this."""
        self.settled()
        self.page.get_by_role("button", name=name).click()

    def card(self, name: str) -> None:
        self.settled()
        self.page.locator(f".card-grid [data-card='{name}']").click()

    def pick(self, name: str) -> None:
        """Pick a player in the dialog that is open."""
        self.settled()
        self.page.locator("dialog .who:visible", has_text=name).click()

    def colour(self, name: str) -> None:
        self.settled()
        self.page.locator(f"[data-colour='{name}']").click()

    def choose(self, name: str) -> None:
        """Choose something, and wait until the table has it."""
        self.settled()
        option = self.page.get_by_role("radio", name=name)
        option.click()
        expect(option).to_be_checked()

    def total(self, name: str, points: int) -> None:
        """Type what is left in a hand, and wait until it is counted."""
        self.page.get_by_role("tab", name=name).click()
        self.page.locator(".typed input").fill(str(points))
        self.tap("Use this total")
        expect(self.page.get_by_role("tab", name=f"{name} {points}")).to_be_visible()

    def close_dialog(self) -> None:
        expect(self.page.locator("dialog[open]")).to_be_visible()
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog")).to_have_count(0)

    def push(self, button: int, seconds: float = 0.03) -> None:
        """Push a simulated button with the finger, for so long."""
        self.page.mouse.click(*self._place(button), delay=1000 * seconds)

    def lay_race(self, name: str) -> None:
        """Say on the tablet who laid a Street Race, and wait until it is on."""
        self.tap_like("Street Race!")
        self.pick(name)
        expect(self.page.locator(".race .lane").first).to_be_visible()

    def asks(self, text: str) -> None:
        """The table asks this."""
        expect(self.page.locator(".question-line")).to_contain_text(text)

    def answer(self, name: str) -> None:
        self.settled()
        self.page.locator(".answers").get_by_role("button", name=name, exact=True).click()

    def _place(self, button: int) -> tuple[float, float]:
        place = self.page.locator(f"[data-button='{button}']")
        expect(place).to_be_enabled()
        box = place.bounding_box()
        assert box
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def push_together(self, *buttons: int) -> None:
        """Push several at once, with the keys."""
        for button in buttons:
            self.page.keyboard.down(str(button % 10))
        for button in buttons:
            self.page.keyboard.up(str(button % 10))

    def seat_down(self, *names: str) -> None:
        """Each presses a button and types a name."""
        for number, name in enumerate(names, 1):
            self.push(number)
            field = self.page.locator(f".person[data-seat='{number}'] input")
            field.fill(name)
            field.press("Enter")
            expect(self.seat(name)).to_be_visible()

    def seat(self, name: str) -> Locator:
        row, person = f".seats .seat:has-text('{name}')", f".person[data-name='{name}']"
        return self.page.locator(f"{row}, {person}")

    def start(self, dealer: str) -> None:
        self.tap("Start the match")
        self.settled()
        self.page.locator(".deal .who", has_text=dealer).click()
        self.tap_like("start round 1")

    def says(self, text: str) -> None:
        """The headline says what to do next."""
        expect(self.page.locator(".next")).to_contain_text(text)

    def ruled(self, text: str) -> None:
        ruled = self.page.locator(".ruling.latest, .verdict").filter(has_text=text)
        expect(ruled.first).to_be_visible()

    def rulings(self) -> Locator:
        """All rulings, opened."""
        self.settled()
        self.page.locator(".ruling-open").click()
        return self.page.locator("dialog .ruling")

    def notice(self, text: str) -> None:
        expect(self.page.locator(".banner.notice")).to_contain_text(text)
