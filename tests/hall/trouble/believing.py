"""The control: a table that takes the broker's receipt for the hall's, and never sends again."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.hall.contract import CONTRACT, Ack
from companion.hall.table.link import TableLink
from companion.home.connection.line import BrokerLine
from tests.kit.waiting import PATIENCE

BELIEVED = "believed.json"


class BelievingLink(TableLink):
    """Keeps what it believes, as one would who takes a receipt for granted."""

    def __init__(self, *parts: Any, **how: Any) -> None:
        super().__init__(*parts, **how)
        kept = self._folder / BELIEVED
        if kept.exists():
            self._ack = msgspec.json.decode(kept.read_bytes(), type=Ack)

    def send_all(self, line: BrokerLine) -> None:
        super().send_all(line)
        sent = [one for one in self._pending if one.sequence <= self._sent_up_to]
        if sent and line.settle(PATIENCE):
            last = sent[-1]
            self._ack, self._looked = Ack(CONTRACT, last.sequence, last.seal), False
            beside = self._folder / f"{BELIEVED}.new"
            beside.write_bytes(msgspec.json.encode(self._ack))
            beside.replace(self._folder / BELIEVED)

    def _heard(self, where: str, payload: bytes, retained: bool) -> None:
        if not where.endswith("ack") or self._ack is None:
            super()._heard(where, payload, retained)
