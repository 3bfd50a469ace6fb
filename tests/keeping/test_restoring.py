"""Going back to a backup, or to everything in one file; what was there before is kept."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from companion.journal.damage.verify import verify
from companion.journal.file import FORMAT
from companion.journal.folder_lock import FolderInUse
from companion.keeping import backups
from companion.keeping.archive import pack
from companion.keeping.restore import CannotRestore, restore
from companion.referee import commands as c
from companion.referee.model.edition import EXPRESS
from tests.keeping.test_backups import events
from tests.kit.command_line import companion
from tests.kit.damage import damage_event
from tests.kit.night import Night
from tests.settings.test_editions import as_toml

SHEET = as_toml(EXPRESS)


@pytest.fixture
def copy(folder: Path) -> Path:
    """A backup, after which the evening went on."""
    copy = backups.make(folder, "asked", "2025-11-16T19:30:00.123Z")
    with Night(folder) as night:
        night.do(c.Undo())
    return copy


def replaced(folder: Path) -> list[Path]:
    return sorted(folder.glob("journal-replaced-*.db"))


def test_the_table_goes_on_from_the_backup_and_the_present_journal_is_kept(folder, copy):
    present = events(folder / "journal.db")
    restore(folder, copy)
    assert events(folder / "journal.db") == events(copy)
    (kept,) = replaced(folder)
    assert events(kept) == present
    assert verify(folder).problems == ()
    with Night(folder) as night:
        night.do(c.Draw())
    assert verify(folder).problems == ()


def test_what_is_still_in_the_log_of_the_present_journal_is_kept_too(folder, copy, tmp_path):
    with Night(folder) as night:
        night.do(c.Redo())
        # What a cut of the power leaves behind.
        cut = Path(shutil.copytree(folder, tmp_path / "cut"))
        version = night.table.version
    assert (cut / "journal.db-wal").stat().st_size > 0
    restore(cut, copy)
    (kept,) = replaced(cut)
    assert not (cut / "journal.db-wal").exists(), "the old log would spoil the new journal"
    assert events(cut / "journal.db") == events(copy)
    assert len(events(kept)) == version


def test_one_can_go_back_and_forth(folder, copy):
    present = events(folder / "journal.db")
    restore(folder, copy)
    restore(folder, replaced(folder)[0])
    assert events(folder / "journal.db") == present
    assert len(replaced(folder)) == 2


def test_a_damaged_present_journal_is_no_obstacle(folder, copy):
    (folder / "journal.db").write_bytes(b"not a journal at all" * 400)
    restore(folder, copy)
    assert verify(folder).problems == ()
    assert replaced(folder)[0].read_bytes().startswith(b"not a journal")


def test_a_missing_present_journal_is_no_obstacle(folder, copy):
    (folder / "journal.db").unlink()
    restore(folder, copy)
    assert verify(folder).problems == ()
    assert replaced(folder) == []


def test_a_damaged_backup_is_refused_and_nothing_is_touched(folder, copy):
    damage_event(copy, 1)
    _refused(folder, copy, "is not whole: event")


def test_a_backup_of_a_later_version_is_refused_and_nothing_is_touched(folder, copy):
    with sqlite3.connect(copy) as opened:
        opened.execute(f"UPDATE head SET format = {FORMAT + 1}")
        opened.execute(f"PRAGMA user_version = {FORMAT + 1}")
    opened.close()
    _refused(folder, copy, "later version of the companion")


def test_a_file_that_is_nothing_of_ours_is_refused(folder, tmp_path):
    for content in (b"", b"hello", bytes(100_000)):
        (tmp_path / "odd").write_bytes(content)
        _refused(folder, tmp_path / "odd", "is not whole")
    _refused(folder, tmp_path / "none", "There is no file")


def test_while_the_table_is_open_nothing_is_restored(folder, copy):
    with Night(folder), pytest.raises(FolderInUse):
        restore(folder, copy)
    assert replaced(folder) == []


def _refused(folder: Path, source: Path, why: str) -> None:
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(CannotRestore, match=why):
        restore(folder, source)
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    before.pop(folder / "companion.lock", None)
    after.pop(folder / "companion.lock", None)
    assert after == before


# Everything in one file


@pytest.fixture
def archive(folder: Path, tmp_path: Path) -> Path:
    (folder / "editions").mkdir()
    (folder / "editions" / "odd.toml").write_text(SHEET)
    config = tmp_path / "companion.toml"
    config.write_text("[house]\nwrong_catch_draws = 2\n")
    archive = tmp_path / "everything.zip"
    with archive.open("xb") as file:
        pack(folder, config, file)
    return archive


def test_everything_in_one_file_comes_back_on_another_machine(folder, archive, tmp_path):
    other = tmp_path / "other"
    told = restore(other, archive)
    assert events(other / "journal.db") == events(folder / "journal.db")
    assert (other / "editions" / "odd.toml").read_text() == SHEET
    assert told.configuration is not None
    assert told.configuration.read_text() == "[house]\nwrong_catch_draws = 2\n"
    with Night(other) as night:
        assert "odd" in {edition.key for edition in night.table.editions}


def test_editions_that_are_already_there_are_kept_aside(folder, archive):
    (folder / "editions" / "odd.toml").write_text("# another one\n" + SHEET)
    (folder / "editions" / "mine.toml").write_text(SHEET)
    restore(folder, archive)
    assert (folder / "editions" / "odd.toml").read_text() == SHEET
    assert (folder / "editions" / "mine.toml").exists()
    (kept,) = (folder / "editions").glob("odd.toml.replaced-*")
    assert kept.read_text().startswith("# another one")


def test_an_archive_without_a_whole_journal_is_refused(folder, archive, tmp_path):
    odd = tmp_path / "odd.zip"
    with zipfile.ZipFile(odd, "w") as made:
        made.writestr("editions/odd.toml", SHEET)
    _refused(folder, odd, "holds no journal")
    odd.write_bytes(archive.read_bytes()[:-40_000])
    _refused(folder, odd, "is not whole")


def test_an_archive_writes_nowhere_but_into_the_data_folder(folder, archive, tmp_path):
    with zipfile.ZipFile(archive, "a") as made:
        made.writestr("../outside.toml", "")
        made.writestr("editions/../../outside.toml", "")
        made.writestr("/outside.toml", "")
        made.writestr("editions/.hidden.toml", "")
    restore(folder, archive)
    assert not list(tmp_path.glob("outside*"))
    assert {path.name for path in (folder / "editions").iterdir()} == {"odd.toml"}


def test_an_archive_that_would_fill_the_disk_is_refused(folder, tmp_path, monkeypatch):
    monkeypatch.setattr("companion.keeping.archive.LARGEST", 1000)
    odd = tmp_path / "odd.zip"
    with zipfile.ZipFile(odd, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("journal.db", bytes(1001))
    _refused(folder, odd, "too large")


# The commands


@pytest.mark.usefixtures("copy")
def test_the_commands_back_up_list_and_restore(folder):
    made = companion("backup", "--data", folder)
    assert made.exit_code == 0
    assert "2 matches" in made.output
    shown = companion("restore", "--data", folder)
    assert shown.exit_code == 0
    _, second = [line for line in shown.output.splitlines() if ".db" in line]
    assert "asked-20251116T193000123Z.db" in second
    assert "2 matches" in second
    done = companion("restore", "--data", folder, "asked-20251116T193000123Z.db")
    assert done.exit_code == 0
    assert "journal-replaced-" in done.output
    assert len(replaced(folder)) == 1


def test_without_backups_the_list_says_so(tmp_path):
    result = companion("restore", "--data", tmp_path)
    assert (result.exit_code, result.output) == (
        0,
        f"There are no backups in {tmp_path / 'backups'}.\n",
    )


def test_a_backup_can_go_into_a_file_of_its_own(folder, tmp_path):
    file = tmp_path / "stick" / "table.db"
    file.parent.mkdir()
    assert companion("backup", "--data", folder, "--output", file).exit_code == 0
    assert backups.contents(file).matches == 2
    again = companion("backup", "--data", folder, "--output", file)
    assert again.exit_code == 2
    assert "there already" in again.output


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (("restore", "no.db"), 2, "There is no backup no.db"),
        (("backup", "--data", "/proc/1"), 2, "There is no journal in /proc/1."),
    ],
)
def test_a_wrong_wish_is_told(folder, words, code, sentence):
    result = companion(words[0], "--data", folder, *words[1:])
    assert result.exit_code == code
    assert sentence in result.output


def test_the_command_refuses_while_the_table_is_open(folder, copy):
    with Night(folder):
        result = companion("restore", "--data", folder, copy.name)
    assert result.exit_code == 2
    assert "is using" in result.output


def test_everything_goes_out_and_back_by_command(folder, tmp_path):
    file = tmp_path / "everything.zip"
    done = companion("export", "--data", folder, "--everything", "--output", file)
    assert done.exit_code == 0
    assert companion("export", "--data", folder, "--everything").exit_code == 2
    assert companion("restore", "--data", tmp_path / "other", file).exit_code == 0
    assert verify(tmp_path / "other").matches == 2


def test_a_stick_that_the_table_s_user_cannot_reach_is_written_and_read_by_arrows(folder, tmp_path):
    """The installed command works as another user than the one who types it."""
    command = f'"{sys.executable}" -m companion'
    stick = tmp_path / "stick"
    stick.mkdir()
    line = f"""
        {command} backup --data "{folder}" --output - >"{stick}/table.db" &&
        {command} export --data "{folder}" --everything --output - >"{stick}/all.zip" &&
        {command} restore --data "{tmp_path}/one" - <"{stick}/table.db" &&
        {command} restore --data "{tmp_path}/other" - <"{stick}/all.zip"
    """
    subprocess.run(["sh", "-ec", line], check=True, capture_output=True)
    for place in ("one", "other"):
        assert events(tmp_path / place / "journal.db") == events(folder / "journal.db")


def test_no_number_of_a_player_is_given_twice_after_going_back(tmp_path):
    """A phone that was paired with the fourth player must not become the next guest's."""
    with Night(tmp_path) as night:
        night.seat_three()
        copy = backups.make(tmp_path, "asked")
        night.do(c.Sit("Dan"))
        assert night.table.game.seats[-1].player == 4
    restore(tmp_path, copy)
    with Night(tmp_path) as night:
        night.do(c.Sit("Eva"))
        assert night.table.game.seats[-1].player == 5
    assert verify(tmp_path).problems == ()


@pytest.mark.parametrize("line", [None, b"9 9 damaged"], ids=["whole", "damaged"])
def test_no_number_of_a_player_is_given_twice_by_a_new_journal(tmp_path, line):
    with Night(tmp_path) as night:
        night.seat_three()
    for file in tmp_path.iterdir():
        if file.name != "players-so-far":
            file.unlink()
    if line is not None:
        (tmp_path / "players-so-far").write_bytes(line)
    with Night(tmp_path) as night:
        night.do(c.Sit("Dan"))
        assert night.table.game.seats[-1].player == (4 if line is None else 1)
        assert night.reopen().table.game.seats[-1].name == "Dan"
        night.do(c.Sit("Eva"))
        assert night.table.game.seats[-1].player == (5 if line is None else 2)
