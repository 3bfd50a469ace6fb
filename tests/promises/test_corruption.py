"""A thousand corruptions: each is found and told, or hit nothing that was ever written."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.journal.chain import Row
from companion.journal.damage.verify import BackgroundCheck, verify
from companion.journal.file import PAGE, JournalError, reader
from companion.journal.markers import HeadMarker
from companion.journal.opening import JOURNAL, SNAPSHOT, open_journal
from tests.kit.night import ANA, Night, until

ROOT = Path(__file__).parents[2]
CORRUPTIONS = int(os.environ.get("CORRUPTIONS", "1000"))
SHARES = 4
"""The corruptions are dealt to so many tests, which may run side by side."""
LOG = JOURNAL + "-wal"

KILLED = """
import os, sys
from pathlib import Path
from tests.kit.night import Night, play_a_while
night = Night(Path(sys.argv[1])).open()
play_a_while(night)
os.kill(os.getpid(), 9)
"""

Contents = dict[str, bytes]
"""The files of a folder."""


class Evening:
    """What an evening has left in its folder, and all that it had written."""

    def __init__(self, folder: Path) -> None:
        self.files: Contents = {
            name: (folder / name).read_bytes()
            for name in (JOURNAL, LOG, SNAPSHOT)
            if (folder / name).exists()
        }
        with closing(reader(folder / JOURNAL)) as connection:
            self.written = written(connection)
        self.rows = rows_of(folder)

    def lay_out(self, folder: Path, files: Contents) -> None:
        """Put files into an empty folder, with the witness that belongs to them."""
        for name, content in files.items():
            (folder / name).write_bytes(content)
        witness = HeadMarker(folder / JOURNAL)
        witness.note(len(self.rows))
        witness.close()


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Evening]:
    """One evening that was closed, and one whose plug was pulled, so that its log is full."""
    left = {}
    for name in ("closed", "killed"):
        folder = tmp_path_factory.mktemp(name)
        done = subprocess.run([sys.executable, "-c", KILLED, str(folder)], cwd=ROOT, check=False)
        assert done.returncode == -signal.SIGKILL
        if name == "closed":
            Night(folder).open().close()
        kept = tmp_path_factory.mktemp(f"{name} as it was")
        for file in (JOURNAL, LOG, SNAPSHOT):
            if (folder / file).exists():
                (kept / file).write_bytes((folder / file).read_bytes())
        left[name] = Evening(folder)
        left[name].files = {file.name: file.read_bytes() for file in kept.iterdir()}
    assert set(left["closed"].files) == {JOURNAL, SNAPSHOT}
    assert len(left["killed"].files[LOG]) > 20 * PAGE
    return left


def written(connection: sqlite3.Connection) -> list[list[tuple[object, ...]]]:
    """Read everything that was written into a journal, table by table."""
    tables = ("sqlite_schema", "events", "names", "forgotten", "head", "notes")
    return [connection.execute(f"SELECT * FROM {table}").fetchall() for table in tables]


def unnamed(rows: list[Row]) -> list[Row]:
    """Leave the names out: a number stands where a name was hit."""
    return [replace(row, names={}) for row in rows]


def rows_of(folder: Path) -> list[Row]:
    opened = open_journal(folder)
    try:
        return list(opened.journal.rows())
    finally:
        opened.journal.close()


def flip(content: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << dice.randrange(8)]) + content[at + 1 :]


def cut_short(content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randrange(len(content))]


def cut_at_a_page(content: bytes, dice: random.Random) -> bytes:
    return content[: dice.randrange(0, len(content), PAGE)]


def empty(content: bytes, dice: random.Random) -> bytes:
    return b""


def zero_a_page(content: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(0, len(content), PAGE)
    return content[:at] + bytes(len(content[at : at + PAGE])) + content[at + PAGE :]


def fill_a_sector_with_noise(content: bytes, dice: random.Random) -> bytes:
    at = dice.randrange(0, len(content), 512)
    return content[:at] + dice.randbytes(len(content[at : at + 512])) + content[at + 512 :]


def lay_one_page_over_another(content: bytes, dice: random.Random) -> bytes:
    places = range(0, max(PAGE, len(content) - PAGE), PAGE)
    one, other = dice.choice(places), dice.choice(places)
    return content[:one] + content[other : other + PAGE] + content[one + PAGE :]


WAYS: dict[Callable[[bytes, random.Random], bytes], int] = {
    flip: 60,
    cut_short: 10,
    cut_at_a_page: 6,
    empty: 2,
    zero_a_page: 8,
    fill_a_sector_with_noise: 8,
    lay_one_page_over_another: 6,
}
TARGETS = {("closed", JOURNAL): 50, ("killed", LOG): 30, ("killed", JOURNAL): 8} | {
    ("closed", SNAPSHOT): 12
}


class Case:
    """One corruption of one file of one evening."""

    def __init__(self, evenings: dict[str, Evening], number: int) -> None:
        dice = random.Random(number)
        (name, self.target) = dice.choices(list(TARGETS), list(TARGETS.values()))[0]
        (way,) = dice.choices(list(WAYS), list(WAYS.values()))
        self.evening = evenings[name]
        self.name = f"{number}: {way.__name__} of {self.target} ({name})"
        self.damaged = way(self.evening.files[self.target], dice)
        self.files = self.evening.files | {self.target: self.damaged}
        self.is_damage = self.damaged != self.evening.files[self.target]

    def told(self, folder: Path) -> list[str]:
        """Open the folder as a start does, check the past, and give what is announced."""
        opened = open_journal(folder)
        found = [] if opened.damage is None else [opened.damage]
        try:
            journal = opened.journal
            check = BackgroundCheck(journal.path, journal.head.version, found.append, idle_share=0)
            check.start()
            check.wait()
            if opened.damage is not None:
                kept = [file.read_bytes() for file in folder.glob("*-damaged-*")]
                assert self.damaged in kept, "the damaged file is kept aside as it was"
                rows = list(journal.rows())
                whole = self.evening.rows[: len(rows)]
                assert unnamed(rows) == unnamed(whole), "what is whole goes on"
        finally:
            opened.journal.close()
        return found

    def harmless(self, folder: Path) -> bool:
        """Whether all that was ever written still reads the same."""
        with closing(reader(folder / JOURNAL)) as connection:
            return written(connection) == self.evening.written


def verified(folder: Path) -> bool:
    """Whether `companion verify` finds the journal whole."""
    try:
        return verify(folder).problems == ()
    except JournalError:
        return False


@pytest.mark.parametrize("share", range(SHARES))
def test_every_corruption_is_told_or_changed_nothing(
    evenings: dict[str, Evening], share: int, quick_folder: Path
) -> None:
    outcomes: Counter[str] = Counter()
    silent = []
    for number in range(share, CORRUPTIONS, SHARES):
        case = Case(evenings, number)
        if not case.is_damage:
            outcomes["the same bytes"] += 1
            continue
        folder = quick_folder / str(number)
        folder.mkdir()
        case.evening.lay_out(folder, case.files)
        whole = verified(folder)
        told = case.told(folder)
        if told:
            outcomes["told"] += 1
            assert all(sentence.endswith(".") for sentence in told)
            assert not whole, f"{case.name}: verify has not found what a start found: {told}"
        elif case.harmless(folder):
            outcomes["hit nothing that was written"] += 1
        else:
            silent.append(case.name)
        for file in folder.iterdir():
            file.unlink()
    print(f"corruptions, share {share + 1} of {SHARES}:", dict(outcomes))
    assert silent == []
    assert outcomes["told"] > outcomes.total() // 2


def test_what_was_found_damaged_is_on_every_screen(
    evenings: dict[str, Evening], tmp_path: Path
) -> None:
    """The same through the whole service; the past is checked while people play."""
    evening = evenings["closed"]
    early = evening.files[JOURNAL].index(evening.rows[3].body) + 9
    body = bytearray(evening.files[JOURNAL])
    body[early] ^= 1
    night = Night(tmp_path)
    evening.lay_out(tmp_path, evening.files | {JOURNAL: bytes(body)})
    with night.open():
        told: list[str | None] = []
        night.worker.subscribe(lambda _table, _events: told.append(night.worker.status().damage))
        until(lambda: night.worker.status().damage)
        assert "event 4" in (night.worker.status().damage or "")
        night.worker.report_damage("The past is damaged.")
        assert told[-1] == "The past is damaged."
        assert night.table.game.seats[ANA - 1].name == "Ana"
