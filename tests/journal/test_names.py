"""Names stand in a table of their own, and in no event."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.journal.chain import read_rows
from companion.journal.damage.verify import verify
from companion.journal.file import reader
from companion.journal.names import find_names, read_names
from companion.referee import commands as c
from companion.referee import events as e
from tests.kit.night import ANA, BEN, CLEO, Night


def names(night: Night) -> dict[int, str]:
    with closing(reader(night.journal)) as connection:
        return read_names(connection)


def test_no_event_on_disk_holds_a_name(night: Night) -> None:
    night.deal()
    night.do(c.Rename(BEN, "Benedetto"))
    with closing(reader(night.journal)) as connection:
        rows = list(read_rows(connection))
    said = b"".join(row.body for row in rows)
    assert not [name for name in (b"Ana", b"Ben", b"Cleo") if name in said]
    told = [row.event() for row in rows]
    assert [event.name for event in told if isinstance(event, e.SeatTaken)] == [
        "Ana",
        "Ben",
        "Cleo",
    ]
    (started,) = (event for event in told if isinstance(event, e.MatchStarted))
    assert [seat.name for seat in started.seats] == ["Ana", "Ben", "Cleo"]


def test_the_last_line_of_a_player_is_how_they_are_called(night: Night) -> None:
    night.seat_three()
    night.do(c.Rename(CLEO, "Cleopatra"))
    assert names(night) == {ANA: "Ana", BEN: "Ben", CLEO: "Cleopatra"}
    night.do(c.Undo())
    assert names(night)[CLEO] == "Cleo"
    night.do(c.Redo())
    assert names(night)[CLEO] == "Cleopatra"
    night.do(c.Stand(CLEO))
    assert names(night)[CLEO] == "Cleopatra", "also after they have left"
    assert verify(night.folder).problems == ()


@pytest.mark.parametrize(
    "change",
    [
        pytest.param("UPDATE names SET name = 'Bex' WHERE name = 'Ben'", id="another name"),
        pytest.param("DELETE FROM names WHERE name = 'Cleo'", id="a line is gone"),
        pytest.param("UPDATE names SET player = 9 WHERE name = 'Ana'", id="another player"),
    ],
)
def test_a_changed_line_is_found(night: Night, change: str) -> None:
    night.seat_three()
    night.close()
    with closing(sqlite3.connect(night.journal)) as connection, connection:
        connection.execute(change)
    assert verify(night.folder).problems
    with night.open():
        assert len(night.table.game.seats) == 3, "a number stands where a name got lost"
    assert verify(night.folder).problems == ()


def test_names_are_found_in_the_bytes_of_a_damaged_file(night: Night) -> None:
    night.seat_three()
    long = "Z" * 24
    night.do(c.Rename(BEN, long))
    night.close()
    content = night.journal.read_bytes()
    assert find_names(b"damage" + content[100:]) == {"Ana", "Ben", "Cleo", long}
    assert find_names(bytes(10_000)) == set()


def test_events_of_some_kinds_are_read_alone(night: Night) -> None:
    night.deal()
    with closing(reader(night.journal)) as connection:
        chosen = list(read_rows(connection, kinds={"match_started", "round_dealt"}))
        every = {row.version: row for row in read_rows(connection)}
    assert [row.kind for row in chosen] == ["match_started", "round_dealt"]
    assert all(row == every[row.version] for row in chosen)
    assert {row.match for row in every.values()} == {None, 1}


def test_a_changed_copy_is_whole_whenever_the_power_goes(tmp_path: Path) -> None:
    """What was half done is taken back by the next one who looks."""
    copy = tmp_path / "copy.db"
    with closing(sqlite3.connect(copy)) as connection:
        connection.execute("CREATE TABLE names (name TEXT)")
        connection.execute("INSERT INTO names VALUES ('Ana')")
        connection.commit()
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("PRAGMA cache_spill = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany("INSERT INTO names VALUES (?)", [("Zoe" * 400,)] * 50)
        left = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    other = tmp_path / "after"
    other.mkdir()
    for name, content in left.items():
        (other / name).write_bytes(content)
    assert (other / "copy.db-journal").exists()
    with closing(reader(other / "copy.db", known=False, still=True)) as found:
        assert found.execute("SELECT count(*) FROM names").fetchone() == (1,)
