"""JSON as it goes over both doors; what is already encoded is passed through as it is.

The functions have the names of the standard library's, because Socket.IO asks for those.
"""

from __future__ import annotations

from typing import Any

import msgspec


def dumps(value: Any, **_style: Any) -> str:
    """Write a value, a struct or raw JSON as text."""
    return msgspec.json.encode(value).decode()


def loads(text: str | bytes, **_style: Any) -> Any:
    """Read JSON; anything else, also a hole too deep to climb out of, is a ValueError."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("too deep") from None
