"""The two sides of a comparison, each served by gunicorn's threads in one worker: ours and bare."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import TracebackType

from tests.kit.served import free_port
from web.transport.connections import threads_for

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 60.0
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"


class Side:
    """One server in its own processes, from its start until it is stopped."""

    def __init__(self, command: list[str], port: int) -> None:
        self.port = port
        self._began = time.perf_counter()
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self) -> Side:
        """Wait for the first good answer."""
        self.ready_after = self._wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop it."""
        self.process.send_signal(signal.SIGTERM)
        self.process.communicate(timeout=PATIENCE)

    @property
    def address(self) -> str:
        """Where its page is."""
        return f"http://127.0.0.1:{self.port}/"

    def press(self, seat: int) -> int:
        """Let its hand press, and tell when that was, in monotonic nanoseconds."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{seat}\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def pids(self) -> list[int]:
        """Tell the process that was started, and those that it started."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [pid, *(int(child) for child in children.split())]

    def _wait(self) -> float:
        while self.process.poll() is None and time.perf_counter() - self._began < PATIENCE:
            if self._answers():
                return time.perf_counter() - self._began
            time.sleep(0.005)
        raise RuntimeError(f"No answer from {self.process.args!r}")

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def ours(folder: Path) -> Side:
    """Start the table as anybody does."""
    port = free_port()
    place = ["--data", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    return Side([sys.executable, "-m", "companion", "run", "--simulate", *place], port)


def ours_with_hand(folder: Path, clients: int, mashing: int = 0) -> Side:
    """Start the table so that its simulated pins can be pressed from here, by one hand or many."""
    port = free_port()
    arguments = [str(folder), str(port), str(clients), str(mashing)]
    return Side([sys.executable, "-m", "bench.sides.pressed_ours", *arguments], port)


def bare(clients: int, app: str = "bench.sides.bare:app") -> Side:
    """Start the bare app."""
    port = free_port()
    threads = str(threads_for(clients))
    settings = ["--worker-class", "gthread", "--workers", "1", "--threads", threads]
    settings += ["--no-control-socket", "--log-level", "warning", "--graceful-timeout", "1"]
    bind = ["--bind", f"127.0.0.1:{port}"]
    return Side([sys.executable, "-m", "gunicorn", *settings, *bind, app], port)


def bare_with_hand(clients: int) -> Side:
    """Start the bare app so that an emit can be asked for from here."""
    return bare(clients, "bench.sides.pressed_bare:app")


def processor_time(pids: list[int]) -> float:
    """Seconds of processor time that these processes have taken."""
    ticks = 0
    for pid in pids:
        after_name = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(after_name[11]) + int(after_name[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def _environment() -> dict[str, str]:
    """Let modules be compiled once, as after an installation, whatever this shell says."""
    environment = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    return {**environment, "PYTHONPYCACHEPREFIX": str(ROOT / "build" / "bytecode")}
