"""A hall as people start it, and what a test wants to do to it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from tests.kit.served import Reply, Served, free_port

LINK = re.compile(r"(http://\S+)/desk\?code=([A-Z0-9-]+)")


class ServedHall(Served):
    """A hall as people start it."""

    def __init__(self, folder: Path) -> None:
        self.broker_port = free_port()
        super().__init__(folder)

    def begin(self, said: list[str]) -> Any:
        place = ["--data", str(self.folder / "hall"), "--host", "127.0.0.1"]
        ports = ["--port", str(self.port), "--broker-port", str(self.broker_port)]
        return super().begin(["hall", *place, *ports])

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
