"""The emulated machine's memory disk: busybox, this very Python, the project, some modules."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import lzma
import marshal
import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Sequence
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path
from typing import Any

from tests.kernel.packages import CannotRun, cache, kernel_folder

PROJECT = Path(__file__).parents[2]
GUEST = Path(__file__).parent / "guest"
PACKAGES = ("gpiozero", "colorzero", "lgpio", "gpiod", "msgspec", "evdev")
MODULES = ("gpio-sim", "evdev", "uinput")
PLAYED = (
    "tests.kernel.guest.stage", "gpiozero.pins.lgpio", "hardware.pins.gpiod_factory",
    "gpiod", "evdev", "encodings.ascii", "encodings.latin_1",
)  # fmt: skip
"""What the machine imports; everything that this needs in turn comes with it."""
SHARED = re.compile(r"\.so(\.|$)")
TOLD = ("METADATA", "entry_points.txt")
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
    modules = _modules()
    for source in modules:
        if source.is_relative_to(PROJECT) and not _of_a_package(source):
            archive.add(f"project/{source.relative_to(PROJECT)}c", _compiled(source))
    archive.add("plan.json", json.dumps(plan).encode())
    base = _base(image.parent, modules).read_bytes()
    text = base + b"\0" * (-len(base) % 512) + archive.finished()
    disk = cache() / f"disk-{hashlib.sha256(text).hexdigest()[:16]}-{os.getpid()}"
    disk.write_bytes(text)
    return image, disk


def _modules(played: Sequence[str] = PLAYED) -> list[Path]:
    """Import what the machine will import, in a Python of its own, and see what that loads."""
    listing = (
        "import importlib, sys; "
        f"[importlib.import_module(name) for name in {tuple(played)!r}]; "
        "print(*{m.__file__ for m in sys.modules.values() if getattr(m, '__file__', None)},"
        " sep='\\n')"
    )
    with tempfile.TemporaryDirectory() as folder:
        # To import lgpio leaves pipes in its working folder.
        surroundings = {**os.environ, "LG_WD": folder, "PYTHONPATH": str(PROJECT)}
        said = subprocess.run(
            [sys.executable, "-c", listing],
            env=surroundings,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
    return sorted(Path(line).resolve() for line in said.splitlines())


def _of_a_package(source: Path) -> bool:
    return source.is_relative_to(sysconfig.get_path("purelib"))


def _compiled(source: Path) -> bytes:
    """Compile a module as the machine finds it without its source."""
    code = compile(source.read_bytes(), str(source), "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code)


def _base(drivers: Path, modules: list[Path]) -> Path:
    """Build what does not change with the project, once."""
    versions = [f"{one.name} {one.version}" for one in _distributions()]
    sources = [(GUEST / name).read_text() for name in ("init", "hands.c")]
    outside = [str(one) for one in modules if _of_a_package(one) or PROJECT not in one.parents]
    said = repr((versions, sys.version, drivers.name, sources, outside, Path(__file__).read_text()))
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
        _add_modules(archive, drivers)
        _add_python(archive, [Path(name) for name in outside])
        unfinished = kept.with_suffix(f".{os.getpid()}")
        unfinished.write_bytes(archive.finished())
        for older in cache().glob("base-*"):
            if older != unfinished:
                older.unlink(missing_ok=True)
        unfinished.rename(kept)
    return kept


def _environment() -> str:
    python = Path(sys.executable).resolve()
    return f"export PYTHON={python} PYTHONPATH=/project:/packages\n"


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


def _add_modules(archive: Archive, modules: Path, names: Sequence[str] = MODULES) -> None:
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

    for name in names:
        add(name)
    if f"{names[0].replace('-', '_')}.ko" not in order:
        raise CannotRun(f"the kernel {modules.name} has no {names[0]}")
    archive.add("modules/order", "\n".join(order).encode())


def _add_python(archive: Archive, modules: list[Path]) -> None:
    """Add Python with the modules that are needed, compiled, and the libraries under all that."""
    python = Path(sys.executable).resolve()
    _add_binary(archive, python, str(python))
    home = Path(sysconfig.get_path("purelib"))
    binaries = [python]
    for module in modules:
        name = f"packages/{module.relative_to(home)}" if _of_a_package(module) else str(module)
        if module.suffix == ".py":
            archive.add(f"{name}c".lstrip("/"), _compiled(module))
        elif not _of_a_package(module):
            _add_binary(archive, module, name)
            binaries.append(module)
    for one in _distributions():
        for listed in one.files or ():
            source = Path(str(one.locate_file(listed)))
            if SHARED.search(source.name):
                _add_binary(archive, source, f"packages/{listed}")
                binaries.append(source)
            elif source.name in TOLD:
                archive.add_file(source, f"packages/{listed}")
    for library in _libraries(binaries):
        _add_binary(archive, library, str(library))
    # Python looks for this file to know where its library is.
    archive.add(
        f"{Path(os.__file__).with_suffix('.py')}".lstrip("/"), Path(os.__file__).read_bytes()
    )


def _add_binary(archive: Archive, source: Path, name: str) -> None:
    """Add a program or library without its symbols, which are most of it."""
    with tempfile.TemporaryDirectory() as folder:
        bare = Path(folder, "bare")
        done = subprocess.run(
            ["strip", "-o", str(bare), str(source)], capture_output=True, check=False
        )
        content = bare.read_bytes() if done.returncode == 0 else source.read_bytes()
    archive.add(name.lstrip("/"), content, 0o100755)


def _distributions() -> list[Distribution]:
    """Find what the packages were installed from; one of them goes by two names."""
    installed = packages_distributions()
    return [distribution(installed[package][0]) for package in PACKAGES]


def _libraries(binaries: Iterable[Path]) -> set[Path]:
    """Ask the loader which shared libraries these files need, under the names it looks for."""
    command = ["ldd", *map(str, binaries)]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {Path(path) for path in re.findall(r"(?:=> |^\t)(/\S+) \(", listed, re.MULTILINE)}
