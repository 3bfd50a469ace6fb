"""The guard at the door: every request, of pages and sockets alike, is looked at here first.

A web page elsewhere can make a browser send requests to the table, and can even give the table a
name of its own. Such a request betrays itself by its Host or Origin header. A client that asks too
much has to wait, and the places for live connections are shared out fairly.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import msgspec
from flask import Request

from web.access.pairing import Pairing
from web.access.permissions import SENDER, Sender
from web.transport.frames import MESSAGE_SIZE
from web.transport.limits import HOLDER, REFEREE, Allowance, Holder, held_by_most

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Wsgi = Callable[[Environ, StartResponse], Iterable[bytes]]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
AUTHORITY = re.compile(r"(?P<name>[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(:(?P<port>\d{1,5}))?")
DEFAULT_PORTS = {"http": "80", "https": "443"}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
AT_ONCE, A_SECOND = 1000, 50
"""Requests of one address; a page is some fifty of them."""
REST = 0.5
"""Seconds until somebody who asks too much is told so."""
COSTS = (("/socket.io", 2), ("/api/matches", 10), ("/api/statistics", 10), ("/api/names", 10))
"""Some are as much work as several others: they open a line, or read past matches."""
LINE = "companion.line"
"""Under this name the request that opened a line carries it."""
UNTRUSTED = ("HTTP_X_FORWARDED_", "HTTP_FORWARDED")
"""These headers count only from a trusted proxy, which was heard before."""

HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]


class TurnedAway(Exception):
    """The request goes no further, for this reason."""

    def __init__(self, status: str, code: str, message: str, wait: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.wait = wait


class LiveConnection:
    """A live connection, by WebSocket or by polling."""

    def __init__(self, holder: Holder) -> None:
        self.holder = holder
        self.is_let_go = False
        """Whether it has to make room, and is about to end."""


class Guard:
    """Wraps the whole application; nothing reaches it unseen."""

    def __init__(
        self,
        app: Wsgi,
        *,
        names: Iterable[str] = (),
        places: int,
        who: Callable[[Request], Sender],
        holder: Callable[[str, str], Holder],
        lines: Callable[[], list[LiveConnection]] = list,
        let_go: Callable[[LiveConnection], None] = lambda _line: None,
        has_a_code: Callable[[Request], bool] = lambda _request: False,
        believe: Callable[[Environ], None] = lambda _environ: None,
        largest: int = MESSAGE_SIZE,
    ) -> None:
        self.app = app
        self.names = own_names() | {name.lower().rstrip(".") for name in names}
        self.places = places
        self.who = who
        self.holder = holder
        self.lines = lines
        self.let_go = let_go
        self.has_a_code = has_a_code
        self.believe = believe
        self.largest = largest
        self.allowance = Allowance(AT_ONCE, A_SECOND)
        self._opening: set[LiveConnection] = set()
        """Lines whose first request is still being served; that of a WebSocket is until its end."""
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Pass a request on, or turn it away with a sentence."""
        self.believe(environ)
        for header in [name for name in environ if name.startswith(UNTRUSTED)]:
            del environ[header]
        if not _is_text(environ.get("HTTP_COOKIE", "")):
            del environ["HTTP_COOKIE"]
        answer = _with_headers(start_response, "")
        live = str(environ.get("PATH_INFO", "")).startswith("/socket.io")
        try:
            authority = self._check_host(environ)
            answer = _with_headers(start_response, authority)
            check_size(environ, self.largest)
            if live or environ["REQUEST_METHOD"] not in SAFE_METHODS:
                check_origin(environ, authority)
            request = Request(environ)
            environ[SENDER] = self.who(request)
            environ[HOLDER] = self.holder(request.remote_addr or "", environ.get("HTTP_COOKIE", ""))
            self._check_pace(request)
            return self._in_a_place(request, answer) if live else self.app(environ, answer)
        except TurnedAway as turned:
            if turned.wait is not None and not live:
                # A client in a hurry is made to wait; this thread is one of the few of its address.
                time.sleep(REST)
            return _turn_away(turned, answer)

    def _check_pace(self, request: Request) -> None:
        """Let everyone ask as much as is fair; the referee and the service itself always may."""
        holder: Holder = request.environ[HOLDER]
        if holder.rank == REFEREE:
            return
        cost = next((cost for path, cost in COSTS if request.path.startswith(path)), 1)
        wait = self.allowance.take(holder.name, cost)
        if wait and not self.has_a_code(request):
            raise TurnedAway(
                "429 Too Many Requests",
                "too_fast",
                "That is too much at once. Wait a moment and try again.",
                int(wait) + 1,
            )

    def _check_host(self, environ: Environ) -> str:
        authority = str(environ.get("HTTP_HOST", "")).lower()
        parts = AUTHORITY.fullmatch(authority)
        name = parts["name"].strip("[]").rstrip(".") if parts else ""
        if name in self.names or (name and name == _local_address(environ)):
            return authority
        raise TurnedAway(
            "421 Misdirected Request",
            "wrong_host",
            "This table does not go by that name. Use the address it printed when it started, "
            "or add the name to its configuration.",
        )

    def _in_a_place(self, request: Request, answer: StartResponse) -> Iterable[bytes]:
        """Let a live connection in while there is room, or where somebody else has more."""
        if "j" in request.args:
            raise TurnedAway("400 Bad Request", "wrong_value", "This table answers no scripts.")
        if "sid" in request.args:
            return self.app(request.environ, answer)
        line = request.environ[LINE] = LiveConnection(request.environ[HOLDER])
        self._make_room(line)
        try:
            return self.app(request.environ, answer)
        finally:
            with self._lock:
                self._opening.discard(line)

    def _make_room(self, newcomer: LiveConnection) -> None:
        with self._lock:
            lines = self.lines()
            held = {line: line.holder for line in (*lines, *self._opening) if not line.is_let_go}
            full = len(held) >= self.places
            most = held_by_most(held.items(), newcomer.holder) if full else []
            to_go = [line for line in most if line in lines][-1:]
            if full and not to_go:
                raise TurnedAway(
                    "503 Service Unavailable",
                    "full",
                    "Too many screens are watching. Close one of them and try again.",
                )
            for line in to_go:
                line.is_let_go = True
            self._opening.add(newcomer)
        for line in to_go:
            self.let_go(line)


