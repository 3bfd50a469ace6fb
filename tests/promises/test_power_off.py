"""The plug of a whole machine is pulled: a real kernel, ext4, and a disk whose cache forgets."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from tests.kernel.packages import CannotRun
from tests.promises.disk.mounted import CannotMount, Mounted
from tests.promises.machine import DISK, Image, Machine, Said, empty_disk

OFFS = int(os.environ.get("POWER_OFFS", "25"))

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kernel")]


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> Image:
    folder = tmp_path_factory.mktemp("image")
    try:
        Mounted(folder / "try").close()
        return Image(folder)
    except (CannotRun, CannotMount) as reason:
        pytest.skip(f"not run on an emulated machine: {reason}")


class House:
    """A machine whose power goes again and again, and what is missed after each time."""

    def __init__(self, image: Image, folder: Path, *, careless: bool) -> None:
        self._image = image
        self._folder = folder
        self._careless = careless
        self._dice = random.Random(1)
        self._disk = empty_disk(folder)
        self._told: list[Said] = []
        self.answers = 0
        self.boots = 0
        self.missed: list[str] = []

    def live(self) -> None:
        """Boot, compare what is left with what was told before, play, and pull the plug."""
        self.boots += 1
        memory = self._image.with_orders(f"life{self.boots:03}", careless=self._careless)
        place = self._folder / f"disk-{self.boots}"
        with Mounted(place, {DISK: self._disk}) as disk:
            disk.ask("flicker", self._dice.random(), 1 << 60)
            machine = Machine(self._image.kernel, memory, place / DISK)
            told: list[Said] = []
            try:
                wanted = self._dice.randrange(20, 120)
                for said in machine.told():
                    if "left" in said:
                        self._compare(said)
                    else:
                        told.append(said)
                    if len(told) >= wanted:
                        break
                assert told, "\n".join(machine.console[-30:])
                time.sleep(self._dice.uniform(0, 0.05))
            finally:
                told += machine.power_off()
            (cut,) = disk.ask("cuts")
        self._told = told
        self.answers += sum("done" in said for said in told)
        self._disk = cut.files[DISK]

    def _compare(self, left: Said) -> None:
        looks = dict(left["looks"])
        lost = [
            said
            for said in self._told
            if ("done" in said and left["left"].get(said["done"]) != said["version"])
            or ("looks" in said and looks.get(said["version"]) != said["looks"])
        ]
        if lost or left["damage"]:
            self.missed.append(f"boot {self.boots}: {len(lost)} of {len(self._told)} gone")


def test_nothing_that_was_told_is_missing_after_the_power_was_off(
    image: Image, tmp_path: Path
) -> None:
    house = House(image, tmp_path, careless=False)
    for _ in range(OFFS + 1):
        house.live()
    print(f"{OFFS} power-offs, {house.answers} answers: {len(house.missed)} boots missed some")
    assert house.missed == []


def test_without_waiting_for_the_disk_a_power_off_loses_data(image: Image, tmp_path: Path) -> None:
    """The control."""
    house = House(image, tmp_path, careless=True)
    offs = max(3, OFFS // 5)
    for _ in range(offs + 1):
        house.live()
    print(f"the control, {offs} power-offs: {len(house.missed)} boots missed some")
    assert house.missed
