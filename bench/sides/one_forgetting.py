"""Forgets once in a closed data folder, and tells how long that took and how much memory."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path

import msgspec

from companion.keeping.forgetting.forgetting import Forgetting
from companion.keeping.forgetting.plan import ForgetWish


def main(folder: Path, wish: ForgetWish) -> None:
    """Forget, and tell."""
    before, began = _highest(), time.perf_counter()
    Forgetting(folder).forget(wish)
    print(time.perf_counter() - began, max(0.001, _highest() - before))


def _highest() -> float:
    """The most memory so far; getrusage would count that of the program which started this one."""
    found = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) / 1e3


if __name__ == "__main__":
    main(Path(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=ForgetWish))
