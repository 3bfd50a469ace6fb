"""A table that forgets a match, goes on, and forgets a name, and tells each as it is done.

Run as a program: the folder, and whether it waits for the disk.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import companion.journal.file
import companion.journal.journal
from companion.journal import snapshot
from companion.journal.file import reader
from companion.journal.opening import JOURNAL
from companion.keeping.forgetting.plan import Wish
from companion.referee import commands as c
from tests.promises.player import line, without_buttons
from tests.promises.recorded import TOLD

MATCH = 2
NAME = "Zerlinde"
LATER = "after-it-was-forgotten"


def main(folder: Path, *, careless: bool) -> None:
    """Forget, and tell what was answered."""
    if careless:
        for module in (companion.journal.journal, companion.journal.file, snapshot):
            vars(module)["sync"] = lambda _path: None
    running = without_buttons(folder)
    mouth = os.open(folder / TOLD, os.O_WRONLY)

    def say(**said: object) -> None:
        os.write(mouth, line(said))

    # Somebody who reads keeps SQLite from tidying up by itself when the old journal is closed.
    watching = reader(folder / JOURNAL)
    watching.execute("SELECT count(*) FROM events").fetchone()
    running.forgetting.forget(Wish(match=MATCH))
    say(gone="match")
    say(done=LATER, version=running.worker.ask(c.Rename(1, "Anna"), LATER).version)
    running.forgetting.forget(Wish(name=NAME))
    say(gone="name")
    watching.close()
    running.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), careless=sys.argv[2] == "careless")
