"""The bundled page: few requests and little weight at first, and nothing twice."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from web.api.bundles import BUILT

LINKS = re.compile(r"<(link|script|img)\b([^>]*)>")
ADDRESS = re.compile(r'(?:href|src)="(/static/[^"]+)"')
PAGES = {"tablet": "/", "board": "/board", "seat": "/seat/1"}
LIVE_LINE = 1
FACE = ".woff2"


def asked_for(visitor: Any, path: str, **headers: str) -> list[str]:
    """The addresses that a browser asks for by itself when it opens a page."""
    page = visitor.get(path, **headers).body.decode()
    loaded = [about for _, about in LINKS.findall(page) if 'rel="alternate"' not in about]
    named = [ADDRESS.search(about)[1] for about in loaded]  # type: ignore[index]
    fonts = [face for each in named if each.endswith(".css") for face in faces(visitor, each)]
    return [path, *dict.fromkeys([*named, *fonts])]


def faces(visitor: Any, style: str) -> list[str]:
    """The fonts that a style sheet loads for Western letters; others come when they are needed."""
    sheet = visitor.get(style).body.decode()
    found = re.findall(r"/static/built/[\w.-]+\.woff2", sheet)
    return [face for face in found if "-ext" not in face]


def weight(visitor: Any, path: str, **headers: str) -> int:
    """The bytes of a first visit, as they go over the line; letters are there without the face."""
    packed = {"Accept-Encoding": "gzip", **headers}
    needed = [each for each in asked_for(visitor, path, **headers) if not each.endswith(FACE)]
    return sum(len(visitor.get(each, **packed).body) for each in needed)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "pt"])
def test_the_first_page_is_light_in_every_language(referee, language):
    speaks = {"Accept-Language": language}
    tablet, board, seat = (weight(referee, path, **speaks) for path in PAGES.values())
    assert tablet <= 77_000
    assert board < tablet
    assert seat < tablet


@pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
def test_the_first_page_takes_few_requests(referee, path):
    assert len(asked_for(referee, path)) + LIVE_LINE <= 10


@pytest.mark.parametrize(
    ("headers", "language"),
    [
        pytest.param(
            {"Accept-Language": "de-AT,de;q=0.9,en;q=0.8"}, "de", id="an Austrian browser"
        ),
        pytest.param({"Accept-Language": "ja"}, "en", id="a language that nobody has translated"),
        pytest.param(
            {"Accept-Language": "de", "Cookie": "language=pt"}, "pt", id="another one was chosen"
        ),
    ],
)
def test_the_texts_of_the_visitor_come_at_once(referee, headers, language):
    page = referee.get("/", **headers).body.decode()
    [texts] = re.findall(r'rel="preload" as="fetch" crossorigin href="/static/built/([^"]+)"', page)
    assert f"-{language}-" in texts


def test_a_second_visit_asks_for_nothing_that_has_not_changed(referee):
    for name, path in PAGES.items():
        for each in asked_for(referee, path)[1:]:
            kept = referee.get(each).headers["cache-control"]
            [seconds] = re.findall(r"max-age=(\d+)", kept)
            assert int(seconds) >= 7 * 24 * 3600, (name, each)
        etag = referee.get(path).headers["etag"]
        assert referee.get(path, **{"If-None-Match": etag}).status == 304


def test_what_is_seldom_needed_is_not_in_the_first_page(referee):
    early = " ".join(asked_for(referee, "/"))
    for seldom in ("race_review", "pictures"):
        assert list(BUILT.glob(f"{seldom}-*.js"))
        assert seldom not in early


def test_a_file_with_the_sources_name_is_asked_for_again(referee):
    assert "no-cache" in referee.get("/static/js/tablet/main.js").headers["cache-control"]


def made(page: str, what: str, language: str = "de") -> Any:
    """The texts of a page in one language."""
    bundle = json.loads((BUILT / "pages.json").read_text())[page]
    return json.loads((BUILT / bundle[what][language]).read_text())


def test_every_page_has_the_sections_of_texts_that_it_names():
    tablet = made("tablet", "texts")
    assert {"bar", "race", "sentences", "rulings"} <= tablet.keys()
    assert not {"statistics", "forget"} & {*tablet, *made("tablet", "later_texts")}
    assert {"sentences", "answers"} <= made("seat", "texts").keys()


def test_what_only_later_parts_say_comes_later_and_nothing_comes_twice():
    first, later = made("tablet", "texts"), made("tablet", "later_texts")
    assert {"answers", "look", "what_if"} <= later.keys()
    assert "answers" not in first
    for section, texts in later.items():
        assert not texts.keys() & first.get(section, {}).keys(), section


def test_the_page_says_where_the_rest_of_it_is(referee):
    page = referee.get("/", **{"Accept-Language": "de"}).body.decode()
    [styles] = re.findall(r'rel="stylesheet"[^>]* data-later="([^"]+)"', page)
    assert ".second-look" in referee.get(styles).body.decode()
    [texts] = re.findall(r'hreflang="de"[^>]* data-later="([^"]+)"', page)
    assert json.loads(referee.get(texts).body) == made("tablet", "later_texts")
    assert "data-later" not in referee.get("/board").body.decode()
