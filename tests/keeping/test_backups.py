"""Backups: one a day when the table rests, one before each upgrade, few, and each of them whole."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from companion.journal.damage.verify import verify
from companion.journal.file import FORMAT, JournalError
from companion.keeping import backups
from companion.keeping.daily_backup import BETWEEN, IDLE, DailyBackup
from companion.keeping.restore import begin_anew
from companion.referee import commands as c
from companion.referee.model.presses import SECOND
from tests.kit.damage import damage_event
from tests.kit.night import ANA, Night, full_disk, until


def events(journal: Path) -> list[tuple]:
    with sqlite3.connect(journal) as opened:
        rows = opened.execute("SELECT * FROM events ORDER BY version").fetchall()
    opened.close()
    return rows


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "backups").iterdir())


def test_a_backup_is_one_file_that_is_a_whole_journal(folder, tmp_path):
    copy = backups.make(folder, "asked", "2025-11-16T19:30:00.123Z")
    assert names(folder) == ["asked-20251116T193000123Z.db"]
    (tmp_path / "elsewhere").mkdir()
    shutil.copy(copy, tmp_path / "elsewhere" / "journal.db")
    assert verify(tmp_path / "elsewhere").problems == ()
    assert events(copy) == events(folder / "journal.db")


def test_a_backup_is_made_beside_a_running_table_and_holds_its_last_tap(folder):
    with Night(folder) as night:
        night.do(c.Draw())
        copy = backups.make(folder, "asked")
        assert backups.contents(copy).events == night.table.version
        night.do(c.Undo())


def test_a_backup_that_finds_no_room_leaves_nothing_behind(folder):
    with full_disk(folder / "snapshot.json"), pytest.raises(JournalError, match="disk"):
        backups.make(folder, "asked")
    assert names(folder) == []


def test_a_damaged_journal_pushes_no_whole_backup_out(folder):
    for day in range(7):
        backups.make(folder, "daily", f"2025-11-0{day + 1}T20:00:00Z")
        _tap(folder)
    before = names(folder)
    journal = folder / "journal.db"
    damage_event(journal, 1)
    with pytest.raises(JournalError, match="not what was written"):
        backups.make(folder, "daily", "2025-11-09T20:00:00Z")
    assert names(folder) == before


def test_of_each_kind_a_few_are_kept_and_the_oldest_go_first(folder):
    for day in range(10, 20):
        backups.make(folder, "daily", f"2025-11-{day}T20:00:00Z")
        _tap(folder)
    kept = backups.make(folder, "asked")
    assert [name for name in names(folder) if name.startswith("daily")] == [
        f"daily-2025-11-{day}.db" for day in range(13, 20)
    ]
    assert kept.exists()


def test_a_clock_that_went_back_costs_no_new_backup(folder):
    for day in range(10, 17):
        backups.make(folder, "daily", f"2025-11-{day}T20:00:00Z")
        _tap(folder)
    made = backups.make(folder, "daily", "1970-01-01T00:00:07Z")
    assert made.exists()
    assert len(names(folder)) == 7


def test_a_second_backup_of_the_day_replaces_the_first_because_it_holds_it_all(folder):
    backups.make(folder, "daily", "2025-11-16T18:00:00Z")
    _tap(folder)
    copy = backups.make(folder, "daily", "2025-11-16T23:00:00Z")
    assert names(folder) == ["daily-2025-11-16.db"]
    assert events(copy) == events(folder / "journal.db")


def test_a_second_backup_of_the_day_does_not_replace_one_of_another_history(folder):
    first = backups.make(folder, "daily", "2025-11-16T18:00:00Z")
    whole = events(first)
    begin_anew(folder)
    with Night(folder) as night:
        night.seat_three()
    backups.make(folder, "daily", "2025-11-16T23:00:00Z")
    assert names(folder) == ["daily-2025-11-16-2.db", "daily-2025-11-16.db"]
    assert events(first) == whole


def test_the_list_tells_what_is_in_each_backup_latest_first(folder):
    backups.make(folder, "daily", "2025-11-15T18:00:00Z")
    (folder / "backups" / "daily-2025-11-14.db").write_bytes(b"nothing of ours")
    _tap(folder)
    backups.make(folder, "daily", "2025-11-16T18:00:00Z")
    listed = backups.listed(folder)
    assert listed[0].path.name == "daily-2025-11-16.db"
    assert [one.kind for one in listed] == ["daily"] * 3
    assert backups.contents(listed[0].path).matches == 2
    with pytest.raises(JournalError):
        backups.contents(folder / "backups" / "daily-2025-11-14.db")


def test_the_first_start_of_another_version_keeps_a_copy_of_what_it_found(folder):
    _last_opened_by(folder, "0.0.9")
    before = events(folder / "journal.db")
    with Night(folder):
        pass
    (copy,) = (folder / "backups").glob("before-*.db")
    assert events(copy) == before
    with Night(folder):
        pass
    assert len(names(folder)) == 1, "the second start of the same version needs none"


def test_a_journal_that_the_installer_has_just_copied_is_not_copied_again(folder):
    _last_opened_by(folder, "0.0.9")
    (folder / "backups").mkdir()
    shutil.copy(folder / "journal.db", folder / "backups" / "before-0.1.0-20251116T000000Z.db")
    with Night(folder):
        pass
    assert names(folder) == ["before-0.1.0-20251116T000000Z.db"]


def test_a_journal_that_has_lost_its_notes_is_left_to_those_who_mend_it(folder):
    with sqlite3.connect(folder / "journal.db") as opened:
        opened.execute("DROP TABLE notes")
    opened.close()
    with Night(folder) as night:
        assert night.worker.status().damage is not None
        assert len(night.past.matches()) == 2


def test_a_fresh_table_has_nothing_to_back_up(tmp_path):
    with Night(tmp_path):
        pass
    assert not (tmp_path / "backups").exists()


def test_an_older_format_is_never_opened_without_a_copy_of_it(folder, monkeypatch):
    """Whatever a new version makes of an old journal, the way back must be there first."""
    with Night(folder) as night:
        for number in range(200):
            night.do(c.Rename(ANA, f"Ana {number}"))
    monkeypatch.setattr("companion.keeping.upgrade_backup.FORMAT", FORMAT + 1)
    little = folder / "little"
    little.write_bytes(bytes(40_000))
    with full_disk(little), pytest.raises(JournalError, match="copied first"):
        Night(folder).open()


class Resting:
    """A table with a clock of its own, for who cannot wait a day."""

    def __init__(self, folder: Path) -> None:
        self.now = 0
        self.version = 100
        self.made = 0
        self.fails = False
        self.daily = DailyBackup(self._make, lambda: self.version, lambda: self.now)

    def _make(self) -> None:
        if self.fails:
            raise JournalError("the disk is full")
        self.made += 1

    def wait(self, span: int, *, busy: bool = False) -> int:
        """Let time pass, second by second where it matters; tell how many backups were made."""
        before, end = self.made, self.now + span
        while self.now < end:
            self.now += 10 * SECOND
            self.version += busy
            self.daily.look()
        return self.made - before


@pytest.fixture
def resting(tmp_path: Path) -> Resting:
    return Resting(tmp_path)


def test_while_something_happens_no_backup_is_made(resting):
    assert resting.wait(10 * IDLE, busy=True) == 0
    assert resting.wait(IDLE + 20 * SECOND) == 1


def test_a_table_that_rests_is_backed_up_and_not_again_at_every_break(resting):
    assert resting.wait(IDLE + 20 * SECOND) == 1
    assert resting.wait(BETWEEN // 2, busy=True) == 0
    assert resting.wait(BETWEEN // 2) == 1


def test_a_table_on_which_nothing_happened_needs_no_second_backup(resting):
    assert resting.wait(IDLE + 20 * SECOND) == 1
    assert resting.wait(24 * BETWEEN) == 0


def test_a_backup_that_failed_is_tried_again_later_and_told_once(resting, caplog):
    resting.fails = True
    resting.wait(4 * BETWEEN)
    assert len(caplog.records) == 1
    assert "the disk is full" in caplog.text
    resting.fails = False
    assert resting.wait(2 * BETWEEN) == 1


def test_the_open_table_makes_its_own_backup_when_nobody_plays(folder, monkeypatch):
    monkeypatch.setattr("companion.keeping.daily_backup.IDLE", 0)
    monkeypatch.setattr("companion.keeping.daily_backup.LOOK", 0.01)
    with Night(folder) as night:
        until(lambda: list((folder / "backups").glob("daily-*.db")))
        night.do(c.Rename(ANA, "Anna"))
    (copy,) = (folder / "backups").glob("daily-*.db")
    assert backups.contents(copy).matches == 2


def test_a_journal_to_which_nothing_was_added_but_starts_is_not_copied_again(folder):
    assert not backups.holds_all_play(folder)
    backups.make(folder, "daily", "2025-11-16T20:00:00Z")
    for _ in range(3):
        with Night(folder).open():
            assert backups.holds_all_play(folder)
    _tap(folder)
    assert not backups.holds_all_play(folder)


def _tap(folder: Path) -> None:
    """Let one more thing happen."""
    with Night(folder) as night:
        night.do(c.Undo())
        night.do(c.Redo())


def _last_opened_by(folder: Path, version: str) -> None:
    with sqlite3.connect(folder / "journal.db") as opened:
        opened.execute("INSERT OR REPLACE INTO notes VALUES ('companion', ?)", (version,))
    opened.close()
