"""The pages as they were bundled: which files each is made of, and for how long they keep."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec
from flask import Flask, request
from msgspec import Struct

BUILT = Path(__file__).resolve().parents[1] / "static" / "built"
FOR_LONG = 365 * 24 * 3600
A_WEEK = 7 * 24 * 3600


class Bundle(Struct, frozen=True):
    """One page: its script and what that imports, its style sheet, its texts by language.

    The later ones come when something is shown that no first view needs.
    """

    script: str
    style: str
    early: tuple[str, ...]
    texts: dict[str, str]
    later_style: str | None
    later_texts: dict[str, str]


def shell(name: str) -> dict[str, Any]:
    """What the template of this page has to know, for the visitor who asks."""
    bundle = _bundles((BUILT / "pages.json").stat().st_mtime_ns)[name]
    return {"name": name, "bundle": bundle, "language": _language(bundle)}


class Speaker:
    """Says a page's texts in its visitor's language, for pages that work without a script."""

    def __init__(self, name: str) -> None:
        made = shell(name)
        self.language: str = made["language"]
        bundle: Bundle = made["bundle"]
        self._texts = msgspec.json.decode((BUILT / bundle.texts[self.language]).read_bytes())

    def __call__(self, key: str, **parts: object) -> str:
        """Say one text with its parts in place."""
        text = self._texts
        for name in key.split("."):
            text = text[name]
        return str(text).format(**parts)

    def counted(self, what: str, count: int) -> str:
        """Say a number of things; in French nothing is one, too."""
        one = count == 1 or (count == 0 and self.language == "fr")
        return self(f"count.{what}.{'one' if one else 'other'}", count=count)


def keep_by_name(app: Flask) -> None:
    """Let browsers keep files: those with a digest in their name for long, the others shortly."""

    def seconds(name: str | None) -> int:
        if name is not None and name.startswith("built/"):
            return FOR_LONG
        return A_WEEK if name == "icon.svg" else 0

    app.get_send_file_max_age = seconds  # type: ignore[method-assign, assignment]


@lru_cache(maxsize=1)
def _bundles(_made: int) -> dict[str, Bundle]:
    return msgspec.json.decode((BUILT / "pages.json").read_bytes(), type=dict[str, Bundle])


def _language(bundle: Bundle) -> str:
    """The language that the page will choose: the one chosen before, else what is asked for."""
    chosen = request.cookies.get("language", "")
    if chosen in bundle.texts:
        return chosen
    asked = (wanted.partition("-")[0].lower() for wanted in request.accept_languages.values())
    return next((one for one in asked if one in bundle.texts), "en")
