"""The read model follows the journal, and is always what a plain look at the journal gives."""

from __future__ import annotations

import logging
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.journal.file import create, put_in_place
from companion.journal.opening import JOURNAL
from companion.past.past import EVERY_MATCH, Past
from companion.past.tables.follower import PastFollower
from companion.past.tables.read_model import forget_match
from companion.referee import commands as c
from companion.referee.events import Event
from companion.referee.model.table import Table
from companion.referee.sentences import unpacked
from tests.kit.night import ANA, BEN, Night, highlights, play_a_while, until
from tests.past.test_plain_statistics import played, pour

_events = msgspec.json.Decoder(Event, dec_hook=unpacked)
TURNS = ("MatchStarted", "MatchClosed")
PREFIXES = 6


def told(past: Past) -> tuple[Any, ...]:
    """All that is told of the past."""
    records = past.matches()
    stories = [past.story(record.number) for record in records]
    return records, highlights(past), stories, past.statistics(EVERY_MATCH)


def plainly(journal: Path) -> tuple[Any, ...]:
    """The same, from a read model that is built anew from the journal as it is now."""
    apart = journal.parent / "apart"
    shutil.rmtree(apart, ignore_errors=True)
    apart.mkdir()
    with (
        closing(sqlite3.connect(journal)) as source,
        closing(sqlite3.connect(apart / JOURNAL)) as copy,
    ):
        source.backup(copy)
    with closing(Past(apart / JOURNAL)) as past:
        return told(past)


def places(lines: tuple[bytes, ...], seed: int) -> list[int]:
    """Where to look: around every beginning and end of a match, and here and there."""
    kinds = [type(_events.decode(line)).__name__ for line in lines]
    turns = {
        at + near for at, kind in enumerate(kinds, 1) if kind in TURNS for near in range(-1, 2)
    }
    chosen = turns | set(Random(seed).sample(range(1, len(lines)), PREFIXES)) | {len(lines)}
    return sorted(at for at in chosen if 0 < at <= len(lines))


@pytest.mark.parametrize(
    ("seed", "edition"), [(3, "fast-and-furious"), (5, "express")], ids=["with races", "without"]
)
def test_step_by_step_it_is_what_a_plain_look_gives(
    tmp_path: Path, seed: int, edition: str
) -> None:
    lines = played(seed, edition)
    journal = tmp_path / JOURNAL
    put_in_place(create(journal), journal)
    past, before, table = Past(journal), 0, Table()
    for number, place in enumerate(places(lines, seed)):
        table = pour(journal, lines[before:place], table)
        before = place
        if number % 3 == 0:
            past.close()
            past = Past(journal)
        assert told(past) == plainly(journal), f"after event {place}"
    past.close()


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    """The data folder of two matches, one of which goes on."""
    with Night(tmp_path) as night:
        play_a_while(night)
    return tmp_path


def test_a_file_that_is_deleted_is_made_anew_also_while_it_is_open(evening: Path) -> None:
    with closing(Past(evening / JOURNAL)) as past:
        whole = told(past)
        for file in evening.glob("past.db*"):
            file.unlink()
        assert told(past) == whole
    assert (evening / "past.db").exists()


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda file: file.write_bytes(b"no database" * 500), id="no database"),
        pytest.param(lambda file: file.write_bytes(b""), id="empty"),
        pytest.param(lambda file: file.write_bytes(file.read_bytes()[:9_000]), id="cut off"),
        pytest.param(lambda file: change(file, "UPDATE state SET shape = 'old'"), id="old shape"),
        pytest.param(lambda file: change(file, "UPDATE matches SET sheet = x'7b'"), id="spoilt"),
        pytest.param(lambda file: change(file, "DROP TABLE hands"), id="a table is gone"),
    ],
)
def test_a_damaged_file_is_made_anew(
    evening: Path, caplog: pytest.LogCaptureFixture, spoil: Any
) -> None:
    with closing(Past(evening / JOURNAL)) as past:
        whole = told(past)
    spoil(evening / "past.db")
    with closing(Past(evening / JOURNAL)) as past, caplog.at_level(logging.WARNING):
        assert told(past) == whole
    assert "made anew" in caplog.text or (evening / "past.db").stat().st_size > 0


