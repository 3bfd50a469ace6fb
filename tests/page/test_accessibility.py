"""Everybody can use the page: contrast, names, sizes and reach, on every screen in both themes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.fingers import Fingers

AXE = Path(__file__).resolve().parents[2] / "build" / "axe.min.js"
SMALLEST = 48

RUN = """async () => {
    const found = await axe.run(document, { resultTypes: ["violations"] });
    const told = (one) => one.nodes.map((node) => node.html).slice(0, 3).join(" | ");
    return found.violations.map((one) => `${one.id}: ${told(one)}`);
}"""
TARGETS = "button, input, a[href], summary, [role=radio]"
SMALL_TARGETS = f"""() => [...document.querySelectorAll("{TARGETS}")]
    .filter((one) => one.checkVisibility() && !one.disabled)
    .filter((one) => {{
        const box = one.getBoundingClientRect();
        return box.width < {SMALLEST} || box.height < {SMALLEST};
    }})
    .map((one) => one.outerHTML.slice(0, 120))"""
TOO_WIDE = "() => document.documentElement.scrollWidth - innerWidth"


def check(fingers: Fingers) -> None:
    """Whatever is on the screen right now has no fault that axe knows, and large targets."""
    page = fingers.page
    page.wait_for_timeout(700)
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE.read_text())
    assert page.evaluate(RUN) == []
    assert page.evaluate(SMALL_TARGETS) == []
    assert page.evaluate(TOO_WIDE) <= 0


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(
    ("width", "height"),
    [
        pytest.param(1280, 800, id="tablet"),
        pytest.param(820, 1180, id="upright"),
        pytest.param(390, 844, id="phone"),
    ],
)
def test_every_screen_of_an_evening(tablet, theme, width, height):
    fingers: Fingers = tablet(theme=theme, width=width, height=height)
    check(fingers)
    fingers.seat_down("Ana", "Ben", "Cam")
    check(fingers)
    fingers.tap("House rules")
    check(fingers)
    fingers.close_dialog()
    fingers.page.get_by_role("radio", name="Refereed").click()
    fingers.tap("Start the match")
    fingers.says("Everyone draws a card")
    fingers.card("red-4")
    check(fingers)
    fingers.page.get_by_text("Or just choose who deals").click()
    fingers.page.locator(".fold .who", has_text="Ana").click()
    fingers.says("Ana shuffles")
    check(fingers)
    fingers.tap_like("begin round 1")
    fingers.says("Turn up the first card")
    fingers.card("red-5")
    fingers.says("Ben’s turn")
    check(fingers)
    fingers.card("blue-7")
    expect(fingers.button("Leave it")).to_be_visible()
    check(fingers)
    fingers.tap("Leave it")
    fingers.card("wild-draw")
    check(fingers)
    fingers.colour("green")
    expect(fingers.page.locator(".challenge")).to_be_visible()
    check(fingers)
    fingers.card("street-race")
    fingers.colour("blue")
    fingers.says("Slap!")
    check(fingers)
    fingers.push(2)
    fingers.push(3)
    expect(fingers.page.locator(".verdict")).to_be_visible()
    check(fingers)
    fingers.page.locator(".ruling.latest").get_by_role("button", name="Overrule").click()
    check(fingers)
    fingers.close_dialog()
    fingers.tap("Back to the game")
    fingers.tap("Set something right")
    check(fingers)
    fingers.close_dialog()
    fingers.tap("Went out")
    fingers.pick("Ana")
    check(fingers)
    fingers.tap("Any other card")
    fingers.says("draws")
    fingers.card("wild")
    check(fingers)
    for _ in range(2):
        fingers.page.locator(".typed input").fill("300")
        fingers.tap("Take it")
        fingers.page.wait_for_timeout(300)
    expect(fingers.button("Score the round")).to_be_visible()
    check(fingers)
    fingers.tap("Score the round")
    expect(fingers.page.locator(".winner")).to_be_visible()
    check(fingers)
    fingers.tap("Scores")
    check(fingers)
    fingers.tap("Edit")
    check(fingers)


def test_the_page_can_be_used_with_the_keys_alone(tablet):
    fingers: Fingers = tablet()
    fingers.seat_down("Ana", "Ben")
    fingers.button("Start the match").focus()
    fingers.page.keyboard.press("Enter")
    fingers.says("Everyone draws a card")
    fingers.page.locator("[data-card='red-4']").focus()
    fingers.page.keyboard.press("Space")
    fingers.page.locator("[data-card='red-6']").focus()
    fingers.page.keyboard.press("Space")
    fingers.button("Find the dealer").focus()
    fingers.page.keyboard.press("Enter")
    fingers.says("Ben shuffles")
