"""An upgrade keeps old matches: every released format opens, and a later one is refused."""

from __future__ import annotations

import lzma
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.checking import verify
from companion.journal_file import FORMAT
from companion.matches import read_matches
from companion.opening import JOURNAL
from companion.referee import commands as c
from tests.promises.keep_journals import KEPT, Expected, expected
from tests.service.night import Night
from tests.web.served import command, free_port

JOURNALS = sorted(KEPT.glob("*.db.xz"))
ROOT = Path(__file__).parents[2]


def unpacked(kept: Path, folder: Path) -> Path:
    (folder / JOURNAL).write_bytes(lzma.decompress(kept.read_bytes()))
    return folder


def test_of_every_format_a_journal_is_kept() -> None:
    """Fails for a new format until a journal of it is kept (tests/promises/keep_journals.py)."""
    kept = {int(found[1]) for file in JOURNALS if (found := re.match(r"format-(\d+)-", file.name))}
    assert kept == set(range(1, FORMAT + 1))


@pytest.mark.parametrize("kept", JOURNALS, ids=lambda kept: kept.name.removesuffix(".db.xz"))
def test_an_old_journal_opens_and_the_table_goes_on(kept: Path, tmp_path: Path) -> None:
    folder = unpacked(kept, tmp_path)
    facts = kept.with_name(kept.name.removesuffix(".db.xz") + ".json").read_bytes()
    known = msgspec.json.decode(facts, type=Expected)
    with Night(folder).open() as night:
        assert night.worker.status().damage is None
        assert night.table.version >= known.events
        (match, *_) = night.worker.matches()
        assert expected(known.events, match) == known
        night.do(c.SetUp(scoring="classic"))
    assert verify(folder).problems == ()
    assert expected(known.events, read_matches(folder / JOURNAL)[0]) == known


def test_a_journal_of_a_later_version_is_refused_with_a_sentence(tmp_path: Path) -> None:
    folder = unpacked(JOURNALS[-1], tmp_path)
    with closing(sqlite3.connect(folder / JOURNAL)) as journal:
        journal.execute(f"UPDATE head SET format = {FORMAT + 1}")
        journal.execute(f"PRAGMA user_version = {FORMAT + 1}")
        journal.commit()
    content = (folder / JOURNAL).read_bytes()
    done = subprocess.run(
        command(free_port(), folder), capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 2
    assert "written by a later version of the companion" in done.stderr
    assert "Traceback" not in done.stderr
    assert (folder / JOURNAL).read_bytes() == content
    assert list(folder.glob("*damaged*")) == []