def change(file: Path, statement: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(statement)


def test_the_tables_of_another_journal_are_made_anew(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    with Night(one) as night:
        play_a_while(night)
    with Night(other) as night:
        night.deal().score_round()
    with closing(Past(one / JOURNAL)) as past:
        assert len(past.matches()) == 2
        for file in one.glob("journal.db*"):
            file.unlink()
        shutil.copy(other / JOURNAL, one / JOURNAL)
        assert told(past) == plainly(other / JOURNAL)


KILLED = """
import os, sys
from pathlib import Path
from companion.past.tables import read_model
from companion.past.past import Past
written = read_model.write_match
def killed(connection, facts, position):
    written(connection, facts, position)
    if position >= int(sys.argv[2]):
        os.kill(os.getpid(), 9)
read_model.write_match = killed
read_model.STRETCH = 10
Past(Path(sys.argv[1])).matches()
"""


def test_killed_in_the_middle_of_following_it_goes_on(evening: Path) -> None:
    whole = plainly(evening / JOURNAL)
    for file in evening.glob("past.db*"):
        file.unlink()
    for after in (20, 40):
        command = [sys.executable, "-c", KILLED, str(evening / JOURNAL), str(after)]
        died = subprocess.run(command, check=False, cwd=Path(__file__).parents[2])
        assert died.returncode == -9
        with closing(sqlite3.connect(evening / "past.db")) as connection:
            (position,) = connection.execute("SELECT position FROM state").fetchone()
        assert position < after
    with closing(Past(evening / JOURNAL)) as past:
        assert told(past) == whole


def test_a_beginning_that_is_taken_back_after_a_restart_is_gone(tmp_path: Path) -> None:
    with Night(tmp_path) as night:
        night.deal().score_round(BEN, 400)
        night.do(c.Rematch())
        assert len(night.past.matches()) == 2
        night.reopen()
        assert len(night.past.matches()) == 2
        night.do(c.Undo())
        assert told(night.past) == plainly(night.journal)
        assert [record.number for record in night.past.matches()] == [1]
        night.do(c.EditRound(1, points={ANA: 10}))
        night.do(c.Rematch())
        assert told(night.past) == plainly(night.journal)


def test_two_programs_may_follow_the_same_journal(tmp_path: Path) -> None:
    with Night(tmp_path) as night, closing(Past(night.journal)) as other:
        night.deal()
        assert told(other) == told(night.past)
        for _ in range(2):
            night.score_round()
            assert told(night.past) == told(other)
            night.do(c.Deal())
            assert told(other) == told(night.past) == plainly(night.journal)


def test_where_nobody_may_write_it_is_kept_in_memory(
    evening: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Past(evening / JOURNAL)) as past:
        whole = told(past)
    before = (evening / "past.db").read_bytes()
    monkeypatch.setattr("companion.past.tables.past_file.os.access", lambda *_: False)
    with closing(Past(evening / JOURNAL)) as past:
        assert told(past) == whole
    assert (evening / "past.db").read_bytes() == before
    for file in evening.glob("past.db*"):
        file.unlink()
    with closing(Past(evening / JOURNAL)) as past:
        assert told(past) == whole
    assert not (evening / "past.db").exists()


def test_the_follower_catches_up_by_itself(tmp_path: Path) -> None:
    with Night(tmp_path) as night:
        past = Past(night.journal)
        follower = PastFollower(past.model, lambda: night.table.version, interval=0.01)
        follower.start()
        night.deal().score_round()
        until(lambda: past.model.place.position == night.table.version)
        follower.close()
        assert told(past) == told(night.past)


def test_a_mistake_in_a_query_spoils_no_file(evening: Path) -> None:
    with closing(Past(evening / JOURNAL)) as past:
        assert len(past.matches()) == 2
        before = past.model.generation
        with pytest.raises(sqlite3.OperationalError, match="no such column"):
            past.model.ask(lambda tables: tables.execute("SELECT nonsense FROM matches"))
        assert past.model.generation == before


def test_a_match_that_was_forgotten_goes_without_building_the_rest_anew(evening: Path) -> None:
    with closing(Past(evening / JOURNAL)) as past:
        assert len(past.matches()) == 2
        forget_match(evening / JOURNAL, 1)
        assert [brief.number for brief in past.briefs()] == [2]
        assert past.match(1) is None
        assert past.story(1) is None


def test_no_name_stands_in_its_file(evening: Path) -> None:
    with closing(Past(evening / JOURNAL)) as past:
        assert "Cleo" in {player.name for brief in past.briefs() for player in brief.players}
    written = b"".join(file.read_bytes() for file in evening.glob("past.db*"))
    assert not [name for name in (b"Ana", b"Ben", b"Cleo") if name in written]
