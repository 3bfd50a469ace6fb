"""The power goes while something is forgotten: the old journal is found whole, or the new one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.journal.chain import read_receipt
from companion.journal.damage.verify import verify
from companion.journal.file import JournalError, reader
from companion.journal.opening import JOURNAL, open_journal
from companion.keeping import backups
from companion.past.past import Past
from companion.referee import commands as c
from tests.kit.night import Night
from tests.promises.disk.recorded import TOLD, Repeated, library
from tests.promises.disk.strict_disk import Cut, Files
from tests.promises.forgetter import LATER, MATCH, NAME
from tests.promises.test_power_cut import CUTS, lay_out

ROOT = Path(__file__).parents[2]
EVERY = max(1, 4_000 // CUTS)
"""On average the power goes once in so many changes of the disk; in the soak before every one."""


class Loss(Exception):
    """What was found is neither the one nor the other."""


@pytest.fixture(scope="module")
def before(tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Three matches and a backup; somebody played in the first two of them and has left."""
    folder = tmp_path_factory.mktemp("before")
    with Night(folder) as night:
        night.seat_three()
        night.do(c.Sit(NAME, 4, 4))
        for _ in range(MATCH):
            night.do(c.StartMatch())
            night.do(c.ChooseDealer(1))
            night.do(c.Deal())
            night.do(c.CloseMatch())
        night.do(c.Stand(4))
        backups.make(folder, "asked")
        night.do(c.StartMatch())
        night.do(c.ChooseDealer(1))
    return {
        str(file.relative_to(folder)): file.read_bytes()
        for file in folder.rglob("*")
        if file.is_file()
    }


def recorded(before: Files, place: Path, how: str) -> tuple[Path, Path]:
    """Forget on a disk that is listened to; give the disk, and what was done to it."""
    listener = library(place)
    if listener is None:
        pytest.skip("gcc is not installed")
    folder, record = place / "disk", place / "record"
    folder.mkdir()
    lay_out(before, folder)
    (folder / TOLD).touch()
    subprocess.run(
        [sys.executable, "-m", "tests.promises.forgetter", str(folder), how],
        env=os.environ
        | {"LD_PRELOAD": str(listener), "WATCHED": str(folder), "RECORD": str(record)},
        cwd=ROOT,
        check=True,
    )
    return folder, record


def check(cut: Cut, folder: Path) -> str:
    """Open what a cut has left; tell which of the journals was found."""
    told = [json.loads(line) for line in cut.told]
    gone = [said["gone"] for said in told if "gone" in said]
    held = {name for name, content in cut.files.items() if NAME.encode() in content}
    if "name" in gone and held:
        raise Loss(f"the name is still in {held}")
    lay_out(cut.files, folder)
    opened = open_journal(folder)
    opened.journal.close()
    if opened.damage is not None:
        raise Loss(opened.damage)
    if problems := verify(folder).problems:
        raise Loss(problems[0])
    matches = [record.number for record in Past(folder / JOURNAL).matches()]
    if matches not in ([3, 1], [3, 2, 1]) or ("match" in gone and MATCH in matches):
        raise Loss(f"the matches are {matches}")
    if any("done" in said for said in told) and not knows(folder / JOURNAL, LATER):
        raise Loss("what was done afterwards is gone")
    for backup in backups.listed(folder):
        try:
            backups.contents(backup.path)
        except JournalError as damage:
            raise Loss(f"the backup is not whole: {damage}") from damage
    return "old" if MATCH in matches else "new"


def knows(journal: Path, command: str) -> bool:
    connection = reader(journal)
    try:
        return read_receipt(connection, command) is not None
    finally:
        connection.close()


def losses(found: list[Cut], place: Path) -> tuple[set[str], list[str]]:
    which, lost = set(), []
    for number, cut in enumerate(found):
        folder = place / f"cut-{number}"
        folder.mkdir()
        try:
            which.add(check(cut, folder))
        except Loss as loss:
            lost.append(f"after {cut.changes} changes: {loss}")
    return which, lost


def test_whenever_the_power_goes_one_of_the_two_journals_is_whole(
    before: Files, tmp_path: Path, quick_folder: Path
) -> None:
    folder, record = recorded(before, tmp_path, "careful")
    found = Repeated(folder, before).cuts(record, 0.5, EVERY)
    which, lost = losses(found, quick_folder)
    print(f"{len(found)} power cuts while forgetting: {len(lost)} lost something")
    assert lost == []
    assert which == {"old", "new"}, "the cuts hit only one side, so they prove nothing"


def test_without_waiting_for_the_disk_the_same_cuts_lose_it(
    before: Files, tmp_path: Path, quick_folder: Path
) -> None:
    """The control. Were nothing lost here, the test above would prove nothing."""
    folder, record = recorded(before, tmp_path, "careless")
    found = []
    for seed in range(10):
        after = [c for c in Repeated(folder, before).cuts(record, seed, 1) if len(c.told) == 1]
        found += after[:3]
    _, lost = losses(found, quick_folder)
    print(f"the control: {len(lost)} of {len(found)} power cuts right after the answer")
    assert lost != []
