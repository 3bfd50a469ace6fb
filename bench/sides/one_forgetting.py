"""Forgets once in a closed data folder, and tells how long that took and how much memory."""

from __future__ import annotations

import resource
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
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    main(Path(sys.argv[1]), msgspec.json.decode(sys.argv[2], type=ForgetWish))
