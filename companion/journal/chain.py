"""The chain: each event of the journal is sealed to the one before, so that no change hides."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from msgspec import Struct

from companion.journal.file import JournalDamaged, translated
from companion.referee.events import Event

GENESIS = bytes(32)
"""What the first event is sealed to."""

_encoder = msgspec.json.Encoder()
_decoder: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class Row(Struct, frozen=True):
    """One event as it stands on disk."""

    version: int
    command: str | None
    at: int
    wall: str
    body: bytes
    hash: bytes

    def event(self) -> Event:
        """Read the event."""
        try:
            return _decoder.decode(self.body)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise JournalDamaged(f"event {self.version} cannot be read: {error}") from error


class Head(Struct, frozen=True):
    """Where the journal ends."""

    version: int = 0
    hash: bytes = GENESIS
    at: int | None = None


class Receipt(Struct, frozen=True):
    """Which events a command's id has brought about."""

    digest: bytes
    """Tells another command apart that comes under the same id; empty where it is not known."""
    first: int
    last: int

    def seal(self, command: str) -> bytes:
        """Seal it, so that a changed byte cannot make a retry count twice unnoticed."""
        text = f"{command}\n{self.first}\n{self.last}\n".encode()
        return hashlib.sha256(text + self.digest).digest()


def encoded(event: Event) -> bytes:
    """Write an event as the journal keeps it."""
    return _encoder.encode(event)


def chained(
    before: bytes, version: int, command: str | None, at: int, wall: str, body: bytes
) -> bytes:
    """Seal one event to the one before it."""
    seal = hashlib.sha256(before)
    seal.update(f"{version}\n{command or ''}\n{at}\n{wall}\n".encode())
    seal.update(body)
    return seal.digest()


def read_head(connection: sqlite3.Connection) -> Head:
    """Read where the journal ends."""
    try:
        found = connection.execute("SELECT version, hash, at FROM head").fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    match found:
        case (int(version), bytes(seal), int() | None as at):
            return Head(version, seal, at)
        case _:
            raise JournalDamaged("the journal does not tell its end any more")


def read_rows(
    connection: sqlite3.Connection, after: int = 0, up_to: int | None = None
) -> Iterator[Row]:
    """Read rows in order, without checking their seals."""
    query = (
        "SELECT version, command, at, wall, body, hash FROM events"
        " WHERE version > ? AND version <= ? ORDER BY version"
    )
    try:
        for found in connection.execute(query, (after, 2**62 if up_to is None else up_to)):
            match found:
                case (int(), str() | None, int(), str(), bytes(), bytes()):
                    yield Row(*found)
                case _:
                    raise JournalDamaged(f"a row after event {after} is no event")
            after = found[0]
    except sqlite3.Error as error:
        raise translated(error) from error


def check_rows(
    connection: sqlite3.Connection, after: int, seal: bytes, up_to: int | None = None
) -> Iterator[Row]:
    """Read the rows after a known one, each checked against the one before it."""
    version = after
    for row in read_rows(connection, after, up_to):
        version += 1
        if row.version != version:
            raise JournalDamaged(f"event {version} is missing")
        seal = chained(seal, row.version, row.command, row.at, row.wall, row.body)
        if row.hash != seal:
            raise JournalDamaged(f"event {version} is not what was written, or does not follow")
        yield row


def check_to_head(
    connection: sqlite3.Connection, after: int, seal: bytes, head: Head
) -> Iterator[Row]:
    """Read the rows after a known one up to the end of the journal, which must be its end."""
    version = after
    for row in check_rows(connection, after, seal):
        version, seal = row.version, row.hash
        yield row
    if (version, seal) != (head.version, head.hash):
        raise JournalDamaged(f"the journal should end with event {head.version}")


def read_receipt(connection: sqlite3.Connection, command: str) -> Receipt | None:
    """Look up what a command's id has already done."""
    query = "SELECT digest, first, last, seal FROM commands WHERE id = ?"
    try:
        found = connection.execute(query, (command,)).fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    if found is None:
        return None
    receipt = Receipt(*found[:3])
    if receipt.seal(command) != found[3]:
        raise JournalDamaged(f"the receipt of {command} is not what was written")
    return receipt


def check_receipts(connection: sqlite3.Connection, commands: Mapping[str, int]) -> None:
    """Check that each of these commands has a receipt, which names the event that it made."""
    for command, version in commands.items():
        receipt = read_receipt(connection, command)
        if receipt is None or not receipt.first <= version <= receipt.last:
            raise JournalDamaged(f"the receipt of {command} is missing")


def write_rows(
    connection: sqlite3.Connection, rows: Sequence[Row], receipts: Mapping[str, Receipt], head: Head
) -> None:
    """Add rows to the journal, within a transaction."""
    connection.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
        [(row.version, row.command, row.at, row.wall, row.body, row.hash) for row in rows],
    )
    connection.executemany(
        "INSERT INTO commands VALUES (?, ?, ?, ?, ?)",
        [(name, r.digest, r.first, r.last, r.seal(name)) for name, r in receipts.items()],
    )
    connection.execute(
        "UPDATE head SET version = ?, hash = ?, at = ?", (head.version, head.hash, head.at)
    )
