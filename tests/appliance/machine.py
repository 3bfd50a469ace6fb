"""The same Debian booted: systemd runs as its first process, and a wire leads to it."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import struct
import subprocess
import threading
import time
from contextlib import suppress
from pathlib import Path

from tests.appliance.debian import FOREIGN, WITH_US
from tests.appliance.wheels import CannotRun
from tests.kit.network import network_changes

CONTAINER = "systemd-nspawn"
PREFIX = 24
MDNS = ("224.0.0.251", 5353)
# systemd needs these to filter devices and addresses; inside they reach no further than inside.
GRANTED = ("--system-call-filter=bpf", "--capability=CAP_BPF,CAP_NET_ADMIN,CAP_SYS_ADMIN")
BOOT = 180.0


class Machine:
    """A booted Debian, and this side of the wire to it."""

    def __init__(self, root: Path) -> None:
        if shutil.which(CONTAINER) is None:
            raise CannotRun(f"{CONTAINER} is not installed")
        if FOREIGN:
            raise CannotRun("emulated process by process, systemd cannot shut its services in")
        self._name = f"table{os.getpid()}"
        net = f"10.213.{os.getpid() % 250}"
        self.near, self.address = f"{net}.1", f"{net}.2"
        # Where this machine has a systemd of its own, it must know of the cgroup.
        cgroup = () if Path("/run/systemd/system").is_dir() else ("--keep-unit",)
        self._process = subprocess.Popen(
            [*WITH_US, CONTAINER, "--quiet", "--register=no", *cgroup, *GRANTED, "--network-veth",
             f"--machine={self._name}", f"--directory={root}", "--console=pipe", "--boot",
             "systemd.log_target=console"],
            env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )  # fmt: skip
        self._console: list[str] = []
        self._first = 0
        self._held: int | None = None
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            self._held = os.pidfd_open(self._await_boot())
            with network_changes():
                self._plug_in()
        except BaseException:
            self.power_off()
            raise

    def run(self, *command: str, check: bool = True, **variables: str) -> str:
        """Run a command in there as root, and give what it printed."""
        place = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", **variables}
        enter = ["nsenter", f"--target={self._first}", "--mount", "--pid", "--uts", "--ipc"]
        enter += ["--net", "--cgroup", "--root", "sh", "-c", 'cd / && exec "$@"', "sh"]
        done = subprocess.run(
            [*enter, "env", "-i", *(f"{name}={value}" for name, value in place.items()), *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0 or not check, done.stdout
        return done.stdout

    def shown(self, unit: str, *names: str) -> dict[str, str]:
        """What systemd in there knows about a unit."""
        said = self.run("systemctl", "show", f"--property={','.join(names)}", unit)
        return dict(line.split("=", 1) for line in said.splitlines())

    def log(self, unit: str) -> str:
        """What a unit has said since the boot."""
        self.run("journalctl", "--sync")
        return self.run("journalctl", "-q", "-b", "-o", "cat", "-u", unit)

    def has_second_address(self, here: str, there: str) -> None:
        """Give both ends of the wire one more address."""
        with network_changes():
            _ip("address", "add", f"{here}/{PREFIX}", "dev", f"ve-{self._name}")
        self.run("ip", "address", "add", f"{there}/{PREFIX}", "dev", "host0")

    def look_up(self, name: str) -> str | None:
        """Ask over the wire who has a name, the way a tablet asks for a .local name."""
        question = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
        query = struct.pack(">6H", 0, 0, 1, 0, 0, 0) + question + struct.pack(">BHH", 0, 1, 0x8001)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            asking.setsockopt(
                socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(self.near)
            )
            asking.bind((self.near, 0))
            asking.settimeout(1)
            asking.sendto(query, MDNS)
            try:
                answer = asking.recv(9000)
            except TimeoutError:
                return None
        return socket.inet_ntoa(answer[-4:]) if answer[7] else None

    def power_off(self) -> None:
        """Shut down in good order."""
        with network_changes():
            self._process.terminate()
            try:
                self._process.wait(timeout=60)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._held is not None:
            # Whoever killed the container has left what runs in there alone.
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._held, signal.SIGKILL)
            os.close(self._held)
            self._held = None
        self._listener.join(timeout=60)

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as console:
            self._console.extend(console)

    def _await_boot(self) -> int:
        """Wait until everything is up; give the first process in there by its number out here."""
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children")
        end = time.monotonic() + BOOT
        while self._process.poll() is None and time.monotonic() < end:
            if started := children.read_text().split():
                self._first = int(started[0])
                state = self.run("systemctl", "is-system-running", check=False).strip()
                if state in ("running", "degraded"):
                    return self._first
            time.sleep(0.1)
        raise CannotRun(f"{CONTAINER} cannot boot here: {''.join(self._console[-2:]).strip()}")

    def _plug_in(self) -> None:
        _ip("address", "add", f"{self.near}/{PREFIX}", "dev", f"ve-{self._name}")
        _ip("link", "set", f"ve-{self._name}", "up")
        self.run("ip", "address", "add", f"{self.address}/{PREFIX}", "dev", "host0")
        self.run("ip", "link", "set", "host0", "up")
        self.run("ip", "route", "add", "default", "via", self.near)


def _ip(*command: str) -> None:
    subprocess.run(["ip", *command], check=True)
