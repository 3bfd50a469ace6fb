"""One Debian in which the table is installed, and everything that is done to it there."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
import zipfile
from configparser import RawConfigParser
from pathlib import Path

from msgspec import Struct

from tests.appliance import debian
from tests.appliance.evening import CODE, Referee, until
from tests.appliance.wheels import fetch

NAME = "table-companion"
UNIT = f"etc/systemd/system/{NAME}.service"
MATCHES = f"var/lib/{NAME}"
CONFIG = f"etc/{NAME}/companion.toml"
# The packages are at hand in the folder /packages; nothing is fetched from a network.
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "/packages"}


class Said(Struct, frozen=True):
    """How a command ended, and what it said on the way."""

    code: int
    text: str


class House:
    """A Debian where nobody has booted; the installer finds no running systemd."""

    def __init__(self, port: int, suite: str = debian.SUITE) -> None:
        self.port = port
        packages = fetch(debian.PYTHON_OF[suite], debian.MACHINE)
        self.root = debian.unpack(suite)
        shutil.copytree(packages, self.root / "packages")

    def close(self) -> None:
        """Throw the house away."""
        debian.remove(self.root)

    def run(self, *command: str) -> Said:
        """Run a command as root, and give what it said."""
        done = subprocess.run(
            debian.inside(self.root, *command, environment=OFFLINE),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Said(done.returncode, done.stdout)

    def install(self, wheel: Path, *options: str) -> Said:
        """Install from the wheel alone, with the installer that it carries."""
        return self.run(*self.installing(wheel, *options))

    def installing(self, wheel: Path, *options: str) -> tuple[str, ...]:
        """Bring the wheel along, and write the one command that installs it."""
        shutil.copy(wheel, self.root)
        with zipfile.ZipFile(wheel) as carried:
            (installer,) = [name for name in carried.namelist() if name.endswith("/install")]
            (self.root / "installer").write_bytes(carried.read(installer))
        pipe = f"sh -s -- {' '.join(options)} /{wheel.name} </installer"
        return ("sh", "-c", pipe)

    def move_to_its_port(self) -> None:
        """Have the table on a port that nothing else on this machine uses."""
        config = self.root / CONFIG
        config.write_text(config.read_text().replace("#port = 8080", f"port = {self.port}"))

    def open_table(self) -> Table:
        """Start the table by its unit's own line, as its unit's own user."""
        return Table(self)

    def paths(self) -> dict[str, tuple[int, int]]:
        """Every file in the house that is the table's, with its time and size."""
        found = [
            path
            for top in ("etc", "opt", "usr/local", "var/lib")
            for path in (self.root / top).rglob("*")
            if "companion" in str(path.relative_to(self.root))
        ]
        states = {path: path.lstat() for path in found}
        return {str(path): (state.st_mtime_ns, state.st_size) for path, state in states.items()}

    def left_over(self) -> list[str]:
        """What in the whole house still has the table's name."""
        users = (self.root / "etc" / "passwd").read_text() + (self.root / "etc/group").read_text()
        found = {path.relative_to(self.root) for path in self.root.rglob("*companion*")}
        ours = {str(path) for path in found if path.parts[0] not in ("run", "tmp")}
        wheels = {path.name for path in self.root.glob("*.whl")}
        return sorted(ours - wheels) + re.findall(r"^\S*companion\S*$", users, re.MULTILINE)


class Table:
    """The running table of a house that nobody has booted."""

    def __init__(self, house: House) -> None:
        unit = read_unit(house.root / UNIT)
        who = (
            f"--reuid={unit['User']} --regid={unit['Group']} --groups={unit['SupplementaryGroups']}"
        )
        made = f"mkdir -p /run/{NAME} && chown {unit['User']} /run/{NAME}"
        start = f"umask {unit['UMask']}; exec env {unit['Environment']} {unit['ExecStart']}"
        script = f"{made} && exec setpriv {who} --inh-caps=-all --no-new-privs sh -c '{start}'"
        self._printed = house.root / "tmp" / f"printed-{time.monotonic_ns()}"
        with self._printed.open("w") as out:
            self._process = subprocess.Popen(
                debian.inside(house.root, "sh", "-c", script), stdout=out, stderr=out
            )
        self.referee = Referee("127.0.0.1", house.port)
        try:
            until(lambda: CODE.search(self.printed), "the table is open")
        except AssertionError as vain:
            self.close()
            raise AssertionError(f"{vain}:\n{self.printed}") from None

    @property
    def printed(self) -> str:
        """What the table has said so far."""
        return self._printed.read_text()

    def close(self) -> None:
        """Stop the table as systemd would."""
        pid = self._process.pid
        first = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        subprocess.run(["kill", "-TERM", *first], check=False)
        try:
            self._process.wait(timeout=60)
        finally:
            self._process.kill()
            self._process.wait()


def read_unit(path: Path) -> dict[str, str]:
    """Read what a unit file says about its service; where it says a thing twice, the last one."""
    reader = RawConfigParser(strict=False, delimiters=("=",), comment_prefixes=("#",))
    reader.optionxform = str  # type: ignore[assignment, method-assign]
    reader.read(path)
    return dict(reader["Service"])
