"""Pictures for friends: the standing and the photo finish, whole, safe and saved for real."""

from __future__ import annotations

import re
import struct
from base64 import b64encode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Download, Page, expect

from tests.kit.served import Served, eventually
from tests.page.every_screen.test_accessibility import AXE, PHONE, TABLET, check
from tests.page.fingers import NAME_AT_HOME, Fingers
from tests.page.history.posters import BAD_NAMES, NAMES, STARTED, look, record

SVG = "{http://www.w3.org/2000/svg}"
FORBIDDEN = {"script", "foreignObject", "image", "use", "style", "a"}
LANGUAGES = ("en", "es", "fr", "de", "pt")
FACTS = [
    {"title": "Comeback", "text": f"{NAMES[0]}, from 210 behind"},
    {"title": "Closest shave", "text": "W" * 60},
]

DRAW = f"""async ([kind, about, language, facts]) => {{
    const {{ loadAllTexts, loadTexts }} = await import("/static/js/core/texts.js");
    if (window.spoken !== language) await loadTexts((window.spoken = language));
    await loadAllTexts();
    const {{ standingPicture }} = await import("/static/js/share/standing.js");
    const {{ finishPicture, raceFacts }} = await import("/static/js/share/finish.js");
    if (kind === "standing") return standingPicture(about, {{}}, facts);
    return finishPicture(raceFacts(about, "{STARTED}"));
}}"""
# Letters stand inside the paper and not on each other; accents and descenders may come near.
FAULTS = r"""(svg) => {
    const paper = document.body.appendChild(document.createElement("div"));
    paper.innerHTML = svg;
    const at = paper.firstChild.getBoundingClientRect();
    const written = [...paper.querySelectorAll("text")].filter((one) => one.textContent);
    const boxes = written.map((one) => {
        const box = one.getBoundingClientRect();
        const lean = 0.24 * box.height;
        return { said: one.textContent, left: box.left - at.left, right: box.right - at.left,
            top: box.top - at.top + lean, bottom: box.bottom - at.top - lean };
    });
    paper.remove();
    const isOut = (box) =>
        box.left < 30 || box.right > 1170 || box.top < 30 || box.bottom > 1470;
    const meet = (one, other) => one.left < other.right - 2 && other.left < one.right - 2
        && one.top < other.bottom && other.top < one.bottom;
    const isOpen = ({ said }) => /\{\w+\}|\b(share|race|sheet)\.\w+/.test(said);
    const pairs = boxes.flatMap((one, at) => boxes.slice(at + 1).map((other) => [one, other]));
    return [
        ...boxes.filter((box) => isOut(box) || isOpen(box)).map((box) => box.said),
        ...pairs.filter((pair) => meet(...pair)).map((pair) => pair.map((box) => box.said)),
    ];
}"""
# The browser itself looks at the picture that it saved.
SEEN = """async (text) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${text}`;
    await picture.decode();
    const pen = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    pen.drawImage(picture, 0, 0);
    const dots = new Uint32Array(pen.getImageData(0, 0, picture.width, picture.height).data.buffer);
    const colours = new Set();
    for (let at = 0; at < dots.length; at += 97) colours.add(dots[at]);
    const clear = dots.some((dot) => dot >>> 24 !== 255);
    return { size: [picture.width, picture.height], colours: colours.size, clear };
}"""
SHARES = """(() => {
    navigator.canShare = ({ files }) => files.length === 1;
    navigator.share = async ({ files }) => {
        window.shared = { name: files[0].name, type: files[0].type, size: files[0].size };
    };
})()"""


@pytest.fixture
def draw(quiet: Served, screens: Callable[..., Fingers]) -> Callable[..., str]:
    """Draws a picture in the browser, and finds nothing wrong with where its words stand."""
    page = screens(quiet).page
    page.goto(quiet.address + "/history")

    def drawn(kind: str, about: Any, language: str = "en", facts: Any = ()) -> str:
        svg: str = page.evaluate(DRAW, [kind, about, language, list(facts)])
        assert page.evaluate(FAULTS, svg) == [], language
        return svg

    return drawn


