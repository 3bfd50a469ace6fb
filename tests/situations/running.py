"""A whole table in this process, whose time passes only when a situation says so.

Hands push simulated buttons through the table's door, and its board, worker and journal are those
of every table. Only the machine's clock is another one, so that no situation depends on how busy
the computer is.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import structs
from werkzeug.test import Client

from companion.assembly.running import open_worker
from companion.referee import commands as c
from companion.referee.deadlines import next_deadline
from companion.referee.model.presses import MILLISECOND, SECOND
from companion.referee.sentences import Refusal
from companion.settings.edition_file import load_editions
from companion.view import view
from hardware.board import Board
from hardware.checkup.bench import BoardCheckup
from hardware.contact.listener import POLL
from hardware.wiring.wiring import default_wiring
from tests.kit.night import settings_for
from web.access.devices import Browser
from web.access.pairing import Pairing
from web.app import Application

ANA, BEN, CLEO, DAN, EVA = 1, 2, 3, 4, 5
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva")
SEATS = {name.lower(): seat for seat, name in enumerate(NAMES, start=1)}
TAP = 0.08
"""So many seconds stays a hand that only taps."""
NOTHING = c.Stand(10)
"""Is refused, when all that came before it is done."""
DARK = 6.0
"""No slap-off is dark for longer."""


class Clock:
    """The machine's clock, which stands still until it is moved."""

    def __init__(self) -> None:
        self.at = 1_000 * SECOND

    def ticks(self) -> int:
        """Tell the time."""
        return self.at


