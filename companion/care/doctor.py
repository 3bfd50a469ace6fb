"""The doctor looks at what the table needs of its machine, and says what to do where it must."""

from __future__ import annotations

import json
import os
import platform
import shutil
import socket
import subprocess
import tempfile
import urllib.request
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from companion import __version__
from companion.care.failed_starts import Starts
from companion.care.power import voltage_alarms
from companion.common.clock import spoken
from companion.journal.damage.verify import NoJournal, verify
from companion.journal.file import JournalError
from companion.journal.opening import JOURNAL
from companion.keeping import backups
from companion.settings.configuration import ServerSettings

LITTLE_ROOM = 100 * 2**20
SOME_ROOM = 500 * 2**20
PACKAGES = ("flask", "flask-socketio", "gpiod", "gpiozero", "gunicorn", "lgpio", "msgspec")
BROKER_PATH = f"{os.defpath}:/usr/sbin:/usr/local/sbin:/usr/local/bin"
SYNCHRONISED = Path("/run/systemd/timesync/synchronized")
UNDER_VOLTAGE_NOW, UNDER_VOLTAGE_SINCE_BOOT = 1 << 0, 1 << 16
MODEL = Path("/proc/device-tree/model")
SYSTEM = Path("/etc/os-release")


class Finding(Struct, frozen=True):
    """One line: all is well, something is worth knowing, or something must be done."""

    about: str
    state: Literal["ok", "hint", "act"]
    sentence: str


def versions() -> Finding:
    """Name everything that a report of trouble should name."""
    names = [f"companion {__version__}", f"Python {platform.python_version()}"]
    for package in PACKAGES:
        try:
            names.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return Finding("Versions", "ok", f"{', '.join(names)}; on {machine()}.")


def machine() -> str:
    """Name the computer and its system."""
    try:
        model = MODEL.read_text().strip("\0\n ")
    except OSError:
        model = platform.machine()
    try:
        lines = SYSTEM.read_text().splitlines()
    except OSError:
        lines = []
    names = [line.partition("=")[2].strip('"') for line in lines if line.startswith("PRETTY_NAME=")]
    return ", ".join([model, *names])


def configuration(mistakes: list[str], where: str) -> Finding:
    """Repeat what is wrong with the configuration."""
    if mistakes:
        return Finding("Configuration", "act", f"Fix {where}: {' '.join(mistakes)}")
    return Finding("Configuration", "ok", "It can be used.")


def disk(folder: Path) -> Finding:
    """Try whether something can be kept in the data folder, and for how long."""
    if not folder.exists():
        return Finding("Disk", "hint", f"There is no {folder} yet; the first start makes it.")
    try:
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-") as trial:
            trial.write(bytes(4096))
            trial.flush()
            os.fsync(trial.fileno())
    except OSError as error:
        sentence = f"Nothing can be written to {folder}: {error.strerror}."
        advice = "Run this as the table's user, or check whether the card is worn out or full."
        return Finding("Disk", "act", f"{sentence} {advice}")
    free = shutil.disk_usage(folder).free
    room = f"{free // 2**20} MB are free in {folder}."
    if free < LITTLE_ROOM:
        return Finding("Disk", "act", f"Only {room} Delete something, or take a larger card.")
    return Finding("Disk", "hint" if free < SOME_ROOM else "ok", room)


def journal(folder: Path) -> Finding:
    """Check the journal from its first event to its last."""
    try:
        verdict = verify(folder)
    except NoJournal:
        return Finding("Journal", "ok", "Nothing has been played yet.")
    except JournalError as trouble:
        return Finding("Journal", "act", trouble.sentence)
    except OSError as error:
        return Finding("Journal", "act", f"It cannot be read: {error.strerror}.")
    if verdict.problems:
        sentence = "; ".join(verdict.problems[:3])
        return Finding(
            "Journal",
            "act",
            f"It is damaged: {sentence}. To go back to a backup: companion restore.",
        )
    return Finding("Journal", "ok", f"It is whole: {verdict.events} events.")


def hall(folder: Path) -> list[Finding]:
    """Look at the hall, where this machine has one: its journal and its broker."""
    if not (folder / JOURNAL).exists():
        return []
    findings = [replace(journal(folder), about="Hall")]
    if shutil.which("mosquitto", path=BROKER_PATH) is None:
        sentence = "Its broker is missing. Install it: sudo apt install mosquitto"
        findings.append(Finding("Broker", "act", sentence))
    return findings


