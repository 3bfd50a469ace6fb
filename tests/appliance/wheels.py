"""Wheels: of this project, also as other versions would be, and of every package in its lock."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path

import platformdirs
from packaging.requirements import Requirement

PROJECT = Path(__file__).parents[2]
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


def build(folder: Path) -> Path:
    """Build this project's wheel."""
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, PROJECT],
        check=True,
        capture_output=True,
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def as_version(
    wheel: Path, version: str, folder: Path, change: Callable[[Path], None] | None = None
) -> Path:
    """Make a wheel of the same files, perhaps with a change, that another version would be."""
    inside = folder / "inside"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(inside)
        modes = {one.filename: one.external_attr for one in archive.infolist()}
    (description,) = inside.glob("*.dist-info")
    name, own = description.stem.split("-")
    package, metadata = inside / "companion" / "__init__.py", description / "METADATA"
    package.write_text(package.read_text().replace(f'"{own}"', f'"{version}"'))
    metadata.write_text(
        metadata.read_text().replace(f"\nVersion: {own}\n", f"\nVersion: {version}\n")
    )
    if change is not None:
        change(inside)
    made = folder / wheel.name.replace(own, version)
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        rows = []
        for file in sorted(path for path in inside.rglob("*") if path.is_file()):
            was = str(file.relative_to(inside))
            entry = zipfile.ZipInfo(was.replace(f"{name}-{own}.d", f"{name}-{version}.d"))
            entry.external_attr = modes[was]
            content = file.read_bytes()
            if file.name == "RECORD":
                continue
            digest = urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
            rows.append(f"{entry.filename},sha256={digest},{len(content)}\n")
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
        record = f"{name}-{version}.dist-info/RECORD"
        archive.writestr(record, "".join([*rows, f"{record},,\n"]))
    shutil.rmtree(inside)
    return made


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
