"""What the machine says of its power, from files as a kernel would show them."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.care.power import Power, power


def supply(root: Path, name: str, **files: str) -> None:
    folder = root / "sys/class/power_supply" / name
    folder.mkdir(parents=True)
    for file, text in files.items():
        (folder / file).write_text(f"{text}\n")


def test_most_machines_tell_nothing(tmp_path):
    assert power(tmp_path) == Power()


@pytest.mark.parametrize(
    ("files", "left"),
    [
        ({"type": "Battery", "status": "Discharging", "capacity": "37"}, 37),
        ({"type": "Battery", "status": "Discharging", "capacity": "103"}, 100),
        ({"type": "Battery", "status": "Charging", "capacity": "37"}, None),
        ({"type": "Battery", "status": "Full", "capacity": "100"}, None),
        ({"type": "Battery", "status": "Discharging"}, None),
        ({"type": "Battery", "status": "Discharging", "capacity": "9", "scope": "Device"}, None),
        ({"type": "Mains", "online": "1"}, None),
    ],
)
def test_a_battery_counts_while_the_machine_lives_on_it(tmp_path, files, left):
    supply(tmp_path, "BAT0", **files)
    assert power(tmp_path).battery == left


def test_of_two_batteries_the_emptier_one_is_told(tmp_path):
    for name, left in (("BAT0", "80"), ("BAT1", "12")):
        supply(tmp_path, name, type="Battery", status="Discharging", capacity=left)
    assert power(tmp_path).battery == 12


@pytest.mark.parametrize(
    ("name", "alarm", "weak"),
    [("rpi_volt", "1", True), ("rpi_volt", "0", False), ("coretemp", "1", False)],
)
def test_a_pi_says_when_its_supply_is_too_weak(tmp_path, name, alarm, weak):
    folder = tmp_path / "sys/class/hwmon/hwmon2"
    folder.mkdir(parents=True)
    (folder / "name").write_text(f"{name}\n")
    (folder / "in0_lcrit_alarm").write_text(f"{alarm}\n")
    assert power(tmp_path).weak is weak
