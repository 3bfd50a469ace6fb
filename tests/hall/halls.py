"""A hall and tables that can be killed and opened again, and light tables that speak to it."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Iterable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from companion.hall.broker.mosquitto import stretched
from companion.hall.contract import (
    CONTRACT,
    Ack,
    Orders,
    Seated,
    SentMatch,
    SentPlayer,
    SentResult,
    SentRound,
    TableState,
)
from companion.hall.evening import Evening
from companion.hall.keeper import HallKeeper
from companion.hall.table.link import TableLink
from companion.hall.table.membership import Membership, keep_membership
from companion.hall.table.outbox import Outbox
from companion.journal.chain import read_head
from companion.journal.file import reader
from companion.past.past import Past
from tests.hall.life import AGAIN, QUICK
from tests.home.broker import PROGRAM
from tests.kit.quick_start import Forked
from tests.kit.served import PATIENCE, free_port
from tests.kit.waiting import until

LIFE = "tests.hall.life"


def match(number: int, names: tuple[str, ...] = ("Ana", "Ben", "Cleo"), won: int = 0) -> SentMatch:
    """A match of one round that adds up: whoever won has the points of all other hands."""
    left = {at: 10 * (at + 1) for at in range(len(names)) if at != won}
    points = [sum(left.values()) if at == won else 0 for at in range(len(names))]
    players = tuple(map(SentPlayer, names, points))
    rounds = (SentRound(won, left),)
    return SentMatch(number, "finished", "classic", players, (won,), rounds)


class LightTable:
    """A table without cards: what it has played is a list."""

    def __init__(self, number: int, names: tuple[str, ...] = ("Ana", "Ben", "Cleo")) -> None:
        self.number = number
        self.names = names
        self.played: list[SentMatch] = []
        self.orders: list[Orders] = []

    def play(self) -> None:
        self.played.append(match(len(self.played) + 1, self.names))

    def seal(self, sequence: int) -> str:
        return hashlib.sha256(f"{self.number} {sequence}".encode()).hexdigest() if sequence else ""

    def follows(self, ack: Ack) -> bool:
        return ack.sequence <= len(self.played) and self.seal(ack.sequence) == ack.seal

    def after(self, ack: Ack) -> Iterable[SentResult]:
        return [
            SentResult(CONTRACT, at, self.seal(at), at - 1, self.seal(at - 1), body)
            for at, body in enumerate(self.played, 1)
            if at > ack.sequence
        ]

    def state(self, unsent: int) -> TableState:
        return TableState("play", tuple(map(Seated, self.names)), unsent=unsent)

    def follow(self, orders: Orders) -> bool:
        self.orders.append(orders)
        return True


class HallProcess:
    """A hall in a process of its own, with its broker."""

    def __init__(self, folder: Path, tables: int = 3) -> None:
        if PROGRAM is None:
            pytest.skip("there is no mosquitto here")
        self.folder = folder
        self.port = free_port()
        self.process: Forked | None = None
        keeper = self.keeper()
        for number in range(1, tables + 1):
            keeper.join(number, f"table-{number}", stretched(f"secret {number}"))
        keeper.close()

    def keeper(self) -> HallKeeper:
        """Open the hall's journal, while nobody else has it open."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return HallKeeper(self.folder)

    def start(self) -> HallProcess:
        self.begin()
        self.wait_until_open()
        return self

    def wait_until_open(self) -> None:
        assert self.process is not None
        assert self.process.stdout.readline() == "open\n"

    def begin(self) -> None:
        """Start the hall, and wait for nothing."""
        self.process = Forked(["hall", str(self.folder), str(self.port)], LIFE)

    def kill(self) -> None:
        """Kill the hall; its broker lives on until the next hall finds it."""
        assert self.process is not None
        self.process.kill()
        self._ended()

    def kill_broker(self) -> bool:
        """Kill the broker; tell whether there was one."""
        words = Path(f"/proc/{self.broker}/cmdline")
        with suppress(OSError):
            if str(self.folder).encode() in words.read_bytes():
                os.kill(self.broker, signal.SIGKILL)
                return True
        return False

    @property
    def broker(self) -> int:
        until((self.folder / "broker" / "pid").exists)
        return int((self.folder / "broker" / "pid").read_text())

    def stop(self) -> Evening:
        """Close the hall in good order, and read what it has kept."""
        if self.process is not None:
            self.process.send_signal(signal.SIGTERM)
            self._ended()
        keeper = self.keeper()
        keeper.close()
        return keeper.evening

    def _ended(self) -> None:
        assert self.process is not None
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process = None

    def link(
        self, table: LightTable, kind: type[TableLink] = TableLink, **other: object
    ) -> TableLink:
        """Open a light table's line to this hall."""
        member = self.member(table.number, **other)
        link = kind(member, self.table_folder(table.number), table, pace=QUICK, again=AGAIN)
        link.start()
        return link

    def table_folder(self, number: int) -> Path:
        return self.folder.parent / f"table-{number}"

    def table(self, number: int, how: str = "") -> TableProcess:
        """A whole table that has joined this hall."""
        self.member(number)
        return TableProcess(number, self.table_folder(number), how)

    def member(self, number: int, **other: object) -> Membership:
        """Let a table know where its hall is, as joining does."""
        known = {"identity": f"table-{number}", "password": f"secret {number}"}
        member = Membership(
            **{"table": number, "host": "localhost", "port": self.port, **known, **other}  # type: ignore[arg-type]
        )
        certificate = (self.folder / "broker" / "authority.pem").read_text()
        keep_membership(self.table_folder(number), member, certificate)
        return member

    def __enter__(self) -> HallProcess:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(FileNotFoundError, ValueError):
            broker = int((self.folder / "broker" / "pid").read_text())
            with suppress(ProcessLookupError):
                os.kill(broker, signal.SIGTERM)
        if self.process is not None:
            self.process.kill()
            self._ended()


class TableProcess:
    """A whole table in a process of its own, which belongs to a hall."""

    def __init__(self, number: int, folder: Path, how: str = "") -> None:
        self.number = number
        self.folder = folder
        self._how = how
        self.process: Forked | None = None

    def start(self, how: str = "playing", network: str | None = None) -> TableProcess:
        self.process = Forked(["table", str(self.folder), f"{how} {self._how}"], LIFE, network)
        return self

    def hears(self, word: str) -> None:
        """Wait until it has said this."""
        assert self.process is not None
        while line := self.process.stdout.readline():
            if line.strip() == word:
                return
        raise AssertionError(f"table {self.number} has ended")

    def kill(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait(PATIENCE)
        self.process.stdout.close()
        self.process = None

    def version(self) -> int:
        """How far its journal has come, while it plays."""
        with closing(reader(self.folder / "journal.db")) as journal:
            return read_head(journal).version

    def played(self) -> list[SentResult]:
        """What its journal says that it has played."""
        past = Past(self.folder / "journal.db")
        try:
            return list(Outbox(past).after(Ack(CONTRACT, 0, "")))
        finally:
            past.close()

    def __enter__(self) -> TableProcess:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process is not None:
            self.kill()
