"""An emulated machine with a real kernel and ext4, whose power is cut: its disk forgets too."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.kernel.image import (
    PROJECT,
    Archive,
    _add_modules,
    _add_python,
    _compiled,
    _environment,
    _modules,
    _of_a_package,
)
from tests.kernel.machine import CONSOLE, QEMU
from tests.kernel.packages import CannotRun, kernel_folder

GUEST = Path(__file__).parent / "guest"
MODULES = ("ext4", "virtio_pci", "virtio_blk")
PLAYED = ("tests.promises.guest.table", "encodings.ascii", "encodings.latin_1")
FOLDERS = ("bin", "proc", "sys", "dev", "tmp", "root")
DISK = "disk.img"
SIZE = 48 * 1024 * 1024
BOOT = 300.0

Said = dict[str, Any]


def empty_disk(folder: Path) -> bytes:
    """Give a disk with an empty ext4 on it, made with no options of ours."""
    if shutil.which("mkfs.ext4") is None:
        raise CannotRun("mkfs.ext4 is not installed")
    disk = folder / "empty.img"
    disk.write_bytes(bytes(SIZE))
    subprocess.run(["mkfs.ext4", "-q", "-F", disk], check=True)
    content = disk.read_bytes()
    disk.unlink()
    return content


class Image:
    """The machine's kernel, and a memory disk with Python and the project."""

    def __init__(self, folder: Path) -> None:
        for tool in (QEMU, "busybox", "ldd"):
            if shutil.which(tool) is None:
                raise CannotRun(f"{tool} is not installed")
        (self.kernel,) = kernel_folder().glob("usr/lib/modules/*/vmlinuz")
        self._folder = folder
        archive = Archive()
        for made in FOLDERS:
            archive.add(made, b"", 0o040755)
        archive.add("init", (GUEST / "init").read_bytes(), 0o100755)
        archive.add("environment", _environment().encode())
        archive.add_file(Path(shutil.which("busybox") or ""), "bin/busybox")
        _add_modules(archive, self.kernel.parent, MODULES)
        modules = _modules(PLAYED)
        ours = {one for one in modules if PROJECT in one.parents and not _of_a_package(one)}
        _add_python(archive, [one for one in modules if one not in ours])
        for source in sorted(ours):
            archive.add(f"project/{source.relative_to(PROJECT)}c", _compiled(source))
        self._base = archive.finished()

    def with_orders(self, name: str, *, careless: bool) -> Path:
        """Give a memory disk that tells the machine how to play."""
        orders = Archive()
        orders.add("how", f"{name} {'careless' if careless else 'careful'}".encode())
        disk = self._folder / "memory"
        disk.write_bytes(self._base + bytes(-len(self._base) % 512) + orders.finished())
        return disk


class Machine:
    """One boot of the machine, from power on to power off."""

    def __init__(self, kernel: Path, memory: Path, disk: Path) -> None:
        self._process = subprocess.Popen(
            [QEMU, "-accel", "tcg", "-cpu", "max", "-m", "768", "-smp", "1",
             "-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio",
             "-drive", f"file={disk},format=raw,if=virtio,cache=writeback",
             "-kernel", kernel, "-initrd", memory, "-append", CONSOLE],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )  # fmt: skip
        self._limit = threading.Timer(BOOT, self._process.kill)
        self._limit.start()
        self.console: list[str] = []

    def told(self) -> Iterator[Said]:
        """Give what the machine tells, line by line."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            _, found, said = line.partition("@@")
            if not found:
                self.console.append(line.rstrip())
            elif said.startswith("{") and said.endswith("}\n"):
                yield json.loads(said)
            elif said.startswith(("ended", "no disk")):
                raise AssertionError("\n".join([*self.console[-30:], said]))

    def power_off(self) -> list[Said]:
        """Pull the plug; give what had still been told."""
        self._process.kill()
        rest = list(self.told())
        self._process.wait()
        self._limit.cancel()
        assert self._process.stdout is not None
        self._process.stdout.close()
        return rest
