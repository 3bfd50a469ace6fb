"""Whatever the table refuses is told as a sentence, in the language of whoever asked."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.common import refusals
from companion.referee import english
from tests.page.every_screen.test_texts import refused_by_the_web
from tests.page.fingers import Fingers

SAYS = """async ([language, refused]) => {
    const { explained, loadAllTexts, loadTexts } = (await parts()).texts;
    await loadTexts(language);
    await loadAllTexts();
    return refused.map(explained);
}"""

# English words inside a sentence come with what they were made from.
MADE_FROM = {"title": "red Draw Two", "on": "blue 5", "colour": "green", "way": "free"}
BESIDE = {"card": "red-draw", "top": "blue-5"}


def every_refusal() -> list[dict[str, Any]]:
    """One refusal of each code that there is, with a part of its own for every gap."""
    found = []
    for code, text in {**english.REFUSALS, **refusals.ENGLISH}.items():
        parts = {name: MADE_FROM.get(name, f"«{name}»") for name in re.findall(r"\{(\w+)\}", text)}
        found.append({"error": code, "message": text.format(**parts), "parts": {**BESIDE, **parts}})
    known = {refused["error"] for refused in found}
    for code, names in refused_by_the_web():
        parts = {name: f"«{name}»" for name in names}
        if code not in known:
            found.append({"error": code, "message": f"In English: {code}", "parts": parts})
            known.add(code)
    return found


@pytest.fixture(scope="module")
def refused() -> list[dict[str, Any]]:
    return every_refusal()


def test_every_refusal_has_its_sentence_in_every_language(quiet, screens, refused):
    tablet: Fingers = screens(quiet)
    tablet.open(quiet.link)
    assert len(refused) > 90
    assert tablet.page.evaluate(SAYS, ["en", refused]) == [one["message"] for one in refused]
    for language in ("es", "fr", "de", "pt"):
        told = tablet.page.evaluate(SAYS, [language, refused])
        for one, sentence in zip(refused, told, strict=True):
            assert sentence != one["message"], (language, one["error"])
            assert "{" not in sentence, (language, one["error"])
            for name, value in one["parts"].items():
                if value.startswith("«") and name != "hint":
                    assert value in sentence, (language, one["error"])
