"""Addresses at which there is nothing: a page for people, JSON for programs, and 404 for both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

WEB = Path(__file__).resolve().parents[3] / "web"
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


@pytest.mark.parametrize("path", ["/nope", "/seat/abc", "/seat/99", "/seat/0", "/board/2"])
def test_a_browser_that_is_lost_is_led_back_to_the_table(watcher, path):
    answer = watcher.get(path, Accept=BROWSER)
    assert answer.status == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-store"
    assert b'href="/"' in answer.body


@pytest.mark.parametrize("path", ["/nope", "/seat/abc", "/seat/99"])
def test_a_program_that_is_lost_is_told_so_in_json(watcher, path):
    for accept in (None, "*/*", "application/json"):
        answer = watcher.get(path, Accept=accept)
        assert (answer.status, answer.json["error"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/api/nope", "/api/matches/one", "/static/nope.js"])
def test_addresses_for_programs_answer_in_json_to_everybody(watcher, path):
    answer = watcher.get(path, Accept=BROWSER)
    assert (answer.status, answer.json["error"]) == (404, "not_found")


def test_what_is_sent_to_nowhere_is_answered_in_json(referee):
    answer = referee.post("/nope", {}, Accept=BROWSER)
    assert (answer.status, answer.json["error"]) == (404, "not_found")


def test_every_seat_of_the_largest_table_has_its_page(watcher):
    assert [watcher.get(f"/seat/{seat}").status for seat in range(1, 11)] == [200] * 10


def test_the_words_of_the_page_are_said_again_in_other_languages():
    page, script = (
        (WEB / "templates/missing.html").read_text(),
        (WEB / "static/js/plain/missing.js").read_text(),
    )
    keys = re.findall(r'data-text="([\w.]+)"', page)
    assert keys
    assert (
        re.findall(r'"([\w]+\.[\w]+)"', script.partition("WORDS = ")[2].partition(";")[0]) == keys
    )
