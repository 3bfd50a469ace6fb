"""Notes in the journal's file: small things to remember, such as the clock's offset.

They are no part of what happened, so no chain holds them; each has a seal of its own.
"""

from __future__ import annotations

import hashlib
import secrets
import sqlite3
from collections.abc import Iterator, Mapping

_SEAL = ".seal"
DOUBT = "doubt"
"""What was found damaged while people played; the next start looks over the whole file first."""
IDENTITY = "identity"


def new_identity() -> dict[str, str]:
    """Name a journal by chance: the numbers of its players mean other people in another one."""
    return {IDENTITY: secrets.token_hex(8)}


def write_notes(connection: sqlite3.Connection, notes: Mapping[str, str]) -> None:
    """Write notes down, within a transaction."""
    for key, value in notes.items():
        connection.executemany(
            "INSERT OR REPLACE INTO notes VALUES (?, ?)",
            [(key, value), (key + _SEAL, _seal(key, value))],
        )


def read_note(connection: sqlite3.Connection, key: str) -> str | None:
    """Look up a note; one that is not what was written is as good as none."""
    value, seal = _value(connection, key), _value(connection, key + _SEAL)
    return value if value is not None and seal == _seal(key, value) else None


def changed_notes(connection: sqlite3.Connection) -> Iterator[str]:
    """Name the notes that are not what was written."""
    notes = connection.execute("SELECT * FROM notes")
    written = {str(key): str(value) for key, value in notes}
    for key in sorted({name.removesuffix(_SEAL) for name in written}):
        if written.get(key + _SEAL) != _seal(key, written.get(key, "")):
            yield key


def _value(connection: sqlite3.Connection, key: str) -> str | None:
    (value,) = connection.execute("SELECT value FROM notes WHERE key = ?", (key,)).fetchone() or (
        None,
    )
    return None if value is None else str(value)


def _seal(key: str, value: str) -> str:
    return hashlib.sha256(f"{key}\n{value}".encode()).hexdigest()
