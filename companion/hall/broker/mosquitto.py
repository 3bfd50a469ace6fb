"""The hall's own Mosquitto: configured, given users and a certificate, started and watched."""

from __future__ import annotations

import hashlib
import logging
import os
import secrets
import shutil
import signal
import socket
import subprocess
import threading
import time
from base64 import b64encode
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from companion.common.processes import started_with
from companion.common.whole_file import sync, write_whole
from companion.hall.broker.access import BrokerAccess
from companion.hall.broker.certificates import certificates
from companion.settings.broker import Home

log = logging.getLogger(__name__)

HALL = "hall"
"""The hall's own user at the broker."""
PORT = 8883
FOLDER = "broker"
ROUNDS = 101
"""As Mosquitto stretches passwords; ours are long and drawn by chance."""
FIRST_REST, LONGEST_REST = 0.2, 10.0
STARTING = 10.0
MISSING = (
    "The hall needs Mosquitto, which is not installed: sudo apt install mosquitto "
    "(it starts one of its own; the one that the package starts is left alone)."
)
ACCESS = f"""\
user {HALL}
topic readwrite hall/#

pattern write hall/%u/here
pattern write hall/%u/state
pattern write hall/%u/result
pattern read hall/%u/ack
pattern read hall/%u/orders
pattern read hall/all/#
"""
"""A table speaks for itself alone, and hears what the hall says to it and to all."""


class NoMosquitto(Exception):
    """The broker cannot be started, for the reason that the sentence gives."""

    exit_code = 2


def new_password() -> str:
    """Draw a password."""
    return secrets.token_urlsafe(24)


def stretched(password: str, salt: bytes | None = None) -> str:
    """Write a password the way that Mosquitto keeps it, which is no way back to it."""
    salt = secrets.token_bytes(12) if salt is None else salt
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, ROUNDS)
    return f"$7${ROUNDS}${b64encode(salt).decode()}${b64encode(digest).decode()}"


class Mosquitto:
    """A broker that runs as long as the hall does, and is started again whenever it ends."""

    def __init__(self, folder: Path, port: int, names: Iterable[str]) -> None:
        program = shutil.which("mosquitto", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
        if program is None:
            raise NoMosquitto(MISSING)
        self._program = program
        self.folder = folder / FOLDER
        self._words = ["-c", str(self.folder / "mosquitto.conf")]
        self.port = port
        self.password = new_password()
        self._process: subprocess.Popen[bytes] | None = None
        self._closing = threading.Event()
        self._starting = threading.Lock()
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        sync(self.folder.parent)
        self.certificate = certificates(self.folder, names)
        self._write_configuration()
        self._thread = threading.Thread(target=self._watch, name="broker", daemon=True)

    def start(self, tables: Mapping[str, str]) -> None:
        """Start the broker with these users, by their stretched passwords, and watch it."""
        self.let_in(tables)
        self._end_earlier()
        self._refuse_taken_port()
        self._start()
        self._wait_until_it_listens()
        self._thread.start()

    def let_in(self, tables: Mapping[str, str]) -> None:
        """Let these tables in from now on, and no others."""
        users = {HALL: stretched(self.password), **tables}
        lines = "".join(f"{user}:{password}\n" for user, password in users.items())
        write_whole(self.folder / "users", lines.encode())
        process = self._process
        if process is not None:
            with suppress(ProcessLookupError):
                process.send_signal(signal.SIGHUP)

    def access(self, _number: int, password: str) -> BrokerAccess:
        """Leave a table its password, or draw one; it is told this once and kept nowhere else."""
        return BrokerAccess(self.port, password or new_password(), self.certificate.read_text())

    def as_hall(self) -> Home:
        """Tell how the hall itself reaches the broker."""
        return Home(
            # By its address: not every small system knows the name of it.
            host="127.0.0.1",
            port=self.port,
            user=HALL,
            password=self.password,
            tls=True,
            ca_file=self.certificate,
        )

    def close(self) -> None:
        """End the broker."""
        self._closing.set()
        with self._starting:
            process = self._process
        if process is not None:
            process.terminate()
            try:
                process.wait(2)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._thread.ident is not None:
            self._thread.join(2)

    def _write_configuration(self) -> None:
        lines = [
            f"listener {self.port}",
            f"certfile {self.folder / 'hall.pem'}",
            f"keyfile {self.folder / 'hall.pem'}",
            "allow_anonymous false",
            f"password_file {self.folder / 'users'}",
            f"acl_file {self.folder / 'access'}",
            "persistence false",
            "max_queued_messages 20000",
            "max_packet_size 65536",
            f"pid_file {self.folder / 'pid'}",
        ]
        if os.getuid() == 0:
            lines.append("user root")
        write_whole(self.folder / "access", ACCESS.encode())
        write_whole(self.folder / "mosquitto.conf", "\n".join([*lines, ""]).encode())

    def _refuse_taken_port(self) -> None:
        """Refuse a port at which somebody else listens, who would be taken for our broker."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("", self.port))
            except OSError as taken:
                raise NoMosquitto(
                    f"Port {self.port} cannot be opened for the broker: {taken.strerror}. "
                    "Perhaps another broker runs already; choose another port with --broker-port."
                ) from None

    def _start(self) -> None:
        with self._starting:
            if self._closing.is_set():
                return
            with (self.folder / "log").open("wb") as told:
                words = [self._program, *self._words]
                self._process = subprocess.Popen(words, stdout=told, stderr=told)

    def _wait_until_it_listens(self) -> None:
        until = time.monotonic() + STARTING
        assert self._process is not None
        while time.monotonic() < until and self._process.poll() is None:
            with socket.socket() as probe, suppress(OSError):
                probe.connect(("127.0.0.1", self.port))
                return
            time.sleep(0.02)
        self._process.kill()
        lines = (self.folder / "log").read_text(errors="replace").strip().splitlines()
        raise NoMosquitto(f"Mosquitto does not start: {lines[-1] if lines else 'it says nothing'}")

    def _watch(self) -> None:
        rest = FIRST_REST
        while not self._closing.is_set():
            assert self._process is not None
            began = time.monotonic()
            self._process.wait()
            if self._closing.is_set():
                return
            rest = (
                FIRST_REST
                if time.monotonic() - began > LONGEST_REST
                else min(2 * rest, LONGEST_REST)
            )
            log.warning("The broker has ended and is started again.")
            self._closing.wait(rest)
            self._start()

    def _end_earlier(self) -> None:
        """End the broker of a hall that was killed, however early in its life that was."""
        until = time.monotonic() + STARTING
        while (earlier := started_with(self._words)) and time.monotonic() < until:
            for number in earlier:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGTERM)
            time.sleep(0.02)
