"""The installed Debian on an emulated machine, whose kernel has pins, under the same systemd."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.appliance.wheels import CannotRun
from tests.kernel.image import MODULES, Archive, _add_modules
from tests.kernel.machine import CONSOLE, KINDS, QEMU
from tests.kernel.packages import CannotRun as NoKernel
from tests.kernel.packages import kernel_folder

GUEST = Path(__file__).parent / "guest" / "pins.py"
LEFT_OUT = ("./packages/*", "./usr/share/doc/*", "./var/cache/apt/*", "./var/lib/apt/*", "./*.whl")
STAGE = """\
[Unit]
After=multi-user.target
[Service]
Type=oneshot
ExecStart=/usr/bin/python3 /stage.py
ExecStopPost=/usr/bin/systemctl poweroff --force --force
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS0
[Install]
WantedBy=graphical.target
"""
# A board that gpiozero knows; nothing else about this machine is a Pi.
CPUINFO = "Revision\t: c03114\n"


def play(
    root: Path,
    acts: list[dict[str, Any]],
    seconds: float,
    guest: Path = GUEST,
    modules: Sequence[str] = MODULES,
) -> dict[str, dict[str, Any]]:
    """Boot this Debian, play each act in it, and give what came of each by its name."""
    if shutil.which(QEMU) is None or shutil.which("cpio") is None:
        raise CannotRun(f"{QEMU} or cpio is not installed")
    try:
        (image,) = kernel_folder().glob("usr/lib/modules/*/vmlinuz")
    except NoKernel as reason:
        raise CannotRun(str(reason)) from reason
    more = Archive()
    _add_modules(more, image.parent, modules)
    more.add("acts.json", json.dumps(acts).encode())
    more.add("cpuinfo", CPUINFO.encode())
    more.add("stage.py", guest.read_bytes())
    more.add("etc/systemd/system/stage.service", STAGE.encode())
    wants = "etc/systemd/system/graphical.target.wants/stage.service"
    more.add(wants, b"/etc/systemd/system/stage.service", 0o120777)
    with tempfile.TemporaryDirectory() as folder:
        disk = Path(folder, "disk")
        kept = " ".join(f"! -path '{pattern}'" for pattern in LEFT_OUT)
        with disk.open("wb") as out:
            pack = f"find . -xdev {kept} | cpio --quiet -o -H newc"
            subprocess.run(["sh", "-c", pack], cwd=root, stdout=out, check=True)
            out.write(b"\0" * (-out.tell() % 512) + more.finished())
        done = subprocess.run(
            [QEMU, *KINDS["repeatable time"][:2], "-smp", "1", "-cpu", "max", "-m", "2048",
             "-nodefaults", "-no-reboot", "-display", "none", "-serial", "stdio", "-kernel", image,
             "-initrd", disk, "-append", f"{CONSOLE} rdinit=/lib/systemd/systemd"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            check=False,
        )  # fmt: skip
    told = [line.partition("@@")[2] for line in done.stdout.splitlines() if "@@{" in line]
    played = {act["name"]: act for act in map(json.loads, told)}
    assert len(played) == len(acts), done.stdout[-4000:]
    return played
