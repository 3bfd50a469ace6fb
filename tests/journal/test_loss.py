"""The journal is removed, replaced or cut while the table runs, or is gone when it starts."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal.damage.lost import JournalLost
from companion.journal.damage.verify import verify
from companion.keeping import backups
from companion.keeping.restore import begin_anew, restore
from companion.referee import commands as c
from tests.kit.night import ANA, Night, until


def removed(journal: Path) -> None:
    journal.unlink()


def moved_away(journal: Path) -> None:
    journal.rename(journal.with_name("elsewhere.db"))


def replaced_by_a_copy(journal: Path) -> None:
    shutil.copy2(journal, journal.with_name("copy.db"))
    journal.with_name("copy.db").replace(journal)


def replaced_by_a_link(journal: Path) -> None:
    """The very same file, but by another way: whoever did that may do anything with it."""
    moved_away(journal)
    journal.symlink_to(journal.with_name("elsewhere.db"))


def copied_over(journal: Path) -> None:
    """By hand, as one might go back to a backup of another evening: the file is the same one."""
    journal.write_bytes(bytes(journal.stat().st_size))


def cut(journal: Path) -> None:
    os.truncate(journal, 0)


def log_removed(journal: Path) -> None:
    journal.with_name("journal.db-wal").unlink()


def log_cut(journal: Path) -> None:
    os.truncate(journal.with_name("journal.db-wal"), 100)


ATTACKS: dict[Callable[[Path], None], str] = {
    removed: "removed",
    moved_away: "removed",
    replaced_by_a_copy: "replaced",
    replaced_by_a_link: "replaced",
    copied_over: "replaced",
    cut: "cut",
    log_removed: "removed",
    log_cut: "cut",
}


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_nothing_is_acknowledged_that_is_not_in_the_file_at_its_path(
    night: Night, attack: Callable[[Path], None]
) -> None:
    night.seat_three()
    attack(night.journal)
    version = night.table.version
    for name in ("Zoe", "Ada"):
        assert night.refused(c.Rename(ANA, name)) == "not_saved"
    assert night.table.version == version
    lost = night.worker.status().lost
    assert lost is not None
    assert lost.how == ATTACKS[attack]
    assert "saved" in night.worker.status().storage


def test_a_table_that_nobody_uses_notices_too(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.service.deadline_timer.LONGEST_WAIT", 1_000_000)
    night.seat_three()
    removed(night.journal)
    until(lambda: night.worker.status().lost is not None)


def rescued(night: Night) -> str | None:
    lost = night.worker.status().lost
    return None if lost is None else lost.rescued


def test_all_that_was_played_is_saved_from_the_removed_file(night: Night) -> None:
    night.seat_three()
    removed(night.journal)
    version = night.table.version
    assert night.refused(c.Rename(ANA, "Zoe")) == "not_saved"
    until(lambda: rescued(night))
    told = rescued(night)
    night.close()
    (kept,) = backups.listed(night.folder)
    assert (kept.kind, kept.path.name) == ("rescued", told)
    assert backups.contents(kept.path).events == version
    restore(night.folder, kept.path)
    assert [seat.name for seat in night.open().table.game.seats] == ["Ana", "Ben", "Cleo"]


def test_nothing_is_saved_from_a_file_that_was_cut(night: Night) -> None:
    night.seat_three()
    night.worker._journal.fold_log()
    cut(night.journal)
    assert night.refused(c.Rename(ANA, "Zoe")) == "not_saved"
    version = night.table.version
    night.close()
    for one in backups.listed(night.folder):
        assert backups.contents(one.path).events == version


def test_the_table_goes_on_once_its_own_file_is_back(night: Night) -> None:
    night.seat_three()
    moved_away(night.journal)
    assert night.refused(c.Rename(ANA, "Zoe")) == "not_saved"
    night.journal.with_name("elsewhere.db").rename(night.journal)
    until(lambda: night.worker.status().lost is None)
    night.do(c.Rename(ANA, "Ada"))
    assert night.reopen().table.game.seats[0].name == "Ada"
    assert verify(night.folder).problems == ()


def test_a_journal_that_was_only_touched_goes_on(night: Night) -> None:
    """It is read from its first event to its last, and nothing is missing."""
    night.seat_three()
    os.utime(night.journal, (1, 1))
    night.do(c.Rename(ANA, "Ada"))
    assert night.worker.status().lost is None
    assert night.reopen().table.game.seats[0].name == "Ada"


def test_another_journal_copied_into_its_place_is_never_added_to(
    night: Night, tmp_path: Path
) -> None:
    with Night(tmp_path / "other") as stranger:
        stranger.do(c.Sit("Mallory"))
    night.seat_three()
    night.worker._journal.fold_log()
    shutil.copyfile(tmp_path / "other" / "journal.db", night.journal)
    for _ in range(3):
        assert night.refused(c.Rename(ANA, "Zoe")) == "not_saved"


def test_another_journal_in_its_place_is_never_written_to(night: Night, tmp_path: Path) -> None:
    night.seat_three()
    other = tmp_path / "other"
    with Night(other) as stranger:
        stranger.do(c.Sit("Mallory"))
    before = (other / "journal.db").read_bytes()
    (other / "journal.db").replace(night.journal)
    for _ in range(3):
        assert night.refused(c.Rename(ANA, "Zoe")) == "not_saved"
    night.close()
    assert night.journal.read_bytes() == before


@pytest.mark.parametrize("left", ["journal.db-head", "snapshot.json", "backups", "journal.db-wal"])
def test_a_start_without_the_journal_is_told_as_loss(
    folder: Path, tmp_path: Path, left: str
) -> None:
    """Each of these alone tells that there was a journal."""
    backups.make(folder, "asked")
    (folder / "journal.db-wal").touch()
    place = tmp_path / "left"
    place.mkdir()
    (folder / left).rename(place / left)
    with pytest.raises(JournalLost) as lost:
        Night(place).open()
    assert "companion restore" in lost.value.sentence
    assert not (place / "journal.db").exists()
    with pytest.raises(JournalLost):
        verify(place)


def test_after_a_loss_one_goes_back_to_a_backup_or_begins_anew(folder: Path) -> None:
    copy = backups.make(folder, "asked")
    (folder / "journal.db").unlink()
    with pytest.raises(JournalLost):
        Night(folder).open()
    restore(folder, copy)
    with Night(folder) as night:
        assert len(night.table.game.seats) == 3
    (folder / "journal.db").unlink()
    (folder / "journal.db-wal").write_bytes(b"all that is left")
    begin_anew(folder)
    left = [file.read_bytes() for file in folder.glob("journal-replaced-*.db-wal")]
    assert b"all that is left" in left
    with Night(folder) as night:
        assert night.table.game.seats == ()
        assert night.worker.status().damage is None
    assert copy.exists()


def test_an_empty_folder_and_one_with_a_log_file_alone_open_as_new(tmp_path: Path) -> None:
    (tmp_path / "companion.log").write_text("It was Tuesday.\n")
    with Night(tmp_path) as night:
        assert night.table.game.seats == ()
