"""The table's own time: nanoseconds that only go forward, also across a restart of the machine."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from companion.referee.model.presses import SECOND

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def boot_id() -> str:
    """Name this run of the machine; empty where the system does not tell."""
    try:
        return BOOT_ID.read_text(encoding="ascii").strip()
    except OSError:
        return ""


def label() -> str:
    """Write down the wall's time as a label; nothing is ever computed from it."""
    now = datetime.now(UTC)  # noqa: TID251 - the label itself
    return now.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def milliseconds(label: str) -> int:
    """Shorten a label to a number."""
    return (datetime.fromisoformat(label) - _EPOCH) // timedelta(milliseconds=1)


def written(moment: int) -> str:
    """Write such a number as a label again."""
    then = _EPOCH + timedelta(milliseconds=moment)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def spoken(label: str) -> str:
    """Write a label the way that people read it."""
    return f"{label[:10]} {label[11:16]} UTC"


def compact(label: str) -> str:
    """Write a label without what file names do not like."""
    return re.sub(r"[^0-9TZ]", "", label)


class Clock:
    """The machine's monotonic clock, moved on so that the table's time never runs back."""

    def __init__(self, offset: int = 0, ticks: Callable[[], int] = time.monotonic_ns) -> None:
        self.offset = offset
        """What a time of the machine's monotonic clock, such as an edge's, lacks to the table's."""
        self._ticks = ticks

    def now(self) -> int:
        """Tell the table's time."""
        return self._ticks() + self.offset


def resume(
    last: int | None,
    *,
    same_boot_offset: int | None,
    ticks: Callable[[], int] = time.monotonic_ns,
) -> Clock:
    """Go on after the last time on record.

    While the machine has not been restarted, its clock went on by itself and the offset stays, so
    that a race declared before a crash keeps its deadline. After a restart of the machine that
    clock began anew, and the length of the pause is unknown: at least a second has passed.
    """
    if last is None:
        return Clock(0, ticks)
    if same_boot_offset is not None and ticks() + same_boot_offset >= last:
        return Clock(same_boot_offset, ticks)
    return Clock(max(0, last + SECOND - ticks()), ticks)