Step = tuple[str, dict[str, Any]]
ROUND: tuple[Step, ...] = (
    ("deal", {}),
    ("go_out", {"seat": 1}),
    ("enter_points", {"seat": 2, "points": 150}),
    ("enter_points", {"seat": 3, "points": 110}),
    ("score_round", {}),
)
SEATED: tuple[Step, ...] = (
    *(("sit", {"name": name, "button": at}) for at, name in enumerate(NAMES[:3], 1)),
    ("start_match", {}),
    ("choose_dealer", {"seat": 1}),
)


def play(served: Served, *steps: Step) -> None:
    for kind, fields in steps:
        answer = served.do(kind, **fields)
        assert answer.status == 200, (kind, answer.body)


def race(served: Served) -> None:
    """Ana lays a Street Race, Cleo slaps, and Ben is last."""
    play(served, ("declare_race", {"layer": 1}))
    for button in (3, 2):
        served.push(button)
    eventually(lambda: [debt["seat"] for debt in served.table["debts"]] == [2])


@pytest.fixture(scope="module")
def won(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Three have played two rounds with a race, and Ana has won; tests leave it so."""
    served = Served(tmp_path_factory.mktemp("won"), f'[server]\nnames = ["{NAME_AT_HOME}"]\n')
    served.pair()
    play(served, *SEATED, ROUND[0])
    race(served)
    play(served, *ROUND[1:], *ROUND)
    yield served
    served.stop()


@pytest.fixture
def tablet(won: Served, screens: Callable[..., Fingers]) -> Callable[..., Fingers]:
    """Opens a tablet that only watches."""

    def open_tablet(**how: Any) -> Fingers:
        fingers = screens(won, **how)
        fingers.open(won.link)
        return fingers

    return open_tablet


def opened(page: Page, name: str = "Share a picture") -> None:
    page.get_by_role("button", name=name).click()
    expect(page.locator(".share-paper img")).to_be_visible()


def saved(page: Page, name: str) -> Download:
    with page.expect_download() as waiting:
        page.get_by_role("button", name=name).click()
    return waiting.value


def parsed(svg: str) -> ElementTree.Element:
    """Read a picture as a file of its own: nothing in it runs, and it asks nobody for anything."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    for part in root.iter():
        assert part.tag.removeprefix(SVG) not in (
            "script",
            "foreignObject",
            "image",
            "use",
            "style",
        )
        for name, value in part.attrib.items():
            assert not name.endswith("href")
            assert not name.startswith("on")
            assert "url(" not in value or value.startswith("url(#")
            assert "//" not in value
    return root


def words(root: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


def test_every_standing_fits_its_paper(draw: Callable[..., str]) -> None:
    for players in range(2, 11):
        for scoring in ("classic", "alternative"):
            draw("standing", record(players, scoring=scoring, shared=players % 2 == 0), facts=FACTS)
    for language in LANGUAGES:
        draw("standing", record(4), language, FACTS)
        draw("standing", record(5, scoring="alternative", shared=True, left=True), language)
        draw("standing", record(7, names=BAD_NAMES, rounds=30), language, FACTS)
    draw("standing", record(3, rounds=1))
    draw("standing", record(10, rounds=1, shared=True, names=["W" * 40] * 10))


def test_every_finish_fits_its_paper(draw: Callable[..., str]) -> None:
    for racers in range(2, 10):
        draw("finish", look({seat: 90.0 * seat % 211 + seat for seat in range(2, racers + 2)}))
    for language in LANGUAGES:
        draw("finish", look({2: 253, 3: 318, 4: 321.4}, starts={3: 80}), language)
        draw("finish", look({2: 253, 3: 318, 4: 321.4}, "dead_heat", doubt=9), language)
        draw("finish", look({2: 253, 3: 318, 4: None}, "race_missing"), language)
        draw("finish", look({2: None, 3: None, 4: None}, "race_no_slaps"), language)
        draw("finish", look({2: 9, 3: 318, 4: 320, 7: 320.1}, names=BAD_NAMES), language)


def test_the_standing_says_who_won_and_where_everybody_came_in(draw: Callable[..., str]) -> None:
    said = words(parsed(draw("standing", record(4, shared=True), facts=FACTS)))
    assert {"Ana and Ben", "share the win!", "Match 3 · rounds: 7", "target 200"} <= set(said)
    assert "November 16, 2026" in said
    places = [said[said.index(name) - 1] for name in ("Ana", "Ben")]
    assert places == ["1", "1"]
    lowest = record(5, scoring="alternative", left=True)
    totals = {one["name"]: one["alternative"] for one in lowest["sheet"]["players"]}
    best = min(totals, key=lambda name: totals[name])
    said = words(parsed(draw("standing", lowest, "de")))
    assert {f"{best} gewinnt!", "Grenze 200", "16. November 2026"} <= set(said)
    present = sorted((one for one in totals if one != "Eva"), key=lambda one: totals[one])
    order = [text for text in said if text in totals]
    assert order == [*present, "Eva"]
    assert said[said.index("Eva") - 1] == "–"


def test_names_are_text_in_a_picture_too(draw: Callable[..., str]) -> None:
    for names in (BAD_NAMES, tuple(reversed(BAD_NAMES))):
        standing = words(parsed(draw("standing", record(7, names=names))))
        assert any(text.startswith("<script>") for text in standing)
        assert 'Bo & "Bobby" <b> \'' in standing
        parsed(draw("finish", look({seat: 40.0 * seat for seat in range(2, 8)}, names=names)))


def test_a_head_start_is_shown_with_the_hand_that_used_it(draw: Callable[..., str]) -> None:
    root = parsed(draw("finish", look({2: 253, 3: 318, 4: 321.4}, starts={3: 80})))
    said = words(root)
    assert {"Dan draws 4", "by 3.4 ms", "head start 80 ms", "first", "+65.0 ms"} <= set(said)
    plain = words(parsed(draw("finish", look({2: 253, 3: 318, 4: 321.4}))))
    assert not any("head start" in text for text in plain)


TINTS = """async () => {
    const { TINTS } = await import("/static/js/share/pen.js");
    const seen = document.body.appendChild(document.createElement("i"));
    return TINTS.map((tint, at) => {
        seen.className = `tint-${at}`;
        const shown = getComputedStyle(seen).color;
        seen.className = "";
        seen.style.color = tint;
        const drawn = getComputedStyle(seen).color;
        seen.style.color = "";
        return [shown, drawn];
    });
}"""


def test_marks_have_the_colours_of_the_page(quiet: Served, screens: Callable[..., Fingers]) -> None:
    page = screens(quiet).page
    page.goto(quiet.address + "/rules")
    colours = page.evaluate(TINTS)
    assert len({shown for shown, _ in colours}) == 10
    assert all(shown == drawn for shown, drawn in colours)


def test_a_won_match_is_saved_as_a_picture(
    won: Served, tablet: Callable[..., Fingers], tmp_path: Path
) -> None:
    page = tablet().page
    opened(page)
    expect(page.locator(".share-paper img")).to_have_attribute(
        "alt", "Ana wins! 1 Ana 520, 2 Ben 0, 2 Cleo 0"
    )
    svg, png = saved(page, "Save as SVG"), saved(page, "Save as PNG")
    day = page.evaluate("async () => (await (await fetch('/api/matches/1')).json()).started")
    assert svg.suggested_filename.endswith("-match-1-standing.svg")
    assert png.suggested_filename == svg.suggested_filename.replace(".svg", ".png")
    assert png.suggested_filename[:7] == day[:7]
    root = parsed(Path(svg.path()).read_text())
    assert {"Ana wins!", "520"} <= set(words(root))
    image = Path(png.path()).read_bytes()
    assert struct.unpack(">II", image[16:24]) == (2400, 3000)
    assert len(image) < 700_000, "too heavy for messengers"
    seen = page.evaluate(SEEN, b64encode(image).decode())
    assert seen["size"] == [2400, 3000]
    assert seen["colours"] > 500
    assert not seen["clear"]
    assert won.do("play_on").status == 200
    try:
        expect(page.locator("[data-phase=won]")).to_have_count(0)
        expect(page.locator(".share-paper img")).to_be_visible()
    finally:
        assert won.do("undo").status == 200


LAST = re.compile(r"Ben draws 4, by [\d.]+ ms")


def test_the_closest_race_of_the_match_is_the_other_picture(
    tablet: Callable[..., Fingers],
) -> None:
    page = tablet().page
    opened(page)
    page.get_by_role("radio", name="Best photo finish").click()
    expect(page.locator(".share-paper img")).to_have_attribute("alt", LAST)
    svg = saved(page, "Save as SVG")
    assert re.search(r"-match-1-race-\d+\.svg$", svg.suggested_filename)
    said = words(parsed(Path(svg.path()).read_text()))
    assert "Ben draws 4" in said
    assert said.index("Cleo") < said.index("Ben")


def test_a_race_is_shared_from_its_photo_finish(
    served: Served, screens: Callable[..., Fingers]
) -> None:
    served.pair()
    play(served, *SEATED, ROUND[0])
    race(served)
    fingers = screens(served)
    fingers.open(served.link)
    fingers.tap("Back to the game")
    fingers.button("Photo finish").click()
    opened(fingers.page, "Share the photo finish")
    expect(fingers.page.locator(".share-paper img")).to_have_attribute("alt", LAST)
    expect(fingers.page.locator("dialog")).to_have_count(2)
    fingers.page.keyboard.press("Escape")
    expect(fingers.page.locator("dialog")).to_have_count(1)
    expect(fingers.page.locator("dialog .verdict")).to_be_visible()


@pytest.mark.parametrize("path", ["/", "/seat/2"], ids=["a guest", "a phone that only watches"])
def test_whoever_watches_a_race_shares_its_photo_finish(
    served: Served, screens: Callable[..., Fingers], path: str
) -> None:
    served.pair()
    play(served, *SEATED, ROUND[0])
    race(served)
    fingers = screens(served, width=390, height=844)
    fingers.page.goto(served.address + path)
    expect(fingers.page.get_by_role("button", name="Share the photo finish")).to_be_visible()
    opened(fingers.page, "Share the photo finish")
    expect(fingers.page.locator(".share-paper img")).to_have_attribute("alt", LAST)


def test_a_guest_shares_the_winner(won: Served, screens: Callable[..., Fingers]) -> None:
    fingers = screens(won, width=390, height=844)
    fingers.page.goto(won.address + "/")
    opened(fingers.page)
    expect(fingers.page.get_by_role("button", name="Save as PNG")).to_be_visible()


def test_a_browser_that_can_hand_it_on_does(won: Served, tablet: Callable[..., Fingers]) -> None:
    page = tablet(before=SHARES).page
    opened(page)
    page.get_by_role("button", name="Share picture").click()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("() => window.shared")
    assert shared["type"] == "image/png"
    assert shared["name"].endswith("-match-1-standing.png")
    assert shared["size"] > 50_000


def test_a_phone_at_home_saves_what_it_cannot_hand_on(
    monkeypatch: pytest.MonkeyPatch, won: Served, screens: Callable[..., Fingers]
) -> None:
    monkeypatch.setattr(won, "address", f"http://{NAME_AT_HOME}:{won.port}")
    fingers = screens(won, width=390, height=844)
    fingers.page.goto(won.address + "/seat/2")
    opened(fingers.page)
    assert not fingers.page.evaluate("() => isSecureContext")
    expect(fingers.page.get_by_role("button", name="Share picture")).to_have_count(0)
    assert saved(fingers.page, "Save as PNG").suggested_filename.endswith(".png")


def test_a_table_that_does_not_answer_is_told(won: Served, tablet: Callable[..., Fingers]) -> None:
    fingers = tablet()
    fingers.forgive("503")
    page = fingers.page
    page.route("**/api/matches/1", lambda route: route.fulfill(status=503, body="{}"))
    page.get_by_role("button", name="Share a picture").click()
    expect(page.locator(".share-paper")).to_contain_text("couldn’t be drawn")
    expect(page.get_by_role("button", name="Save as PNG")).to_be_disabled()


@pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not fetched; `make test` does that")
def test_the_dialog_can_be_used_by_everybody(won: Served, tablet: Callable[..., Fingers]) -> None:
    fingers = tablet(before=SHARES)
    opened(fingers.page)
    check(fingers, TABLET, PHONE)
