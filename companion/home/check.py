"""Checks of the home without a table: whether the broker answers, and what it would get."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion.common.fingerprint import fingerprint
from companion.home.bridge import introduction
from companion.home.connection.line import BrokerLine, NoBroker
from companion.home.connection.mailbox import Mailbox
from companion.home.connection.outgoing import Outgoing
from companion.home.discovery import Introduction
from companion.home.identity import read_identity
from companion.home.messages import Message, Topics
from companion.journal.chain import read_rows
from companion.journal.file import reader
from companion.journal.opening import JOURNAL, SNAPSHOT
from companion.journal.snapshot import SnapshotDamaged, read_snapshot
from companion.referee.apply import apply
from companion.referee.model.table import Table
from companion.settings.broker import Home

PATIENCE = 10.0
UNDECIDED = "table_companion_000000000000"
"""Stands for the identity of a table that was never open."""


def identity_at(folder: Path) -> str:
    """Read the table's identity, and make none, which only the table itself does."""
    return read_identity(folder) or UNDECIDED


def table_of(folder: Path) -> Table:
    """Read the table of a folder, also while it is open; an empty one where there is none."""
    path = folder / JOURNAL
    if not path.exists():
        return Table()
    try:
        snapshot = read_snapshot(folder / SNAPSHOT)
    except SnapshotDamaged:
        snapshot = None
    if snapshot is None or snapshot.format != fingerprint(Table):
        table = Table()
    else:
        table = snapshot.table
    with closing(reader(path)) as connection:
        for row in read_rows(connection, table.version):
            table = apply(table, row.event())
    return table


def would_tell(home: Home, folder: Path, address: str | None = None) -> Iterator[Message]:
    """Give every message that a table would send to a broker that it has just found."""
    introduced = introduction(home, identity_at(folder), address)
    outgoing = Outgoing(
        Mailbox(), table_of(folder), Topics(home.topic), introduced, named=home.names
    )
    outgoing.connected()
    while (message := outgoing.next(0.0)) is not None:
        yield message


def try_broker(home: Home, folder: Path) -> None:
    """Connect as the table would, under another name so that it is not pushed out."""
    line = BrokerLine(home, f"{home.client_id or identity_at(folder)}-check")
    line.open()
    line.disconnect()


def take_all_back(home: Home, folder: Path) -> None:
    """Let the broker keep nothing of this table."""
    line = BrokerLine(home, f"{home.client_id or identity_at(folder)}-check")
    line.open()
    introduced = Introduction(
        identity_at(folder), home.name, home.discovery_prefix, Topics(home.topic)
    )
    empty = [Message(topic, b"", retain=True) for topic in Topics(home.topic).retained]
    for message in [*introduced.withdrawals(), *empty]:
        while not line.free:
            line.wait(PATIENCE)
        line.send(message)
    if not line.settle(PATIENCE):
        raise NoBroker(f"{home.host} does not confirm what it was told")
    line.disconnect()


def readable_by_all(file: Path | None) -> bool:
    """Whether everybody on this machine can read a file."""
    try:
        mode = 0 if file is None else file.stat().st_mode
        return stat.S_ISREG(mode) and bool(mode & stat.S_IROTH)
    except OSError:
        return False
