"""A kernel with simulated GPIO lines, fetched from the Debian mirror that this machine uses.

Nothing is installed. The kernel is kept in the user's cache, so that the next run needs no network.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import platformdirs

SUITE = "forky"
NEWEST = re.compile(r"^linux-binary-(\d\S*)-amd64$", re.MULTILINE)
VARIANTS = ("-cloud", "-rt", "unsigned")
SOURCES = (Path("/etc/apt/sources.list"), Path("/etc/apt/sources.list.d"))
MIRROR_VARIABLE = "KERNEL_MIRROR"


class CannotRun(Exception):
    """The machine cannot be had here; the reason is a sentence for whoever reads the skips."""


def cache() -> Path:
    """Where downloads and built images are kept."""
    folder = Path(platformdirs.user_cache_dir("table-companion")) / "kernel"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def kernel_folder() -> Path:
    """Give the folder with `vmlinuz` and the modules, fetching it if it is not there yet."""
    kept = sorted(cache().glob("linux-*/done"))
    if kept:
        return kept[-1].parent
    return _fetch()


def mirror() -> str:
    """Find the Debian mirror of this machine's own apt."""
    if os.environ.get(MIRROR_VARIABLE):
        return os.environ[MIRROR_VARIABLE]
    for uri in _uris():
        if re.search(r"/debian/?$", uri):
            return uri
    raise CannotRun(
        "this machine's apt knows no Debian mirror to fetch a kernel from; "
        f"set {MIRROR_VARIABLE} to one"
    )


def _uris() -> Iterator[str]:
    files = [SOURCES[0], *sorted(SOURCES[1].glob("*"))] if SOURCES[1].is_dir() else [SOURCES[0]]
    for file in files:
        if file.suffix not in (".list", ".sources") or not file.is_file():
            continue
        for line in file.read_text().splitlines():
            if line.startswith("URIs:"):
                yield from line.split()[1:]
            elif line.startswith("deb "):
                yield from (word for word in line.split() if word.startswith("http"))


def _fetch() -> Path:
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise CannotRun("fetching a kernel needs apt and dpkg")
    apt = cache() / "apt"
    for part in ("lists/partial", "archives/partial", "empty"):
        (apt / part).mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text(
        f"deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] {mirror()} {SUITE} main\n"
    )
    (apt / "status").touch()
    try:
        _apt(apt, "apt-get", "update")
        names = _apt(apt, "apt-cache", "pkgnames", "linux-binary-")
        versions = [v for v in NEWEST.findall(names) if not v.endswith(VARIANTS)]
        if not versions:
            raise CannotRun(f"the mirror has no kernel for amd64 in {SUITE}")
        version = max(versions, key=_order)
        folder = cache() / f"linux-{version}"
        debs = cache() / f"debs-{version}"
        debs.mkdir(exist_ok=True)
        wanted = [f"linux-binary-{version}-amd64", f"linux-modules-{version}-amd64"]
        _apt(apt, "apt-get", "download", *wanted, folder=debs)
        for deb in debs.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", str(deb), str(folder)], check=True)
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as failed:
        said = failed.stderr if isinstance(failed.stderr, str) else ""
        reason = said.strip().splitlines()[-1:] or [str(failed)]
        raise CannotRun(f"the kernel packages cannot be fetched: {reason[0]}") from failed
    shutil.rmtree(debs)
    shutil.rmtree(apt)
    (folder / "done").touch()
    return folder


def _order(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version))


def _apt(apt: Path, *command: str, folder: Path | None = None) -> str:
    """Run apt with sources and state of its own, without a look at what is installed."""
    options = {
        "Dir::Etc::sourcelist": apt / "sources.list",
        "Dir::Etc::sourceparts": apt / "empty",
        "Dir::Etc::preferencesparts": apt / "empty",
        "Dir::State::lists": apt / "lists",
        "Dir::State::status": apt / "status",
        "Dir::Cache": apt,
        "Dir::Cache::archives": apt / "archives",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
        "APT::Architecture": "amd64",
        "Acquire::Languages": "none",
    }
    chosen = [word for key, value in options.items() for word in ("-o", f"{key}={value}")]
    name, *rest = command
    done = subprocess.run(
        [name, *chosen, "-qq", *rest],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return done.stdout
