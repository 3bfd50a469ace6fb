"""Connections: gunicorn's threaded worker, made fit for clients that are slow, silent or gone.

A request gets a thread only once it has arrived as a whole. Threads are shared out fairly, and some
are kept for who plays, so that no number of strangers who dawdle can keep the referee waiting.
A slow reader gives way as soon as another client waits. A stop takes less than a
second with any number of screens connected.
"""

from __future__ import annotations

import errno
import fcntl
import socket
import struct
import termios
import threading
import time
from collections import Counter, deque
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from web.transport.limits import STRANGER, Holder, held_by_most
from web.transport.request_peek import RequestPeek

SILENCE = 15
"""Seconds after which a silent connection is dead; screens answer pings far more often."""
BLOCKED = 1.0
"""Seconds after which a request gives way to somebody who has less; nearly all take a few
thousandths of one."""
REQUEST = 20.0
"""Seconds after which it gives way to anybody of its rank."""
THREADS = {"short": (16, 12, 8), "long": (6, 4, 3)}
"""So many requests are served at once while a referee, a player or a stranger asks for one more."""
OWN = {"short": 3, "long": 2}
"""So many of these one stranger may have."""
MOST_SHORT_AND_LONG = sum(map(max, THREADS.values()))
LONG = (
    "/api/matches",
    "/api/statistics",
    "/api/names",
    "/api/what-if",
    "/api/everything",
    "/api/support",
    "/api/forget",
)
"""These read the past, or a whole file, and are answered a few at a time."""
LIVE = "/socket.io"
SPARE = 8
"""Threads for live connections that are just coming or going."""
ANSWER = 128 * 1024
"""Bytes that the system takes of an answer at once, so that no thread waits for a slow reader of
anything but a long one."""
GOODBYE = 0.3
"""Seconds for screens to answer when the table closes."""
IDLE = 256
"""So many connections of a table may wait without a thread; beyond this who has most of them loses
one."""
LEAVING = 2.0
"""Seconds for a client to take the end of its last answer."""


class Connection(TConn):  # type: ignore[misc]
    """One client's connection."""

    holder: Holder

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arrival = RequestPeek(self.sock)
        self.live = False
        """Whether it has become a WebSocket."""
        self.since = 0.0
        """When its request got a thread."""

    @property
    def kind(self) -> str:
        """Which of the threads its request needs."""
        if self.arrival.path.startswith(LIVE):
            return "live"
        return "long" if self.arrival.path.startswith(LONG) else "short"

    def close(self, graceful: bool = False) -> None:
        """Close at once: lingering is done elsewhere, where no thread waits for it.

        What the client has not read by now is thrown away, or the system would keep it for minutes.
        """
        with suppress(OSError, ValueError):
            if any(fcntl.ioctl(self.sock, termios.TIOCOUTQ, bytes(4))):
                at_once = struct.pack("ii", 1, 0)
                self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, at_once)
        super().close()


