"""Keeps a small journal of the present format, for the versions to come to open.

Run it once for each released format, and never again for an old one:

    python -m tests.journal.journals.keep
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import msgspec

from companion.journal.file import FORMAT
from companion.keeping import backups
from companion.past.past import Past
from tests.kit.night import BEN, CLEO, Night, play_a_while

FOLDER = Path(__file__).parent


def main() -> None:
    """Play a while, and keep the journal and what its matches must still say one day."""
    kept = FOLDER / f"format-{FORMAT}.db"
    if kept.exists():
        raise SystemExit(f"{kept} is there already; a released format never changes.")
    with tempfile.TemporaryDirectory() as folder:
        with Night(Path(folder)) as night:
            play_a_while(night)
            night.slap(CLEO, BEN)
        backups.copy(Path(folder) / "journal.db", kept)
        kept.chmod(0o644)
        matches = msgspec.json.encode(Past(Path(folder) / "journal.db").matches())
    kept.with_suffix(".json").write_bytes(msgspec.json.format(matches, indent=2) + b"\n")


if __name__ == "__main__":
    main()
