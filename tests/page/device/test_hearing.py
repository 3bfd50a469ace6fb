"""What is heard and felt: sounds after the first touch, rulings said aloud, a phone that buzzes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.kit.served import Served, eventually
from tests.page.fingers import Fingers

# A test's own questions count as touches for the browser; here only fingers do.
FINGERS = """
    let touched = false;
    for (const name of ["mousedown", "pointerup", "touchend", "keydown"])
        addEventListener(name, (event) => { touched ||= event.isTrusted; }, true);
    const activation = { get hasBeenActive() { return touched; } };
    Object.defineProperty(navigator, "userActivation", { value: activation });
"""

# The browser's own sounds are made as ever; beside that it is noted which ones began.
NOTED = (
    FINGERS
    + """
    window.contexts = 0;
    window.begun = [];
    window.AudioContext = class extends AudioContext {
        constructor(...how) {
            super(...how);
            window.contexts += 1;
            this.addEventListener("statechange", () => { window.state = this.state; });
        }
        createOscillator() {
            const made = super.createOscillator();
            const { setValueAtTime } = AudioParam.prototype;
            made.frequency.setValueAtTime = (pitch, at) => {
                window.begun.push(`${made.type} ${pitch}`);
                return setValueAtTime.call(made.frequency, pitch, at);
            };
            return made;
        }
        createBufferSource() { window.begun.push("noise"); return super.createBufferSource(); }
    };
"""
)
HEARD = """async () => {
    const { SOUNDS } = await import("/static/js/sound/sounds.js");
    const tone = ({ wave, from }) => (wave === "noise" ? wave : `${wave} ${from}`);
    const begun = (part) => window.begun.includes(tone(part));
    return Object.keys(SOUNDS).filter((name) => SOUNDS[name].every(begun));
}"""

# A voice that says nothing, and tells what it was asked to say and what the page showed then.
VOICED = (
    FINGERS
    + """
    window.said = [];
    const voice = (lang, localService) => ({ lang, localService, name: lang, default: false });
    const speech = {
        speaking: false, pending: false,
        getVoices: () => [voice("de-DE", true), voice("fr-FR", false), voice("en-GB", true)],
        addEventListener() {}, removeEventListener() {},
        speak({ text, lang }) {
            this.speaking = true;
            window.said.push({ text, lang, page: document.body.textContent });
        },
        cancel() { this.speaking = false; window.said.push({ text: "(breaks off)" }); },
    };
    Object.defineProperty(window, "speechSynthesis", { value: speech });
    window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
)
BUZZED = """
    window.buzzed = [];
    Object.defineProperty(navigator, "vibrate", { value: (span) => window.buzzed.push(span) });
"""

A_MOMENT = "() => new Promise((then) => requestAnimationFrame(() => setTimeout(then, 60)))"


@pytest.fixture
def config() -> str:
    """Hands that come seconds apart belong to no race, as at any table."""
    return ""


def deal(served: Served, **setup: Any) -> None:
    """Ana, Ben and Cam sit at buttons 1 to 3 and the first round is dealt."""
    served.pair()
    for number, name in enumerate(("Ana", "Ben", "Cam"), 1):
        assert served.do("sit", name=name, button=number).status == 200
    steps: list[tuple[str, dict[str, Any]]] = [("set_up", setup)] if setup else []
    steps += [("start_match", {}), ("choose_dealer", {"seat": 1}), ("deal", {})]
    for kind, fields in steps:
        assert served.do(kind, **fields).status == 200, kind


def heard(fingers: Fingers) -> set[str]:
    """The sounds since the last question."""
    names = set(fingers.page.evaluate(HEARD))
    fingers.page.evaluate("() => { window.begun.length = 0; }")
    return names


def hears(fingers: Fingers, name: str) -> None:
    eventually(lambda: name in fingers.page.evaluate(HEARD))


