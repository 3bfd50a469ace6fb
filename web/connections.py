"""Connections: gunicorn's threaded worker, made fit for clients that are slow, silent or gone.

A thread is spent on a connection only while there is something to read, nobody may take for ever
over a request, and a stop takes less than a second with any number of screens connected.
"""

from __future__ import annotations

import errno
import socket
import struct
import threading
import time
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

SILENCE = 15
"""Seconds after which a silent connection is dead; screens answer pings far more often."""
REQUEST = 20.0
"""Seconds that a request may take altogether."""
GOODBYE = 0.3
"""Seconds for screens to answer when the table closes."""


class TableWorker(ThreadWorker):  # type: ignore[misc]
    """The process that serves the table."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._since: dict[TConn, float] = {}
        self._draining = False

    def accept(self, listener: Any) -> None:
        """Take a connection, and wait without a thread until it says something."""
        try:
            client, address = listener.accept()
        except OSError as trouble:
            if trouble.errno in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                return
            raise
        limit = struct.pack("ll", SILENCE, 0)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.nr_conns += 1
        connection = TConn(self.cfg, client, address, listener.getsockname())
        connection.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(connection)
        readable = partial(self.on_pending_socket_readable, connection)
        self.poller.register(client, EVENT_READ, readable)

    def handle(self, conn: TConn) -> Any:
        """Serve a connection, and know since when."""
        self._since[conn] = time.monotonic()
        try:
            return super().handle(conn)
        finally:
            self._since.pop(conn, None)

    def handle_request(self, req: Any, conn: TConn) -> Any:
        """Serve a request; a screen that stays is no longer measured."""
        if req.path.startswith("/socket.io") and ("UPGRADE", "websocket") in req.headers:
            self._since[conn] = float("inf")
        return super().handle_request(req, conn)

    def murder_pending(self) -> None:
        """Close what never said anything, and cut off what takes for ever."""
        if not self.alive:
            for connection in self.pending_conns:
                connection.timeout = 0
        super().murder_pending()
        now = time.monotonic()
        for connection, since in list(self._since.items()):
            if now - since > REQUEST:
                cut(connection)

    def is_parent_alive(self) -> bool:
        """Stop in good order also when the process that watches over this one is gone."""
        alive: bool = super().is_parent_alive()
        if not alive:
            self.alive = False
            self._drain()
        return alive

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to stop: say goodbye to every screen, then finish."""
        super().handle_exit(sig, frame)
        self._drain()

    def handle_quit(self, sig: int, frame: Any) -> None:
        """Ctrl-C reaches this process too and means the same."""
        self.handle_exit(sig, frame)

    def _drain(self) -> None:
        if not self._draining:
            self._draining = True
            threading.Thread(target=self._say_goodbye, name="goodbye", daemon=True).start()

    def _say_goodbye(self) -> None:
        self.wsgi.hang_up()
        time.sleep(GOODBYE)
        for connection in list(self._since):
            cut(connection)


def cut(connection: TConn) -> None:
    """Shut a connection down, which ends every thread that waits on it."""
    with suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)
