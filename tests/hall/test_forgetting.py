"""A name that is forgotten is in no file of a hall: its journal, its backups, its log."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.care.support import names_at
from companion.cli import main
from companion.hall.commands import DrawRound, SignUp, WriteResult
from companion.hall.contract import CONTRACT, SentMatch, SentPlayer, SentResult, SentRound
from companion.hall.forgetting import forget_in_hall
from companion.hall.keeper import HallKeeper
from companion.hall.standing import standing
from companion.journal.damage.verify import verify
from companion.keeping import backups
from companion.keeping.folder_files import found, places
from tests.kit.folder import unlisted

NAMES = ("Mallory", "Ben", "Cleo")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A hall in which Mallory has played, is named in a reason, and came once as a stranger."""
    place = tmp_path / "hall"
    place.mkdir()
    keeper = HallKeeper(place)
    keeper.do(SignUp(NAMES))
    keeper.do(DrawRound(1))
    keeper.join(1, "table one", "")
    keeper.take([(1, result(1, 0, NAMES)), (1, result(2, 1, ("mallory", "Zoe", "Cleo")))])
    points = {1: 50, 2: 10, 3: 0}
    keeper.do(WriteResult(1, 1, points, "Mallory and Zoe had been mixed up"))
    keeper.close()
    (place / "companion.log").write_text("Mallory did something\n")
    backups.make(place, "asked")
    return place


def result(sequence: int, before: int, names: tuple[str, ...]) -> SentResult:
    players = tuple(SentPlayer(name, 30 if at == 0 else 0) for at, name in enumerate(names))
    rounds = (SentRound(0, {1: 10, 2: 20}),)
    body = SentMatch(sequence, "finished", "classic", players, (0,), rounds)
    return SentResult(
        CONTRACT, sequence, f"seal {sequence}", before, f"seal {before}" if before else "", body
    )


def holding(folder: Path, name: str) -> list[str]:
    """Name every file in which a name stands, in whatever way it is written."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    found = [file.name for file in files if name.lower().encode() in file.read_bytes().lower()]
    return found + sorted(names_at(folder) & {name})


def test_a_name_goes_from_the_journal_its_backups_and_its_log(folder):
    before = standing(opened(folder))
    assert len(holding(folder, "Mallory")) >= 3
    forgotten = forget_in_hall(folder, "MALLORY")
    assert forgotten is not None
    assert forgotten.instead == "Player 1"
    assert len(forgotten.backups) == 1
    assert holding(folder, "Mallory") == []
    evening = opened(folder)
    assert evening.name(1) == "Player 1"
    assert standing(evening) == before
    assert evening.corrections[1, 1].reason == "Player 1 and Zoe had been mixed up"
    assert verify(folder).problems == ()
    assert forget_in_hall(folder, "Mallory") is None


def test_a_stranger_is_forgotten_as_well(folder):
    assert forget_in_hall(folder, "Zoe") is not None
    assert "Zoe" not in {
        place.name for one in opened(folder).results.values() for place in one.places
    }
    assert verify(folder).problems == ()


def test_an_open_hall_forgets_and_says_so_to_every_page(folder):
    keeper = HallKeeper(folder)
    version = keeper.evening.version
    forget_in_hall(folder, "Ben", keeper)
    assert keeper.evening.version > version
    assert keeper.evening.name(2) == "Player 2"
    keeper.do(SignUp(("Dora",)))
    keeper.close()
    assert holding(folder, "Ben") == []


def test_the_command_line_forgets_at_the_table_and_in_its_hall(folder, tmp_path):
    """The hall lies in the data folder; the table itself has never heard the name."""
    asked = ["forget", "name", "Mallory", "--data", str(tmp_path), "--yes"]
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 0, done.output
    assert holding(tmp_path, "Mallory") == []
    again = CliRunner().invoke(main, asked)
    assert again.exit_code != 0


def test_every_file_of_a_hall_is_in_the_list(folder, tmp_path):
    assert unlisted(tmp_path) == []
    for kind in ("journal", "copy", "log"):
        assert any(list(found(place, kind)) for place in places(tmp_path))


def opened(folder: Path):
    keeper = HallKeeper(folder)
    keeper.close()
    return keeper.evening