def latest_backup(folder: Path) -> Finding:
    """Look for a backup that can be used."""
    usable = [one for one in backups.listed(folder) if one.kind != "replaced"]
    if not usable:
        sentence = (
            "There is no backup yet. The table makes one after play; or use: companion backup."
        )
        return Finding("Backups", "hint", sentence)
    try:
        inside = backups.contents(usable[0].path)
    except JournalError as trouble:
        sentence = f"The latest one, {usable[0].path.name}, is damaged: {trouble}."
        return Finding("Backups", "act", f"{sentence} Make another one: companion backup.")
    return Finding("Backups", "ok", f"{len(usable)}; the latest goes up to {spoken(inside.last)}.")


def port(server: ServerSettings) -> tuple[Finding, bool]:
    """Find out whether the port is free; tell also whether our own table has it."""
    about = f"Port {server.port}"
    host = "127.0.0.1" if server.host in ("", "0.0.0.0", "::") else server.host
    try:
        family, kind, _, _, place = socket.getaddrinfo(
            server.host or None, server.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as door:
            door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            door.bind(place)
    except PermissionError:
        sentence = "Only root may use it. Choose 1024 or higher in the configuration."
        return Finding(about, "act", sentence), False
    except OSError as error:
        health = _health(f"http://{host}:{server.port}/healthz")
        if health is None:
            sentence = (
                f"It cannot be used: {error.strerror}. Stop what uses it, or choose another port."
            )
            return Finding(about, "act", sentence), False
        return _held(about, health), not health.get("safe")
    return Finding(about, "ok", "It is free; the table is not running."), False


def _held(about: str, health: dict[str, object]) -> Finding:
    if health.get("safe"):
        return Finding(about, "act", f"The table does not open: {health.get('reason')}")
    if health.get("storage", "ok") != "ok":
        return Finding(about, "act", f"The table runs, but: {health['storage']}")
    if health.get("damage"):
        return Finding(about, "act", f"The table runs, but: {health['damage']}")
    return Finding(about, "ok", "The table runs and answers.")


def _health(address: str) -> dict[str, object] | None:
    """Ask the program on the port how the table is; only our own table answers that."""
    # A proxy of the machine's own knows nothing of this address.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=5) as answer:
            health = json.load(answer)
    except urllib.request.HTTPError as refused:
        try:
            health = json.load(refused)
        except ValueError:
            return None
    except (OSError, ValueError):
        return None
    return health if isinstance(health, dict) and {"storage", "safe"} & health.keys() else None


def clock(synchronised: Callable[[], bool | None] | None = None) -> Finding:
    """Tell whether dates can be believed; nothing at the table depends on them."""
    is_set = (synchronised or _synchronised)()
    if is_set:
        return Finding("Time", "ok", "The clock is set by the network.")
    perhaps = "is not" if is_set is False else "may not be"
    return Finding(
        "Time", "hint", f"The clock {perhaps} set by the network; only match dates are affected."
    )


def _synchronised() -> bool | None:
    if SYNCHRONISED.exists():
        return True
    answer = _ask("timedatectl", "show", "--property=NTPSynchronized", "--value")
    return None if answer is None else answer == "yes"


def voltage(
    alarms: Callable[[], list[str]] | None = None, throttled: Callable[[], str | None] | None = None
) -> Finding:
    """Ask a Pi whether its supply is strong enough."""
    read = (alarms or voltage_alarms)()
    answer = (throttled or (lambda: _ask("vcgencmd", "get_throttled")))()
    flags = _flags(answer)
    if "1" in read or flags & UNDER_VOLTAGE_NOW:
        return Finding("Power", "act", "The supply is too weak now. Use a stronger one, or cable.")
    if flags & UNDER_VOLTAGE_SINCE_BOOT:
        sentence = "The supply has been too weak since the last boot. Use a stronger one."
        return Finding("Power", "act", sentence)
    if read or answer is not None:
        return Finding("Power", "ok", "The supply is strong enough.")
    return Finding("Power", "ok", "This machine cannot tell.")


def _flags(answer: str | None) -> int:
    try:
        return int((answer or "").partition("=")[2], 16)
    except ValueError:
        return 0


def last_starts(starts: Starts) -> Finding:
    """Repeat why the last starts came to nothing."""
    if not starts.failures:
        return Finding("Starts", "ok", "The last start went well.")
    last = starts.failures[-1]
    sentence = (
        f"The last {len(starts.failures)} failed, the latest at {spoken(last.when)}: {last.reason}"
    )
    return Finding("Starts", "hint", sentence)


def _ask(*command: str) -> str | None:
    """Ask another program, which may not be there or may hang."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
