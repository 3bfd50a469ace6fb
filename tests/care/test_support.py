"""The support bundle tells everything but names."""

from __future__ import annotations

import io
import json
import logging
import zipfile
from pathlib import Path

import pytest

from companion.care.doctor import Finding
from companion.care.support import Scrubber, bundle, names_at
from companion.common.log_file import LogFile
from companion.keeping import backups
from companion.referee import commands as c
from companion.settings.configuration import parse
from tests.kit.command_line import companion
from tests.kit.night import Night

NAMES = ("Annelise", "Zoë", "O'Brien", "<b>Bo</b>", 'Łukasz "Lu"', "Å", "Mr X", "名前")
CONFIG = """
[server]
names = ["annelises-pi.local"]
[[hardware.buttons]]
pin = 17
name = "Annelise"
[[hardware.buttons]]
pin = 27
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table at which many sat, with a log and files that speak of them."""
    folder = tmp_path_factory.mktemp("table")
    with Night(folder) as night:
        for seat, name in enumerate(NAMES[:-1], start=1):
            night.do(c.Sit(name, seat, seat))
        night.do(c.Rename(1, NAMES[-1]))
        night.do(c.StartMatch())
    backups.make(folder, "asked")
    with LogFile(folder).following():
        log = logging.getLogger("companion.trial")
        for name in NAMES:
            log.warning("%s did it; %r; %s; %s", name, name, json.dumps(name), name.upper())
    return folder


def files_in(packed: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


@pytest.fixture(scope="module")
def files(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    config = tmp_path_factory.mktemp("config") / "companion.toml"
    config.write_text(CONFIG)
    findings = [Finding("Port", "act", "Annelise has it.")]
    return files_in(bundle(folder, parse(config), findings))


@pytest.mark.parametrize("name", NAMES)
def test_no_name_that_was_ever_used_is_in_any_file(files, name):
    for file, text in files.items():
        for way in (name, name.upper(), name.lower(), json.dumps(name)[1:-1], ascii(name)[1:-1]):
            assert way not in text, file


def test_what_helps_is_there(files):
    assert "player-" in files["log.txt"]
    assert "did it" in files["log.txt"]
    counted = json.loads(files["journal.json"])
    assert counted["kinds"]["seat_taken"] == len(NAMES) - 1
    assert counted["matches"] == 1
    assert "act " in files["doctor.txt"]
    said = json.loads(files["configuration.json"])
    assert said["hardware"]["buttons"][0] == {"pin": 17, "name": "left out"}
    assert said["server"] == {"names": "left out"}
    assert any(name.startswith("backups/asked-") for name in json.loads(files["files.json"]))


def test_names_in_a_journal_that_is_damaged_are_replaced_too(folder, tmp_path):
    content = (folder / "journal.db").read_bytes()
    (tmp_path / "journal.db").write_bytes(b"damage" + content[6:])
    assert set(NAMES) <= names_at(tmp_path)
    with LogFile(tmp_path).following():
        logging.getLogger("companion.trial").warning("Annelise did it")
    assert "Annelise" not in files_in(bundle(tmp_path, None, []))["log.txt"]


def test_editions_keep_their_names(folder):
    assert not {"Express", "Fast & Furious"} & names_at(folder)


def test_a_short_name_leaves_the_words_readable():
    scrub = Scrubber({"a", "Al"})
    assert scrub("Al has a card; all are calm") == "player-1 has player-2 card; all are calm"


def test_an_empty_table_has_a_bundle_too(tmp_path):
    files = files_in(bundle(tmp_path / "none", {}, []))
    assert json.loads(files["journal.json"])["events"] == 0


def test_the_command_writes_it(folder, tmp_path):
    file = tmp_path / "support.zip"
    result = companion("support", "--data", folder, "--output", file)
    assert result.exit_code == 0, result.output
    files = files_in(file.read_bytes())
    assert "Versions" in files["doctor.txt"]
    assert not any(name in text for name in NAMES for text in files.values())
    assert companion("support", "--data", folder, "--output", file).exit_code == 2