class TableWorker(ThreadWorker):  # type: ignore[misc]
    """The process that serves the table."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._waiting: deque[Connection] = deque()
        """Connections whose request is here and waits for a thread."""
        self._served: dict[Connection, None] = {}
        self._leaving: deque[Connection] = deque()
        self._draining = False
        self._most_idle = idle_of(self.cfg.worker_connections, self.cfg.threads)

    def accept(self, listener: Any) -> None:
        """Take a connection, and wait without a thread until it has said what it wants."""
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
        client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, ANSWER)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.nr_conns += 1
        connection = Connection(self.cfg, client, address, listener.getsockname())
        connection.holder = self.wsgi.holders.stranger(address[0])
        connection.timeout = time.monotonic() + self.cfg.keepalive
        self.pending_conns.append(connection)
        readable = partial(self.on_pending_socket_readable, connection)
        self.poller.register(client, EVENT_READ, readable)
        if sum(map(len, self._without_a_thread())) > self._most_idle:
            self._drop_one()

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
        """Let a request have a thread in its turn."""
        conn.holder = self.wsgi.holder(
            self.wsgi.holders.address(conn.client[0], conn.arrival.forwarded), conn.arrival.cookies
        )
        self._waiting.append(conn)
        self._serve_those_who_wait()

    def _serve_those_who_wait(self) -> None:
        """Give out the threads that are free, first to those who have fewest."""
        while self._waiting:
            taken = Counter(conn.kind for conn in self._served)
            own = Counter((conn.kind, conn.holder) for conn in self._served)
            ready = [
                conn
                for conn in self._waiting
                if self._has_room(conn, taken[conn.kind], own[conn.kind, conn.holder])
            ]
            if not ready:
                self._ask_for_room()
                return
            conn = self._next(ready)
            self._waiting.remove(conn)
            conn.since = time.monotonic()
            self._served[conn] = None
            future = self.tpool.submit(self.handle, conn)
            future.add_done_callback(partial(self.method_queue.defer, self._finish, conn))

    def _next(self, waiting: list[Connection]) -> Connection:
        """Choose the next client: fewest threads first, then by rank, then in order of arrival."""
        has = Counter((conn.kind, conn.holder) for conn in self._served)
        return min(waiting, key=lambda conn: (has[conn.kind, conn.holder], conn.holder.rank))

    def _has_room(self, conn: Connection, taken: int, own: int) -> bool:
        if conn.kind not in THREADS:
            return taken < int(self.cfg.threads) - MOST_SHORT_AND_LONG
        rank = conn.holder.rank
        return taken < THREADS[conn.kind][rank] and (rank < STRANGER or own < OWN[conn.kind])

    def _ask_for_room(self) -> None:
        """Cut off a slow client that has more than a waiting one, unless it ranks higher."""
        now = time.monotonic()
        for kind in {conn.kind for conn in self._waiting}:
            first = self._next([conn for conn in self._waiting if conn.kind == kind]).holder
            served = [conn for conn in self._served if conn.kind == kind]
            slow = [
                conn
                for conn in served
                if now - conn.since > BLOCKED and conn.holder.rank >= first.rank
            ]
            to_go = held_by_most(((conn, conn.holder) for conn in slow), first)
            if kind in THREADS:
                to_go += [conn for conn in slow if now - conn.since > REQUEST]
            for conn in to_go[:1]:
                cut(conn)

    def handle(self, conn: Connection) -> Any:
        """Serve a connection."""
        if conn.arrival.refused:
            conn.sock.send(conn.arrival.refused)
            return False
        keep = super().handle(conn)
        # What was sent ahead has not been looked at, so no thread may wait for the rest of it.
        return keep and not conn.parser.unreader.buf.getvalue()

    def handle_request(self, req: Any, conn: Connection) -> Any:
        """Serve a request."""
        if conn.kind == "live" and ("UPGRADE", "websocket") in req.headers:
            conn.live = True
        if conn.arrival.unfinished:
            req.force_close()
        return super().handle_request(req, conn)

    def _finish(self, conn: Connection, done: Any) -> None:
        """Keep a connection for its next request, or see it off without waiting for it."""
        del self._served[conn]
        self._serve_those_who_wait()
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
            while self._waiting:
                self._drop(self._waiting[0], self._waiting)
        super().murder_pending()
        while self._leaving and self._leaving[0].timeout <= time.monotonic():
            self._drop(self._leaving[0], self._leaving)
        self._ask_for_room()

    def _without_a_thread(self) -> tuple[deque[Connection], ...]:
        return self._leaving, self._waiting, self.pending_conns, self.keepalived_conns

    def _drop_one(self) -> None:
        """Close the connection that waits longest of the client that has most of them."""
        held = [(place, conn) for place in self._without_a_thread() for conn in place]
        for place, conn in held_by_most((one, one[1].holder) for one in held)[:1]:
            self._drop(conn, place)

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
        for connection in list(self._served):
            cut(connection)


def connections_for(threads: int, idle: int) -> int:
    """Count all connections, of which so many may be idle."""
    return 2 * threads + 2 * idle


def idle_of(connections: int, threads: int) -> int:
    """Tell how many of them may be idle."""
    return connections // 2 - threads


def threads_for(places: int) -> int:
    """Count the threads for so many live connections and all other requests."""
    return places + SPARE + MOST_SHORT_AND_LONG


def cut(connection: Connection) -> None:
    """Shut a connection down, which ends every thread that waits on it."""
    with suppress(OSError):
        connection.sock.shutdown(socket.SHUT_RDWR)
