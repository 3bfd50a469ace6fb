"""The card in an emulated machine: a copy of it is booted, and answers on ports of this machine."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Any, Literal

from tests.appliance.evening import Referee
from tests.kit.served import free_port

PROJECT = Path(__file__).parents[2]
BUILT = PROJECT / "build" / "image" / "table-companion.img"
QEMU = "qemu-system-aarch64"
TOOLS = {
    QEMU: "qemu-system-arm",
    "mcopy": "mtools",
    "ssh": "openssh-client",
    "debugfs": "e2fsprogs",
    "fdtput": "device-tree-compiler",
}
SMALL_PARTITION = "@@4M"
LARGE_PARTITION = f"?offset={(4 + 256) * 2**20}"
TREE = "bcm2837-rpi-3-b.dtb"
ROOMY = 4 * 2**30
"""A larger card than the image, and a power of two, which the emulated Pi asks for."""
LOGIN = "sesame42"
PATIENCE = 3600.0

Kind = Literal["virt", "raspi3b"]
MACHINES: dict[Kind, list[str]] = {
    "virt": [
        *("-cpu", "cortex-a72", "-smp", "2", "-m", "1024"),
        *("-device", "virtio-blk-device,drive=card", "-device", "virtio-net-device,netdev=wire"),
    ],
    "raspi3b": ["-device", "usb-net,netdev=wire", "-serial", "null"],
}
DRIVES: dict[Kind, str] = {"virt": "if=none,id=card", "raspi3b": "if=sd"}
CONSOLES: dict[Kind, str] = {"virt": "ttyAMA0", "raspi3b": "ttyS1,115200"}


class EmulatedPi:
    """One booted copy of the card."""

    def __init__(self, kind: Kind, folder: Path, companion_txt: str) -> None:
        self._folder = folder
        self.card = folder / "card.img"
        self.console = folder / "console"
        self._monitor, self._lines = folder / "qmp", folder / "lines"
        self._kind = kind
        self._page, self._ssh = free_port(), free_port()
        self.referee = Referee("127.0.0.1", self._page, patience=30)
        subprocess.run(["cp", "--sparse=always", BUILT, self.card], check=True)
        os.truncate(self.card, ROOMY)
        (folder / "companion.txt").write_text(companion_txt)
        self._mtools("mcopy", "-o", str(folder / "companion.txt"), "::/companion.txt")
        for name in ("vmlinuz*", "initrd*", "cmdline.txt", TREE):
            self._mtools("mcopy", f"::/{name}", str(folder))
        if kind == "raspi3b":
            self._be_a_real_pi()
        self.power_on()

    def power_on(self) -> None:
        """Boot the card."""
        self._started = time.monotonic()
        self._process = subprocess.Popen(self._command(self._kind), stdin=subprocess.DEVNULL)

    def _be_a_real_pi(self) -> None:
        """Do what the firmware of a Pi does, and have the emulated wire taken for a network."""
        tree = str(self._folder / TREE)
        subprocess.run(["fdtput", "--create", tree, "/system"], check=True)
        revision = ["--type", "x", tree, "/system", "linux,revision", "a02082"]
        subprocess.run(["fdtput", *revision], check=True)
        # The emulated wire is the one between two computers, which have no addresses to give.
        wire = self._folder / "wire"
        wire.write_text("[connection]\nid=wire\ntype=ethernet\n[ipv4]\nmethod=auto\n")
        wire.chmod(0o600)
        place = "/etc/NetworkManager/system-connections/wire.nmconnection"
        card = f"{self.card}{LARGE_PARTITION}"
        subprocess.run(["debugfs", "-w", "-R", f"write {wire} {place}", card], check=True)

    def _mtools(self, tool: str, *words: str) -> None:
        subprocess.run([tool, "-n", "-i", f"{self.card}{SMALL_PARTITION}", *words], check=True)

    def _command(self, kind: Kind) -> list[str]:
        (kernel,), (initrd,) = (list(self._folder.glob(f"{n}*")) for n in ("vmlinuz", "initrd"))
        said = (self._folder / "cmdline.txt").read_text().strip()
        tree = ["-dtb", str(self._folder / TREE)] if kind == "raspi3b" else []
        ways = ((self._page, 8080), (self._ssh, 22))
        forwarded = "".join(f",hostfwd=tcp:127.0.0.1:{here}-:{there}" for here, there in ways)
        return [
            *(QEMU, "-M", kind, "-kernel", str(kernel), "-initrd", str(initrd), *tree),
            *("-append", f"{said} console={CONSOLES[kind]}"),
            *("-drive", f"file={self.card},format=raw,{DRIVES[kind]}"),
            *("-netdev", f"user,id=wire,restrict=on{forwarded}", *MACHINES[kind]),
            *("-serial", f"file:{self.console}", "-display", "none", "-monitor", "none"),
            *("-qmp", f"unix:{self._monitor},server=on,wait=off", "-no-reboot"),
            *("-qtest", f"unix:{self._lines},server=on,wait=off", "-qtest-log", "none"),
        ]

    def await_page(self) -> float:
        """Wait until the page answers, and tell how many seconds after power-on that was."""
        while not self.referee.answers():
            passed = time.monotonic() - self._started
            assert self._process.poll() is None, self.said()
            assert passed < PATIENCE, self.said()
            time.sleep(1)
        return time.monotonic() - self._started

    def run(self, command: str) -> str:
        """Log in over the network as people do, and run a command as root."""
        asked = self._folder / "askpass"
        asked.write_text(f"#!/bin/sh\necho {LOGIN}\n")
        asked.chmod(0o700)
        options = ("StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "LogLevel=ERROR")
        done = subprocess.run(
            ["ssh", *(word for one in options for word in ("-o", one)), "-p", str(self._ssh),
             "table@127.0.0.1", "sudo -S -p '' sh -e -s"],
            input=f"{LOGIN}\n{command}\n",
            env={**os.environ, "SSH_ASKPASS": str(asked), "SSH_ASKPASS_REQUIRE": "force"},
            capture_output=True,
            text=True,
            check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def push(self, line: int) -> None:
        """Have the emulator raise a line of the machine's pins for a tenth of a second."""
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(str(self._lines))
            for level in (1, 0):
                wire.sendall(f"set_irq_in {self._pins()} unnamed-gpio-in {line} {level}\n".encode())
                assert wire.recv(64).startswith(b"OK")
                time.sleep(0.1)

    def _pins(self) -> str:
        """Where the emulator has the chip with the pins."""
        folder = "/machine/unattached"
        commands: list[dict[str, Any]] = [
            {"execute": "qmp_capabilities"},
            {"execute": "qom-list", "arguments": {"path": folder}},
        ]
        with socket.socket(socket.AF_UNIX) as monitor:
            monitor.connect(str(self._monitor))
            with monitor.makefile("rw") as said:
                for command in commands:
                    said.write(json.dumps(command) + "\n")
                    said.flush()
                    while "return" not in (answer := json.loads(said.readline())):
                        pass
        (name,) = (one["name"] for one in answer["return"] if one["type"] == "child<pl061>")
        return f"{folder}/{name}"

    def said(self) -> str:
        """What the machine has written to its console last."""
        return self.console.read_text(errors="replace")[-4000:] if self.console.exists() else ""

    def pull_the_plug(self) -> None:
        """Cut the power, as people do."""
        self._process.kill()
        self._process.wait()


def missing() -> str | None:
    """What is missing for a boot, if anything is."""
    if not BUILT.exists():
        return "There is no image; build one: sudo make image"
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            return f"{tool} is not installed: sudo apt install {package}"
    return None
