"""What is installed is what the locks say, and the page is built from them alone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import companion

ROOT = Path(__file__).resolve().parent.parent
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))
VENDOR = ROOT / "web" / "static" / "vendor"
BUILT = ROOT / "web" / "static" / "built"
IMPORTED = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")


def pins(lock: Path) -> dict[str, str]:
    """Read the version of each package in a lock."""
    lines = [line for line in lock.read_text().splitlines() if re.match(r"\w", line)]
    found = [Requirement(line.removesuffix("\\")) for line in lines]
    return {canonicalize_name(each.name): str(each.specifier)[2:] for each in found}


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_pins_every_package_by_hash_and_names_no_place(lock: Path) -> None:
    packages = re.split(r"^(?=\w)", lock.read_text(), flags=re.MULTILINE)[1:]
    assert packages
    for package in packages:
        first, *rest = package.rstrip().splitlines()
        assert re.match(r"[\w.-]+==\S+( ; [^\\]+)? \\$", first)
        assert rest
        assert all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64}( \\)?", line) for line in rest)


def test_the_table_runs_on_the_very_versions_that_its_tests_run_on() -> None:
    running = pins(ROOT / "requirements" / "run.txt")
    assert running.items() <= pins(ROOT / "requirements" / "dev.txt").items()


def test_the_lock_answers_everything_that_the_project_asks_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = pins(ROOT / "requirements" / "run.txt")
    for asked in map(Requirement, project["dependencies"]):
        assert locked[canonicalize_name(asked.name)] in asked.specifier, asked


def test_the_page_lock_holds_checksums_and_no_addresses() -> None:
    asked = json.loads((ROOT / "package.json").read_text())
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    assert packages.pop("")["dependencies"] == asked["dependencies"]
    assert all(each["integrity"].startswith("sha512-") for each in packages.values())
    assert not [name for name, each in packages.items() if "resolved" in each]


def test_every_module_of_the_page_finds_what_it_imports_beside_itself() -> None:
    modules = sorted(VENDOR.glob("*.js"))
    assert {"htm-preact.js", "socket.io.esm.min.js"} <= {module.name for module in modules}
    for module in modules:
        text = module.read_text("utf-8")
        assert "sourceMappingURL" not in text
        for name in IMPORTED.findall(text):
            assert name.startswith("./"), f"{module.name} imports {name}"
            assert (VENDOR / name).is_file(), f"{module.name} imports {name}"


def test_the_licences_of_the_modules_travel_with_them() -> None:
    texts = (BUILT / "LICENSES.txt").read_text("utf-8")
    asked = json.loads((ROOT / "package.json").read_text())
    assert all(f"{name}\n\n" in texts for name in asked["dependencies"])


def test_a_page_that_matches_its_lock_and_sources_is_not_built_again() -> None:
    before = {path: path.stat().st_mtime_ns for path in (*VENDOR.iterdir(), *BUILT.iterdir())}
    nowhere = {**os.environ, "PATH": "", "npm_config_offline": "true", "PIP_NO_INDEX": "1"}
    build = [sys.executable, str(ROOT / "hatch_build.py")]
    done = subprocess.run(build, env=nowhere, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("", "")
    after = {path: path.stat().st_mtime_ns for path in (*VENDOR.iterdir(), *BUILT.iterdir())}
    assert after == before


def test_a_page_that_cannot_be_fetched_is_refused_with_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "requirements").mkdir()
    for name in ("hatch_build.py", "package.json", "package-lock.json", "requirements/node.txt"):
        shutil.copyfile(ROOT / name, tmp_path / name)
    nowhere = {**os.environ, "PATH": "", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, str(tmp_path / "hatch_build.py")],
        env=nowhere,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "There is no npm here, and pip could not bring one." in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "web").exists()


def test_the_command_and_the_package_agree_on_the_version() -> None:
    command = Path(sys.executable).with_name("companion")
    said = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert companion.__version__ in said.stdout


@pytest.mark.parametrize("document", ["docs/ARCHITECTURE.md", "CONTRIBUTING.md", "README.md"])
def test_every_place_that_a_document_names_is_there(document: str) -> None:
    text = (ROOT / document).read_text()
    named = re.findall(r"`((?:companion|hardware|web|tests|docs|systemd)/[\w./-]*)`", text)
    named += [link for link in re.findall(r"\]\(([^)#:]+)\)", text) if not link.startswith("#")]
    places = (ROOT, (ROOT / document).parent)
    missing = [name for name in named if not any((place / name).exists() for place in places)]
    assert missing == []
