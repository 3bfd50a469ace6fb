"""The raw edges of one push: what the contact did while it bounced, kept for a second look."""

from __future__ import annotations

from msgspec import Struct

FIRST_KEPT = 20
"""So many edges from the beginning of a push are kept,"""
LAST_KEPT = 12
"""and so many from its end; what a bad contact did between them is only counted."""


class RawEdge(Struct, frozen=True, array_like=True):
    """One change of the contact, nanoseconds after the push's first edge."""

    after: int
    down: bool
    """How the line read then, which may be wrong while it bounces."""


class Trace(Struct, frozen=True, omit_defaults=True):
    """The edges of one push in their order, from the first to the last of its release.

    They decide nothing: a push is dated by its first edge, and that is in the press.
    """

    edges: tuple[RawEdge, ...]
    left_out: int = 0
    """How many are missing after the first `FIRST_KEPT`."""
