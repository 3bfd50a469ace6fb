"""Wheels: of this project, also as other versions would be, and of every package in its lock."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import platformdirs
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[2]
PARTS = (
    "LICENSE", "README.md", "companion", "hardware", "hatch_build.py", "package-lock.json",
    "package.json", "pyproject.toml", "requirements", "systemd", "web",
)  # fmt: skip
LOCK = PROJECT / "requirements" / "table.txt"
GLIBC = range(36, 16, -1)
"""Bookworm has the C library 2.36; wheels made for an earlier one run there too."""
NO_NETWORK = re.compile(r"NewConnectionError|ConnectTimeout|Read timed out|NameResolution")


class CannotRun(Exception):
    """What a test needs cannot be had here; the reason is a sentence for who reads the skips."""


def cache(part: str) -> Path:
    """Where downloads are kept for the next run."""
    folder = Path(platformdirs.user_cache_dir("table-companion")) / part
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def build(
    folder: Path, version: str | None = None, change: Callable[[Path], None] | None = None
) -> Path:
    """Build this project's wheel, or one of the same sources as another version."""
    source = PROJECT
    if version is not None:
        source = folder / "source"
        for part in PARTS:
            copy = shutil.copytree if (PROJECT / part).is_dir() else shutil.copyfile
            (source / part).parent.mkdir(parents=True, exist_ok=True)
            copy(PROJECT / part, source / part)
        package = source / "companion" / "__init__.py"
        package.write_text(
            re.sub('__version__ = ".*"', f'__version__ = "{version}"', package.read_text())
        )
        if change is not None:
            change(source)
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, source],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def locked_for(python: str) -> list[str]:
    """Give the lock's entries, each with its hashes, that hold for this version of Python."""
    entries = re.split(r"^(?=[a-z])", LOCK.read_text(), flags=re.MULTILINE)[1:]
    place = {
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }
    return [entry for entry in entries if _holds(entry, place)]


def _holds(entry: str, place: dict[str, str]) -> bool:
    marker = Requirement(entry.partition("\\")[0]).marker
    return marker is None or marker.evaluate(place)


def fetch(python: str, machine: str) -> Path:
    """Give a folder with a ready-made wheel of every locked package, or say what has none."""
    lock = "".join(locked_for(python))
    key = hashlib.sha256(f"{python} {machine} {lock}".encode()).hexdigest()[:16]
    kept = cache("wheels") / key
    if not kept.exists():
        unfinished = kept.with_name(f"{key}.{os.getpid()}")
        unfinished.mkdir()
        (unfinished / "lock.txt").write_text(re.sub(r" ; [^\\]+", " ", lock))
        try:
            _download(unfinished, python, machine)
            unfinished.rename(kept)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return kept


def _download(folder: Path, python: str, machine: str) -> None:
    number = python.replace(".", "")
    tags = [("implementation", "cp"), *(("abi", abi) for abi in (f"cp{number}", "abi3", "none"))]
    tags += [("platform", f"manylinux_2_{minor}_{machine}") for minor in GLIBC]
    tags += [("platform", f"manylinux2014_{machine}"), ("python-version", python)]
    options = [f"--{name}={value}" for name, value in tags]
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", "--quiet"]
    done = subprocess.run(
        [*pip, "--no-deps", "--require-hashes", "--only-binary=:all:", *options,
         "--dest", folder, "--requirement", folder / "lock.txt"],
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    if NO_NETWORK.search(done.stderr):
        raise CannotRun("the package index cannot be reached")
    assert done.returncode == 0, done.stderr
