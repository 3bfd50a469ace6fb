"""Connections: gunicorn's threaded worker, made fit for clients that are slow, silent or gone.

A request gets a thread only once it has arrived as a whole, and the referee's has threads of its
own, so that no number of strangers who dawdle can keep the referee waiting. Nobody may take for
ever over an answer, and a stop takes less than a second with any number of screens connected.
"""

from __future__ import annotations

import errno
import socket
import struct
import threading
import time
from collections import Counter, deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from web.transport.request_peek import RequestPeek

SILENCE = 15
"""Seconds after which a silent connection is dead; screens answer pings far more often."""
REQUEST = 20.0
"""Seconds that a request may take altogether."""
LONG = ("POST", "/api/forget")
"""The one request that may take longer: every copy of the journal is written anew for it. Only the
referee's is carried out at all, and one at a time."""
GOODBYE = 0.3
"""Seconds for screens to answer when the table closes."""
IDLE = 256
"""So many connections may wait without a thread; beyond this the busiest address loses one."""
LEAVING = 2.0
"""Seconds for a client to take the end of its last answer."""


class Connection(TConn):  # type: ignore[misc]
    """One client's connection."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arrival = RequestPeek(self.sock)
        self.live = False
        """Whether it has become a WebSocket."""

    def close(self, graceful: bool = False) -> None:
        """Close at once: to linger is done elsewhere, where nobody has to wait for it."""
        super().close()


class TableWorker(ThreadWorker):  # type: ignore[misc]
    """The process that serves the table."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._since: dict[Connection, float] = {}
        self._leaving: deque[Connection] = deque()
        self._draining = False

    def init_process(self) -> None:
        """Begin; the referee's threads are made when they are needed."""
        self._kept = ThreadPoolExecutor(self.cfg.threads, "kept")
        super().init_process()

    def run(self) -> None:
        """Serve until it is time to stop."""
        super().run()
        self._kept.shutdown(wait=False)

    def accept(self, listener: Any) -> None:
        """Take a connection, and wait without a thread until it has said what it wants."""
        if len(self.pending_conns) + len(self.keepalived_conns) + len(self._leaving) >= IDLE:
            self._drop_one()
        try:
            client, address = listener.accept()
        except OSError as trouble:
            if trouble.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                self._drop_one()
            elif trouble.errno not in (errno.EAGAIN, errno.ECONNABORTED, errno.EWOULDBLOCK):
                raise
            return
        limit = struct.pack("ll", SILENCE, 0)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, limit)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, limit)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.nr_conns += 1
        connection = Connection(self.cfg, client, address, listener.getsockname())
        connection.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(connection)
        readable = partial(self.on_pending_socket_readable, connection)
        self.poller.register(client, EVENT_READ, readable)

    # One event can close the connection of another that was reported together with it.

    def on_pending_socket_readable(self, conn: Connection, client: Any) -> None:
        """Serve a new connection once its request is here."""
        if client.fileno() >= 0 and conn.arrival.complete():
            super().on_pending_socket_readable(conn, client)

    def on_client_socket_readable(self, conn: Connection, client: Any) -> None:
        """Serve a known connection once its next request is here."""
        if client.fileno() >= 0 and conn.arrival.complete():
            super().on_client_socket_readable(conn, client)

    def enqueue_req(self, conn: Connection) -> None:
        """Give a request a thread, the referee's one of those that are kept."""
        threads = self._kept if self.wsgi.has_a_place(conn.arrival.cookies) else self.tpool
        future = threads.submit(self.handle, conn)
        future.add_done_callback(lambda done: self.method_queue.defer(self._finish, conn, done))

    def handle(self, conn: Connection) -> Any:
        """Serve a connection, and know since when."""
        if conn.arrival.refused:
            conn.sock.send(conn.arrival.refused)
            return False
        self._since[conn] = time.monotonic()
        try:
            keep = super().handle(conn)
        finally:
            self._since.pop(conn, None)
        # What was sent ahead has not been looked at, so no thread may wait for the rest of it.
        return keep and not conn.parser.unreader.buf.getvalue()

    def handle_request(self, req: Any, conn: Connection) -> Any:
        """Serve a request; a screen that stays, or a long piece of work, is not measured."""
        if req.path.startswith("/socket.io") and ("UPGRADE", "websocket") in req.headers:
            conn.live = True
        if conn.live or (req.method, req.path) == LONG:
            self._since[conn] = float("inf")
        if conn.arrival.unfinished:
            req.force_close()
        return super().handle_request(req, conn)

    def _finish(self, conn: Connection, done: Any) -> None:
        """Keep a connection for its next request, or see it off without waiting for it."""
        conn.arrival = RequestPeek(conn.sock)
        keep = not done.cancelled() and done.exception() is None and done.result()
        if (keep and self.alive) or conn.live or not self._see_off(conn):
            self.finish_request(conn, done)

    def _see_off(self, conn: Connection) -> bool:
        """Let a client read its last answer, although more of its request may be on the way."""
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, EVENT_READ, partial(self._discard, conn))
        except (OSError, ValueError):
            return False
        conn.timeout = time.monotonic() + LEAVING
        self._leaving.append(conn)
        return True

    def _discard(self, conn: Connection, client: Any) -> None:
        if client.fileno() < 0:
            return
        try:
            gone = not client.recv(65536)
        except BlockingIOError:
            return
        except OSError:
            gone = True
        if gone:
            self._drop(conn, self._leaving)

    def murder_pending(self) -> None:
        """Close what never said anything, and cut off what takes for ever."""
        if not self.alive:
            for connection in (*self.pending_conns, *self._leaving):
                connection.timeout = 0
        super().murder_pending()
        now = time.monotonic()
        while self._leaving and self._leaving[0].timeout <= now:
            self._drop(self._leaving[0], self._leaving)
        for connection, since in list(self._since.items()):
            if now - since > REQUEST:
                cut(connection)

    def _drop_one(self) -> None:
        """Close the connection that waits longest of the address that has most of them."""
        waiting = (self._leaving, self.pending_conns, self.keepalived_conns)
        crowd = Counter(conn.client[0] for conns in waiting for conn in conns)
        for address, _ in crowd.most_common(1):
            for conns in waiting:
                for conn in conns:
                    if conn.client[0] == address:
                        self._drop(conn, conns)
                        return

    def _drop(self, conn: Connection, conns: deque[Connection]) -> None:
        conns.remove(conn)
        with suppress(OSError, KeyError, ValueError):
            self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

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


def cut(connection: Connection) -> None:
    """Shut a connection down, which ends every thread that waits on it."""
    with suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)
