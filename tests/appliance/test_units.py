"""The units as systemd reads them: nothing misspelt, little exposed, everything in its place."""

from __future__ import annotations

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from companion.keeping.folder_files import HALL
from companion.settings.configuration import examine
from hardware.wiring.reader import wiring_from
from tests.appliance.house import read_unit

SYSTEMD = Path(__file__).parents[2] / "systemd"
IMAGE = SYSTEMD.with_name("image")
UNITS = sorted(
    [
        *SYSTEMD.glob("table-companion*.service"),
        *(IMAGE / "files/etc/systemd/system").glob("*.service"),
    ]
)
SCRIPTS = sorted(
    path
    for folder in (SYSTEMD, IMAGE)
    for path in folder.iterdir()
    if path.is_file() and path.read_text().startswith("#!/bin/sh")
)
MOST_EXPOSED = 2.0
CONFIG = "/etc/table-companion/companion.toml"
NOT_HERE = re.compile(r"Command \S+ is not executable: No such file or directory")


@pytest.fixture(scope="module")
def analyze() -> str:
    """The tool that reads units; it needs no running systemd."""
    found = shutil.which("systemd-analyze")
    if found is None:
        pytest.skip("systemd-analyze is not installed")
    return found


def ask(*command: str | Path) -> str:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return done.stdout


@pytest.mark.parametrize("unit", ["table-companion", "table-companion-hall"])
def test_table_and_hall_are_exposed_as_little_as_they_can_be(analyze, unit):
    said = ask(analyze, "security", "--offline=true", SYSTEMD / f"{unit}.service")
    exposed = re.search(rf"Overall exposure level for {unit}.service: ([\d.]+)", said)
    assert exposed, said
    print(f"exposure of {unit}: {exposed[1]}")
    assert float(exposed[1]) <= MOST_EXPOSED


def test_the_hall_keeps_its_journal_below_that_of_the_table():
    """So one folder is backed up, and forgetting a name at the table finds the hall too."""
    hall, table = (
        read_unit(SYSTEMD / f"table-companion{which}.service") for which in ("-hall", "")
    )
    (place,) = re.findall(r"--data (\S+)", table["ExecStart"])
    assert hall["ExecStart"].endswith(f"companion hall --config {CONFIG} --data {place}/{HALL}")
    assert (hall["User"], hall["StateDirectory"]) == (table["User"], table["StateDirectory"])


def test_a_careless_unit_would_be_noticed(analyze, tmp_path):
    careless = tmp_path / "careless.service"
    careless.write_text("[Service]\nExecStart=/bin/true\n")
    said = ask(analyze, "security", "--offline=true", careless)
    exposed = re.search(r"Overall exposure level for careless.service: ([\d.]+)", said)
    assert exposed
    assert float(exposed[1]) > MOST_EXPOSED


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_systemd_understands_every_line_of_a_unit(analyze, unit):
    assert complaints(analyze, unit) == []


def test_a_misspelt_line_of_a_unit_would_be_noticed(analyze, tmp_path):
    """The tool ends with success all the same, so what it prints is read."""
    broken = tmp_path / "table-companion.service"
    text = (SYSTEMD / "table-companion.service").read_text()
    broken.write_text(text.replace("NoNewPrivileges=", "NoNewPriviledges="))
    assert len(complaints(analyze, broken)) == 1


def complaints(analyze: str, unit: Path) -> list[str]:
    """What systemd says about a unit, apart from programs that are not installed here."""
    said = ask(analyze, "verify", "--man=no", unit).splitlines()
    return [line for line in said if unit.name in line and not NOT_HERE.search(line)]


def test_the_table_sees_the_pins_and_the_home_network_and_no_more():
    unit = read_unit(SYSTEMD / "table-companion.service")
    assert unit["DeviceAllow"] == "char-gpiochip rw"
    assert unit["SupplementaryGroups"] == "gpio"
    assert unit["CapabilityBoundingSet"] == unit["AmbientCapabilities"] == ""
    assert unit["IPAddressDeny"] == "any"
    assert unit["NotifyAccess"] == "all"


def test_the_pins_belong_to_the_group_that_the_table_is_in():
    rule = (SYSTEMD / "gpio.rules").read_text()
    group = read_unit(SYSTEMD / "table-companion.service")["SupplementaryGroups"]
    assert f'GROUP="{group}", MODE="0660"' in rule


def test_the_screen_at_the_pi_gets_the_referee_s_link_and_nobody_else():
    kiosk = read_unit(SYSTEMD / "table-companion-kiosk.service")
    assert kiosk["SupplementaryGroups"] == read_unit(SYSTEMD / "table-companion.service")["Group"]
    folder = read_unit(SYSTEMD / "table-companion.service")["RuntimeDirectory"]
    assert f"link=/run/{folder}/referee" in (SYSTEMD / "companion-kiosk").read_text()


def test_the_first_boot_runs_the_installer_that_lies_beside_it():
    assert "sh /boot/firmware/install " in (SYSTEMD / "user-data").read_text()


def test_the_first_configuration_and_all_its_examples_are_right():
    text = (SYSTEMD / "companion.toml").read_text()
    every_example = re.sub(r"^#(?=\[|\w+ =)", "", text, flags=re.MULTILINE)
    assert every_example.count("#") < text.count("#")
    for said in (text, every_example):
        settings, mistakes = examine(tomllib.loads(said))
        assert mistakes == []
        assert settings.server.names == ("companion.local",)
        assert wiring_from(settings.hardware).seats == 6


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_a_script_has_none_of_the_shell_s_known_traps(script):
    checker = shutil.which("shellcheck")
    if checker is None:
        pytest.skip("shellcheck is not installed")
    assert ask(checker, "--severity=style", script) == ""
