"""A table at every moment worth seeing, made without a server, and a page that is shown it.

The page believes that a table sends these views: it is given a line of its own, on which nothing
else arrives. So one page can be looked at in every situation and size within seconds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from playwright.sync_api import BrowserContext, Page, WebSocketRoute

from companion.referee import commands as c
from companion.referee.model.cards import Card
from companion.referee.model.presses import MILLISECOND, SECOND, Timing
from companion.referee.sentences import speaking
from companion.view import view
from tests.kit.evening import NAMES, Evening
from tests.kit.served import Served

LONGEST = (
    "Bartholomew the Third",
    "Wilhelmine Hohenstein",
    "Émile Dupont-Moretti",
    "Maximiliane",
    "Christopher",
    "Ana",
    "Gustav-Adolf",
    "Mo",
    "Constantinopolitus",
    "Ivo",
)
"""Ten at a table, most of them with names that need room."""
FIGURES = {
    "shave": {
        "loser": "Wilhelmine Hohenstein",
        "saved": "Bartholomew the Third",
        "margin": 8 * 10**6,
    },
    "hands": [{"name": "Émile Dupont-Moretti", "first": 12, "safe": 16}],
    "calls": [{"name": "Bartholomew the Third", "caught": 3, "forgot": 2}],
    "comebacks": [{"name": "Bartholomew the Third", "behind": 187, "rounds": 3}],
}
"""What a match is remembered for, in names that need room."""
DOUBT = 20 * MILLISECOND
DATED = 7 * MILLISECOND
"""Within which a table dates the presses of a phone that it knows."""
LINE = re.compile(r"/socket\.io/")


class Told:
    """An evening that writes down what a screen is sent."""

    def __init__(self, players: int, names: Sequence[str] = LONGEST, **setup: Any) -> None:
        self.evening = Evening(players, timing=Timing(), **setup)
        for seat, name in enumerate(names[:players], 1):
            if name != NAMES[seat - 1]:
                self.evening.do(c.Rename(seat, name))
        self.players = players

    def shown(self) -> dict[str, Any]:
        """What the table would send now."""
        table = view(self.evening.table, (2,))
        body = msgspec.json.encode(table, enc_hook=speaking(table.names))
        service = {
            "boot": "0",
            "release": "0",
            "storage": "ok",
            "damage": None,
            "lost": None,
            "pairing": False,
            "home": None,
            "now": self.evening.now,
        }
        return {"table": json.loads(body), "hardware": {"simulated": False}, "service": service}

    def score(self, out: int, most: int = 60) -> None:
        """Play a round to its end: somebody goes out, and the others count."""
        self.evening.do(c.GoOut(out))
        for seat in self.evening.round.seats:
            if seat != out:
                self.evening.do(c.EnterPoints(seat, (seat * 37) % most + 3))
        self.evening.do(c.ScoreRound())

    def slap(self, *seats: int, apart: int = 72) -> None:
        """Let hands come down in this order."""
        for seat in seats:
            self.evening.tap(seat)
            self.evening.wait(apart * MILLISECOND)


def free_play(players: int, **setup: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """A match of free play, from the empty table to the winner."""
    yield "nobody", Told(0, **setup).shown()
    told = Told(players, **setup)
    evening = told.evening
    yield "seating", told.shown()
    evening.do(c.StartMatch())
    yield "deal", told.shown()
    evening.do(c.ChooseDealer(1))
    yield "first", told.shown()
    evening.do(c.Deal())
    told.score(2)
    evening.do(c.Deal())
    told.score(1)
    yield "between", told.shown()
    evening.do(c.Deal())
    evening.wait(2 * SECOND)
    yield "resting", told.shown()
    if setup.get("edition") != "express":
        yield from race(told)
    evening.do(c.Catch(2, by=1))
    yield "checked", told.shown()
    evening.wait(20 * SECOND)
    yield "caught", told.shown()
    paid(told)
    evening.tap(1)
    evening.wait(SECOND)
    yield "called", told.shown()
    evening.wait(20 * SECOND)
    evening.do(c.GoOut(1))
    held = {"wild": 2, "red-5": 1, "blue-skip": 1}
    evening.do(c.EnterHand(2, {Card(card): count for card, count in held.items()}))
    yield "counting", told.shown()
    for seat in evening.round.seats[1:]:
        evening.do(c.EnterPoints(seat, 500 if seat == 2 else 7 * seat))
    yield "counted", told.shown()
    evening.do(c.ScoreRound())
    yield "won", told.shown()


def race(told: Told) -> Iterator[tuple[str, dict[str, Any]]]:
    """A race from the card to its verdict, then one that a slap-off has to decide."""
    evening, others = told.evening, list(range(2, told.players + 1))
    evening.do(c.DeclareRace(1))
    told.slap(*others[:-2])
    told.slap(*others[-2:-1], apart=9)  # so close to the last that a lens lies over both
    yield "racing", told.shown()
    told.slap(others[-1])
    evening.wait(12 * SECOND)
    yield "verdict", told.shown()
    paid(told)
    if len(others) < 2:
        return
    evening.wait(20 * SECOND)
    evening.do(c.DeclareRace(1))
    for seat in others:
        evening.press(seat, uncertainty=DOUBT)
    evening.wait(12 * SECOND)
    yield "dead heat", told.shown()
    evening.do(c.SlapOff())
    yield "slap-off", told.shown()
    for seat in others:
        evening.tap(seat)
    evening.wait(6 * SECOND)
    yield "jumped", told.shown()
    evening.do(c.CancelRace())
    for called in told.shown()["table"]["seats"]:
        if called["called"]:
            evening.do(c.WithdrawCall(called["number"]))


def paid(told: Told) -> None:
    """Whoever has to draw has drawn."""
    for debt in told.shown()["table"]["debts"]:
        told.evening.do(c.Drawn(debt["number"]))


def refereed(players: int, **setup: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """A refereed round: a turn, one card left, a challenge."""
    told = Told(players, way="refereed", **setup)
    evening = told.evening
    evening.start()
    yield "first card", told.shown()
    evening.do(c.TurnUp(Card("red-5")))
    yield "turn", told.shown()
    evening.do(c.Correct(hands={evening.round.turn or 1: 2}))
    evening.play("red-7")
    yield "one card", told.shown()
    evening.play("wild-draw green")
    yield "challenge", told.shown()


def pair(context: BrowserContext, table: Served) -> None:
    """Let every page of this context be the referee's."""
    paired = context.request.post(
        table.address + "/api/pair", data={"code": table.code}, headers={"Origin": table.address}
    )
    assert paired.ok