def touch(fingers: Fingers) -> None:
    """The first tap, which means nothing but that sounds are allowed from now on."""
    fingers.page.locator(".bar-top .brand").click()
    fingers.page.wait_for_function("() => window.state === 'running'")


def settings(fingers: Fingers) -> None:
    fingers.tap("Menu")
    fingers.tap("Sound, voice and screen")


def switch(fingers: Fingers, name: str) -> Any:
    return fingers.page.get_by_role("switch", name=name)


def test_nothing_is_made_to_sound_before_the_first_touch(tablet, served):
    referee: Fingers = tablet(before=NOTED)
    deal(served)
    expect(referee.seat("Cam")).to_be_visible()
    served.do("press_seat", seat=1)
    expect(referee.seat("Ana").locator(".uno")).to_be_visible()
    assert referee.page.evaluate("() => window.contexts") == 0
    touch(referee)
    served.do("press_seat", seat=2)
    hears(referee, "press")
    hears(referee, "uno")


def test_a_question_is_heard(tablet, served):
    referee: Fingers = tablet(before=NOTED)
    deal(served)
    touch(referee)
    referee.push_together(1, 2)
    referee.asks("Was that a Street Race, laid by Cam?")
    hears(referee, "ask")


def test_every_moment_of_an_evening_has_a_sound_of_its_own(tablet, served):
    referee: Fingers = tablet(before=NOTED)
    deal(served)
    touch(referee)
    referee.lay_race("Ana")
    hears(referee, "race")
    heard(referee)
    referee.push(3)
    hears(referee, "slap")
    referee.push(2)
    hears(referee, "verdict")
    assert not heard(referee) & {"caught", "winner", "race"}
    served.do("catch", seat=3, by=1)
    hears(referee, "caught")
    served.do("go_out", seat=1)
    for seat in (2, 3):
        served.do("enter_points", seat=seat, points=300)
    heard(referee)
    served.do("score_round")
    hears(referee, "winner")
    assert heard(referee) == {"winner"}
    served.do("rematch")
    served.do("choose_dealer", seat=1)
    served.do("switch_way", way="refereed")
    served.do("deal")
    served.do("turn_up", card="red-5")
    hears(referee, "turn")
    referee.card("blue-7")
    expect(referee.button("Take it back")).to_be_visible()
    hears(referee, "refusal")


def test_a_sound_is_switched_off_alone_or_all_are_and_this_device_keeps_it(tablet, served):
    referee: Fingers = tablet(before=NOTED)
    deal(served)
    settings(referee)
    switch(referee, "A button").click()
    expect(switch(referee, "A button")).not_to_be_checked()
    referee.page.reload()
    referee.live()
    touch(referee)
    served.do("press_seat", seat=1)
    hears(referee, "uno")
    assert heard(referee) == {"uno"}
    settings(referee)
    expect(switch(referee, "A button")).not_to_be_checked()
    switch(referee, "Sounds").click()
    expect(switch(referee, "UNO is called")).to_be_disabled()
    referee.close_dialog()
    heard(referee)
    served.do("press_seat", seat=2)
    expect(referee.seat("Ben").locator(".uno")).to_be_visible()
    referee.page.evaluate(A_MOMENT)
    assert heard(referee) == set()
    other: Fingers = tablet(before=NOTED)
    settings(other)
    expect(switch(other, "Sounds")).to_be_checked()


def rulings_said(fingers: Fingers) -> list[Any]:
    said: list[Any] = fingers.page.evaluate("() => window.said")
    return said


