"""A hall as people start it, and what a test wants to do to it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from companion.hall.table.membership import read_membership
from tests.kit.network import Network
from tests.kit.quick_start import Forked
from tests.kit.served import PATIENCE, Client, Reply, Served, free_port

LINK = re.compile(r"(http://\S+)/desk\?code=([A-Z0-9-]+)")


class ServedHall(Served):
    """A hall as people start it."""

    def __init__(
        self,
        folder: Path,
        config: str = "",
        *,
        host: str = "127.0.0.1",
        network: Network | None = None,
        surroundings: Mapping[str, str] | None = None,
        tables: int = 0,
        port: int | None = None,
    ) -> None:
        self.broker_port = free_port()
        self._host = host
        self._network = network
        self._config = config
        self._surroundings = surroundings
        self._tables = tables
        super().__init__(folder, port=port)

    def begin(self, said: list[str]) -> Any:
        place = ["--data", str(self.folder / "hall"), "--host", self._host]
        ports = ["--port", str(self.port), "--broker-port", str(self.broker_port)]
        ports += ["--tables", str(self._tables)] if self._tables else []
        if self._config:
            (self.folder / "hall.toml").write_text(self._config)
            place += ["--config", str(self.folder / "hall.toml")]
        if self._surroundings is not None:
            return started(["companion", "hall", *place, *ports], self._surroundings)
        network = None if self._network is None else self._network.name
        return Forked(["hall", *place, *ports], network=network)

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> Reply:
        """Ask from inside of its network, where it has one of its own."""
        ask = partial(super().request, method, path, body, **headers)
        return ask() if self._network is None else self._network.run(ask)

    def kill_broker(self) -> None:
        """Kill its broker, which it starts again."""
        pid = int((self.folder / "hall" / "broker" / "pid").read_text())
        os.kill(pid, signal.SIGKILL)

    def table(self, number: int) -> Any:
        """A table as the desk sees it."""
        return next(one for one in self.desk()["tables"] if one["table"] == number)

    def results(self) -> list[tuple[int, int]]:
        """The results that the desk has, by table and match."""
        return sorted((one["table"], one["match"]) for one in self.desk()["results"])

    def _wait_for_link(self) -> tuple[str, str]:
        while True:
            line = self._printed.get(timeout=30)
            assert line is not None, "".join(self.lines)
            if found := LINK.search(line):
                return found[1], found[2]

    def command(self, kind: str, version: int | None = None, **fields: object) -> Reply:
        return self.post("/api/commands", {"command": {"kind": kind, **fields}, "version": version})

    def desk(self) -> Any:
        return self.get("/api/desk").json

    def evening(self) -> Any:
        return self.get("/api/evening").json["evening"]


def visitor(client: Client) -> Any:
    """Whom the hall takes somebody for."""
    return json.loads(client.get("/api/evening").headers["companion-visitor"])


def started(words: list[str], surroundings: Mapping[str, str]) -> subprocess.Popen[str]:
    """Start a program from nothing, in other surroundings than these."""
    return subprocess.Popen(
        [sys.executable, "-m", *words],
        env={**os.environ, **surroundings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def publish(folder: Path, topic: str, said: str, user: str | None = None) -> None:
    """Say something at the broker with the client of its own makers, as the table of a folder."""
    member = read_membership(folder)
    assert member is not None
    where = ["-h", member.host, "-p", str(member.port), "--cafile", str(folder / "hall.pem")]
    who = ["-u", user or str(member.table), "-P", member.password]
    words = ["mosquitto_pub", *where, *who, "-q", "1", "-r", "-t", topic, "-m", said]
    subprocess.run(words, check=True, capture_output=True, timeout=PATIENCE)
