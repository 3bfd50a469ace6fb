"""`python -m tests.hall.trouble.power`: a hall with one table; it tells what it is told to the end.

What the table hears to be confirmed, and what the desk is answered, goes to the file `told` of the
hall's disk, which keeps in mind when that was.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from itertools import count
from pathlib import Path

from companion.hall.broker.mosquitto import stretched
from companion.hall.commands import SignUp
from companion.hall.opening import Hall
from companion.hall.table.link import TableLink
from companion.hall.table.membership import Membership, keep_membership
from tests.hall.halls import LightTable
from tests.hall.life import AGAIN, QUICK
from tests.promises.disk.mounted import TOLD
from tests.promises.player import forget_to_sync

PASSWORD = "secret 1"


class TellingLink(TableLink):
    """Tells every confirmation."""

    told = -1

    def _heard(self, where: str, payload: bytes, retained: bool) -> None:
        super()._heard(where, payload, retained)
        if self._ack is not None and where.endswith("ack"):
            tell(self.told, sequence=self._ack.sequence)
            print("taken", flush=True)


def tell(mouth: int, **what: int) -> None:
    os.write(mouth, json.dumps(what).encode() + b"\n")


def main(folder: Path, own: Path, port: int, results: int, how: str) -> None:
    """Open the hall, and let a table with so many results behind it play on."""
    if how == "careless":
        forget_to_sync()
    hall = Hall(folder, port)
    if 1 not in hall.keeper.evening.tables:
        hall.keeper.join(1, "table-1", stretched(PASSWORD))
    member = Membership(1, "table-1", "localhost", port, PASSWORD)
    keep_membership(own, member, hall.broker.access(1, "").certificate)
    TellingLink.told = os.open(folder / TOLD.strip("/"), os.O_WRONLY)
    table = LightTable(1)
    for _ in range(results):
        table.play()
    link = TellingLink(member, own, table, pace=QUICK, again=AGAIN)
    link.start()
    signed = threading.Event()
    for number in count(len(hall.keeper.evening.people) + 1):
        evening = hall.keeper.do(SignUp((f"Person {number}",)))
        tell(TellingLink.told, version=evening.version)
        table.play()
        link.look()
        signed.wait(0.02)


if __name__ == "__main__":
    folder, own, port, results, how = sys.argv[1:]
    main(Path(folder), Path(own), int(port), int(results), how)
