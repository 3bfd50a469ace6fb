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
    # Other languages bring the table's own sentences along, which English has already.
    assert tablet <= (80_000 if language == "en" else 82_000)
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


def test_every_page_has_the_sections_of_texts_that_it_names():
    bundles = json.loads((BUILT / "pages.json").read_text())
    tablet = json.loads((BUILT / bundles["tablet"]["texts"]["de"]).read_text())
    assert {"bar", "race", "sentences", "look", "share"} <= tablet.keys()
    assert not {"statistics", "forget"} & tablet.keys()
