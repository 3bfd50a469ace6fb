"""The power of the hall goes, on a disk that keeps only what was synced."""

from __future__ import annotations

import json
import os
import random
import signal
from contextlib import suppress
from pathlib import Path

import pytest

from companion.common.processes import started_with
from companion.hall.keeper import HallKeeper
from tests.home.broker import PROGRAM
from tests.kit.quick_start import Forked
from tests.kit.served import PATIENCE, free_port
from tests.promises.disk.mounted import CannotMount, Mounted
from tests.promises.disk.strict_disk import Cut, Files
from tests.promises.test_power_cut import lay_out

CUTS = int(os.environ.get("HALL_CUTS", "60"))
CONTROL = 40
EVERY = 12
"""On average the power goes once in so many changes of the disk."""
LIFE = (4, 16)
"""So many confirmations are waited for before a life ends."""
KEYS = ("authority.pem", "authority.key", "hall.pem")


def test_a_power_cut_of_the_hall_loses_nothing_that_was_confirmed(
    tmp_path: Path, quick_folder: Path
):
    cuts, lost = losses(tmp_path, quick_folder, CUTS, "careful")
    print(f"{cuts} power cuts of the hall: {len(lost)} lost something")
    assert lost == []


def test_a_hall_that_does_not_wait_for_its_disk_loses_results(tmp_path: Path, quick_folder: Path):
    """The control. Were nothing lost here, the test above would prove nothing."""
    cuts, lost = losses(tmp_path, quick_folder, CONTROL, "careless")
    print(f"the control: {len(lost)} of {cuts} power cuts lost something")
    assert len(lost) > cuts // 10


def losses(tmp_path: Path, folder: Path, wanted: int, how: str) -> tuple[int, list[str]]:
    """Let one hall after the other live on what a cut has left; tell what each cut has lost."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    dice, done, lost = random.Random(how), 0, []
    files: Files = {}
    confirmed = 0
    while done < wanted:
        cuts, keys = live(tmp_path / f"disk-{done}", files, confirmed, dice, how)
        whole: list[tuple[Cut, int]] = []
        for cut in cuts:
            done += 1
            here = folder / f"cut-{done}"
            here.mkdir()
            has, problem = left_by(cut, confirmed, here)
            if problem is None:
                problem = keys_lost(cut, keys)
            if problem is None:
                whole.append((cut, has))
            else:
                lost.append(f"after {cut.changes} changes: {problem}")
        if whole:
            cut, confirmed = dice.choice(whole)
            files = cut.files
    return done, lost


def live(
    place: Path, files: Files, confirmed: int, dice: random.Random, how: str
) -> tuple[list[Cut], Files]:
    """Let a hall and a table live for a while; give what each of many cuts would have left.

    Beside it the broker's keys, by which the table knows the hall.
    """
    try:
        disk = Mounted(place, files)
    except CannotMount as reason:
        pytest.skip(str(reason))
    with disk:
        disk.ask("flicker", dice.random(), EVERY)
        own = place.with_name(f"{place.name}-table")
        words = [str(place), str(own), str(free_port()), str(confirmed), how]
        hall = Forked(words, "tests.hall.trouble.power")
        for _ in range(dice.randrange(*LIFE)):
            assert hall.stdout.readline(), "the hall has ended"
        hall.kill()
        hall.wait(PATIENCE)
        hall.stdout.close()
        cuts: list[Cut] = disk.ask("cuts")
        for broker in started_with(["-c", str(place / "broker" / "mosquitto.conf")]):
            with suppress(ProcessLookupError):
                os.kill(broker, signal.SIGKILL)
        keys = {f"broker/{name}": (place / "broker" / name).read_bytes() for name in KEYS}
    return cuts, keys


def left_by(cut: Cut, confirmed: int, folder: Path) -> tuple[int, str | None]:
    """Open what a cut has left: how many results are there, and what is wrong with that."""
    told = [json.loads(line) for line in cut.told]
    results = max([confirmed, *(one.get("sequence", 0) for one in told)])
    version = max([0, *(one.get("version", 0) for one in told)])
    keeper = HallKeeper(lay_out(cut.files, folder))
    keeper.close()
    table = keeper.evening.tables.get(1)
    has = 0 if table is None else table.sequence
    if keeper.damage is not None:
        return has, keeper.damage
    if has < results or len(keeper.evening.results) != has:
        return has, f"{results} results were confirmed, and {has} are there"
    if keeper.evening.version < version:
        return has, f"the desk was answered {version}, and {keeper.evening.version} is there"
    return has, None


def keys_lost(cut: Cut, keys: Files) -> str | None:
    """From the first answer on, the table must find the same keys again."""
    lost = [name for name, content in keys.items() if cut.files.get(name) != content]
    return f"{lost} lost" if cut.told and lost else None
