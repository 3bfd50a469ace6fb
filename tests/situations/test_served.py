"""The very command that people run: it is killed while it asks, and asks again."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

from tests.kit.served import Served, eventually
from tests.situations.running import ANA, BEN, CLEO, DAN


def kill(served: Served) -> None:
    """End both processes at once, without a warning; the group is the table's own."""
    os.killpg(served.process.pid, signal.SIGKILL)
    served.stop()


def asked(served: Served) -> list[dict[str, Any]]:
    questions: list[dict[str, Any]] = served.table["questions"]
    return questions


def test_a_question_survives_the_kill_of_a_served_table_and_is_answered_after_it(
    tmp_path: Path,
) -> None:
    served = Served(tmp_path)
    try:
        served.pair()
        for seat, name in ((ANA, "Ana"), (BEN, "Ben"), (CLEO, "Cleo"), (DAN, "Dan")):
            button = {} if seat == DAN else {"button": seat}
            assert served.do("sit", name=name, seat=seat, **button).status == 200
        for kind, fields in (("start_match", {}), ("choose_dealer", {"seat": ANA}), ("deal", {})):
            assert served.do(kind, **fields).status == 200
        assert served.do("declare_race", layer=ANA).status == 200
        served.push(BEN)
        served.push(CLEO)
        (before,) = eventually(lambda: asked(served))
    finally:
        kill(served)
    again = Served(tmp_path, port=served.port)
    try:
        again.pair()
        assert asked(again) == [before]
        assert before["kind"] == "who_was_last"
        assert again.do("answer", question=before["number"], answer="others").status == 200
        owed = {seat["name"]: seat["owes"] for seat in again.table["seats"] if seat["owes"]}
        assert owed == {"Cleo": 4}
        assert asked(again) == []
    finally:
        again.stop()
