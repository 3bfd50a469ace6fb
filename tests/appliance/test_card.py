"""The set-up of the SD card's image, on a Debian of this machine's own kind, booted.

`make test-image` boots the image itself, under emulation; this is the part of it that needs none.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.evening import Referee, until
from tests.appliance.house import NAME, OFFLINE, House
from tests.appliance.machine import Machine
from tests.appliance.wheels import CannotRun

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("appliance")]

PROJECT = Path(__file__).parents[2]
SAID = """\
wifi = Café 5
password = open sesame
seats = 4
name = kitchen
hotspot = cards4everybody
login = sesame42
"""


@pytest.fixture(scope="module")
def house(wheel: Path) -> Iterator[House]:
    try:
        house = House(8080)
    except CannotRun as reason:
        pytest.skip(f"not installed anywhere: {reason}")
    try:
        said = house.install(wheel)
        assert said.code == 0, said.text
        subprocess.run([PROJECT / "image" / "set-up", house.root], check=True)
        (house.root / "boot/firmware/companion.txt").write_text(SAID)
        yield house
    finally:
        house.close()


@pytest.fixture(scope="module")
def machine(house: House) -> Iterator[Machine]:
    try:
        machine = Machine(house.root)
    except CannotRun as reason:
        pytest.skip(f"not booted: {reason}")
    yield machine
    machine.power_off()


def test_the_table_opens_with_what_companion_txt_says(machine):
    referee = Referee(machine.address, 8080)
    until(referee.answers, "the table answers over the wire")
    assert len(referee.ask("/api/hardware")["buttons"]) == 4
    assert referee.fetch("/", name="kitchen.local:8080")
    assert machine.run("hostname").strip() == "kitchen"
    assert machine.run("cat", f"/var/lib/{NAME}-network/password") == "cards4everybody"
    assert "table P" in machine.run("passwd", "--status", "table")


def test_only_var_can_be_written_to(machine):
    for place in ("/etc", "/usr", "/opt", "/root"):
        said = machine.run("touch", f"{place}/here", check=False)
        assert "Read-only file system" in said, place
    machine.run("touch", "/var/lib/here")
    machine.run("touch", "/etc/NetworkManager/dnsmasq-shared.d/here")


def test_the_installer_opens_the_system_and_closes_it_again(house, machine, wheel):
    said = machine.run(*house.installing(wheel, "--usb"), **OFFLINE)
    assert "Done." in said
    assert "Read-only file system" in machine.run("touch", "/etc/here", check=False)


def test_a_restart_reads_the_same_file_no_second_time(machine):
    unit = f"{NAME}-first-boot"
    assert machine.log(unit).count("companion.txt was read.") == 1
    machine.run("systemctl", "restart", unit)
    assert machine.log(unit).count("companion.txt was read.") == 1
    # The card's own partitions are not here, which systemd says; nothing of ours has failed.
    assert NAME not in machine.run("systemctl", "--failed", "--quiet", "--no-legend")
