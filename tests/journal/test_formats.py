"""A journal of every format since the first release opens, and its matches are as they were."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from companion.journal.damage.verify import verify
from companion.journal.file import FORMAT, OLDEST, JournalTooOld
from companion.keeping.restore import restore
from companion.past.records import MatchRecord
from companion.referee import commands as c
from tests.journal.journals.keep import FOLDER
from tests.kit.night import Night

FORMATS = range(OLDEST, FORMAT + 1)
BEFORE = FOLDER / f"format-{OLDEST - 1}.db"


@pytest.fixture(params=FORMATS, ids=lambda number: f"format {number}")
def old(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Path]:
    """A data folder with an old journal in it, and the journal as it was kept."""
    kept = FOLDER / f"format-{request.param}.db"
    shutil.copyfile(kept, tmp_path / "journal.db")
    return tmp_path, kept


def test_of_every_format_a_journal_is_kept() -> None:
    names = {path.name for path in FOLDER.glob("format-*.db") if path != BEFORE}
    assert names == {f"format-{number}.db" for number in FORMATS}


def test_an_old_journal_opens_and_its_matches_are_what_they_were(old: tuple[Path, Path]) -> None:
    folder, kept = old
    text = kept.with_suffix(".json").read_bytes()
    played = msgspec.json.decode(text, type=tuple[MatchRecord, ...])
    with Night(folder) as night:
        assert night.past.matches() == played
        assert night.round.number == 1
        night.do(c.Draw())
        night.do(c.CloseMatch())
        assert len(night.past.matches()) == len(played)
    assert verify(folder).problems == ()


def test_a_journal_from_before_the_first_release_is_refused_and_stays_as_it_is(
    tmp_path: Path,
) -> None:
    journal = tmp_path / "journal.db"
    shutil.copyfile(BEFORE, journal)
    content = journal.read_bytes()
    with pytest.raises(JournalTooOld, match="before the companion was first released"):
        Night(tmp_path).open()
    assert journal.read_bytes() == content
    assert sorted(path.name for path in tmp_path.glob("*.db")) == ["journal.db"]


def test_an_old_backup_can_be_restored(old: tuple[Path, Path], tmp_path: Path) -> None:
    _, kept = old
    restore(tmp_path / "other", kept)
    assert verify(tmp_path / "other").matches == 2
