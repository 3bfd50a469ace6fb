"""The bare app with a hand: each press is one plain emit to all."""

from __future__ import annotations

import time

from bench.sides.bare import app, socketio
from bench.sides.hand import attend

__all__ = ["app"]


def _press(seat: int) -> None:
    notice = {"button": seat, "seat": seat, "at": time.monotonic_ns(), "source": "simulated"}
    socketio.emit("press", notice)


attend(_press, lambda _seat: None)
