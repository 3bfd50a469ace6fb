"""Damage is found, announced, and nothing is deleted."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.chain import Row, command_key
from companion.journal.damage.verify import verify
from companion.journal.file import FORMAT, PAGE, JournalTooNew
from companion.journal.journal import Journal
from companion.journal.opening import SNAPSHOT
from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from tests.kit.night import ANA, Night, crash_on


@pytest.fixture(scope="module")
def played(played: Path) -> Path:
    """A folder with a closed journal worth losing, and no snapshot."""
    (played / SNAPSHOT).unlink()
    return played


@pytest.fixture
def copied(played: Path, tmp_path: Path) -> Night:
    """The same night on a folder of its own, not yet opened."""
    shutil.copytree(played, tmp_path, dirs_exist_ok=True)
    return Night(tmp_path)


def rows_of(journal: Path) -> list[Row]:
    opened = Journal(journal)
    try:
        return list(opened.rows())
    finally:
        opened.close()


def kept_aside(night: Night) -> list[Path]:
    return sorted(night.folder.glob("journal-damaged-*.db"))


def flip(journal: Path, at: int, bit: int = 0) -> bytes:
    content = bytearray(journal.read_bytes())
    content[at] ^= 1 << bit
    journal.write_bytes(content)
    return bytes(content)


def test_every_changed_byte_of_an_event_is_found(copied: Night) -> None:
    """One byte of each part of each row, one after the other; verify must see every one."""
    whole = copied.journal.read_bytes()
    missed = []
    dice = random.Random(20)
    for row in rows_of(copied.journal):
        body = row.body[:40]  # a long one goes on in another page of the file
        when = row.moment.to_bytes(6, "big")
        for part in (body, row.hash, when):
            at = whole.index(part) + dice.randrange(len(part))
            flip(copied.journal, at, dice.randrange(8))
            if not verify(copied.folder).problems:
                missed.append((row.version, part))
            copied.journal.write_bytes(whole)
    assert missed == []


def test_a_changed_event_keeps_everything_before_it(copied: Night) -> None:
    rows = rows_of(copied.journal)
    middle = rows[len(rows) // 2]
    flip(copied.journal, copied.journal.read_bytes().index(middle.body) + 20)
    with copied as night:
        assert f"event {middle.version}" in (night.worker.status().damage or "")
        assert len(night.table.game.seats) == 3
        night.do(c.Rename(ANA, "Anna"))
        assert verify(night.folder).problems == ()
    before = middle.version - 8  # what was saved together with it is gone too
    assert rows_of(copied.journal)[:before] == rows[:before]


@pytest.mark.parametrize(
    "left",
    [
        pytest.param(0, id="an empty file"),
        pytest.param(17, id="not even a header"),
        pytest.param(100, id="a header and nothing else"),
        pytest.param(PAGE, id="one page"),
        pytest.param(2 * PAGE + 100, id="in the middle of a page"),
        pytest.param(-PAGE, id="the last page is gone"),
        pytest.param(-1, id="the last byte is gone"),
    ],
)
def test_a_journal_cut_short_is_kept_aside_and_told(copied: Night, left: int) -> None:
    content = copied.journal.read_bytes()[:left]
    copied.journal.write_bytes(content)
    assert verify(copied.folder).problems
    with copied as night:
        assert night.worker.status().damage is not None
        night.do(c.Rename(ANA, "Zoe") if night.table.game.seats else c.Sit("Zoe"))
    assert [file.read_bytes() for file in kept_aside(copied)] == [content]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\0" * 40_000, id="nothing but zeros"),
        pytest.param(b"Dear diary, today we played cards. " * 400, id="a diary"),
        pytest.param(random.Random(3).randbytes(40_000), id="noise"),
    ],
)
def test_a_file_that_is_no_journal_is_kept_aside(copied: Night, content: bytes) -> None:
    copied.journal.write_bytes(content)
    with copied as night:
        assert "kept as" in (night.worker.status().damage or "")
    assert [file.read_bytes() for file in kept_aside(copied)] == [content]


def test_a_database_of_another_program_is_kept_aside(copied: Night) -> None:
    copied.journal.unlink()
    other = sqlite3.connect(copied.journal)
    other.execute("CREATE TABLE recipes (name TEXT)")
    other.commit()
    other.close()
    with copied as night:
        assert "mark" in (night.worker.status().damage or "")


def test_damage_is_told_on_the_day_it_is_found_and_not_for_ever(copied: Night) -> None:
    copied.journal.write_bytes(b"")
    with copied as night:
        assert night.worker.status().damage is not None
    with copied.open() as night:
        assert night.worker.status().damage is None
    assert len(kept_aside(copied)) == 1


def test_events_that_vanished_from_the_end_are_missed(copied: Night) -> None:
    """Every seal that is left is right, and yet the story is shorter than it was."""
    connection = sqlite3.connect(copied.journal)
    query = "SELECT sql FROM sqlite_schema WHERE name = 'events_last'"
    (guard,) = connection.execute(query).fetchone()
    connection.execute("DROP TRIGGER events_last")
    (last,) = connection.execute("SELECT max(version) FROM events").fetchone()
    connection.execute("DELETE FROM events WHERE version = ?", (last,))
    connection.execute(guard)
    connection.commit()
    connection.close()
    assert f"end with event {last}" in verify(copied.folder).problems[0]
    with copied as night:
        assert f"end with event {last}" in (night.worker.status().damage or "")


def test_two_damaged_journals_do_not_overwrite_each_other(copied: Night) -> None:
    for content in (b"first", b"second"):
        copied.journal.write_bytes(content)
        copied.open()
        copied.close()
    assert sorted(file.read_bytes() for file in kept_aside(copied)) == [b"first", b"second"]


def test_a_receipt_that_was_changed_cannot_make_a_tap_count_twice(copied: Night) -> None:
    with copied as night:
        night.do(c.Rename(ANA, "Zoe"), again="now-it-is-zoe")
        with closing(sqlite3.connect(copied.journal)) as connection:
            query = "SELECT sql FROM sqlite_schema WHERE name = 'events_stay'"
            (guard,) = connection.execute(query).fetchone()
            connection.execute("DROP TRIGGER events_stay")
            key = command_key("now-it-is-zoe")
            connection.execute("UPDATE events SET digest = zeroblob(16) WHERE command = ?", (key,))
            connection.execute(guard)
            connection.commit()
        assert any("not what was written" in problem for problem in verify(copied.folder).problems)
        assert night.refused(c.Rename(ANA, "Zoe"), again="now-it-is-zoe") == "not_saved"


def test_a_journal_from_a_later_version_is_refused_and_stays_as_it_is(copied: Night) -> None:
    connection = sqlite3.connect(copied.journal)
    connection.execute(f"UPDATE head SET format = {FORMAT + 1}")
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.commit()
    connection.close()
    content = copied.journal.read_bytes()
    with pytest.raises(JournalTooNew, match="later version"):
        copied.open()
    assert copied.journal.read_bytes() == content
    assert kept_aside(copied) == []


def test_a_later_format_that_keeps_its_head_elsewhere_is_refused_too(copied: Night) -> None:
    connection = sqlite3.connect(copied.journal)
    connection.execute("DROP TABLE head")
    connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.commit()
    connection.close()
    with pytest.raises(JournalTooNew):
        copied.open()
    assert kept_aside(copied) == []


def test_events_cannot_be_changed_or_deleted_by_a_slip(copied: Night) -> None:
    connection = sqlite3.connect(copied.journal)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        connection.execute("UPDATE events SET at = 0")
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        connection.execute("DELETE FROM events")
    connection.close()


def test_a_changed_byte_in_the_log_of_a_killed_table_is_found(tmp_path: Path) -> None:
    """SQLite passes over everything after a bad frame of its log, without a word."""
    crash_on(tmp_path)
    night = Night(tmp_path)
    log = tmp_path / "journal.db-wal"
    content = log.read_bytes()
    flip(log, len(content) // 2)
    damaged = log.read_bytes()
    assert verify(tmp_path).problems
    with night.open():
        assert "the end of the journal" in (night.worker.status().damage or "").lower()
        assert night.table.game.seats[0].name != "Ana 19"
        night.do(c.Rename(ANA, "Anna"))
        assert verify(tmp_path).problems == ()
    (aside,) = tmp_path.glob("journal-damaged-*.db-wal")
    assert aside.read_bytes() == damaged


def test_a_log_that_a_killed_table_left_whole_is_no_damage(tmp_path: Path) -> None:
    crash_on(tmp_path)
    assert os.path.getsize(tmp_path / "journal.db-wal") > 0
    with Night(tmp_path).open() as night:
        assert night.worker.status().damage is None
        assert night.table.game.seats[0].name == "Ana 19"


@pytest.mark.parametrize("left", [0, 32, 32 + 3 * (24 + PAGE)], ids=["nothing", "a header", "some"])
def test_a_log_that_lost_its_end_is_missed(tmp_path: Path, left: int) -> None:
    """What is left is whole, and yet the table had come further."""
    crash_on(tmp_path)
    os.truncate(tmp_path / "journal.db-wal", left)
    assert any("had come to event" in problem for problem in verify(tmp_path).problems)
    with Night(tmp_path).open() as night:
        assert "had come to event" in (night.worker.status().damage or "")
        night.do(c.Rename(ANA, "Anna") if night.table.game.seats else c.Sit("Anna"))
        assert verify(tmp_path).problems == ()
    with Night(tmp_path).open() as night:
        assert night.worker.status().damage is None


def test_an_older_journal_that_was_put_back_is_no_damage(copied: Night) -> None:
    older = copied.journal.with_name("older")
    shutil.copy(copied.journal, older)
    with copied as night:
        night.do(c.Rename(ANA, "Zoe"))
    older.rename(copied.journal)
    with copied.open() as night:
        assert night.worker.status().damage is None
        assert night.table.game.seats[0].name == "Ana"


def test_a_spoiled_note_is_told_and_not_believed(copied: Night) -> None:
    with copied.open() as night:
        ahead = night.worker.now()
    with sqlite3.connect(copied.journal) as connection:
        connection.execute("UPDATE notes SET value = '9' || value WHERE key = 'offset'")
    connection.close()
    assert any("note of offset" in problem for problem in verify(copied.folder).problems)
    with copied.open() as night:
        assert "of offset" in (night.worker.status().damage or "")
        assert night.worker.now() - ahead < 60 * SECOND


def test_a_spoiled_table_of_contents_loses_no_event(copied: Night) -> None:
    rows = rows_of(copied.journal)
    content = copied.journal.read_bytes()
    copied.journal.write_bytes(content.replace(b"CREATE TABLE notes", b"CREATE TABLE n*tes"))
    with copied as night:
        assert "kept as" in (night.worker.status().damage or "")
    assert rows_of(copied.journal)[: len(rows)] == rows
