"""What is told of the past, with its sentences in words and its people by their names."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.past.past import Past
from companion.referee.sentences import speaking


def in_words(value: object, past: Past) -> Any:
    """Write a value of the past as plain values."""
    return msgspec.to_builtins(value, str_keys=True, enc_hook=speaking(past.names()))
