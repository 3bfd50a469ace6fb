"""A tap that is sent again, by whatever door and however late, counts once."""

from __future__ import annotations

import json
import os
import random
import threading
from http.client import HTTPConnection
from typing import Any

from tests.kit.served import PATIENCE, Served, envelope
from tests.web.live_line import LiveLine

TAPS = int(os.environ.get("RETRIED_TAPS", "300"))
"""Each sent two to four times; the soak taps ten thousand times."""
REFEREES = 3
SEED = 815


def effect(answer: Any) -> Any:
    """What a tap has done; how people are called whom it names may change meanwhile."""
    return answer | {"events": [event | {"label": None} for event in answer["events"]]}


class Referee(threading.Thread):
    """A tablet on a bad line: it repeats itself, over both doors, at once and much later."""

    def __init__(self, served: Served, number: int, taps: int) -> None:
        super().__init__(daemon=True)
        self.served, self.seat, self.taps = served, number, taps
        self.chance = random.Random(SEED + number)
        self.live = LiveLine(served, served.cookie)
        self.plain = HTTPConnection("127.0.0.1", served.port, timeout=PATIENCE)
        self.answers: dict[str, Any] = {}
        self.differing: list[tuple[Any, Any]] = []
        self.sent = 0
        self.name = ""
        self.finished = False

    def run(self) -> None:
        taps: list[dict[str, Any]] = []
        for number in range(self.taps):
            name = f"{self.seat} {number}"
            taps.append(envelope("rename", seat=self.seat, name=name))
            if self.chance.random() < 0.15:
                self._and_hang_up(taps[-1])
            for _ in range(self.chance.randrange(2, 4)):
                self._send(taps[-1])
            if self.chance.random() < 0.3:
                self._send(self.chance.choice(taps))
        self.name = name
        self.live.close()
        self.plain.close()
        self.finished = True

    def _send(self, tap: dict[str, Any]) -> None:
        send = self._by_live if self.chance.random() < 0.5 else self._by_plain
        answer = effect(send(tap))
        known = self.answers.setdefault(tap["id"], answer)
        if known != answer:
            self.differing.append((known, answer))

    def _by_live(self, tap: dict[str, Any]) -> Any:
        self.sent += 1
        return self.live.call("command", tap)

    def _by_plain(self, tap: dict[str, Any]) -> Any:
        self._post(tap)
        return json.loads(self.plain.getresponse().read())

    def _and_hang_up(self, tap: dict[str, Any]) -> None:
        """The answer is lost, so nobody can know whether it counted."""
        self._post(tap)
        self.plain.close()

    def _post(self, tap: dict[str, Any]) -> None:
        self.sent += 1
        headers = {"Content-Type": "application/json", "Cookie": self.served.cookie or ""}
        self.plain.request("POST", "/api/commands", json.dumps(tap), headers)


def test_every_tap_counts_once_however_often_it_is_sent(served):
    for number in range(REFEREES):
        assert served.do("sit", name=f"Player {number}").status == 200
    before = served.table["version"]
    referees = [Referee(served, number + 1, -(-TAPS // REFEREES)) for number in range(REFEREES)]
    for referee in referees:
        referee.start()
    for referee in referees:
        referee.join()
    table = served.table
    sent = sum(referee.sent for referee in referees)
    answers = [answer for referee in referees for answer in referee.answers.values()]
    assert all(referee.finished for referee in referees)
    assert all(referee.differing == [] for referee in referees)
    assert len(answers) >= TAPS
    assert sent > 2 * len(answers)
    assert table["version"] - before == sum(len(answer["events"]) for answer in answers)
    assert len({answer["version"] for answer in answers}) == len(answers)
    assert [seat["name"] for seat in table["seats"]] == [referee.name for referee in referees]
    print(f"figures: retries: {len(answers)} taps sent {sent} times: one effect each")


def test_the_id_of_one_tap_does_not_serve_for_another(served):
    tap = envelope("sit", name="Ana")
    assert served.post("/api/commands", tap).status == 200
    other = served.post("/api/commands", {**tap, "name": "Ben"})
    assert (other.status, other.json["error"]) == (409, "id_reused")
    assert [seat["name"] for seat in served.table["seats"]] == ["Ana"]


def test_of_two_referees_who_change_the_same_at_once_one_is_told(served):
    served.do("sit", name="Player")
    lines = [LiveLine(served, served.cookie) for _ in range(2)]
    seen = served.table["version"]
    answers: list[Any] = []
    go = threading.Barrier(2)

    def rename(line: LiveLine, name: str) -> None:
        go.wait(timeout=PATIENCE)
        answers.append(
            line.call("command", envelope("rename", seat=1, name=name, version=seen)) | {"n": name}
        )

    threads = [
        threading.Thread(target=rename, args=(line, name))
        for line, name in zip(lines, ("Ana", "Ben"), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=PATIENCE)
    (done,) = [answer for answer in answers if "error" not in answer]
    (told,) = [answer for answer in answers if "error" in answer]
    assert told["error"] == "stale"
    assert done["n"] in told["message"]
    for line in lines:
        assert line.table_at(done["version"])["seats"][0]["name"] == done["n"]
        line.close()
    assert served.table["seats"][0]["name"] == done["n"]
