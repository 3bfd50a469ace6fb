"""Tells what the journal holds after the power cut before, and then plays until the next one."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from companion.journal.file import JournalDamaged
from companion.journal.opening import JOURNAL
from tests.promises import player
from tests.promises.disk.replayed import Replayed

CONSOLE = 1


def say(said: dict[str, Any]) -> None:
    """Write a line to the console, which the other side reads."""
    os.write(CONSOLE, b"@@" + json.dumps(said, separators=(",", ":")).encode() + b"\n")


def main() -> None:
    """Look, then play."""
    folder, name, how = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    replayed = Replayed()
    damage = None
    if (folder / JOURNAL).exists():
        try:
            replayed.read_on(folder / JOURNAL)
        except JournalDamaged as found:
            damage = str(found)
    say({"left": replayed.last_of, "looks": list(replayed.looks.items()), "damage": damage})
    if how == "careless":
        player.forget_to_sync()
    player.live(folder, name, say, buttons=False)


if __name__ == "__main__":
    main()