class Line:
    """The line of one page: it answers as a table would that shows this and nothing else."""

    def __init__(self, page: Page, role: str = "watcher", seat: int | None = None) -> None:
        self._page = page
        self._who = {"role": role} | ({} if seat is None else {"seat": seat})
        self._shown: dict[str, Any] | None = None
        self._version = 0
        self._sockets: list[WebSocketRoute] = []
        page.route_web_socket(LINE, self._opened)

    def show(self, shown: dict[str, Any]) -> None:
        """Let the page show this, and wait until it does."""
        self._version += 1
        now = 10**12 * self._version  # a view is always newer than the one before
        away = now - shown["service"]["now"]
        moved = _later(shown, away)
        moved["table"]["version"] = self._version
        self._shown = moved
        for socket in self._sockets:
            socket.send("42" + json.dumps(["view", moved]))
        self._page.locator(f"[data-version='{self._version}'][data-link=live]").wait_for()
        if self._who["role"] == "player":
            for socket in self._sockets:
                socket.send("42" + json.dumps(["clock", [self._version, DATED]]))

    def _opened(self, socket: WebSocketRoute) -> None:
        socket.on_message(lambda said: self._answer(socket, str(said)))
        hello = {"sid": "1", "upgrades": [], "pingInterval": 600_000, "pingTimeout": 600_000}
        socket.send("0" + json.dumps({**hello, "maxPayload": 1_000_000}))

    def _answer(self, socket: WebSocketRoute, said: str) -> None:
        if said.startswith("40"):
            socket.send('40{"sid":"1"}')
            self._sockets = [socket]
            if self._shown:
                socket.send("42" + json.dumps(["view", self._shown]))
        elif asked := re.match(r"42(\d+)\[\"catch_up\"", said):
            socket.send(f"43{asked[1]}" + json.dumps([self._who]))


MOMENTS = {
    "at",
    "anchor",
    "named_at",
    "deadline",
    "light_at",
    "started_at",
    "start",
    "until",
    "now",
}


def _later(said: Any, away: int) -> Any:
    """The same view, so much later by the table's clock."""
    match said:
        case dict():
            return {
                key: value + away
                if key in MOMENTS and isinstance(value, int)
                else _later(value, away)
                for key, value in said.items()
            }
        case list():
            return [_later(one, away) for one in said]
        case _:
            return said
