"""Codes that people read out and type: short, and without letters or digits that look alike."""

from __future__ import annotations

import hmac
import secrets

ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LENGTH = 8


def new_code() -> str:
    """Make a code by chance."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def spoken(code: str) -> str:
    """Write a code in two halves, the way it is read out."""
    half = len(code) // 2
    return f"{code[:half]}-{code[half:]}"


def same_code(typed: str, code: str) -> bool:
    """Compare what somebody typed with a code, in the same time whatever it is."""
    plain = typed.upper().replace("-", "").replace(" ", "").encode()
    return hmac.compare_digest(plain, code.encode())
