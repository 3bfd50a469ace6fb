"""The guard at the door: every request, of pages and sockets alike, is looked at here first.

A web page elsewhere can make a browser send requests to the table, and can even give the table a
name of its own. Such a request betrays itself by its Host or Origin header. Who asks too much has
to wait, and the places for live connections are given out so that the referee always has one.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Iterable
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import msgspec
from flask import Request

from web.access.permissions import Role
from web.transport.frames import MESSAGE_SIZE
from web.transport.limits import Allowance, network
from web.transport.websocket import ROLE

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Wsgi = Callable[[Environ, StartResponse], Iterable[bytes]]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
AUTHORITY = re.compile(r"(?P<name>[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(:(?P<port>\d{1,5}))?")
DEFAULT_PORTS = {"http": "80", "https": "443"}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
KEPT_FOR_THE_REFEREE = 4
KEPT_FOR_PLAYERS = 4
"""Live connections that those who only watch cannot take; of very few, players get a quarter."""
AT_ONCE, A_SECOND = 1000, 50
"""Requests of one address; a page is some fifty of them."""
COSTS = (("/socket.io", 2), ("/api/matches", 10), ("/api/statistics", 10), ("/api/names", 10))
"""Some are as much work as several others: they open a line, or read past matches."""
UNTRUSTED = ("HTTP_X_FORWARDED_", "HTTP_FORWARDED")
"""Nobody stands in front of the table whose word counts."""

HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]


class Turned(Exception):
    """The request goes no further, for this reason."""

    def __init__(self, status: str, code: str, message: str, wait: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message
        self.wait = wait


class Guard:
    """Wraps the whole application; nothing reaches it unseen."""

    def __init__(
        self,
        app: Wsgi,
        *,
        names: Iterable[str] = (),
        places: int,
        sessions: Callable[[], int],
        who: Callable[[Request], tuple[Role, int | None]],
        is_own: Callable[[Request], bool] = lambda _request: False,
    ) -> None:
        self.app = app
        self.names = own_names() | {name.lower().rstrip(".") for name in names}
        self.places = places
        self.sessions = sessions
        self.who = who
        self.is_own = is_own
        self.allowance = Allowance(AT_ONCE, A_SECOND)
        self._taken = 0
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Pass a request on, or turn it away with a sentence."""
        for header in [name for name in environ if name.startswith(UNTRUSTED)]:
            del environ[header]
        if not _is_text(environ.get("HTTP_COOKIE", "")):
            del environ["HTTP_COOKIE"]
        answer = _with_headers(start_response, "")
        try:
            authority = self._check_host(environ)
            answer = _with_headers(start_response, authority)
            check_size(environ)
            live = str(environ.get("PATH_INFO", "")).startswith("/socket.io")
            if live or environ["REQUEST_METHOD"] not in SAFE_METHODS:
                check_origin(environ, authority)
            request = Request(environ)
            role = self._check_pace(request)
            if not live:
                return self.app(environ, answer)
            environ[ROLE] = role
            return self._in_a_place(request, role, answer)
        except Turned as turned:
            return _turn_away(turned, answer)

    def _check_pace(self, request: Request) -> Role:
        """Let everyone ask as much as is fair; the referee and the service itself always may."""
        role, seat = self.who(request)
        if role == "referee" or self.is_own(request):
            return role
        asks = f"seat {seat}" if seat else network(request.remote_addr or "")
        cost = next((cost for path, cost in COSTS if request.path.startswith(path)), 1)
        wait = self.allowance.take(asks, cost)
        if wait:
            raise Turned(
                "429 Too Many Requests",
                "too_fast",
                "That is too much at once. Wait a moment and try again.",
                int(wait) + 1,
            )
        return role

    def _check_host(self, environ: Environ) -> str:
        authority = str(environ.get("HTTP_HOST", "")).lower()
        found = AUTHORITY.fullmatch(authority)
        name = found["name"].strip("[]").rstrip(".") if found else ""
        if name in self.names or (name and name == _local_address(environ)):
            return authority
        raise Turned(
            "421 Misdirected Request",
            "wrong_host",
            "This table does not go by that name. Use the address it printed when it started, "
            "or add the name to its configuration.",
        )

    def _in_a_place(self, request: Request, role: Role, answer: StartResponse) -> Iterable[bytes]:
        """Let a live connection in while there is room, and the referee even when it is tight."""
        if "j" in request.args:
            raise Turned("400 Bad Request", "wrong_value", "This table answers no scripts.")
        room = self.places - self._kept_from(role)
        newcomer = "sid" not in request.args
        with self._lock:
            if self._taken >= room or (newcomer and self.sessions() >= room):
                raise Turned(
                    "503 Service Unavailable",
                    "full",
                    "Too many screens are watching. Close one of them and try again.",
                )
            self._taken += 1
        try:
            return self.app(request.environ, answer)
        finally:
            with self._lock:
                self._taken -= 1

    def _kept_from(self, role: Role) -> int:
        """So many places are free for others than those of this role."""
        if role == "referee":
            return 0
        players = 0 if role == "player" else min(KEPT_FOR_PLAYERS, self.places // 4)
        return KEPT_FOR_THE_REFEREE + players


def own_names() -> frozenset[str]:
    """The names by which this machine is known on its own network."""
    host = socket.gethostname().lower().rstrip(".")
    short = host.partition(".")[0]
    return LOOPBACK | {host, short, f"{short}.local"}


def check_origin(environ: Environ, authority: str) -> None:
    """Turn away what a page of another origin sent; who is no browser sends no Origin."""
    origin = environ.get("HTTP_ORIGIN")
    foreign = environ.get("HTTP_SEC_FETCH_SITE") not in (None, "same-origin", "none")
    if foreign or (origin is not None and not _same_place(str(origin).lower(), authority)):
        raise Turned(
            "403 Forbidden",
            "foreign_origin",
            "Only the table's own page may do that, and this came from another one.",
        )


def check_size(environ: Environ) -> None:
    """Turn away what is too large, or does not say how large it is, without reading it."""
    length = str(environ.get("CONTENT_LENGTH") or 0)
    if "HTTP_TRANSFER_ENCODING" in environ or not length.isdigit():
        raise Turned("411 Length Required", "wrong_value", "Say how long the request is.")
    if int(length[:12]) > MESSAGE_SIZE:
        raise Turned(
            "413 Content Too Large",
            "too_large",
            "That is too large: a request has at most 16 kilobytes.",
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
    """Whether a header's bytes are a text; nobody else would ask before reading it as one."""
    try:
        header.encode("latin-1").decode()
    except UnicodeError:
        return False
    return True


def _with_port(authority: str, default: str) -> str | None:
    found = AUTHORITY.fullmatch(authority)
    return f"{found['name']}:{found['port'] or default}" if found else None


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


def _turn_away(turned: Turned, start_response: StartResponse) -> Iterable[bytes]:
    body = msgspec.json.encode({"error": turned.code, "message": turned.message})
    headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
    if turned.wait is not None:
        headers.append(("Retry-After", str(turned.wait)))
    start_response(turned.status, [*headers, ("Cache-Control", "no-store")])
    return [body]
