"""The ways in which a log or a file may write a name: plain, quoted or escaped."""

from __future__ import annotations

import html
import json
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote, quote_plus


def spellings(name: str) -> Iterator[str]:
    """Write a name in every way in which a log or a file might."""
    for form in ("NFC", "NFD"):
        plain = unicodedata.normalize(form, name)
        yield plain
        yield json.dumps(plain)[1:-1]
        yield repr(plain)[1:-1]
        yield ascii(plain)[1:-1]
        yield html.escape(plain)
        yield quote(plain)
        yield quote_plus(plain)
