"""The chain: each event of the journal is sealed to the one before, so that no change hides.

The chain holds a digest of what an event says, not the words themselves. So what is forgotten can
go, its digest stays, and every seal after it is still right.
"""

from __future__ import annotations

import re
import secrets
import sqlite3
import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from companion.common.clock import written
from companion.journal.bodies import decoded, kind_number, kind_of
from companion.journal.file import JournalDamaged, translated
from companion.journal.names import (
    NAMED,
    TELLING,
    Names,
    names_of_event,
    read_names,
    write_name_lines,
)
from companion.referee import events as e

SEAL = 16
"""So many bytes a seal has. They find damage, which hits the right ones by chance once in 2^128;
against somebody who writes new seals no length would help, because no secret goes into them."""
GENESIS = bytes(SEAL)
"""What the first event is sealed to."""
LAST = 2**62
"""No journal comes to an event of this number."""

COLUMNS = "version, kind, match, command, part, digest, at, moment, body, hash"
FIRST = "SELECT version, at, moment FROM events WHERE version = ?"
LATEST = "SELECT at FROM events WHERE part = 0 ORDER BY version DESC LIMIT 1"
KEPT = "SELECT digest, seal FROM forgotten WHERE version = ?"

_HEX = re.compile(r"[0-9a-f]{32}")


def digest_of(*parts: bytes) -> bytes:
    """Sum up some bytes."""
    digest = blake2b(digest_size=SEAL)
    for part in parts:
        digest.update(part)
    return digest.digest()


class KeptDigest(Struct, frozen=True):
    """What is kept of an event whose words were forgotten."""

    digest: bytes
    """What the chain still needs of it."""
    seal: bytes
    """Seals that digest and what stands in its place now."""


class Row(Struct, frozen=True):
    """One event as it stands on disk."""

    version: int
    kind: str
    match: int | None
    """The match that it belongs to, until the next one begins; none before the first."""
    command: bytes | None
    """What is kept of the id of the command that brought it; only its first event says it."""
    part: int
    """How many events the same command brought before this one."""
    digest: bytes | None
    """Tells another command apart that comes under the same id; empty where it is not known."""
    at: int
    moment: int
    """Milliseconds of the clock on the wall."""
    body: bytes
    hash: bytes
    gone: KeptDigest | None = None
    names: Names = {}

    def event(self) -> e.Event:
        """Read the event."""
        try:
            return decoded(self.kind, self.body, self.names)
        except (msgspec.MsgspecError, UnicodeDecodeError, LookupError, zlib.error) as error:
            raise JournalDamaged(f"event {self.version} cannot be read: {error}") from error

    @property
    def wall(self) -> str:
        """When it happened, by the clock on the wall."""
        return written(self.moment)

    @property
    def content(self) -> bytes:
        """Sum up all that can be forgotten of it."""
        heading = f"{self.kind}\n{self.match}\n{self.at}\n{self.moment}\n{self.digest is None}\n"
        return digest_of(heading.encode(), self.digest or b"", self.body)

    def sealed_after(self, before: bytes) -> bytes:
        """Seal it to the event before it."""
        content = self.content if self.gone is None else self.gone.digest
        heading = f"{self.version}\n{self.part}\n{self.command is None}\n".encode()
        return digest_of(before, heading, self.command or b"", content)

    def forgetting_seal(self, digest: bytes) -> bytes:
        """Seal what stands here now to the digest of what was forgotten."""
        return digest_of(f"{self.version}\n".encode(), digest, self.content)


class Head(Struct, frozen=True):
    """Where the journal ends."""

    version: int = 0
    hash: bytes = GENESIS
    at: int | None = None


class Receipt(Struct, frozen=True):
    """Which events a command's id has brought about."""

    digest: bytes
    first: int
    last: int


def sealed(rows: Iterable[Row], seal: bytes) -> list[Row]:
    """Seal each row to the one before it, the first one to this seal."""
    chain = []
    for row in rows:
        seal = row.sealed_after(seal)
        chain.append(replace(row, hash=seal))
    return chain


