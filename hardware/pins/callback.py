"""Telling an edge safely while another thread mutes its line."""

from __future__ import annotations

from typing import Any


def tell_edge(pin: Any, ticks: Any, state: Any) -> None:
    """Call the listener of a pin, if it still has one.

    gpiozero looks the listener up twice; muting a line in between would end its reading thread.
    """
    listener = pin._when_changed
    method = None if listener is None else listener()
    if method is not None:
        method(ticks, state)
