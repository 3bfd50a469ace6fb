"""The copy before an upgrade holds all that was played, and going back loses nothing."""

from __future__ import annotations

import importlib.util
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from companion.journal.damage.verify import verify
from companion.keeping import backups
from companion.referee import commands as c
from tests.kit.night import Night, play_a_while

SCRIPT = Path(__file__).parents[2] / "systemd" / "journal_copy.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("journal_copy", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A data folder after an evening."""
    with Night(tmp_path) as night:
        play_a_while(night)
    return tmp_path


def events(journal: Path) -> list[tuple]:
    with sqlite3.connect(journal) as opened:
        return opened.execute("SELECT * FROM events ORDER BY version").fetchall()


def test_a_copy_is_a_whole_journal_of_its_own(script, folder, tmp_path_factory):
    copy = script.keep(folder, "0.2.0")
    assert copy.name.startswith("before-0.2.0-")
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    shutil.copy(copy, elsewhere / "journal.db")
    assert verify(elsewhere).problems == ()
    assert events(copy) == events(folder / "journal.db")


def test_what_is_still_in_the_log_is_copied_too(script, tmp_path):
    with Night(tmp_path) as night:
        play_a_while(night)
        assert (tmp_path / "journal.db-wal").stat().st_size > 0
        copy = script.keep(tmp_path, "0.2.0")
        assert len(events(copy)) == night.table.version


def test_a_damaged_journal_is_copied_as_it_is(script, folder):
    (folder / "journal.db").write_bytes(b"not a journal at all" * 400)
    copy = script.keep(folder, "0.2.0")
    assert copy.read_bytes() == (folder / "journal.db").read_bytes()


def test_the_oldest_copies_go_and_the_latest_three_stay(script, folder):
    copies = [script.keep(folder, f"0.{number}.0") for number in range(7)]
    assert sorted((folder / "backups").iterdir()) == sorted(copies[4:])


def test_the_companion_knows_the_installer_s_copies_as_its_own(script, folder):
    copy = script.keep(folder, "0.2.0")
    assert (backups.FOLDER, backups.KEPT["before"]) == (script.COPIES, script.KEPT)
    assert [one.path for one in backups.listed(folder)] == [copy]
    assert backups.contents(copy).matches == 2
    assert [path.name for path in copy.parent.iterdir()] == [copy.name], "nothing beside it"


def test_going_back_leaves_a_journal_of_the_same_format_alone(script, folder):
    copy = script.keep(folder, "0.2.0")
    with Night(folder) as night:
        night.do(c.Draw())
    before = events(folder / "journal.db")
    script.put_back(folder, copy)
    assert events(folder / "journal.db") == before


def test_going_back_from_a_new_format_keeps_what_the_new_version_made(script, folder):
    before = events(folder / "journal.db")
    copy = script.keep(folder, "0.2.0")
    with sqlite3.connect(folder / "journal.db") as opened:
        opened.execute("PRAGMA user_version = 99")
    script.put_back(folder, copy)
    assert verify(folder).problems == ()
    assert events(folder / "journal.db") == before
    (kept,) = folder.glob("journal.db.of-before-0.2.0-*Z")
    with sqlite3.connect(kept) as opened:
        assert opened.execute("PRAGMA user_version").fetchone() == (99,)


def test_a_copy_that_finds_no_room_is_given_up_with_a_sentence(folder):
    little_room = f'ulimit -f 8; exec "{sys.executable}" "{SCRIPT}" keep "{folder}" 0.2.0'
    done = subprocess.run(["sh", "-c", little_room], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.endswith(".db: File too large.\n")
    assert "Traceback" not in done.stderr
    assert list((folder / "backups").iterdir()) == []
