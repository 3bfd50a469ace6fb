"""`companion forget`: what it says, what it asks, and what it does beside an open table."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.journal.damage.verify import verify
from companion.past.past import Past
from companion.referee import commands as c
from tests.kit.night import ANA, Night


def companion(*words: str | Path, typed: str = "") -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words], input=typed)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with Night(tmp_path) as night:
        night.deal()
        night.score_round()
        night.do(c.CloseMatch())
        night.do(c.Stand(ANA))
    return tmp_path


def test_it_asks_before_it_forgets_a_match(folder: Path) -> None:
    kept = companion("forget", "match", "1", "--data", folder, typed="n\n")
    assert kept.exit_code == 1
    assert [record.number for record in Past(folder / "journal.db").matches()] == [1]
    done = companion("forget", "match", "1", "--data", folder, typed="y\n")
    assert done.exit_code == 0, done.output
    assert "Match 1, 20" in done.output
    assert "1 round: Ana, Ben, Cleo." in done.output
    assert "so the name goes too: Ana." in done.output, "the others still sit there"
    assert "Forgotten." in done.output
    assert Past(folder / "journal.db").matches() == ()
    assert b"Ana" not in (folder / "journal.db").read_bytes()
    assert verify(folder).problems == ()
    again = companion("forget", "match", "1", "--data", folder, "--yes")
    assert (again.exit_code, again.output.strip()) == (
        1,
        "There is no match 1 here; maybe it was forgotten already.",
    )
    with Night(folder) as night:
        assert [seat.name for seat in night.table.game.seats] == ["Ben", "Cleo"]


def test_it_forgets_a_name_without_asking_when_told_so(folder: Path) -> None:
    (folder / "journal-damaged-1.db").write_bytes(b"Ana")
    done = companion("forget", "name", "ANA", "--data", folder, "--yes", "--remove-left")
    assert done.exit_code == 0, done.output
    assert "Ana becomes Player 1 in 1 match." in done.output
    assert "Removed: journal-damaged-1.db" in done.output
    assert not any(b"Ana" in file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_beside_an_open_table_it_leads_to_the_page(folder: Path) -> None:
    with Night(folder):
        refused = companion("forget", "match", "1", "--data", folder, "--yes")
    assert refused.exit_code == 2
    assert "The table is open" in refused.output
    assert [record.number for record in Past(folder / "journal.db").matches()] == [1]


def test_where_there_is_no_journal_there_is_nothing_to_forget(tmp_path: Path) -> None:
    assert companion("forget", "name", "Ana", "--data", tmp_path).exit_code == 2
