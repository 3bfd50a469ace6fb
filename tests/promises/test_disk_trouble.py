"""What cannot be recorded is never shown as recorded, and the table goes on when the disk does."""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from companion.journal.damage.verify import verify
from companion.journal.file import JournalError
from companion.journal.folder_lock import FolderUnusable
from companion.journal.opening import open_journal
from companion.referee import commands as c
from companion.referee.model.table import Table
from tests.kit.night import ANA, BEN, Night, play_a_while, until
from tests.kit.served import Served, command, eventually, free_port
from tests.promises.disk.mounted import CannotMount, Mounted
from tests.promises.test_power_cut import lay_out

ROOT = Path(__file__).parents[2]

Trouble = Callable[[Mounted, bool], None]


def full(disk: Mounted, on: bool) -> None:
    disk.ask("room left", 0 if on else None)


def failing(disk: Mounted, on: bool) -> None:
    disk.ask("trouble", errno.EIO if on else 0)


def failing_to_sync(disk: Mounted, on: bool) -> None:
    disk.ask("sync trouble", errno.EIO if on else 0)


def read_only(disk: Mounted, on: bool) -> None:
    disk.ask("trouble", errno.EROFS if on else 0)


TROUBLES = [
    pytest.param(full, "full", id="the disk is full"),
    pytest.param(failing, "error", id="the disk reports errors"),
    pytest.param(failing_to_sync, "error", id="the disk reports errors when asked to sync"),
    pytest.param(read_only, "read-only|error", id="the disk became read-only"),
]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Mounted]:
    try:
        mounted = Mounted(tmp_path / "disk")
    except CannotMount as reason:
        pytest.skip(str(reason))
    with mounted:
        yield mounted


def names(night: Night) -> list[str]:
    return [seat.name for seat in night.table.game.seats]


@pytest.mark.parametrize(("trouble", "said"), TROUBLES)
def test_in_the_middle_of_play(disk: Mounted, tmp_path: Path, trouble: Trouble, said: str) -> None:
    night = Night(disk.place).open()
    try:
        play_a_while(night)
        before = night.table
        shown: list[Table] = []
        night.worker.subscribe(lambda table, _events: shown.append(table))
        trouble(disk, True)
        for n in range(5):
            assert night.refused(c.Rename(ANA, f"Ana {n}"), again=f"unsaved-{n}") == "not_saved"
        storage = night.worker.status().storage
        assert any(word in storage for word in said.split("|")), storage
        at = night.press(BEN)
        until(lambda: disk.ask("refused") > 5)
        assert night.table == before
        assert all(table == before for table in shown)
        trouble(disk, False)
        until(lambda: night.worker.status().storage == "ok")
        until(lambda: night.pressed_at(BEN)[-1:] == [at])
        for n in range(5):
            night.do(c.Rename(ANA, f"Ana {n}"), again=f"unsaved-{n}")
        assert names(night)[0] == "Ana 4"
        after = night.table
        # And should the power go right now: all that was shown is on disk.
        disk.ask("flicker", 1, 1_000_000)
        (cut,) = disk.ask("cuts")
    finally:
        trouble(disk, False)
        night.close()
    (tmp_path / "left").mkdir()
    left = open_journal(lay_out(cut.files, tmp_path / "left"))
    left.journal.close()
    assert left.damage is None
    assert left.table.game == after.game
    assert verify(disk.place).problems == ()
    with Night(disk.place).open() as again:
        assert again.worker.status().damage is None
        assert again.table.game == after.game


@pytest.mark.parametrize("begun", [True, False], ids=["with matches", "on an empty folder"])
@pytest.mark.parametrize(("trouble", "said"), TROUBLES)
def test_at_the_start(disk: Mounted, trouble: Trouble, said: str, begun: bool) -> None:
    """It opens and shows what it has, or it does not open and says why; nothing is put aside."""
    left, wish = Table(), c.Rename(ANA, "Anna") if begun else c.Sit("Anna")
    if begun:
        with Night(disk.place).open() as night:
            play_a_while(night)
        left = night.last_seen
    trouble(disk, True)
    night = Night(disk.place)
    try:
        try:
            night.open()
        except (JournalError, FolderUnusable) as refused:
            sentence = refused.sentence if isinstance(refused, JournalError) else str(refused)
            assert any(
                word in sentence.lower() for word in (*said.split("|"), "space", "input/output")
            )
            assert sentence.endswith(".")
        else:
            assert night.table.game == left.game
            assert night.worker.status().storage != "ok"
            assert night.refused(wish) == "not_saved"
        trouble(disk, False)
        if night.running is None:
            night.open()
        until(lambda: night.worker.status().storage == "ok")
        assert night.worker.status().damage is None
        assert night.table.game == left.game
        night.do(wish)
    finally:
        trouble(disk, False)
        night.close()
    assert list(disk.place.glob("*damaged*")) == []
    assert verify(disk.place).problems == ()


@contextmanager
def tiny_disk(place: Path, size: str = "600k") -> Iterator[Path]:
    """A real file system with little room."""
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "table", str(place)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", str(place)], check=True)


def fill(place: Path) -> Path:
    filler = place / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return filler


def test_the_served_table_on_a_card_without_room_says_so_and_recovers(tmp_path: Path) -> None:
    with tiny_disk(tmp_path / "card") as card:
        served = Served(card)
        try:
            served.pair()
            assert served.do("sit", name="Ana").status == 200
            version = served.table["version"]
            filler = fill(card)
            # The log has some room of its own left; then the card is really full.
            answer = eventually(lambda: _refused(served))
            assert answer.status == 503
            assert answer.json["error"] == "not_saved"
            assert "the disk is full" in answer.json["message"]
            state = served.state()
            assert "the disk is full" in state["service"]["storage"]
            assert state["table"]["version"] >= version
            shown = [seat["name"] for seat in state["table"]["seats"]]
            assert served.get("/healthz").status == 503
            filler.unlink()
            eventually(lambda: served.get("/healthz").status == 200)
            assert [seat["name"] for seat in served.table["seats"]] == shown
            assert served.do("rename", seat=1, name="Anna").status == 200
        finally:
            served.stop()


def _refused(served: Served):
    answer = served.do("rename", seat=1, name="Ana " + "x" * 12)
    return answer if answer.status != 200 else None


@pytest.mark.parametrize("begun", [True, False], ids=["with matches", "on an empty folder"])
def test_the_command_on_a_read_only_card_says_so_and_stops(tmp_path: Path, begun: bool) -> None:
    with tiny_disk(tmp_path / "card") as card:
        if begun:
            with Night(card).open() as night:
                night.seat_three()
        before = {file.name: file.read_bytes() for file in card.iterdir()}
        subprocess.run(["mount", "-o", "remount,ro", str(card)], check=True)
        done = subprocess.run(
            command(free_port(), card), capture_output=True, text=True, cwd=ROOT, check=False
        )
        assert done.returncode == 2
        assert "Read-only file system" in done.stderr
        assert "Traceback" not in done.stderr
        assert {file.name: file.read_bytes() for file in card.iterdir()} == before
        if begun:
            assert verify(card).problems == (), "it can still be read"
        subprocess.run(["mount", "-o", "remount,rw", str(card)], check=True)
        with Night(card).open() as night:
            assert len(night.table.game.seats) == (3 if begun else 0)
