"""Names as people type them, brought into one shape: one line, and nothing in it that is unseen."""

from __future__ import annotations

import re
import unicodedata

UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d159"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Letters and marks that draw nothing; two names that differ by one would look the same."""
BLANKS = "\u2800"
"""Drawn as nothing, and as wide as a letter."""


def tidy(typed: str) -> str:
    """Write a name on one line with single spaces, and leave out what cannot be seen.

    Empty where nothing is left that can be seen, as of marks without a letter to stand on.
    """
    seen = UNSEEN.sub("", typed)
    spaced = "".join(ch if ch.isprintable() and ch not in BLANKS else " " for ch in seen)
    name = " ".join(spaced.split())
    return name if any(unicodedata.category(ch)[0] in "LNPS" for ch in name) else ""
