"""The power goes while the table plays, on a disk that keeps only what was synced."""

from __future__ import annotations

import json
import os
import random
import shutil
from abc import ABC, abstractmethod
from pathlib import Path

import pytest

from companion.journal.damage.verify import verify
from companion.journal.file import JournalDamaged
from companion.journal.markers import HeadMarker, heard, place
from companion.journal.opening import JOURNAL, open_journal
from tests.promises.disk.mounted import CannotMount, Mounted
from tests.promises.disk.recorded import TOLD, Repeated, library
from tests.promises.disk.replayed import Replayed
from tests.promises.disk.strict_disk import Cut, Files
from tests.promises.lives import Cradle
from tests.promises.player import digest

CUTS = int(os.environ.get("POWER_CUTS", "200"))
EVERY = 15
"""On average the power goes once in so many changes of the disk."""


class Evening(ABC):
    """One table after another on what the power cut before has left."""

    def __init__(self, tmp_path: Path, seed: int, *, careless: bool) -> None:
        self.tmp_path = tmp_path
        self.dice = random.Random(seed)
        self.careless = careless
        self.files: Files = {}
        self.replayed = Replayed()
        self.lives = 0
        self.cradle = Cradle(tmp_path, self.library())

    def library(self) -> Path | None:
        """What listens to the program, where somebody must."""
        return None

    @abstractmethod
    def live(self) -> list[Cut]:
        """Play for a while; give what each of many cuts would have left."""

    def play_on(self, folder: Path, record: Path | None = None) -> None:
        """Let one program play on a folder until it is killed."""
        name = f"life{self.lives:03}"
        life = self.cradle.begin(folder, name, careless=self.careless, record=record)
        life.hear(self.dice.randrange(2, 50))
        life.kill()

    def go_on_from(self, cut: Cut, replayed: Replayed) -> None:
        self.files, self.replayed = cut.files, replayed


class OnAMountedDisk(Evening):
    """The program plays on the strict disk itself, through FUSE."""

    def live(self) -> list[Cut]:
        self.lives += 1
        with Mounted(self.tmp_path / f"disk-{self.lives}", self.files) as disk:
            disk.ask("flicker", self.dice.random(), EVERY)
            self.play_on(disk.place)
            cuts: list[Cut] = disk.ask("cuts")
        return cuts


class OnRecord(Evening):
    """The program plays on any disk, and what it did is repeated on the strict one."""

    def library(self) -> Path | None:
        return library(self.tmp_path)

    def live(self) -> list[Cut]:
        self.lives += 1
        folder, record = self.tmp_path / f"disk-{self.lives}", self.tmp_path / f"{self.lives}.rec"
        folder.mkdir()
        lay_out(self.files, folder)
        (folder / TOLD).touch()
        self.play_on(folder, record)
        return Repeated(folder, self.files).cuts(record, self.dice.random(), EVERY)


def lay_out(files: Files, folder: Path) -> Path:
    """Put what a cut has left into a folder; the witness must know the journal's new number."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    journal = folder / JOURNAL
    line = files.get(place(journal).name, b"").split()
    if journal.exists() and len(line) == 3:
        os.unlink(place(journal))
        witness = HeadMarker(journal)
        witness.note(int(line[0]))
        witness.close()
        assert heard(journal) == int(line[0])
    return folder


class Loss(Exception):
    """Something that was told is gone."""


def check(cut: Cut, before: Replayed, folder: Path) -> Replayed:
    """Start on what a cut has left: all that was told must be there, and nothing looks damaged."""
    told = [json.loads(line) for line in cut.told]
    lay_out(cut.files, folder)
    replayed = before.copy()
    opened = open_journal(folder)
    try:
        if opened.damage is not None:
            raise Loss(opened.damage)
        try:
            replayed.read_on(opened.journal.path)
        except JournalDamaged as damage:
            raise Loss(str(damage)) from damage
        if lost := replayed.lost(told):
            raise Loss(f"{len(lost)} of {len(told)} answers, first {lost[0]}")
        assert digest(opened.table) == digest(replayed.table)
    finally:
        opened.journal.close()
    return replayed


def losses(evening: Evening, cuts: int, folder: Path) -> tuple[int, list[str]]:
    """Cut the power so often; tell how often that was and what was lost."""
    done, lost = 0, []
    while done < cuts:
        after = evening.live()
        whole: list[tuple[Cut, Replayed]] = []
        for cut in after:
            done += 1
            here = folder / f"cut-{done}"
            here.mkdir()
            try:
                whole.append((cut, check(cut, evening.replayed, here)))
            except Loss as loss:
                lost.append(f"life {evening.lives}, after {cut.changes} changes: {loss}")
        if whole:
            assert verify(here).problems == () or lost or not (here / JOURNAL).exists()
            evening.go_on_from(*random.Random(done).choice(whole))
        if evening.lives % 8 == 0:
            evening.files, evening.replayed = {}, Replayed()
    return done, lost


def evening_or_skip(layer: type[Evening], tmp_path: Path, seed: int, *, careless: bool) -> Evening:
    if layer is OnRecord and shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    if layer is OnAMountedDisk:
        try:
            Mounted(tmp_path / "try").close()
        except CannotMount as reason:
            pytest.skip(str(reason))
    return layer(tmp_path, seed, careless=careless)


@pytest.mark.parametrize(
    ("layer", "seed"),
    [
        pytest.param(OnAMountedDisk, 0, id="mounted, one half"),
        pytest.param(OnAMountedDisk, 1, id="mounted, the other half"),
        pytest.param(OnRecord, 2, id="on record"),
    ],
)
def test_a_power_cut_loses_nothing_that_was_told(
    layer: type[Evening], seed: int, tmp_path: Path, quick_folder: Path
) -> None:
    evening = evening_or_skip(layer, tmp_path, seed, careless=False)
    with evening.cradle:
        cuts, lost = losses(evening, CUTS // 2, quick_folder)
    print(f"{cuts} power cuts in {evening.lives} lives: {len(lost)} lost something")
    assert lost == []


@pytest.mark.parametrize("layer", [OnAMountedDisk, OnRecord], ids=("mounted", "on record"))
def test_without_waiting_for_the_disk_the_same_cuts_lose_data(
    layer: type[Evening], tmp_path: Path, quick_folder: Path
) -> None:
    """The control. Were nothing lost here, the test above would prove nothing."""
    evening = evening_or_skip(layer, tmp_path, 0, careless=True)
    with evening.cradle:
        cuts, lost = losses(evening, max(60, CUTS // 10), quick_folder)
    print(f"the control: {len(lost)} of {cuts} power cuts lost something")
    assert len(lost) > cuts // 4
