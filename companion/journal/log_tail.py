"""The end of SQLite's write-ahead log: whether commits lie there that SQLite can no longer read.

SQLite stops reading its log at the first frame whose checksum is wrong, without a word. After a
power cut that is right, for the last transaction may be torn. When further transactions follow
the bad one, though, they had been reported as saved, so the log was damaged later.
"""

from __future__ import annotations

import struct
from pathlib import Path

_HEADER = struct.Struct(">8I")
_FRAME = struct.Struct(">6I")
_READABLE = 16
"""Where the log's index, in the machine's own byte order, keeps how many frames are good."""


def unreadable_commits(path: Path) -> int:
    """Count the transactions that were saved once and that SQLite passes over now.

    A connection must have read the database, so that the log's index is up to date.
    """
    log, index = path.with_name(path.name + "-wal"), path.with_name(path.name + "-shm")
    try:
        frames = log.read_bytes()
        with index.open("rb") as file:
            (readable,) = struct.unpack("=I", file.read(_READABLE + 4)[_READABLE:])
    except (FileNotFoundError, struct.error):
        return 0
    if len(frames) < _HEADER.size + _FRAME.size:
        return 0
    page_size, salts = _page_size_and_salts(frames)
    commits, followed = 0, False
    step = _FRAME.size + page_size
    for at in range(_HEADER.size + readable * step, len(frames) - step + 1, step):
        _, pages, *marks = _FRAME.unpack_from(frames, at)
        if tuple(marks[:2]) != salts:
            # Beyond the log's end lie frames of its earlier turns.
            continue
        followed = commits > 0
        commits += pages != 0
    return commits if followed else 0


def _page_size_and_salts(frames: bytes) -> tuple[int, tuple[int, int]]:
    _, _, page_size, _, one, other, *_ = _HEADER.unpack_from(frames)
    if page_size < 512 or page_size > 65536 or page_size & (page_size - 1):
        page_size = 4096
    return page_size, (one, other)
