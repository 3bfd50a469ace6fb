"""A hall is found in the network by Avahi, or else by its address."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.hall.table.finding import FoundHall, read_halls
from companion.hall.table.membership import NotJoined, join
from tests.home.broker import PROGRAM

PROJECT = Path(__file__).parents[3]
WITH_AVAHI = """
mount -t sysfs sysfs /sys
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus /run/avahi-daemon
ip link set lo up
ip link add wlan0 type veth peer name phone
ip link set wlan0 up
ip link set phone up
ip address add 10.42.0.1/24 dev wlan0
dbus-daemon --config-file=/usr/share/dbus-1/system.conf --fork --nosyslog \
  --address=unix:path=/run/dbus/system_bus_socket --print-pid=9 9>/run/bus
avahi-daemon --no-drop-root --no-chroot --no-rlimits --daemonize
trap 'avahi-daemon --kill; kill $(cat /run/bus)' EXIT
"$@"
"""
NEEDED = ("avahi-daemon", "avahi-publish", "avahi-browse", "dbus-daemon", "unshare", "ip")
FOUND = """
import sys
from pathlib import Path
from companion.hall.table.finding import found_halls
from companion.hall.table.membership import join
from tests.hall.served_hall import ServedHall
from tests.kit.waiting import until
folder = Path(sys.argv[1])
hall = ServedHall(folder / "hall", host="0.0.0.0")
hall.pair()
try:
    until(found_halls)
    member = join(folder / "table", "", hall.desk()["table_code"])
    print("joined", member.host, member.table)
finally:
    hall.stop()
until(lambda: not found_halls())
"""


def test_a_table_finds_the_hall_that_is_announced_in_its_network(tmp_path):
    """In a network of its own with an Avahi of its own, which only root can make."""
    if PROGRAM is None:
        pytest.skip("there is no mosquitto here")
    for name in NEEDED:
        if shutil.which(name, path=f"{os.environ['PATH']}:/usr/sbin") is None:
            pytest.skip(f"there is no {name} here")
    apart = ["unshare", "--net", "--mount", "sh", "-ec", WITH_AVAHI, "sh"]
    if os.geteuid() != 0 or subprocess.run([*apart, "true"], check=False).returncode != 0:
        pytest.skip("no network of its own with Avahi can be made here")
    said = tmp_path / "said"
    with said.open("w") as out:
        # Into a file: what outlives the program keeps a pipe open.
        done = subprocess.run(
            [*apart, sys.executable, "-c", FOUND, str(tmp_path)],
            cwd=PROJECT,
            stdout=out,
            stderr=out,
            check=False,
        )
    assert "joined 10.42.0.1 1" in said.read_text()
    assert done.returncode == 0, said.read_text()


def test_without_a_hall_in_the_network_its_address_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotJoined, match="Type its address"):
        join(tmp_path, " ", "ABCD-EFGH")


def test_what_avahi_tells_is_read_once_for_each_hall():
    told = (
        "+;eth0;IPv4;Hall;_companion-hall._tcp;local\n"
        "=;eth0;IPv6;Hall\\032on\\032desk;_companion-hall._tcp;local;desk.local;fe80::1;8090;\n"
        "=;lo;IPv4;Hall\\032on\\032desk;_companion-hall._tcp;local;desk.local;::1;8090;\n"
        "=;eth0;IPv4;Hall\\032on\\032desk;_companion-hall._tcp;local;desk.local;192.168.1.5;8090;\n"
        "=;wlan0;IPv4;Hall\\032on\\032desk;_companion-hall._tcp;local;desk.local;192.168.1.5;8090;\n"
    )
    assert read_halls(told) == [FoundHall("Hall on desk", "192.168.1.5:8090")]
