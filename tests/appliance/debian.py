"""A Debian of its own in a folder, made once from the mirror that this machine uses."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from tests.appliance.wheels import CannotRun, cache
from tests.kernel.packages import CannotRun as NoMirror
from tests.kernel.packages import mirror

PYTHON_OF = {"bookworm": "3.11", "trixie": "3.13"}
SUITE = os.environ.get("INSTALL_SUITE", "bookworm")
MACHINE = os.environ.get("INSTALL_MACHINE", "x86_64")
"""Another machine than this one is emulated, process by process."""
FOREIGN = () if MACHINE == "x86_64" else ("--architectures=arm64",)
PATIENCE = 0 if FOREIGN else 1200
"""Seconds for a test; how slow an emulated one is, nobody can tell, and it may take for ever."""
MAKER = "mmdebstrap"
PACKAGES = (
    "systemd", "systemd-sysv", "dbus", "python3", "iproute2", "kmod", "avahi-daemon", "avahi-utils",
)  # fmt: skip
FETCHED = "python3-venv python3-evdev mosquitto openssl"
"""Not installed, only at hand: the installer has to notice that they are missing."""
ROOM = 3 * 2**30
PREFIX = "companion-debian-"

WITH_US = ("setpriv", "--pdeathsig=TERM")
"""What is started like this ends when the tests end, also when they are killed."""

# Mounts made in here are gone with the last process in here, however the test ends.
INSIDE = """
root=$1; shift
mount -t proc proc "$root/proc" && mount --rbind /dev "$root/dev" && exec chroot "$root" "$@"
"""


def unpack(suite: str = SUITE) -> Path:
    """Unpack a fresh Debian, and give its root folder."""
    if os.geteuid() != 0:
        raise CannotRun("a Debian of its own needs root")
    made = _made(suite)
    place = Path(_roomy() or tempfile.gettempdir())
    _remove_left_over(place)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=place))
    folder.chmod(0o755)
    subprocess.run(["tar", "--extract", "--file", made, "--directory", folder], check=True)
    (folder / "etc" / "hostname").write_text("pi\n")
    return folder


def remove(root: Path) -> None:
    """Throw a Debian away, and nothing that might still be mounted there."""
    subprocess.run(["rm", "--recursive", "--force", "--one-file-system", root], check=False)


def _remove_left_over(place: Path) -> None:
    """Throw away what a test run that was killed could not."""
    for folder in place.glob(f"{PREFIX}*-*"):
        if not Path("/proc", folder.name.removeprefix(PREFIX).partition("-")[0]).exists():
            remove(folder)


def inside(root: Path, *command: str, environment: Mapping[str, str] = {}) -> list[str]:
    """Write the command that runs another one in there, where no systemd is running."""
    variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}
    said = [f"{name}={value}" for name, value in {**variables, **environment}.items()]
    apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-ec", INSIDE, "sh"]
    return [*WITH_US, *apart, str(root), "env", "-i", *said, *command]


def _roomy() -> str | None:
    """Choose memory over disk where there is plenty of it: unpacking is three times as fast."""
    memory = Path("/dev/shm")
    return str(memory) if memory.is_dir() and shutil.disk_usage(memory).free > ROOM else None


def _made(suite: str) -> Path:
    """Give the archive of the Debian, making it first where this is not its newest recipe."""
    fetching = f"apt-get install -qq --yes --no-install-recommends --download-only {FETCHED}"
    recipe = (
        MAKER, "--quiet", "--variant=minbase", *FOREIGN, f"--include={','.join(PACKAGES)}",
        "--dpkgopt=force-unsafe-io", "--skip=cleanup/apt",
        f'--customize-hook=chroot "$1" sh -ec "apt-get clean; {fetching}"', suite,
    )  # fmt: skip
    name = f"{suite}-arm64" if FOREIGN else suite
    kept = cache("debian") / f"{name}-{hashlib.sha256(repr(recipe).encode()).hexdigest()[:16]}.tar"
    if not kept.exists():
        if shutil.which(MAKER) is None:
            raise CannotRun(f"{MAKER} is not installed")
        older = list(kept.parent.glob(f"{name}-*.tar"))
        _make(recipe, kept)
        for archive in older:
            archive.unlink(missing_ok=True)
    return kept


def _make(recipe: tuple[str, ...], kept: Path) -> None:
    unfinished = kept.with_name(f"unfinished-{os.getpid()}.tar")
    try:
        subprocess.run(
            [*recipe, unfinished, mirror()],
            env={**os.environ, "TMPDIR": _roomy() or tempfile.gettempdir()},
            check=True,
            capture_output=True,
            text=True,
        )
    except NoMirror as reason:
        raise CannotRun("this machine's apt knows no Debian mirror") from reason
    except subprocess.CalledProcessError as failed:
        unfinished.unlink(missing_ok=True)
        said = [line for line in failed.stderr.splitlines() if line.startswith(("E:", "W:"))]
        raise CannotRun(f"{MAKER} could not make a Debian: {' '.join(said[-2:])}") from failed
    unfinished.rename(kept)
