"""Fingerprints: whether something was written down by a program that shaped it the same way."""

from __future__ import annotations

import hashlib
import json
from functools import cache

import msgspec

from companion import __version__
from companion.referee.sentences import described


@cache
def fingerprint(shape: type) -> str:
    """Name the shape of a value in this very program; what has another one is made anew."""
    schema = json.dumps(msgspec.json.schema(shape, schema_hook=described), sort_keys=True).encode()
    return f"{__version__} {hashlib.sha256(schema).hexdigest()[:16]}"
