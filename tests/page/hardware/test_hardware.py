"""The page for the person with the screwdriver: every button live, and an honest verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.kit.served import Served
from tests.page.every_screen.test_accessibility import AXE, check
from tests.page.fingers import Fingers

BUTTONS = (1, 2, 3, 4)
REACTION = 200
"""So many milliseconds after the light a hand is no guess."""
GLOWED = """() => {
    window.glowed = {};
    new MutationObserver(() => {
        for (const one of document.querySelectorAll(".bench-button.glowing"))
            window.glowed[one.dataset.contact] = one.textContent;
    }).observe(document.body, { subtree: true, attributeFilter: ["class"] });
}"""

COUNTED = """([button, count]) => {
    const text = (part) => document.querySelector(`[data-contact="${button}"] ${part}`).textContent;
    return text(".count dd") === String(count) && text(".level") === "Released";
}"""


@pytest.fixture
def config() -> str:
    return "[hardware]\nseats = 3\nspares = 1\n"


@pytest.fixture
def bench(tablet: Callable[..., Fingers], served: Served) -> Callable[..., Fingers]:
    """Opens the page, as the referee unless it only watches."""

    def open_bench(**how: object) -> Fingers:
        fingers = tablet(**how)
        fingers.page.goto(f"{served.address}/hardware")
        live(fingers)
        return fingers

    return open_bench


def live(fingers: Fingers) -> None:
    expect(fingers.page.locator(".bench-page")).to_have_attribute("data-link", "live")


def card(fingers: Fingers, button: int) -> Locator:
    return fingers.page.locator(f".bench-button[data-contact='{button}']")


def tap(fingers: Fingers, button: int) -> None:
    """Push a button with its key, and wait until the page has counted it."""
    before = int(card(fingers, button).locator(".count dd").inner_text())
    fingers.page.keyboard.press(str(button), delay=100)
    fingers.page.wait_for_function(COUNTED, arg=[button, before + 1])


def tap_while_holding(fingers: Fingers, held: int, *others: int) -> None:
    """Hold one button for as long as all the others take, however slow this machine is."""
    fingers.page.keyboard.down(str(held))
    for button in others:
        tap(fingers, button)
    fingers.page.keyboard.up(str(held))
    expect(card(fingers, held).locator(".level")).to_have_text("Released")


def test_a_button_lights_up_while_it_is_pressed_and_is_counted(bench):
    fingers = bench()
    second = card(fingers, 2)
    expect(second).not_to_contain_class("lit")
    box = fingers.page.locator("[data-button='2']").bounding_box()
    fingers.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    fingers.page.mouse.down()
    expect(second).to_contain_class("lit")
    expect(second.locator(".level")).to_have_text("Pressed")
    fingers.page.mouse.up()
    expect(second.locator(".level")).to_have_text("Released")
    expect(fingers.page.locator(".bench-button.lit")).to_have_count(0)
    expect(second.locator(".count dd")).to_have_text("1")
    expect(second).to_contain_text("✓ Heard")
    expect(second).to_contain_text("ago")
    expect(second).to_contain_text("0× in 0.00 ms")
    expect(second.locator(".doubt-fact dd")).to_have_text("± 2.00 ms")
    expect(second).to_contain_text("GPIO 27, pin 13")
    expect(fingers.page.locator(".worst-doubt")).to_contain_text("± 2.00 ms")
    expect(card(fingers, 1).locator(".count dd")).to_have_text("0")


def test_the_page_says_plainly_that_its_buttons_are_simulated(bench):
    fingers = bench()
    expect(fingers.page.locator(".simulated-note")).to_contain_text("The buttons are simulated")
    expect(fingers.page.locator(".how")).to_contain_text("The configuration asks for simulated.")


def test_the_one_that_is_lit_is_asked_for_and_its_lamp_names_its_pin(bench):
    fingers = bench()
    expect(card(fingers, 1)).to_contain_text("GPIO 12, pin 32")
    fingers.tap("Start the light test")
    lights = fingers.page.locator(".lights")
    expect(lights).to_contain_text("Press the one that is lit: 20 to go.")
    expect(fingers.page.locator(".bench-button.glowing")).to_have_count(1)
    fingers.tap("End the button test")
    expect(lights).not_to_contain_text("to go")
    expect(fingers.page.locator(".bench-button.glowing")).to_have_count(0)


def answer(fingers: Fingers, seen_at: dict[str, str]) -> None:
    """Press the one that is lit, where it is seen, once it has been lit long enough for a hand."""
    glowing = fingers.page.locator(".bench-button.glowing")
    expect(glowing).to_have_count(1)
    lamp = str(glowing.get_attribute("data-contact"))
    fingers.page.wait_for_timeout(REACTION)
    fingers.page.keyboard.press(seen_at.get(lamp, lamp), delay=60)
    expect(fingers.page.locator(f".bench-button.glowing[data-contact='{lamp}']")).to_have_count(0)


def test_two_lamps_that_are_swapped_are_named(bench):
    fingers = bench()
    fingers.tap("Start the light test")
    wrong = fingers.page.locator(".lights [data-swapped]")
    while wrong.count() < 2:
        answer(fingers, {"1": "3", "3": "1"})
    told = fingers.page.locator(".lights")
    expect(told).to_contain_text("Button 1’s lamp lights up at Button 3")
    expect(told).to_contain_text("Button 3’s lamp lights up at Button 1")


def test_the_walk_passes_when_every_button_was_pressed_and_seats_nobody(bench, tablet, served):
    fingers = bench()
    fingers.tap("Start the button test")
    walk = fingers.page.locator(".walk")
    expect(walk).to_contain_text("0 of 4 heard")
    expect(walk).to_contain_text("presses don’t count at the table")
    for button in BUTTONS[:-1]:
        tap(fingers, button)
    expect(walk).to_contain_text("3 of 4 heard")
    expect(walk).to_contain_text("Not heard yet: Button 4")
    expect(fingers.page.locator(".walk.passed")).to_have_count(0)
    tap(fingers, 4)
    expect(fingers.page.locator(".walk.passed")).to_contain_text("Passed: every button was heard")
    assert served.table["seats"] == []
    other = tablet()
    banner = other.page.locator(".banner", has_text="The buttons are being tested")
    expect(banner).to_be_visible()
    banner.get_by_role("button", name="End the button test").click()
    expect(banner).to_have_count(0)
    expect(fingers.page.locator(".walk")).to_contain_text("Presses count at the table as always")


def test_a_button_that_behaves_unlike_the_others_is_named(bench):
    fingers = bench()
    fingers.tap("Start the button test")
    fair = fingers.page.locator(".fair")
    expect(fair).to_contain_text("Press at least 3 buttons 5 times each")
    for _ in range(5):
        for button in (1, 2, 4):
            tap(fingers, button)
    expect(fair).to_contain_text("All compared buttons behave alike")
    expect(fair).to_contain_text("Not compared yet: Button 3 (0 of 5)")
    for _ in range(5):
        tap_while_holding(fingers, 3, 1, 2, 4)
    expect(fingers.page.locator(".verdict-odd")).to_have_count(1)
    expect(fingers.page.locator(".verdict-odd[data-odd='3']")).to_contain_text("stays down for")


def test_the_lamps_light_up_on_request(bench):
    fingers = bench()
    fingers.page.evaluate(GLOWED)
    card(fingers, 3).get_by_role("button", name="Test the lamp Button 3").click()
    fingers.page.wait_for_function("() => Object.keys(window.glowed).length > 0")
    expect(fingers.page.locator(".bench-button.glowing")).to_have_count(0)
    ((glowed, text),) = fingers.page.evaluate("() => Object.entries(window.glowed)")
    assert glowed == "3"
    assert "lit by the test" in text
    fingers.tap("Test all lamps")
    fingers.page.wait_for_function("() => Object.keys(window.glowed).length === 4")
    expect(fingers.page.locator(".bench-button.glowing")).to_have_count(0)


def test_the_report_is_saved_and_printed(bench, tmp_path):
    fingers = bench()
    tap(fingers, 1)
    for name, ending, said in (
        ("Save as text", "txt", "Heard 1 of 4 buttons"),
        ("Save as JSON", "json", '"presses": 1'),
    ):
        with fingers.page.expect_download() as saved:
            fingers.page.get_by_role("link", name=name).click()
        assert saved.value.suggested_filename == f"buttons-and-lamps.{ending}"
        file = tmp_path / ending
        saved.value.save_as(file)
        assert said in Path(file).read_text()
    fingers.page.evaluate("() => { window.print = () => { window.printed = true; }; }")
    fingers.tap("Print")
    assert fingers.page.evaluate("() => window.printed")
    fingers.page.emulate_media(media="print")
    expect(fingers.page.locator(".simulated")).to_be_hidden()
    expect(card(fingers, 1)).to_be_visible()


def test_a_watcher_sees_everything_and_may_do_nothing(bench, served):
    fingers = bench(watching=True)
    expect(fingers.page.locator(".banner.watching")).to_contain_text("Only the referee")
    for name in ("Start the button test", "Test all lamps", "Test the lamp Button 1"):
        expect(fingers.button(name)).to_be_disabled()
    expect(fingers.page.locator("[data-button='1']")).to_be_disabled()
    expect(fingers.page.get_by_role("link", name="Save as text")).to_be_visible()
    served.pair()
    served.push(1)
    expect(card(fingers, 1).locator(".count dd")).to_have_text("1")


def test_a_broken_button_and_a_lost_table_are_said_so(bench, served):
    fingers = bench()
    served.pair()
    served.post("/api/simulate", {"button": 2, "down": True})
    stuck = fingers.page.locator(".bench-button.broken[data-contact='2'] .fault").first
    expect(stuck).to_be_visible(timeout=20_000)
    expect(fingers.page.locator(".walk")).to_contain_text("Set aside: Button 2")
    fingers.forgive("WebSocket", "ERR_CONNECTION")
    served.stop()
    expect(fingers.page.locator(".banner.stale")).to_be_visible()
    expect(fingers.button("Test all lamps")).to_be_disabled()


def test_the_tablets_menu_leads_to_the_page(tablet):
    fingers = tablet()
    fingers.tap("Menu")
    link = fingers.page.get_by_role("link", name="Buttons and lamps")
    expect(link).to_have_attribute("href", "/hardware")


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_everybody_can_use_the_page_in_both_themes_on_a_tablet_and_a_phone(bench):
    sizes = ((1280, 800), (390, 844))
    fingers, *others = [
        bench(theme=theme, width=width, height=height)
        for width, height in sizes
        for theme in ("night", "day")
    ]
    screens = (fingers, *others)
    for screen in screens:
        check(screen)
    fingers.tap("Start the button test")
    for _ in range(5):
        tap_while_holding(fingers, 1, 2, 3, 4)
    for screen in screens:
        expect(screen.page.locator(".walk.passed")).to_be_visible()
        expect(screen.page.locator(".verdict-odd")).to_be_visible()
    for screen in screens:
        # Where looking takes longer than a finger may stay, the button is set aside meanwhile.
        fingers.page.keyboard.down("2")
        expect(card(screen, 2)).to_contain_class("lit")
        check(screen)
        fingers.page.keyboard.up("2")
        expect(card(screen, 2)).not_to_contain_class("lit")


@pytest.fixture
def speaking(browser: Browser, served: Served) -> Iterator[Callable[[str], Fingers]]:
    """Opens the page in a browser of a country; at the end no text was missing."""
    opened: list[Fingers] = []

    def open_page(country: str) -> Fingers:
        context = browser.new_context(locale=country)
        fingers = Fingers(context.new_page(), served)
        opened.append(fingers)
        fingers.page.goto(f"{served.address}/hardware")
        live(fingers)
        return fingers

    yield open_page
    for fingers in opened:
        fingers.page.context.close()
        assert fingers.complaints == []


def test_the_page_speaks_every_language(speaking, served):
    served.pair()
    served.post("/api/simulate", {"button": 1, "down": True})
    for country, title, pressed in (
        ("en-GB", "Buttons and lamps", "Pressed"),
        ("es-ES", "Botones y luces", "Pulsado"),
        ("fr-FR", "Boutons et lampes", "Appuyé"),
        ("de-DE", "Knöpfe und Lampen", "Gedrückt"),
        ("pt-BR", "Botões e luzes", "Apertado"),
    ):
        fingers = speaking(country)
        expect(fingers.page.locator("h1")).to_have_text(title)
        expect(card(fingers, 1).locator(".level")).to_have_text(pressed)
        decimal = "± 2.00 ms" if country == "en-GB" else "± 2,00 ms"
        expect(card(fingers, 1).locator(".doubt-fact dd")).to_have_text(decimal)
