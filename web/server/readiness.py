"""Readiness: says that the table is open once it really answers, to people and to systemd."""

from __future__ import annotations

import http.client
import logging
import os
import socket
import threading
import time
from collections.abc import Callable

from web.access.codes import spoken
from web.access.invitations import ANY_ADDRESS
from web.access.network import Hotspot

log = logging.getLogger("companion.web")


def invitation(places: list[str], code: str, own: Hotspot | None = None) -> str:
    """What is printed at the start, and again when the table is to be found elsewhere."""
    lines = ["The table is open."]
    if own is not None:
        lines.append(f"  Wi-Fi:    {own.name}, password {own.password}")
    lines.append(f"  Watch:    {places[0]}/")
    lines += [f"  Referee:  {place}/?code={spoken(code)}" for place in places]
    return "\n".join(lines)


class Readiness:
    """Asks the table for its health, and tells systemd, which took our word for it so far."""

    def __init__(
        self, host: str, port: int, notify: str | None, every: float | None, cookie: str = ""
    ) -> None:
        self._headers = {"Cookie": cookie} if cookie else {}
        self._host = _loopback(host)
        self._port = port
        self._notify = notify
        self._every = every

    def start(self, when_open: Callable[[], None]) -> None:
        """Wait in the background for the first healthy answer."""
        threading.Thread(target=self._run, args=(when_open,), name="readiness", daemon=True).start()

    def _run(self, when_open: Callable[[], None]) -> None:
        while not self._alive():
            time.sleep(0.02)
        when_open()
        self._tell("READY=1")
        while self._every is not None:
            time.sleep(self._every)
            if self._alive():
                self._tell("WATCHDOG=1")

    def _alive(self) -> bool:
        """A full disk is no reason for systemd to restart: only silence or our own mistake is."""
        return self._status() in (200, 503)

    def _status(self) -> int | None:
        connection = http.client.HTTPConnection(self._host, self._port, timeout=5)
        try:
            connection.request("GET", "/healthz", headers=self._headers)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def _tell(self, message: str) -> None:
        if self._notify is None:
            return
        place = "\0" + self._notify[1:] if self._notify.startswith("@") else self._notify
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as pipe:
            try:
                pipe.sendto(message.encode(), place)
            except OSError as trouble:
                log.warning("systemd could not be told %s: %s", message, trouble)


def take_notify_socket() -> tuple[str | None, float | None]:
    """Take systemd's address out of the environment, because gunicorn would speak too early."""
    notify = os.environ.pop("NOTIFY_SOCKET", None)
    watchdog = os.environ.pop("WATCHDOG_USEC", None)
    every = int(watchdog) / 2_000_000 if notify and watchdog and watchdog.isdigit() else None
    return notify, every


def _loopback(host: str) -> str:
    if host == "::":
        return "::1"
    return "127.0.0.1" if host in ANY_ADDRESS else host