def own_names() -> frozenset[str]:
    """The names by which this machine is known on its own network."""
    host = socket.gethostname().lower().rstrip(".")
    short = host.partition(".")[0]
    return LOOPBACK | {host, short, f"{short}.local"}


def check_origin(environ: Environ, authority: str) -> None:
    """Turn away what a page of another origin sent; other programs send no Origin."""
    origin = environ.get("HTTP_ORIGIN")
    foreign = environ.get("HTTP_SEC_FETCH_SITE") not in (None, "same-origin", "none")
    if foreign or (origin is not None and not _same_place(str(origin).lower(), authority)):
        raise TurnedAway(
            "403 Forbidden",
            "foreign_origin",
            "Only the table's own page can do that, and this came from another one.",
        )


def check_size(environ: Environ, largest: int) -> None:
    """Turn away what is too large, or does not say how large it is, without reading it."""
    length = str(environ.get("CONTENT_LENGTH") or 0)
    if "HTTP_TRANSFER_ENCODING" in environ or not length.isdigit():
        raise TurnedAway("411 Length Required", "wrong_value", "Say how long the request is.")
    if int(length[:12]) > largest:
        raise TurnedAway(
            "413 Content Too Large",
            "too_large",
            "That is too large. Send less at once.",
        )


def _same_place(origin: str, authority: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    default = DEFAULT_PORTS.get(parts.scheme)
    if default is None:
        return False
    return _with_port(parts.netloc, default) == _with_port(authority, default)


def _is_text(header: str) -> bool:
    """Whether a header's bytes are a text; the libraries do not ask before they read it as one."""
    try:
        header.encode("latin-1").decode()
    except UnicodeError:
        return False
    return True


def _with_port(authority: str, default: str) -> str | None:
    parts = AUTHORITY.fullmatch(authority)
    return f"{parts['name']}:{parts['port'] or default}" if parts else None


def _local_address(environ: Environ) -> str | None:
    """The address of this machine that the request came to, which needs no list of our own."""
    connection = environ.get("gunicorn.socket")
    if connection is None:
        return None
    try:
        address = ip_address(connection.getsockname()[0].partition("%")[0])
    except (OSError, ValueError):
        return None
    mapped = getattr(address, "ipv4_mapped", None)
    return str(mapped or address)


def _with_headers(start_response: StartResponse, authority: str) -> StartResponse:
    sockets = f" ws://{authority} wss://{authority}" if authority else ""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self'{sockets}; font-src 'self'; "
        "media-src 'self' blob:; manifest-src 'self'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    )

    def answer(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
        extra = [*HEADERS, ("Content-Security-Policy", policy)]
        return start_response(status, headers + extra, *rest)

    return answer


def _turn_away(turned: TurnedAway, start_response: StartResponse) -> Iterable[bytes]:
    body = msgspec.json.encode({"error": turned.code, "message": turned.message})
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    if turned.wait is not None:
        headers.append(("Retry-After", str(turned.wait)))
    start_response(turned.status, [*headers, ("Cache-Control", "no-store")])
    return [body]


class GuardedApp:
    """What the web server calls for every request; its guard looks at each one first."""

    pairing: Pairing
    cookie: str
    _guarded: Guard

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Answer one request."""
        return self._guarded(environ, start_response)

    def holder(self, address: str, cookies: str) -> Holder:
        """Tell whose share a request with these cookies uses up."""
        return self.pairing.holder(address, cookies, self.cookie)
