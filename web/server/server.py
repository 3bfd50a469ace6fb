"""The server: one gunicorn process watches over another one, which has the table and serves it."""

from __future__ import annotations

import logging
import mmap
import os
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from companion.common.loading import loading
from companion.journal.damage.lost import JournalLost, Lost
from companion.settings.configuration import Settings
from web.access.codes import new_code, spoken
from web.access.invitations import addresses, in_letters
from web.access.network import NetworkWatch, hotspot
from web.access.pairing import ALL_PHONES, PHONES, Pairing
from web.server.readiness import Readiness, invitation, take_notify_socket
from web.transport.connections import IDLE, TableWorker, connections_for, threads_for
from web.transport.logs import tell_of_threads, traffic_log

if TYPE_CHECKING:
    from companion.assembly.running import Running
    from web.app import Application

SESSIONS_FILE = "sessions.json"
FAREWELL = 0.5
"""Seconds for the last answer to reach the screen before the server goes."""
FILES = 8192
WATCH = 5.0
"""Seconds between two looks of the watching process at the serving one."""
TURN = 0.001
"""Seconds that a thread may keep the interpreter to itself while others wait: a press is handed on
several times on its way, and each time would wait for a thread that sums up years of statistics."""


class CannotServe(Exception):
    """The table cannot be opened or reached, for the reason that the sentence gives."""

    def __init__(self, sentence: str, exit_code: int = 2) -> None:
        super().__init__(sentence)
        self.exit_code = exit_code


def serve(
    open_table: Callable[[], Running],
    settings: Settings,
    *,
    code: str | None = None,
    say: Callable[[str], None] = click.echo,
    when_open: Callable[[], None] = lambda: None,
) -> None:
    """Serve the table until it is stopped.

    `open_table` is called in the serving process, after the fork; should that process ever die,
    another one opens the table anew from its journal. `when_open` is called there too, once the
    page really answers.
    """
    allow_many_connections()
    door = listen(settings.server.host, settings.server.port)
    run_server(TableServer(open_table, settings, door, code or new_code(), say, when_open))


def run_server(server: TableServer) -> None:
    """Run a server until it is stopped; raise CannotServe where its inner process never opened."""
    master = os.getpid()
    try:
        server.run()
    except SystemExit as end:
        if os.getpid() != master:
            raise
        complaint = server.complaint()
        if complaint is not None:
            raise CannotServe(*complaint) from None
        if end.code:
            raise


