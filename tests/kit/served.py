"""A table that is really served: the command, its two processes, and a plain client of it."""

from __future__ import annotations

import itertools
import json
import os
import queue
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, NamedTuple

import socketio

from tests.kit.quick_start import Forked
from tests.kit.waiting import PATIENCE as PATIENCE
from tests.kit.waiting import until

LINK = re.compile(r"(http://\S+)/\?code=([A-Z0-9-]+)")
START = 2 * PATIENCE
HELD = 0.03
"""Seconds that a hand stays down, and up again before the next one comes."""
WORKER = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 8
PORTS = itertools.cycle(
    range(10_100 + 2_000 * WORKER + os.getpid() % 1_000, 12_000 + 2_000 * WORKER)
)
"""A range for each worker, below what the kernel gives to whoever connects the very next moment,
and without 10080, to which no browser goes."""


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def free_port() -> int:
    """A port that is still free when a program gets to opening it."""
    while True:
        port = next(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def words(port: int, folder: Path, *more: str) -> list[str]:
    """What is said to open a table."""
    return ["run", "--data", str(folder), "--host", "127.0.0.1", "--port", str(port), *more]


def command(port: int, folder: Path, *more: str) -> list[str]:
    """The whole command, to start a table with simulated buttons as people do."""
    return [sys.executable, "-m", "companion", *words(port, folder, "--simulate", *more)]


class Client:
    """A plain client of the table on a port of this machine."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.cookie: str | None = None

    def request(
        self, method: str, path: str, body: bytes | None = None, **headers: str | None
    ) -> Reply:
        """One request, with the session of this client; a header of None is left out."""
        sent = {"Host": f"127.0.0.1:{self.port}"}
        if self.cookie:
            sent["Cookie"] = self.cookie
        for name, value in headers.items():
            sent.pop(name.replace("_", "-"), None)
            if value is not None:
                sent[name.replace("_", "-")] = value
        connection = HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in sent.items():
                connection.putheader(name, value)
            if body is not None:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Reply(answer.status, found, answer.read())
        finally:
            connection.close()

    def get(self, path: str, **headers: str | None) -> Reply:
        return self.request("GET", path, None, **headers)

    def post(self, path: str, value: Any, **headers: str | None) -> Reply:
        body = value if isinstance(value, bytes) else json.dumps(value).encode()
        return self.request("POST", path, body, **{"Content_Type": "application/json", **headers})

    def phone(self, seat: int, code: str) -> Reply:
        """Pair a phone with a seat, as its page does with the code of the link."""
        return self.post("/api/pair", {"seat": seat, "code": code}, Cookie=None)

    def paired_phone(self, seat: int) -> str:
        """Pair a phone with a seat by a code that the referee has asked for; its cookie."""
        answer = self.phone(seat, self.get(f"/api/seats/{seat}").json["code"])
        assert answer.status == 200, answer
        return answer.headers["set-cookie"].partition(";")[0]


class Served(Client):
    """One running table, and everything a test wants to do to it."""

    def __init__(
        self, folder: Path, config: str = "", port: int | None = None, *, simulate: bool = True
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        super().__init__(port or free_port())
        self.folder = folder
        more = ["--simulate"] if simulate else []
        if config:
            (folder / "companion.toml").write_text(config)
            more += ["--config", str(folder / "companion.toml")]
        self.process = self.begin(words(self.port, folder / "data", *more))
        self.lines: list[str] = []
        self._printed: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        try:
            self.address, self.code = self._wait_for_link()
        except BaseException:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            raise

    def begin(self, said: list[str]) -> Forked | subprocess.Popen[str]:
        """Start the program, quickly."""
        return Forked(said)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as printed:
            for line in printed:
                self.lines.append(line)
                self._printed.put(line)
        self._printed.put(None)

    def _wait_for_link(self) -> tuple[str, str]:
        deadline = time.monotonic() + START
        while True:
            line = self._printed.get(timeout=max(0.01, deadline - time.monotonic()))
            if line is None:
                raise AssertionError("The table did not open:\n" + "".join(self.lines))
            if found := LINK.search(line):
                return found[1], found[2]

    @property
    def link(self) -> str:
        return f"{self.address}/?code={self.code}"

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> float:
        """Stop the table; tell how many seconds it took."""
        began = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(sign)
        self.process.wait(timeout=PATIENCE)
        took = time.monotonic() - began
        self._reader.join(timeout=PATIENCE)
        return took

    def pair(self) -> None:
        """Become the referee."""
        answer = self.post("/api/pair", {"code": self.code})
        assert answer.status == 200, answer
        self.cookie = answer.headers["set-cookie"].partition(";")[0]

    def push(self, button: int, held: float = HELD) -> None:
        """Push a simulated button and let it go, as long after as a contact takes to settle."""
        for down in (True, False):
            assert self.post("/api/simulate", {"button": button, "down": down}).status == 200
            time.sleep(held)

    def do(self, kind: str, **fields: Any) -> Reply:
        """Give a command under a new id."""
        return self.post("/api/commands", envelope(kind, **fields))

    def state(self) -> Any:
        return self.get("/api/state").json

    @property
    def table(self) -> Any:
        return self.state()["table"]

    def screen(self, *, watching: bool = False, **options: Any) -> Screen:
        """Open a screen, as the referee unless it only watches."""
        headers = {} if watching or not self.cookie else {"Cookie": self.cookie}
        return Screen(self.address, headers, **options)

    def children(self) -> list[int]:
        path = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return [int(pid) for pid in path.read_text().split()]


class Started(Served):
    """A table that was started as people do, for tests of the start itself."""

    def begin(self, said: list[str]) -> subprocess.Popen[str]:
        """Start the program from nothing."""
        return subprocess.Popen(
            [sys.executable, "-m", "companion", *said],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


def envelope(kind: str, **fields: Any) -> dict[str, Any]:
    return {"id": str(uuid.uuid4()), "kind": kind, **fields}


class Pushed:
    """The latest view that came by itself; one that follows has only what has changed since."""

    def __init__(self) -> None:
        self.view: Any = None
        self._early: list[Any] = []
        self._lock = threading.Lock()

    def hear(self, view: Any, told: Callable[[Any], None]) -> None:
        """Tell what this completes; every view is heard on a thread of its own, in any order."""
        with self._lock:
            self._early.append(view)
            while self._early:
                known = self.view and self.view["number"]
                follows = [early for early in self._early if early.get("since", known) == known]
                if not follows:
                    return
                self._early.remove(follows[0])
                told(self.completed(follows[0]))

    def completed(self, view: Any) -> Any:
        """Put the rest back, as a page does."""
        if "since" in view:
            assert view["since"] == self.view["number"]
            view = {**self.view, **view, "table": {**self.view["table"], **view["table"]}}
        self.view = view
        return {name: view[name] for name in ("table", "hardware", "service")}


class Screen:
    """A screen on the live door, with everything that it was sent."""

    def __init__(self, address: str, headers: dict[str, str], transport: str = "websocket") -> None:
        self.views: queue.Queue[Any] = queue.Queue()
        self.presses: queue.Queue[Any] = queue.Queue()
        self.client = socketio.Client(reconnection=False, handle_sigint=False)
        pushed = Pushed()
        self.client.on("view", lambda view: pushed.hear(view, self.views.put))
        self.client.on("press", self.presses.put)
        self.client.connect(address, headers=headers, transports=[transport], wait_timeout=PATIENCE)

    def call(self, event: str, *value: Any) -> Any:
        return self.client.call(event, value or None, timeout=PATIENCE)

    def view_at(self, version: int, timeout: float = PATIENCE) -> Any:
        """The first view of at least this version."""
        deadline = time.monotonic() + timeout
        while True:
            view = self.views.get(timeout=max(0.01, deadline - time.monotonic()))
            if view["table"]["version"] >= version:
                return view

    def close(self) -> None:
        self.client.disconnect()
        # After an error the client lets its socket lie, to be complained of in another test.
        if self.client.eio.ws is not None:
            self.client.eio.ws.shutdown()


eventually = partial(until, look=0.02)
"""The same for what has to be asked over the network."""


def resident(pid: int) -> int:
    """The memory of a process in kilobytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+)", status)
    assert found
    return int(found[1])


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True
