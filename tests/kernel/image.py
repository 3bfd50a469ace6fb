"""The emulated machine's memory disk: busybox, this very Python, the project, some modules."""

from __future__ import annotations

import hashlib
import json
import lzma
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path
from typing import Any

from tests.kernel.packages import CannotRun, cache, kernel_folder

PROJECT = Path(__file__).parents[2]
GUEST = Path(__file__).parent / "guest"
PACKAGES = ("gpiozero", "colorzero", "lgpio", "gpiod", "msgspec", "evdev")
MODULES = ("gpio-sim", "evdev", "uinput")
PARTS = ("companion", "hardware", "tests/kernel/guest")
NOT_NEEDED = {
    "test", "tests", "idlelib", "tkinter", "turtledemo", "ensurepip", "lib2to3", "pydoc_data",
    "site-packages", "dist-packages", "unittest", "distutils", "venv",
}  # fmt: skip
NEEDED = re.compile(r"\.pyc?$|\.so(\.|$)")
FOLDERS = ("bin", "proc", "sys", "dev", "tmp", "root")


class Archive:
    """A cpio archive, as the kernel unpacks it."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._names: set[str] = set()
        self._inode = 0

    def add(self, name: str, content: bytes, mode: int = 0o100644, at: int = 0) -> None:
        """Add a file, after the folders that it lies in."""
        for folder in reversed(Path(name).parents):
            if str(folder) not in (".", "/") and str(folder) not in self._names:
                self._entry(str(folder), b"", 0o040755, 0)
        self._entry(name, content, mode, at)

    def add_file(self, source: Path, name: str | None = None) -> None:
        """Add a file of this machine, by default at its own place."""
        status = source.stat()
        executable = 0o100755 if status.st_mode & stat.S_IXUSR else 0o100644
        self.add(
            (name or str(source)).lstrip("/"), source.read_bytes(), executable, int(status.st_mtime)
        )

    def finished(self) -> bytes:
        """Close the archive."""
        self._entry("TRAILER!!!", b"", 0, 0)
        return b"".join(self._parts)

    def _entry(self, name: str, content: bytes, mode: int, at: int) -> None:
        if name in self._names:
            return
        self._names.add(name)
        self._inode += 1
        path = name.encode() + b"\0"
        numbers = (self._inode, mode, 0, 0, 1, at, len(content), 0, 0, 0, 0, len(path), 0)
        head = b"070701" + b"".join(b"%08X" % number for number in numbers) + path
        self._parts += [head, b"\0" * (-len(head) % 4), content, b"\0" * (-len(content) % 4)]


def build(plan: list[dict[str, Any]]) -> tuple[Path, Path]:
    """Give the kernel and a memory disk that plays this plan."""
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise CannotRun("the emulated machine is built for x86-64 Linux")
    for tool in ("busybox", "gcc", "ldd"):
        if shutil.which(tool) is None:
            raise CannotRun(f"{tool} is not installed")
    installed = packages_distributions()
    for package in PACKAGES:
        if package not in installed:
            raise CannotRun(f"the Python package {package} is not installed")
    kernel = kernel_folder()
    (image,) = kernel.glob("usr/lib/modules/*/vmlinuz")
    archive = Archive()
    for source in _project_files():
        archive.add_file(source, f"project/{source.relative_to(PROJECT)}")
    archive.add("plan.json", json.dumps(plan).encode())
    base = _base(image.parent).read_bytes()
    text = base + b"\0" * (-len(base) % 512) + archive.finished()
    disk = cache() / f"disk-{hashlib.sha256(text).hexdigest()[:16]}-{os.getpid()}"
    disk.write_bytes(text)
    return image, disk


def _project_files() -> Iterator[Path]:
    for part in PARTS:
        yield from sorted((PROJECT / part).rglob("*.py"))


def _base(modules: Path) -> Path:
    """Build what does not change with the project, once."""
    versions = [f"{one.name} {one.version}" for one in _distributions()]
    sources = [(GUEST / name).read_text() for name in ("init", "hands.c")]
    said = repr(
        (versions, sys.version, sys.prefix, modules.name, sources, Path(__file__).read_text())
    )
    kept = cache() / f"base-{hashlib.sha256(said.encode()).hexdigest()[:16]}"
    if not kept.exists():
        archive = Archive()
        for folder in FOLDERS:
            archive.add(folder, b"", 0o040755)
        archive.add("init", (GUEST / "init").read_bytes(), 0o100755)
        archive.add("environment", _environment().encode())
        busybox = Path(shutil.which("busybox") or "")
        archive.add_file(busybox, "bin/busybox")
        archive.add("bin/hands", _compiled_hands(), 0o100755)
        _add_modules(archive, modules)
        _add_python(archive)
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(archive.finished())
        for older in cache().glob("base-*"):
            if older != unfinished:
                older.unlink(missing_ok=True)
        unfinished.rename(kept)
    return kept


def _environment() -> str:
    python = Path(sys.executable).resolve()
    return f"export PYTHON={python} PYTHONPATH=/project:/packages PYTHONDONTWRITEBYTECODE=1\n"


def _compiled_hands() -> bytes:
    out = cache() / f"hands-{os.getpid()}"
    subprocess.run(
        [
            "gcc",
            "-O2",
            "-static",
            "-pthread",
            "-Wall",
            "-Werror",
            "-o",
            str(out),
            str(GUEST / "hands.c"),
        ],
        check=True,
    )
    content = out.read_bytes()
    out.unlink()
    return content


def _add_modules(archive: Archive, modules: Path) -> None:
    """Add the modules with all they depend on, in the order to load them."""
    files = {file.name.split(".")[0].replace("-", "_"): file for file in modules.rglob("*.ko*")}
    order: list[str] = []

    def add(name: str) -> None:
        name = name.replace("-", "_")
        if f"{name}.ko" in order or name not in files:
            return
        file = files[name]
        content = file.read_bytes()
        content = lzma.decompress(content) if file.suffix == ".xz" else content
        depends = re.search(rb"\0depends=([^\0]*)\0", content)
        for other in filter(None, depends[1].decode().split(",") if depends else ()):
            add(other)
        order.append(f"{name}.ko")
        archive.add(f"modules/{name}.ko", content)

    for name in MODULES:
        add(name)
    if "gpio_sim.ko" not in order:
        raise CannotRun(f"the kernel {modules.name} has no gpio-sim")
    archive.add("modules/order", "\n".join(order).encode())


def _add_python(archive: Archive) -> None:
    python = Path(sys.executable).resolve()
    files = [python, *_standard_library()]
    for file in files:
        archive.add_file(file)
    packages = []
    for one in _distributions():
        for listed in one.files or ():
            source = Path(str(one.locate_file(listed)))
            if source.is_file() and ".." not in listed.parts:
                packages.append(source)
                archive.add_file(source, f"packages/{listed}")
    for library in _libraries([*files, *packages]):
        archive.add_file(library)


def _distributions() -> list[Distribution]:
    """Find what the packages were installed from; one of them goes by two names."""
    installed = packages_distributions()
    return [distribution(installed[package][0]) for package in PACKAGES]


def _standard_library() -> Iterator[Path]:
    for folder, subfolders, names in os.walk(Path(sysconfig.get_path("stdlib")).resolve()):
        subfolders[:] = [s for s in subfolders if s not in NOT_NEEDED and "config-" not in s]
        for name in names:
            if NEEDED.search(name) and ".opt-" not in name:
                yield Path(folder, name)


def _libraries(files: Iterable[Path]) -> set[Path]:
    """Ask the loader which shared libraries these files need, under the names it looks for."""
    binaries = [str(file) for file in files if file.suffix != ".py" and _is_elf(file)]
    listed = subprocess.run(["ldd", *binaries], capture_output=True, text=True, check=False).stdout
    return {Path(path) for path in re.findall(r"(?:=> |^\t)(/\S+) \(", listed, re.MULTILINE)}


def _is_elf(file: Path) -> bool:
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"
