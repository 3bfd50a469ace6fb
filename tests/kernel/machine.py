"""The emulated machine: boots the memory disk, and reads what was played off its console."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import threading
import zlib
from pathlib import Path
from typing import Any, Literal

from tests.kernel.image import build
from tests.kernel.packages import CannotRun

Kind = Literal["two processors", "repeatable time"]
QEMU = "qemu-system-x86_64"
COMMON = (
    "-cpu",
    "max",
    "-m",
    "768",
    "-nodefaults",
    "-no-reboot",
    "-display",
    "none",
    "-serial",
    "stdio",
)
KINDS: dict[Kind, tuple[str, ...]] = {
    "two processors": ("-accel", "tcg,thread=multi", "-smp", "2"),
    "repeatable time": (
        "-accel", "tcg,thread=single", "-icount", "shift=1,sleep=off", "-smp", "1",
        "-rtc", "base=2025-11-16T19:30:00,clock=vm", "-seed", "{seed}",
    ),
}  # fmt: skip
CONSOLE = "console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable transparent_hugepage=never"

URGENT = -15
MACHINES = 4
CRASH = "Kernel panic"
MARK = "@@"
"""What an act's line begins with; one that cannot be read was torn by the kernel's own words."""

Act = dict[str, Any]


class MachineFailed(AssertionError):
    """The machine stopped before it had played everything."""


def play(kind: Kind, plan: list[Act], seconds: float, seed: int = 1) -> dict[str, Act]:
    """Play a plan on an emulated machine, and give each act by its name.

    All that a machine with repeatable time draws by chance comes from the seed.

    Emulated processors that patch their own kernel at the same time may crash it, mostly in the
    boot. Whatever was not played by then is played on another machine; any other end is a failure.
    """
    if shutil.which(QEMU) is None:
        raise CannotRun(f"{QEMU} is not installed")
    played: dict[str, Act] = {}
    for _ in range(MACHINES):
        left = [act for act in plan if act["name"] not in played]
        console, ended = _boot(kind, left, seconds, played, seed)
        missing = [act["name"] for act in plan if act["name"] not in played]
        if ended and not missing:
            return played
        if not any(CRASH in line or line.startswith(MARK) for line in console):
            break
    raise MachineFailed("\n".join([*console[-60:], f"not played: {', '.join(missing)}"]))


def _boot(
    kind: Kind, plan: list[Act], seconds: float, played: dict[str, Act], seed: int
) -> tuple[list[str], bool]:
    """Boot once; give what else the console said, and whether the machine came to its end."""
    kernel, disk = build(plan)
    own = [option.format(seed=seed) for option in KINDS[kind]]
    command = [QEMU, *own, *COMMON, "-kernel", str(kernel), "-initrd", str(disk)]
    console: list[str] = []
    ended = False
    with subprocess.Popen(
        [*command, "-append", CONSOLE],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        preexec_fn=_come_first,
    ) as machine:
        limit = threading.Timer(seconds, machine.kill)
        limit.start()
        try:
            assert machine.stdout is not None
            for line in machine.stdout:
                _, found, said = line.partition(MARK)
                act = _unpacked(said) if found else None
                if act is not None:
                    played[act["name"]] = act
                elif said.startswith("end"):
                    ended = said.split() == ["end", "0"]
                else:
                    console.append(f"{found}{said.strip()}" if found else line.rstrip())
        finally:
            limit.cancel()
            machine.kill()
            disk.unlink()
    return console, ended


def _unpacked(said: str) -> Act | None:
    try:
        act: Act = json.loads(zlib.decompress(base64.b64decode(said.strip(), validate=True)))
    except (ValueError, zlib.error):
        return None
    return act


def _come_first() -> None:
    """Go before everything else on this computer, where that is allowed: machines do not wait.

    Where the kernel groups what it schedules by session, the session is told so as well.
    """
    with contextlib.suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, 0, URGENT)
        Path("/proc/self/autogroup").write_text(str(URGENT))
