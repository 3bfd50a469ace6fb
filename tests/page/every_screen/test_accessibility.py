"""Everybody can use the page: contrast, names, sizes and reach, on every screen in both themes."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.page.fingers import Fingers

AXE = Path(__file__).resolve().parents[3] / "node_modules/axe-core/axe.min.js"
SMALLEST = 48
STRUCTURE = ["scrollable-region-focusable", "target-size", "region", "aria-hidden-focus"]

RUN = """async (only) => {
    const rules = only ? { runOnly: { type: "rule", values: only } } : {};
    const found = await axe.run(document, { resultTypes: ["violations"], ...rules });
    const told = (one) => one.nodes.map((node) => node.html).slice(0, 3).join(" | ");
    return found.violations.map((one) => `${one.id}: ${told(one)}`);
}"""
SETTLED = "() => !document.querySelector('.flash, [aria-busy=true]')"
TARGETS = "button, input, a[href], summary, [role=radio], [role=switch]"
SMALL_TARGETS = f"""() => [...document.querySelectorAll("{TARGETS}")]
    .filter((one) => one.checkVisibility() && !one.disabled)
    .filter((one) => {{
        const box = one.getBoundingClientRect();
        return box.width < {SMALLEST} || box.height < {SMALLEST};
    }})
    .map((one) => one.outerHTML.slice(0, 120))"""
TOO_WIDE = "() => document.documentElement.scrollWidth - innerWidth"
# A bar below something that only scrolls downwards; a browser without a mouse does not show it.
SIDEWAYS = """() => [...document.querySelectorAll("*")]
    .filter((one) => one.scrollWidth > one.clientWidth
        && ["auto", "scroll"].includes(getComputedStyle(one).overflowX)
        && !one.matches("[tabindex='0'], [tabindex='0'] *")
        && !one.matches(".push-row, .plays, .tabs, .sheet-scroll"))
    .map((one) => [innerWidth, one.className, one.textContent.slice(0, 60),
        one.scrollWidth - one.clientWidth])"""
THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"
TABLET, UPRIGHT, TELEVISION = (1280, 800), (820, 1180), (1920, 1080)
PHONE, SMALL = (390, 844), (360, 640)


def check(fingers: Fingers, *sizes: tuple[int, int]) -> None:
    """What is on the screen has no fault that axe knows, in both themes, and large targets.

    The devices are those that this screen is for, the one that it was opened on first; colours are
    looked at on the first, all else that axe knows also on the last.
    """
    page = fingers.page
    page.wait_for_function(SETTLED)
    if not page.evaluate("() => Boolean(window.axe)"):
        page.evaluate(AXE.read_text())
    assert page.evaluate(RUN) == []
    page.evaluate(THEME, "day")
    assert page.evaluate(RUN, ["color-contrast"]) == []
    page.evaluate(THEME, "night")
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(SMALL_TARGETS) == []
        assert page.evaluate(TOO_WIDE) <= 0
        assert page.evaluate(SIDEWAYS) == []
    if len(sizes) > 1:
        assert page.evaluate(RUN, STRUCTURE) == []
        page.set_viewport_size({"width": sizes[0][0], "height": sizes[0][1]})


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_every_screen_of_an_evening(tablet):
    fingers: Fingers = tablet()

    def check_all() -> None:
        check(fingers, TABLET, TELEVISION, UPRIGHT, SMALL, PHONE)

    check_all()
    fingers.seat_down("Ana", "Ben", "Cam")
    check_all()
    fingers.tap("House rules")
    check_all()
    fingers.close_dialog()
    fingers.tap("Menu")
    check_all()
    fingers.tap("Sound, voice and screen")
    expect(fingers.page.get_by_role("switch").first).to_be_visible()
    check_all()
    fingers.close_dialog()
    fingers.choose("Refereed")
    fingers.tap("Start the match")
    fingers.says("Who deals?")
    check_all()
    fingers.tap("Draw for it")
    check_all()
    fingers.tap("Draw for it")
    fingers.page.locator(".deal .who", has_text="Ana").click()
    fingers.says("Ana shuffles")
    check_all()
    fingers.tap_like("start round 1")
    fingers.says("Turn up the first card")
    fingers.card("red-5")
    fingers.says("Ben’s turn")
    check_all()
    fingers.card("blue-7")
    expect(fingers.button("Take it back")).to_be_visible()
    check_all()
    fingers.tap("Take it back")
    fingers.card("wild-draw")
    check_all()
    fingers.colour("green")
    expect(fingers.page.locator(".challenge")).to_be_visible()
    check_all()
    fingers.card("street-race")
    fingers.colour("blue")
    fingers.says("Slap!")
    check_all()
    fingers.push(2)
    expect(fingers.page.locator(".lane[data-seat='2'].landed")).to_be_visible()
    fingers.push(3)
    expect(fingers.page.locator(".verdict")).to_be_visible()
    check_all()
    fingers.tap("Back to the game")
    fingers.rulings().first.get_by_role("button", name="Overrule").click()
    check_all()
    fingers.close_dialog()
    fingers.tap("Fix something")
    check_all()
    fingers.close_dialog()
    fingers.tap("Went out")
    check_all()
    fingers.pick("Ana")
    expect(fingers.button("Record it anyway")).to_be_visible()
    check_all()
    fingers.tap("Record it anyway")
    fingers.says("draws")
    fingers.card("wild")
    check_all()
    for name in ("Ben", "Cam"):
        fingers.total(name, 300)
    expect(fingers.button("Score the round")).to_be_visible()
    check_all()
    fingers.tap("Score the round")
    expect(fingers.page.locator(".large-words")).to_be_visible()
    check_all()
    fingers.settled()
    check_all()
    fingers.tap("Scores")
    check_all()
    fingers.tap("Edit")
    check_all()
    fingers.tap_like("Ben’s hand in round 1")
    check_all()


def test_the_page_can_be_used_with_the_keys_alone(tablet):
    fingers: Fingers = tablet()
    fingers.seat_down("Ana", "Ben")
    fingers.button("Start the match").focus()
    fingers.page.keyboard.press("Enter")
    fingers.says("Who deals?")
    fingers.page.locator(".deal .who").last.focus()
    fingers.page.keyboard.press("Enter")
    fingers.says("Ben shuffles")
