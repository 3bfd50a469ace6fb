"""The first boot of Raspberry Pi OS: cloud-init reads user-data from the card and sets all up.

The Debian here is always Trixie, with cloud-init as Raspberry Pi OS sets it up since then, and the
card's small partition is a folder. What the Raspberry Pi Imager writes is laid beside our files, as
the guide says.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.appliance.evening import CODE, Referee, until
from tests.appliance.house import NAME, House
from tests.appliance.machine import Machine
from tests.appliance.wheels import CannotRun

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200), pytest.mark.xdist_group("appliance")]

PROJECT = Path(__file__).parents[2]
OURS = (PROJECT / "systemd" / "user-data").read_text()
CLOUD_CONFIG = """\
datasource_list: [ NoCloud, None ]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
network:
  config: disabled
"""
# What the Imager writes where a country was chosen and no Wi-Fi.
IMAGER = """\
#cloud-config
hostname: cards
manage_etc_hosts: true
timezone: Europe/Lisbon
users:
- name: ana
  groups: users,sudo
  shell: /bin/bash

runcmd:
  - [ sh, -c, "echo unblocked >/var/log/imager" ]
"""
COMMAND = re.findall(r"^  - .*$", OURS, re.MULTILINE)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        pytest.param(OURS, "companion", id="our file alone"),
        pytest.param(IMAGER + COMMAND[0] + "\n", "cards", id="our line below the Imager's own"),
    ],
)
def test_the_table_is_installed_at_the_first_boot_and_answers(wheel, written, name):
    house = card(wheel, written)
    try:
        for machine in booted(house):
            referee = Referee(machine.address, 8080)
            until(referee.answers, "the table answers over the wire")
            log = machine.run("cat", "/var/log/table-companion-install.log")
            assert "Done. To remove it again" in log
            assert CODE.search(log), "the log shows the referee's link"
            assert machine.run("hostname").strip() == name
            assert machine.shown(NAME, "NRestarts")["NRestarts"] == "0"
            assert machine.run("systemctl", "--failed", "--quiet") == ""
            if written is not OURS:
                assert machine.run("cat", "/var/log/imager") == "unblocked\n"
                assert machine.run("id", "ana")
    finally:
        house.close()


def test_the_guide_s_line_is_the_last_one_of_our_file():
    assert [OURS.splitlines()[-1]] == COMMAND
    assert OURS.splitlines()[-2] == "runcmd:"


def card(wheel: Path, written: str) -> House:
    """A Debian with cloud-init, and a card whose small partition was prepared as the guide says."""
    try:
        house = House(8080, suite="trixie")
    except CannotRun as reason:
        pytest.skip(f"not installed anywhere: {reason}")
    said = house.run("apt-get", "install", "-qq", "--yes", "--no-install-recommends", "cloud-init")
    if said.code:
        house.close()
        pytest.skip(f"there is no cloud-init to be had: {said.text[-200:]}")
    etc, small = house.root / "etc", house.root / "boot" / "firmware"
    (etc / "cloud/cloud.cfg.d/99_raspberry-pi.cfg").write_text(CLOUD_CONFIG)
    (etc / "pip.conf").write_text("[global]\nno-index = true\nfind-links = /packages\n")
    small.mkdir(parents=True)
    shutil.copy(wheel, small)
    shutil.copy(PROJECT / "systemd" / "install", small)
    (small / "user-data").write_text(written)
    (small / "meta-data").write_text("instance-id: rpi-imager-1\n")
    return house


def booted(house: House) -> Iterator[Machine]:
    """Boot it, and shut it down in the end."""
    try:
        machine = Machine(house.root)
    except CannotRun as reason:
        pytest.skip(f"not booted: {reason}")
    try:
        yield machine
    finally:
        machine.power_off()