def test_a_board_says_rulings_after_showing_them_and_the_newest_breaks_off_the_older(
    served: Served, screens: Callable[..., Fingers]
) -> None:
    deal(served)
    board = screens(served, width=1920, height=1080, before=VOICED)
    board.page.goto(f"{served.address}/board")
    board.live()
    served.do("catch", seat=2, by=1)
    expect(board.page.locator(".verdict-why")).to_have_text("Did not call UNO")
    board.page.evaluate(A_MOMENT)
    assert rulings_said(board) == []
    board.page.mouse.click(900, 500)
    expect(switch(board, "Say rulings aloud")).to_be_checked()
    board.close_dialog()
    served.do("catch", seat=3, by=1)
    first = eventually(lambda: rulings_said(board))[0]
    assert first["text"] == "Cam did not call UNO and draws 2."
    assert first["text"] in first["page"]
    assert first["lang"] == "en-GB"
    served.do("call", seat=1)
    served.do("catch", seat=1, by=2)
    eventually(lambda: len(rulings_said(board)) > 2)
    texts = [one["text"] for one in rulings_said(board)]
    assert texts[1] == "(breaks off)"
    assert texts[2] == "Ana called UNO in time."


def test_a_tablet_says_rulings_only_when_it_is_told_to(tablet, served):
    referee: Fingers = tablet(before=VOICED, country="de-DE")
    deal(served)
    referee.tap("Menü")
    referee.tap("Ton, Stimme und Bildschirm")
    aloud = switch(referee, "Entscheidungen vorlesen")
    expect(aloud).not_to_be_checked()
    served.do("catch", seat=2, by=1)
    expect(referee.page.locator(".ruling.latest, .verdict")).to_contain_text("Ben")
    assert rulings_said(referee) == []
    aloud.click()
    expect(aloud).to_be_checked()
    served.do("catch", seat=3, by=1)
    (only,) = eventually(lambda: rulings_said(referee))
    assert only["lang"] == "de-DE"
    assert only["text"] in only["page"]


def test_a_language_without_a_voice_of_the_device_stays_silent(tablet, served):
    referee: Fingers = tablet(before=VOICED, country="fr-FR")
    deal(served)
    referee.tap("Menu")
    referee.tap("Son, voix et écran")
    aloud = switch(referee, "Dire les décisions à voix haute")
    expect(aloud).to_contain_text("pas de voix")
    aloud.click()
    served.do("catch", seat=3, by=1)
    expect(referee.page.locator(".ruling.latest, .verdict")).to_contain_text("Cam")
    referee.page.evaluate(A_MOMENT)
    assert rulings_said(referee) == []


def test_a_phone_buzzes_and_sounds_at_each_press_until_that_is_switched_off(served, screens):
    deal(served)
    code = served.get("/api/seats/2").json["code"]
    phone: Fingers = screens(served, width=390, height=844, before=NOTED + BUZZED)
    phone.page.goto(f"{served.address}/seat/2?code={code}")
    phone.live()
    phone.page.locator(".phone-top h1").tap()
    phone.page.wait_for_function("() => window.state === 'running'")
    phone.page.locator(".own-button").tap()
    expect(phone.page.locator("[data-meaning=called]")).to_be_visible()
    assert phone.page.evaluate("() => window.buzzed") == [30]
    eventually(lambda: served.table["seats"][1]["called"])
    served.do("withdraw_call", seat=2)
    phone.page.get_by_role("button", name="Sound, voice and screen").tap()
    switch(phone, "Vibrate on a press").tap()
    phone.close_dialog()
    phone.page.locator(".own-button").tap()
    expect(phone.page.locator("[data-meaning=called]")).to_be_visible()
    assert phone.page.evaluate("() => window.buzzed") == [30]
    hears(phone, "press")


@pytest.mark.parametrize("gone", ["AudioContext", "speechSynthesis"])
def test_a_browser_that_cannot_sound_or_speak_plays_on(served, screens, gone):
    deal(served)
    board = screens(served, before=f"delete window.{gone};")
    board.page.goto(f"{served.address}/board")
    board.live()
    board.page.mouse.click(600, 500)
    expect(switch(board, "Sounds")).to_be_visible()
    board.close_dialog()
    served.do("catch", seat=3, by=1)
    expect(board.page.locator(".verdict-why")).to_have_text("Did not call UNO")
