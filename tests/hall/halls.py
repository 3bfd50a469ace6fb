"""A hall that can be killed and opened again, and light tables that speak to it."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from companion.hall.broker import stretched
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
from companion.hall.link import TableLink
from companion.hall.membership import CERTIFICATE, Membership
from companion.home.broker_thread import Pace
from companion.home.line import BrokerLine
from tests.home.broker import PROGRAM
from tests.kit.served import PATIENCE, free_port
from tests.kit.waiting import until

QUICK = Pace(first_rest=0.05, steady=0.2, longest_rest=0.3)
OPEN = """
import signal, sys
from pathlib import Path
from companion.hall.opening import Hall
hall = Hall(Path(sys.argv[1]), int(sys.argv[2]))
print("open", flush=True)
signal.sigwait([signal.SIGTERM])
hall.close()
"""


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

    def after(self, ack: Ack) -> list[SentResult]:
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


class BelievingLink(TableLink):
    """The control: it takes the broker's receipt for the hall's, and never sends again."""

    def send_all(self, line: BrokerLine) -> None:
        super().send_all(line)
        if line.settle(PATIENCE) and self._pending:
            last = self._pending[-1]
            self._ack, self._looked = Ack(CONTRACT, last.sequence, last.seal), False

    def _heard(self, where: str, payload: bytes, retained: bool) -> None:
        if not where.endswith("ack") or self._ack is None:
            super()._heard(where, payload, retained)


class HallProcess:
    """A hall in a process of its own, with its broker."""

    def __init__(self, folder: Path, tables: int = 3) -> None:
        if PROGRAM is None:
            pytest.skip("there is no mosquitto here")
        self.folder = folder
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None
        keeper = self.keeper()
        for number in range(1, tables + 1):
            keeper.join(number, f"table-{number}", stretched(f"secret {number}"))
        keeper.close()

    def keeper(self) -> HallKeeper:
        """Open the hall's journal, while nobody else has it open."""
        self.folder.mkdir(parents=True, exist_ok=True)
        return HallKeeper(self.folder)

    def start(self) -> HallProcess:
        self.process = subprocess.Popen(
            [sys.executable, "-c", OPEN, str(self.folder), str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "open\n"
        return self

    def kill(self) -> None:
        """Kill the hall; its broker lives on until the next hall finds it."""
        assert self.process is not None
        self.process.kill()
        self._ended()

    def kill_broker(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.broker, signal.SIGKILL)

    @property
    def broker(self) -> int:
        until((self.folder / "broker" / "pid").exists)
        return int((self.folder / "broker" / "pid").read_text())

    def stop(self) -> Evening:
        """Close the hall in good order, and read what it has kept."""
        if self.process is not None:
            self.process.terminate()
            self._ended()
        keeper = self.keeper()
        keeper.close()
        return keeper.evening

    def _ended(self) -> None:
        assert self.process is not None
        self.process.wait(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()
        self.process = None

    def link(
        self, table: LightTable, kind: type[TableLink] = TableLink, **other: object
    ) -> TableLink:
        """Open a light table's line to this hall."""
        folder = self.folder.parent / f"table-{table.number}"
        folder.mkdir(exist_ok=True)
        shutil.copy(self.folder / "broker" / "authority.pem", folder / CERTIFICATE)
        known = {"identity": f"table-{table.number}", "password": f"secret {table.number}"}
        member = Membership(
            **{"table": table.number, "host": "localhost", "port": self.port, **known, **other}  # type: ignore[arg-type]
        )
        link = kind(member, folder, table, pace=QUICK, again=0.3)
        link.start()
        return link

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
