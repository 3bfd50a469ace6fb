"""Huge pages off for this process: under load they have made callbacks seconds late."""

from __future__ import annotations

import logging

PR_SET_THP_DISABLE = 41

log = logging.getLogger(__name__)


def no_huge_pages() -> None:
    """Ask the kernel to give this process small pages only, and those that it starts."""
    # Imported late: only a table with real pins needs it.
    import ctypes

    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0):
        log.warning("Huge pages stay on; presses may be reported late under load.")
