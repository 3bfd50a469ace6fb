"""Tablets whose line breaks again and again: in the end each shows exactly what the table shows."""

from __future__ import annotations

import os
import random
import socket
import threading
import time
from typing import Any

import msgspec

from tests.kit.served import PATIENCE, Pushed, Served
from tests.web.live_line import GONE, LiveLine

TABLETS = 20
DROPS = int(os.environ.get("TABLET_DROPS", "8"))
"""Of each tablet; the soak breaks every line two hundred times."""
SEED = 4711


class Tablet(threading.Thread):
    """A screen with a bad line, which does what the page does and nothing more."""

    def __init__(self, served: Served, number: int) -> None:
        super().__init__(daemon=True)
        self.served = served
        self.source = f"127.0.0.{100 + number}"
        self.chance = random.Random(SEED + number)
        self.shown: dict[str, msgspec.Raw] | None = None
        self.pushed = Pushed()
        self.now = 0
        self.boot = ""
        self.version = -1
        self.drops = 0
        self.went_back = 0
        self.line: LiveLine | None = None

    def run(self) -> None:
        while self.drops < DROPS:
            line = LiveLine(self.served, None, sockopt=self._buffers(), source=self.source)
            try:
                self._catch_up(line)
                for _ in range(self.chance.randrange(4)):
                    self._take(*line.receive())
                self._drop(line)
            except GONE:
                pass
            finally:
                line.socket.shutdown()
            self.drops += 1

    def stay(self) -> None:
        """Come back once more, this time for good."""
        self.line = LiveLine(self.served, None, source=self.source)
        self._catch_up(self.line)

    def _catch_up(self, line: LiveLine) -> None:
        asked = {"boot": self.boot, "version": self.version} if self.shown else {}
        line.socket.send(f'421["catch_up",{msgspec.json.encode(asked).decode()}]')
        while True:
            name, said = line.receive()
            if name == "answer 1":
                if "view" in said:
                    self.show(msgspec.json.encode(said["view"]))
                return
            self._take(name, said)

    def follow(self, version: int) -> None:
        """Take what still comes until this version is shown."""
        assert self.line is not None
        deadline = time.monotonic() + PATIENCE
        while self.version < version:
            assert time.monotonic() < deadline, "the view did not come"
            self._take(*self.line.receive())

    def forget(self) -> None:
        """Show nothing, as a page that was just opened."""
        assert self.line is not None
        self.shown, self.boot, self.now, self.version = None, "", 0, -1
        self.line.tear()

    def shows(self, served: Served) -> None:
        """Compare byte by byte with what the table says of itself."""
        state = msgspec.json.decode(served.get("/api/state").body, type=dict[str, msgspec.Raw])
        assert self.shown is not None
        assert bytes(self.shown["table"]) == bytes(state["table"])
        assert bytes(self.shown["hardware"]) == bytes(state["hardware"])
        assert _without_time(self.shown["service"]) == _without_time(state["service"])

    def _take(self, name: str, said: Any) -> None:
        if name == "view":
            self.show(msgspec.json.encode(self.pushed.completed(msgspec.json.decode(said))))

    def show(self, body: bytes) -> None:
        """Draw a view unless a newer one is drawn already."""
        view = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
        table = msgspec.json.decode(view["table"])
        service = msgspec.json.decode(view["service"])
        if service["boot"] == self.boot and service["now"] < self.now:
            return
        self.went_back += service["boot"] == self.boot and table["version"] < self.version
        self.shown = view
        self.boot, self.now, self.version = service["boot"], service["now"], table["version"]

    def _drop(self, line: LiveLine) -> None:
        match self.chance.randrange(4):
            case 0:
                line.close()
            case 1:
                line.socket.shutdown()
            case 2:
                line.socket.send_binary(b"\x00")
                line.socket.shutdown()
            case _:
                line.tear()

    def _buffers(self) -> tuple[tuple[int, int, int], ...]:
        small = (socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        return (small,) if self.chance.randrange(2) else ()


def test_every_tablet_catches_up_exactly_however_often_its_line_breaks(tmp_path):
    served = Served(tmp_path, "[server]\nclients = 100\n")
    try:
        served.pair()
        served.do("sit", name="Ana")
        tablets = [Tablet(served, number) for number in range(TABLETS)]
        for tablet in tablets:
            tablet.start()
        changes = 0
        while any(tablet.is_alive() for tablet in tablets):
            changes += 1
            assert served.do("rename", seat=1, name=f"Ana {changes}").status == 200
        # Only now: who does not answer for ten seconds is taken to be gone.
        for tablet in tablets:
            tablet.stay()
        last = served.do("rename", seat=1, name="Ana at last").json["version"]
        for tablet in tablets:
            tablet.follow(last)
        for tablet in tablets:
            tablet.shows(served)
            assert tablet.went_back == 0
        # Nothing changes any more: what comes by itself is exact, and so is what is asked for.
        for tablet in tablets[:5]:
            tablet.forget()
            tablet.line = LiveLine(served, None, source=tablet.source)
            tablet.follow(last)
            tablet.shows(served)
            tablet.shown = None
            tablet.show(msgspec.json.encode(tablet.line.call("catch_up", {})["view"]))
            tablet.shows(served)
        assert [tablet.drops for tablet in tablets] == [DROPS] * TABLETS
        print(f"figures: drops: {TABLETS} tablets, {DROPS} each, {changes} changes: all exact")
        for tablet in tablets:
            assert tablet.line is not None
            tablet.line.close()
    finally:
        served.stop()


def _without_time(service: msgspec.Raw) -> dict[str, Any]:
    told: dict[str, Any] = msgspec.json.decode(service)
    assert told.pop("now") > 0
    return told
