"""A referee with nothing but HTTP, who plays a round at whatever table answers."""

from __future__ import annotations

import json
import re
import time
import uuid
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from tests.kit import waiting

Answer = TypeVar("Answer")

PATIENCE = 60.0
CODE = re.compile(r"/\?code=([A-Z0-9-]+)")


class Referee:
    """Knows the table's address and, once paired, acts there."""

    def __init__(self, host: str, port: int, patience: float = PATIENCE) -> None:
        self.address = f"http://{host}:{port}"
        self._patience = patience
        self._cookie = ""

    def ask(self, path: str, body: Any = None, *, name: str | None = None) -> Any:
        """Send one request, and give the JSON of the answer."""
        return json.loads(self.fetch(path, body, name=name))

    def fetch(self, path: str, body: Any = None, *, name: str | None = None) -> bytes:
        """Send one request; `name` is how a browser would have called the table."""
        headers = {"Content-Type": "application/json", "Cookie": self._cookie}
        if name is not None:
            headers["Host"] = name
        sent = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.address + path, sent, headers), timeout=self._patience) as answer:
            if cookie := answer.headers["Set-Cookie"]:
                self._cookie = cookie.partition(";")[0]
            content: bytes = answer.read()
            return content

    def answers(self) -> bool:
        """Whether the table is open and well."""
        try:
            self.ask("/healthz")
        except (HTTPError, URLError, ConnectionError, TimeoutError):
            return False
        return True

    def pair(self, printed: str) -> None:
        """Become the referee with the code that the table printed last."""
        self.ask("/api/pair", {"code": CODE.findall(printed)[-1]})

    def do(self, kind: str, **fields: Any) -> Any:
        """Give one command."""
        return self.ask("/api/commands", {"id": str(uuid.uuid4()), "kind": kind, **fields})

    def tap(self, button: int) -> None:
        """Press a simulated button and let it go."""
        for down in (True, False):
            self.ask("/api/simulate", {"button": button, "down": down})

    def play_round(self) -> None:
        """Seat three, run a race that Cleo loses, and score a round that Ben wins."""
        for seat, player in enumerate(("Ana", "Ben", "Cleo"), start=1):
            self.do("sit", name=player, seat=seat, button=seat)
        self.do("set_up", way="free")
        self.do("start_match")
        self.do("choose_dealer", seat=1)
        self.do("deal")
        self.do("declare_race", layer=1)
        for button in (2, 3):
            self.tap(button)
            time.sleep(0.05)
        until(lambda: self.last_hands() == [3], "Cleo is told to draw")
        self.do("go_out", seat=2)
        self.do("enter_points", seat=1, points=20)
        self.do("enter_points", seat=3, points=30)
        self.do("score_round")

    def last_hands(self) -> list[int]:
        """Which seats were last in the race, and still have to draw."""
        seats = self.ask("/api/state")["table"]["seats"]
        return [seat["number"] for seat in seats if seat["last"]]

    def score(self) -> Any:
        """The score sheet of the first match."""
        return self.ask("/api/matches/1")["sheet"]


def until(question: Callable[[], Answer], what: str, patience: float = 120.0) -> Answer:
    """Ask until the answer is yes; fail with what was waited for."""
    answer: Answer = waiting.until(question, patience, what, look=0.05)
    return answer
