"""A table that forgets a match, goes on, and forgets a name, and tells each as it is done.

Run as a program: the folder, and whether it waits for the disk.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from pathlib import Path

import companion.journal.journal
from companion.journal.file import connect, reader
from companion.journal.opening import JOURNAL
from companion.keeping.forgetting.plan import ForgetWish
from companion.referee import commands as c
from tests.promises.disk.recorded import TOLD
from tests.promises.player import line, without_buttons

MATCH = 2
NAME = "Zerlinde"
LATER = "after-it-was-forgotten"


def never_waiting(path: Path) -> sqlite3.Connection:
    """Become the control: SQLite that leaves it to the system when something reaches the disk."""
    connection = connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def main(folder: Path, *, careless: bool) -> None:
    """Forget, and tell what was answered."""
    if careless:
        vars(companion.journal.journal)["connect"] = never_waiting
    running = without_buttons(folder)
    mouth = os.open(folder / TOLD, os.O_WRONLY)

    def say(**said: object) -> None:
        os.write(mouth, line(said))

    # Somebody who reads keeps SQLite from tidying up by itself when the old journal is closed.
    watching = reader(folder / JOURNAL)
    watching.execute("SELECT count(*) FROM events").fetchone()
    running.forgetting.forget(ForgetWish(match=MATCH))
    say(gone="match")
    say(done=LATER, version=running.worker.ask(c.Rename(1, "Anna"), LATER).version)
    running.forgetting.forget(ForgetWish(name=NAME))
    say(gone="name")
    watching.close()
    running.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), careless=sys.argv[2] == "careless")
