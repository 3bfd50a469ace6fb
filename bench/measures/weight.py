"""How heavy the page is on its way to a tablet, beside a bare page with the same live line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from msgspec import Struct
from playwright.sync_api import Browser

from bench.figure import Figure
from bench.ground import Ground
from bench.measures.press import play_up_to_a_round
from bench.sides.drawn import chromium
from bench.sides.pressed_ours import CODE
from bench.sides.served import bare, ours_with_hand
from tests.kit.served import Client

KILO = 1000
REQUESTS, SENT = 10, 80
"""How many requests, and how many kilobytes, a first page may take."""
FACE = 40
"""Kilobytes that the display face may add to a first visit."""
OTHERS = ("de", "es", "fr", "pt")


class Weight(Struct, frozen=True):
    """What one opening of the page asks for and gets."""

    requests: int
    sent: float
    """Kilobytes on the wire, with headers; the display face, which may come later, is apart."""
    face: float
    """Kilobytes of that face."""
    unpacked: float
    """Kilobytes of what was in them."""


def figures(ground: Ground) -> Iterator[Figure]:
    """Open both pages in browsers that have seen neither, and ours again in one that has."""
    folder = ground.fresh()
    play_up_to_a_round(folder)
    settling = ground.size(1_000, 50)
    with chromium() as browser, ours_with_hand(folder, 8) as table, bare(8) as other:
        pages = {"the tablet": f"{table.address}?code={CODE}"}
        if not ground.tiny:
            pages["the board"] = f"{table.address}board"
            pages["a phone"] = f"{table.address}seat/1"
        floor, _ = _open_twice(browser, other.address, settling)
        for name, address in pages.items():
            first, again = _open_twice(browser, address, settling)
            yield _beside(f"{name}: requests", first.requests, floor.requests, "", REQUESTS)
            yield _beside(f"{name}: on the wire", first.sent, floor.sent, "kB", SENT)
            yield Figure(name=f"{name}: its face besides", ours=first.face, unit="kB", mark=FACE)
            yield _beside(f"{name}: unpacked", first.unpacked, floor.unpacked, "kB")
            yield Figure(name=f"{name}: on the wire, opened again", ours=again.sent, unit="kB")
        if not ground.tiny:
            heaviest = max(
                _open_twice(browser, pages["the tablet"], settling, language)[0].sent
                for language in OTHERS
            )
            name = "the tablet in any other language"
            yield Figure(name=name, ours=heaviest, unit="kB", mark=SENT)


def _beside(name: str, ours: float, other: float, unit: str, mark: float | None = None) -> Figure:
    """Show both; a mark is for ours alone."""
    ratio = ours / other if mark is None else None
    return Figure(name=name, ours=ours, other=other, ratio=ratio, unit=unit, mark=mark)


def _open_twice(
    browser: Browser, address: str, settling: int, language: str = "en"
) -> tuple[Weight, Weight]:
    """Open a page, close it, and open it anew, with what the browser has kept of it.

    What comes within so many milliseconds after the live line stands is counted too.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=language)
    address, _, code = address.partition("?code=")
    if code:
        context.add_cookies([_paired(address, code)])
    weights = _open(context, address, settling), _open(context, address, settling)
    context.close()
    return weights


def _paired(address: str, code: str) -> Any:
    """Become a referee without the page, and give the cookie by which the tablet is known."""
    port = urlsplit(address).port
    assert port is not None
    answer = Client(port).post("/api/pair", {"code": code})
    name, _, value = answer.headers["set-cookie"].partition(";")[0].partition("=")
    return {"name": name, "value": value, "url": address}


def _open(context: Any, address: str, settling: int) -> Weight:
    page = context.new_page()
    session = context.new_cdp_session(page)
    asked: list[str] = []
    faces: set[str] = set()
    sent: dict[bool, float] = {False: 0.0, True: 0.0}
    unpacked: list[float] = []

    def ask(told: Any) -> None:
        asked.append(told["requestId"])
        if told.get("type") == "Font":
            faces.add(told["requestId"])

    def finish(told: Any) -> None:
        sent[told["requestId"] in faces] += told["encodedDataLength"] / KILO

    session.on("Network.requestWillBeSent", ask)
    session.on("Network.webSocketCreated", ask)
    session.on("Network.loadingFinished", finish)
    session.on("Network.dataReceived", lambda told: unpacked.append(told["dataLength"]))
    session.send("Network.enable")
    page.goto(address)
    page.wait_for_selector("[data-link='live']", state="attached")
    page.wait_for_timeout(settling)
    page.close()
    return Weight(len(asked), sent[False], sent[True], sum(unpacked) / KILO)