def command_digest(sent: bytes, salt: bytes | None = None) -> bytes:
    """Sum up a command so that another one is told apart from it.

    The salt keeps a reader of the digest from finding the command by guessing.
    """
    salt = secrets.token_bytes(SEAL // 2) if salt is None else salt
    return salt + digest_of(salt, sent)[: SEAL // 2]


def is_digest_of(digest: bytes, sent: bytes) -> bool:
    """Tell whether it may be this command; where nothing is known any more, it may."""
    return digest in (b"", command_digest(sent, digest[: SEAL // 2]))


def command_key(command: str) -> bytes:
    """Shorten a command's id to 16 bytes.

    The page's ids are as short already, and begin with the time, so that neighbours stay
    neighbours in the index. Any other may be long and say anything, and is summed up.
    """
    digits = command.replace("-", "")
    return bytes.fromhex(digits) if _HEX.fullmatch(digits) else digest_of(command.encode())


def read_head(connection: sqlite3.Connection) -> Head:
    """Read where the journal ends."""
    try:
        row = connection.execute("SELECT version, hash FROM head").fetchone()
        (at,) = connection.execute(LATEST).fetchone() or (None,)
    except sqlite3.Error as error:
        raise translated(error) from error
    match row:
        case (int(version), bytes(seal)):
            return Head(version, seal, at)
        case _:
            raise JournalDamaged("the journal does not tell its end any more")


def read_rows(
    connection: sqlite3.Connection,
    after: int = 0,
    up_to: int | None = None,
    kinds: Collection[str] | None = None,
) -> Iterator[Row]:
    """Read rows in order, without checking their seals; only events of these kinds, if asked."""
    query = f"SELECT {COLUMNS} FROM events WHERE version > ? AND version <= ?"
    numbers = [] if kinds is None else sorted(kind_number(kind) for kind in kinds)
    if kinds is not None:
        query += f" AND kind IN ({', '.join('?' * len(numbers))})"
    if numbers and numbers[0] > 0:
        query += " AND kind > 0"
    values = (after, LAST if up_to is None else up_to, *numbers)
    try:
        forgotten = connection.execute("SELECT EXISTS (SELECT 1 FROM forgotten)").fetchone()[0]
        first: tuple[Any, ...] | None = None
        for found in connection.execute(f"{query} ORDER BY version", values):
            row = _row(connection, found, after)
            if row.part > 0:
                # When it happened is written once for all events of a command.
                begun = row.version - row.part
                if first is None or first[0] != begun:
                    first = connection.execute(FIRST, (begun,)).fetchone()
                if first is None:
                    raise JournalDamaged(f"event {begun} is missing")
                row = replace(row, at=first[1], moment=first[2])
            else:
                first = row.version, row.at, row.moment
            if forgotten:
                gone = connection.execute(KEPT, (row.version,)).fetchone()
                if gone is not None and not all(type(one) is bytes for one in gone):
                    raise JournalDamaged(f"what is kept of event {row.version} is no digest")
                row = row if gone is None else replace(row, gone=KeptDigest(*gone))
            yield row
            after = row.version
    except sqlite3.Error as error:
        raise translated(error) from error


def _row(connection: sqlite3.Connection, found: tuple[Any, ...], after: int) -> Row:
    version, number, match, command, part, digest, at, moment, body, seal = found
    kind = kind_of(number)
    match found[3:]:
        case (bytes() | None, 0, bytes() | None, int(), int(), bytes(), bytes()):
            pass
        case (None, int(), None, None, None, bytes(), bytes()):
            pass  # Whose command it was, and when, is told by the first event of it.
        case _:
            kind = None
    if kind is None:
        raise JournalDamaged(f"the row after event {after} is no event")
    names = read_names(connection, version) if kind in TELLING else {}
    return Row(version, kind, match, command, part, digest, at, moment, body, seal, None, names)


def check_rows(
    connection: sqlite3.Connection,
    after: int,
    seal: bytes,
    up_to: int | None = None,
    *,
    mending: bool = False,
) -> Iterator[Row]:
    """Read the rows after a known one, each checked against the one before it.

    With `mending` a number stands where a name is damaged, which else is damage like any other.
    """
    version = after
    for row in read_rows(connection, after, up_to):
        version += 1
        if row.version != version:
            raise JournalDamaged(f"event {version} is missing")
        seal = row.sealed_after(seal)
        replaced = row.gone is None or row.gone.seal == row.forgetting_seal(row.gone.digest)
        if row.hash != seal or not replaced:
            raise JournalDamaged(f"event {version} is not what was written, or does not follow")
        if row.kind in NAMED:
            names = names_of_event(row.event())
            if not mending and names.keys() != row.names.keys():
                raise JournalDamaged(f"a name in event {version} is not what was written")
            row = replace(row, names=names)
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


def read_seal(connection: sqlite3.Connection, version: int) -> bytes | None:
    """Look up the seal of one event; none where the journal does not hold it."""
    if version == 0:
        return GENESIS
    try:
        row = connection.execute("SELECT hash FROM events WHERE version = ?", (version,)).fetchone()
    except sqlite3.Error as error:
        raise translated(error) from error
    return row[0] if row is not None and isinstance(row[0], bytes) else None


def read_receipt(connection: sqlite3.Connection, command: str) -> Receipt | None:
    """Look up what a command's id has already done, and check that it is what was written."""
    query = "SELECT version FROM events WHERE command = ?"
    after = "SELECT version FROM events WHERE version > ? AND part = 0 ORDER BY version LIMIT 1"
    try:
        row = connection.execute(query, (command_key(command),)).fetchone()
        if row is None:
            return None
        (first,) = row
        (following,) = connection.execute(after, (first,)).fetchone() or (None,)
    except sqlite3.Error as error:
        raise translated(error) from error
    seal = read_seal(connection, first - 1)
    last = None if following is None else following - 1
    rows = list(check_rows(connection, first - 1, seal or GENESIS, last))
    return Receipt(rows[0].digest or b"", first, rows[-1].version)


def write_rows(connection: sqlite3.Connection, rows: Sequence[Row], head: Head) -> None:
    """Add rows to the journal, within a transaction."""
    connection.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", map(_stored, rows)
    )
    for row in rows:
        if row.gone is not None:
            gone = (row.version, row.gone.digest, row.gone.seal)
            connection.execute("INSERT INTO forgotten VALUES (?, ?, ?)", gone)
    if named := [(row.version, *one) for row in rows for one in row.names.items()]:
        write_name_lines(connection, named)
    connection.execute("UPDATE head SET version = ?, hash = ?", (head.version, head.hash))


def _stored(row: Row) -> tuple[object, ...]:
    kind = kind_number(row.kind)
    when = (row.at, row.moment) if row.part == 0 else (None, None)
    rest = (row.part, row.digest, *when, row.body, row.hash)
    return (row.version, kind, row.match, row.command, *rest)
