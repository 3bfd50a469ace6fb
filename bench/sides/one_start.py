"""Opens the table of a folder once, tells how long that took, and closes it again."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from msgspec.structs import replace

from companion.assembly.running import open_worker
from companion.referee.model.edition import PRINTED
from companion.settings.configuration import DataFolder, examine


def main(folder: Path) -> None:
    """Open, tell, close."""
    settings, mistakes = examine({})
    assert not mistakes
    began = time.perf_counter_ns()
    running = open_worker(replace(settings, data=DataFolder(folder)), PRINTED)
    print(time.perf_counter_ns() - began, flush=True)
    running.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
