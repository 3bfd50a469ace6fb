"""Leads phones that joined the table's own Wi-Fi to the table, and does nothing else.

A phone that joins asks some address of its maker over plain HTTP whether there is an internet. All
names lead here in that Wi-Fi, so the phone is sent on to the table, and opens it by itself. This
runs only while that Wi-Fi is open, and uses only the standard library.
"""

from __future__ import annotations

import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATIENCE = 5


class Portal(BaseHTTPRequestHandler):
    """Answers every question with the way to the table."""

    timeout = PATIENCE
    table = ""

    def do_GET(self) -> None:
        """Send the phone on, whatever it asked for."""
        self.send_response(302)
        self.send_header("Location", self.table)
        self.send_header("Cache-Control", "no-store")
        self.send_header("Content-Length", "0")
        self.send_header("Connection", "close")
        self.end_headers()

    do_HEAD = do_GET  # noqa: N815 - the library calls it by this name

    def version_string(self) -> str:
        """Say nothing about this program."""
        return "companion"

    def log_message(self, *_said: object) -> None:
        """Write nothing down: phones ask all the time."""


class Door(ThreadingHTTPServer):
    """Where phones ask, each of them several times at the same moment."""

    request_queue_size = 64


def serve(host: str, door: int, port: int) -> Door:
    """Open the door at which phones ask."""
    portal = type("PortalOfTable", (Portal,), {"table": f"http://{host}:{port}/"})
    return Door((host, door), portal)


if __name__ == "__main__":
    serve(sys.argv[1], 80, int(sys.argv[2])).serve_forever()
