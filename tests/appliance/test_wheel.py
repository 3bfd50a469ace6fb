"""The wheel alone is enough: no node, no compiler, no project folder."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest

import companion
from tests.appliance.debian import PYTHON_OF
from tests.appliance.evening import CODE, Referee, until
from tests.appliance.wheels import LOCK, CannotRun, fetch
from tests.kit.served import free_port
from tests.test_ground import pins

pytestmark = [pytest.mark.timeout(600), pytest.mark.xdist_group("appliance")]

HERE = f"{sys.version_info.major}.{sys.version_info.minor}"


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel in it, installed where nothing can be built."""
    folder = tmp_path_factory.mktemp("empty")
    try:
        packages = fetch(HERE, os.uname().machine)
    except CannotRun as reason:
        pytest.skip(f"not installed: {reason}")
    venv.create(folder / "venv", with_pip=False, symlinks=True)
    python = folder / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", f"--python={python}", "--disable-pip-version-check", "-q"]
    alone = {**alone_on_the_path(folder), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(packages)}
    assert shutil.which("node", path=alone["PATH"]) is None
    assert shutil.which("cc", path=alone["PATH"]) is None
    subprocess.run([*pip, "install", "--only-binary=:all:", wheel], env=alone, check=True)
    return folder


def alone_on_the_path(folder: Path) -> dict[str, str]:
    """An environment in which no program is found."""
    (folder / "bin").mkdir(exist_ok=True)
    return {"PATH": str(folder / "bin"), "HOME": str(folder), "LANG": "C.UTF-8"}


@pytest.fixture(scope="module")
def table(place: Path) -> Iterator[Referee]:
    """The table of that environment, running."""
    port = free_port()
    printed = place / "printed"
    with printed.open("w") as out:
        running = subprocess.Popen(
            [place / "venv/bin/companion", "run", "--host=127.0.0.1", f"--port={port}"],
            cwd=place,
            env=alone_on_the_path(place),
            stdout=out,
            stderr=out,
        )
    try:
        until(lambda: CODE.search(printed.read_text()), "the table is open")
        referee = Referee("127.0.0.1", port)
        referee.pair(printed.read_text())
        yield referee
    finally:
        running.terminate()
        running.wait(timeout=60)


def test_a_round_can_be_played(table):
    table.play_round()
    assert [player["classic"] for player in table.score()["players"]] == [0, 50, 0]


def test_the_page_and_every_module_that_it_names_are_inside(table):
    seen: set[str] = set()
    wanted = ["/"]
    while wanted:
        path = wanted.pop()
        text = table.fetch(path).decode()
        seen.add(path)
        names = re.findall(r"""(?:src|href|from|import)\s*[=(]?\s*["']([./][^"']+)["']""", text)
        for name in names:
            found = os.path.normpath(os.path.join(os.path.dirname(path), name))
            if found not in seen and found not in wanted:
                wanted.append(found)
    kinds = {path.rpartition(".")[2] for path in seen if path.startswith("/static/built/")}
    assert {"js", "css", "json"} <= kinds


def test_the_wheel_brings_its_installer_along_and_nothing_of_the_tests(place):
    command = place / "venv" / "bin" / "companion"
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert companion.__version__ in said.stdout
    share = place / "venv" / "share" / "table-companion"
    names = {path.name for path in share.iterdir()}
    assert {"install", "uninstall", "lock.txt", "table-companion.service"} <= names
    assert all(os.access(share / name, os.X_OK) for name in ("install", "uninstall"))
    assert not list((place / "venv").rglob("site-packages/tests"))


def test_a_pi_gets_the_very_versions_that_the_tests_run_on():
    tested = pins(LOCK.with_name("dev.txt"))
    assert pins(LOCK).items() <= tested.items()
    assert "hatchling" not in pins(LOCK)


@pytest.mark.parametrize("suite", PYTHON_OF)
def test_a_pi_finds_a_ready_made_wheel_of_every_package(suite):
    try:
        folder = fetch(PYTHON_OF[suite], "aarch64")
    except CannotRun as reason:
        pytest.skip(f"not looked up: {reason}")
    names = [path.name.partition("-")[0].lower() for path in folder.glob("*.whl")]
    assert {"flask", "gpiod", "gpiozero", "msgspec"} <= set(names)
    assert ("lgpio" in names) == (suite == "bookworm")
