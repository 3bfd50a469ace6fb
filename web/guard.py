"""The guard at the door: every request, of pages and sockets alike, is looked at here first.

A web page elsewhere can make a browser send requests to the table, and can even give the table a
name of its own. Such a request betrays itself by its Host or Origin header.
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

Environ = dict[str, Any]
StartResponse = Callable[..., Any]
Wsgi = Callable[[Environ, StartResponse], Iterable[bytes]]

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
AUTHORITY = re.compile(r"(?P<name>[a-z0-9._-]{1,253}|\[[0-9a-f:.]{2,45}\])(:(?P<port>\d{1,5}))?")
DEFAULT_PORTS = {"http": "80", "https": "443"}
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
KEPT_FOR_THE_REFEREE = 4

HEADERS = [
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
]


class Turned(Exception):
    """The request goes no further, for this reason."""

    def __init__(self, status: str, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message


class Guard:
    """Wraps the whole application; nothing reaches it unseen."""

    def __init__(
        self,
        app: Wsgi,
        *,
        names: Iterable[str] = (),
        places: int,
        sessions: Callable[[], int],
        is_referee: Callable[[Request], bool],
    ) -> None:
        self.app = app
        self.names = own_names() | {name.lower().rstrip(".") for name in names}
        self.places = places
        self.sessions = sessions
        self.is_referee = is_referee
        self._taken = 0
        self._lock = threading.Lock()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        """Pass a request on, or turn it away with a sentence."""
        for header in [name for name in environ if name.startswith("HTTP_X_FORWARDED_")]:
            del environ[header]
        answer = start_response
        try:
            authority = self._check_host(environ)
            answer = _with_headers(start_response, authority)
            live = str(environ.get("PATH_INFO", "")).startswith("/socket.io")
            if live or environ["REQUEST_METHOD"] not in SAFE_METHODS:
                check_origin(environ, authority)
            if live:
                return self._in_a_place(environ, answer)
            return self.app(environ, answer)
        except Turned as turned:
            return _turn_away(turned, answer)

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

    def _in_a_place(self, environ: Environ, answer: StartResponse) -> Iterable[bytes]:
        """Let a live connection in while there is room, and the referee even when it is tight."""
        request = Request(environ)
        room = self.places - (0 if self.is_referee(request) else KEPT_FOR_THE_REFEREE)
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
            return self.app(environ, answer)
        finally:
            with self._lock:
                self._taken -= 1


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


def _same_place(origin: str, authority: str) -> bool:
    parts = urlsplit(origin)
    default = DEFAULT_PORTS.get(parts.scheme)
    if default is None:
        return False
    return _with_port(parts.netloc, default) == _with_port(authority, default)


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
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        f"connect-src 'self' ws://{authority} wss://{authority}; font-src 'self'; "
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
    start_response(turned.status, [*headers, ("Cache-Control", "no-store")])
    return [body]