def allow_many_connections() -> None:
    """Each connection is an open file, and a system allows few of them until it is asked."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def listen(host: str, port: int) -> socket.socket:
    """Open the port, or say why that is not possible."""
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        door = socket.socket(family, kind, protocol)
    except OSError as trouble:
        raise CannotServe(f"There is no address {host!r} to listen on: {trouble}.") from trouble
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6 and host == "::":
            door.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        door.bind(place)
        door.listen(256)
    except OSError as trouble:
        door.close()
        raise CannotServe(
            f"Port {port} cannot be opened: {trouble.strerror}. "
            "Perhaps another table runs already; choose another port with --port."
        ) from trouble
    return door


class Watcher(Arbiter):  # type: ignore[misc]
    """The watching process: it never runs two tables at once, whatever signal it gets."""

    def wait_for_signals(self, timeout: float = WATCH) -> list[int]:
        """Wait for a signal, which also tells of the other process; a look now and then will do."""
        signals: list[int] = super().wait_for_signals(timeout=max(timeout, WATCH))
        return signals

    def handle_hup(self) -> None:
        """A closed terminal ends the table in good order."""
        self.handle_term()

    def handle_ttin(self) -> None:
        """There is one table, and one process for it."""

    handle_ttou = handle_usr2 = handle_ttin


class TableServer(BaseApplication):  # type: ignore[misc]
    """Starts gunicorn around one table."""

    idle = IDLE
    grace = 5
    """Seconds in which the serving process closes before it is ended."""

    def __init__(
        self,
        open_table: Callable[[], Running],
        settings: Settings,
        door: socket.socket,
        code: str,
        say: Callable[[str], None],
        when_open: Callable[[], None] = lambda: None,
    ) -> None:
        self._open_table = open_table
        self._when_open = when_open
        self._settings = settings
        self._port: int = door.getsockname()[1]
        self._door = door.detach()
        self._shared_code = mmap.mmap(-1, mmap.PAGESIZE)
        """Seen by every serving process, so that a code that was given up stays so."""
        self._keep_code(code)
        self._say = say
        self._notify, self._watchdog = take_notify_socket()
        self._complaint_out, self._complaint_in = os.pipe()
        super().__init__()

    def load_config(self) -> None:
        """Set what differs from gunicorn's defaults."""
        threads = threads_for(self._settings.server.clients)
        settings: dict[str, Any] = {
            "bind": [f"fd://{self._door}"],
            "workers": 1,
            "worker_class": TableWorker,
            "threads": threads,
            "worker_connections": connections_for(threads, self.idle),
            "keepalive": 5,
            "timeout": 120,
            "graceful_timeout": self.grace,
            "limit_request_line": 2048,
            "limit_request_fields": 64,
            "forwarded_allow_ips": "",
            "control_socket_disable": True,
            "loglevel": "warning",
            "proc_name": "companion",
            "post_worker_init": self._opened,
            "worker_exit": self._close,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Application:
        """Open the table; this runs in the serving process."""
        with loading():
            return self._load()

    def _load(self) -> Application:
        os.set_inheritable(self._complaint_in, False)
        sys.setswitchinterval(TURN)
        tell_of_threads(traffic_log("gunicorn.error"))
        # A flood can keep this program from everything else, which is then told as often.
        traffic_log("hardware.contact.listener")
        try:
            running = self._open_table()
        except Exception as trouble:
            self._complain(trouble)
        return self.application(running, self.pairing(running))

    def pairing(self, running: Any) -> Pairing:
        """Keep the sessions of this journal's people."""
        return self.kept_sessions(running.worker.journal_identity, ALL_PHONES)

    def kept_sessions(self, journal: str, phones: int, each: int = PHONES) -> Pairing:
        """Keep the sessions in the data folder."""
        return Pairing(
            self._settings.data.folder / SESSIONS_FILE,
            self._code,
            renewed=self._renewed,
            phones=phones,
            each=each,
            journal=journal,
            proxies=self._settings.server.proxies,
        )

    def application(self, running: Running, pairing: Pairing) -> Application:
        """Make what answers the requests."""
        # Imported late: the watching process needs none of it, and stays small.
        from web.app import Application

        return Application(
            running,
            pairing,
            port=self._port,
            clients=self._settings.server.clients,
            names=self._settings.server.all_names,
            give_up=self._give_up,
        )

    def run(self) -> None:
        """Watch over the serving process."""
        logging.getLogger("gunicorn.error").addFilter(_not_about_complaints)
        Watcher(self).run()

    def complaint(self) -> tuple[str, int] | None:
        """What kept the serving process from opening the table."""
        os.set_blocking(self._complaint_out, False)
        try:
            complaint = os.read(self._complaint_out, 65536)
        except BlockingIOError:
            return None
        return msgspec.json.decode(complaint, type=tuple[str, int]) if complaint else None

    def _give_up(self, lost: Lost) -> None:
        """Close a table whose journal was lost, so that the page with the backups can open."""
        why = JournalLost(lost.how, self._settings.data.folder / lost.file)
        threading.Timer(FAREWELL, self._close_for, (why,)).start()

    def _close_for(self, why: JournalLost) -> None:
        self._hand_over(why)
        os.kill(os.getppid(), signal.SIGTERM)

    def _complain(self, trouble: Exception) -> None:
        """Hand the reason to the watching process, which ends the program with it."""
        self._hand_over(trouble)
        sys.exit(Arbiter.WORKER_BOOT_ERROR)

    def _hand_over(self, trouble: Exception) -> None:
        exit_code = getattr(trouble, "exit_code", None)
        if exit_code is None:
            logging.getLogger("companion.web").error("The table cannot be opened", exc_info=trouble)
            exit_code = 1
        own = getattr(trouble, "sentence", None)
        sentence = own if isinstance(own, str) else str(trouble) or type(trouble).__name__
        os.write(self._complaint_in, msgspec.json.encode((sentence[:8000], exit_code)))

    def _opened(self, worker: TableWorker) -> None:
        host = self._settings.server.host

        def moved() -> None:
            worker.wsgi.moved()
            self._say(self._invitation())

        def opened() -> None:
            self._when_open()
            if worker.age == 1:
                self._say(self._invitation())
            NetworkWatch(self._places, moved)

        own = f"{worker.wsgi.cookie}={worker.wsgi.pairing.inner}"
        Readiness(host, self._port, self._notify, self._watchdog, own).start(opened)

    def _invitation(self) -> str:
        self._leave_link()
        places = self._places()
        own = hotspot()
        text = invitation(places, self._code, own)
        if _on_a_screen():
            codes = [] if own is None else [own.code]
            codes.append(f"{places[0]}/?code={spoken(self._code)}")
            text = "\n".join([text, *map(in_letters, codes)])
        return text

    def _places(self) -> list[str]:
        return addresses(self._settings.server, self._port)

    def _leave_link(self) -> None:
        """Leave the referee's link for the screen at this machine, where the service has a folder.

        Only the table's own group may read it.
        """
        if folder := os.environ.get("RUNTIME_DIRECTORY"):
            file = Path(folder, "referee")
            file.touch(mode=0o600)
            file.write_text(f"http://localhost:{self._port}/?code={spoken(self._code)}\n")
            file.chmod(0o640)

    @property
    def _code(self) -> str:
        return self._shared_code[:].partition(b"\0")[0].decode()

    def _keep_code(self, code: str) -> None:
        kept = code.encode() + b"\0"
        self._shared_code[: len(kept)] = kept

    def _renewed(self, code: str) -> None:
        """All sessions but one were ended: the link that was printed is no longer true."""
        self._keep_code(code)
        self._say(self._invitation())

    def _close(self, _watcher: Watcher, worker: TableWorker) -> None:
        application: Application | None = getattr(worker, "wsgi", None)
        if application is not None:
            application.close()


def _on_a_screen() -> bool:
    """Whether people see what is printed: in a terminal, or in the journal that a Pi shows."""
    own = os.fstat(sys.stdout.fileno())
    journal = os.environ.get("JOURNAL_STREAM") == f"{own.st_dev}:{own.st_ino}"
    return journal or sys.stdout.isatty()


def _not_about_complaints(record: logging.LogRecord) -> bool:
    """The reason why a table could not be opened is said once, in our own words."""
    if record.levelno != logging.ERROR:
        return True
    args = record.args if isinstance(record.args, tuple) else ()
    boot_failed = Arbiter.WORKER_BOOT_ERROR in args or "Worker failed to boot." in args
    return not boot_failed and not str(record.msg).startswith("Shutting down")