class RunningTable:
    """Two to five people at a table that is really open; seat n has button n.

    Times are seconds. `hands` are counted from now on and let it become the time of the last one.
    """

    def __init__(self, folder: Path, players: int, *, buttonless: tuple[int, ...] = ()) -> None:
        self._folder = folder
        self._clock = Clock()
        self._open()
        for seat, name in enumerate(NAMES[:players], start=1):
            button = None if seat in buttonless else seat
            self.do("sit", name=name, seat=seat, button=button)

    def _open(self) -> None:
        settings = settings_for(self._folder)
        running = open_worker(settings, load_editions(self._folder), self._clock.ticks)
        self._worker = running.worker
        wiring = structs.replace(default_wiring(len(NAMES), factory="simulated"), lamps="none")
        clock = self._worker.clock
        self._board = board = Board(wiring, self._worker.hand_over, clock=self._clock.ticks)
        self._worker.subscribe(lambda table, _events: board.show(view(table), clock.offset))
        board.start()
        hands = board.hands
        assert hands is not None
        running.checkup = BoardCheckup(board)
        running.push = lambda button, down: (hands.press if down else hands.release)(button)
        running.close_first(board.stop)
        pairing = Pairing()
        self._application = Application(running, pairing, port=80, clients=8)
        self._client = Client(self._application)
        token = pairing.pair(pairing.code, Browser("here"))
        self._client.set_cookie(self._application.cookie, token)

    def close(self) -> None:
        """Close the table, as when it is switched off in good order."""
        self._application.close()

    def restart(self, away: float = 1.0) -> None:
        """Switch the table off and on again."""
        self.close()
        self._clock.at += round(away * SECOND)
        self._open()

    # What the referee does.

    def do(self, kind: str, **fields: Any) -> None:
        """Tap something in on the tablet."""
        said = {"id": str(uuid.uuid4()), "kind": kind, **fields}
        answer = self._client.post("/api/commands", json=said)
        assert answer.status_code == 200, answer.text

    def refused(self, kind: str, **fields: Any) -> str:
        """Tap in something that cannot be; tell what is said about it."""
        before = self.view
        said = {"id": str(uuid.uuid4()), "kind": kind, **fields}
        answer = self._client.post("/api/commands", json=said)
        assert answer.status_code == 422, answer.text
        assert self.view == before
        message: str = answer.json["message"]  # type: ignore[index]
        return message

    def deal(self, way: str = "free", first: str = "red-5", **house: Any) -> RunningTable:
        """Begin a match and deal; Ana deals, so Ben is the first to play."""
        self.do("set_up", way=way, **({"house": house} if house else {}))
        self.do("start_match")
        self.do("choose_dealer", seat=ANA)
        self.do("deal")
        if way == "refereed":
            self.do("turn_up", card=first)
        self.wait(5)
        return self

    def play(self, card: str, **more: Any) -> None:
        """Tap in that whoever is on turn has laid this card."""
        self.do("play", card=card, **more)

    def cards(self, **counts: int) -> None:
        """Set right how many cards people hold, so that a situation can begin late in a round."""
        self.do("correct", hands={str(SEATS[name]): count for name, count in counts.items()})

    def answer(self, key: str) -> None:
        """Answer the only question that is asked."""
        (question,) = self.questions
        assert key in [choice["key"] for choice in question["choices"]]
        self.do("answer", question=question["number"], answer=key)

    # What hands do.

    def hands(self, rest: float = TAP, **when: float | tuple[float, ...]) -> None:
        """Let hands come down, each so many seconds from now, and stay there for a while."""
        now = self._clock.at
        moves: list[tuple[int, int, bool]] = []
        for name, moments in when.items():
            for moment in moments if isinstance(moments, tuple) else (moments,):
                down = now + round(moment * SECOND)
                moves += [(down, SEATS[name], True)]
                moves += [(down + round(rest * SECOND), SEATS[name], False)]
        for at, button, down in sorted(moves):
            self._until(at)
            self._push(button, down=down)
        self.wait(0.05)

    def press_and_stay(self, **when: float) -> None:
        """Let hands come down, each so many seconds from now, and not go away."""
        now = self._clock.at
        for name, moment in sorted(when.items(), key=lambda hand: hand[1]):
            self._until(now + round(moment * SECOND))
            self._push(SEATS[name], down=True)

    def let_go(self, name: str) -> None:
        """Take a hand off its button."""
        self._push(SEATS[name], down=False)
        self.wait(0.05)

    def touch(self, name: str) -> None:
        """Let a hand touch its button now."""
        self.hands(TAP, **{name: 0.0})

    def catch(self, name: str) -> None:
        """Let somebody catch whoever is on one card: two presses."""
        moments: dict[str, float | tuple[float, ...]] = {name: (0.0, 0.6)}
        self.hands(TAP, **moments)
        self.wait(1)

    def fail(self, name: str) -> None:
        """Let a contact do what no hand can, until its button is set aside."""
        for n in range(20):
            self._push(SEATS[name], down=n % 2 == 0)
            self.wait(0.018)
        self.wait(0.1)
        assert self.seat(name)["aside"] is not None

    def spike(self, name: str, microseconds: int) -> None:
        """Close a contact for less time than any finger does; no door asks for that."""
        hands = self._board.hands
        assert hands is not None
        hands.press(SEATS[name], self._clock.at)
        self._until(self._clock.at + microseconds * MILLISECOND // 1000)
        hands.release(SEATS[name], self._clock.at)
        self.wait(0.05)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self._until(self._clock.at + round(seconds * SECOND))

    def _push(self, button: int, *, down: bool) -> None:
        answer = self._client.post("/api/simulate", json={"button": button, "down": down})
        assert answer.status_code == 200, answer.text
        self._settle()

    def _until(self, at: int) -> None:
        """Go from one moment to the next at which anybody would look: the table, or the board."""
        while self._clock.at < at:
            due = next_deadline(self._worker.table)
            ahead = at if due is None else min(at, max(due, self._clock.at))
            self._clock.at = min(ahead, self._clock.at + POLL)
            self._settle()
            if due is not None and due <= self._clock.at:
                self._worker.ask(c.PassTime())
                assert next_deadline(self._worker.table) != due, "what was due stays due"

    def _settle(self) -> None:
        """Wait until everything done so far was followed by the board and by the worker."""
        for _ in range(2):
            assert self._board.listener.caught_up()
        with suppress(Refusal):
            self._worker.ask(NOTHING)

    # What everybody sees.

    @property
    def view(self) -> dict[str, Any]:
        """What the door shows."""
        view: dict[str, Any] = self._client.get("/api/state").json["table"]  # type: ignore[index]
        return view

    @property
    def race(self) -> dict[str, Any]:
        """The race that is shown."""
        race: dict[str, Any] | None = self.view["race"]
        assert race is not None
        return race

    @property
    def questions(self) -> list[dict[str, Any]]:
        """What the table asks."""
        questions: list[dict[str, Any]] = self.view["questions"]
        return questions

    @property
    def now(self) -> int:
        """The table's time."""
        return self._worker.now()

    def in_force(self, rule: str) -> list[tuple[str, list[int]]]:
        """The rulings by a rule that stand, oldest first: what each came to, and for whom."""
        rulings = [one for one in reversed(self.view["rulings"]) if one["rule"] == rule]
        return [
            (one["outcome"], one["seats"])
            for one in rulings
            if one.get("overruled") is None and one["outcome"] != "void"
        ]

    @property
    def races(self) -> list[tuple[str, list[int]]]:
        """The rulings on races that stand."""
        return self.in_force("R12")

    @property
    def catches(self) -> list[tuple[str, list[int]]]:
        """The rulings on catches that stand."""
        return self.in_force("R13")

    @property
    def owed(self) -> dict[str, int]:
        """Who has to draw how many cards."""
        return {seat["name"].lower(): seat["owes"] for seat in self.view["seats"] if seat["owes"]}

    def seat(self, name: str) -> Mapping[str, Any]:
        """What is shown of a seat."""
        return next(seat for seat in self.view["seats"] if seat["name"].lower() == name)

    def finish(self) -> list[tuple[str, float]]:
        """The slaps as they are shown: who, and how many milliseconds after the first hand."""
        return [
            (NAMES[slap["seat"] - 1].lower(), slap["after"] / MILLISECOND)
            for slap in self.race["slaps"]
        ]
