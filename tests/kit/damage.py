"""A journal with a changed byte in it, as a worn card would leave it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

START = 32


def damage_event(journal: Path, version: int) -> None:
    """Change one letter of an event, behind SQLite's back."""
    connection = sqlite3.connect(journal)
    (body,) = connection.execute("SELECT body FROM events WHERE version = ?", (version,)).fetchone()
    connection.close()
    content = journal.read_bytes()
    # A long one is spread over several pages.
    at = content.index(body[:START]) + START // 2
    assert content.count(body[:START]) == 1
    journal.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
