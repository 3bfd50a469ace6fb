"""A table without a router: its own Wi-Fi by itself and on request, and phones led to it.

NetworkManager is a stand-in here that remembers what it was told; no radio is involved.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import stat
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from systemd.portal import serve
from tests.kit.waiting import until

SCRIPT = Path(__file__).parents[2] / "systemd" / "companion-network"
MINUTE = 12
SEARCH = 10 * MINUTE
"""So many looks, five seconds apart, make a minute."""
PROGRAMS = {
    "nmcli": """\
echo "$*" >>said
case "$*" in
*"connection show --active") cat active ;;
*"TYPE,DEVICE device") echo wifi:wlan0 ;;
*"NAME,TYPE connection show") cat connections ;;
"connection up "*)
    [ ! -e blocked ] || exit 4
    echo table-companion:802-11-wireless:activated >>active
    ;;
"connection delete "*)
    sed -i '/^table-companion:/d' active
    # Only a radio that is no Wi-Fi itself is sure to find the one that it knows.
    ! grep -q 'Our House' near || echo "Our House:802-11-wireless:activated" >active
    ;;
esac
""",
    "systemctl": 'echo "systemctl $*" >>said\n',
    "iw": "cat stations\n",
    "chgrp": 'shift; ls "$@" >/dev/null\n',
}
HOME = "Our House:802-11-wireless:activated\n"


class Pi:
    """A Pi with a radio, and a network manager that does as it is told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, script in PROGRAMS.items():
            program = folder / "bin" / name
            program.parent.mkdir(exist_ok=True)
            program.write_text(f"#!/bin/sh\ncd {folder}\n{script}")
            program.chmod(0o755)
        for file in ("said", "active", "near", "stations", "companion.toml"):
            (folder / file).touch()
        (folder / "connections").write_text("Our House:802-11-wireless\n")
        for place in ("run", "state"):
            (folder / place).mkdir()

        self._environment = {
            "PATH": f"{self.folder}/bin:{os.environ['PATH']}",
            "RUNTIME_DIRECTORY": f"{self.folder}/run",
            "STATE_DIRECTORY": f"{self.folder}/state",
            "COMPANION_WISHES": f"{self.folder}/wish",
            "COMPANION_NAMES": f"{self.folder}/names/ours.conf",
            "COMPANION_CONFIG": f"{self.folder}/companion.toml",
        }

    def look(self, times: int = 1) -> None:
        for _ in range(times):
            subprocess.run(
                ["sh", SCRIPT, "look"], env=self._environment, check=True, capture_output=True
            )

    @contextmanager
    def looked_after(self) -> Iterator[None]:
        """Have the service look all the time, until it is told to end."""
        with subprocess.Popen(["sh", SCRIPT], env=self._environment) as service:
            yield
            service.terminate()

    def configure(self, hotspot: str) -> None:
        (self.folder / "companion.toml").write_text(f'[network]\nhotspot = "{hotspot}"\n')

    def wish(self, what: str) -> None:
        (self.folder / "wish").write_text(f"{what}\n")

    def almost(self, counter: str, looks: int) -> None:
        """Let nearly all the looks have been made already."""
        (self.folder / "run" / counter).write_text(f"{looks - 1}\n")

    @property
    def hotspot(self) -> dict[str, str] | None:
        try:
            said: dict[str, str] = json.loads((self.folder / "run" / "hotspot.json").read_text())
        except FileNotFoundError:
            return None
        return said

    @property
    def said(self) -> str:
        return (self.folder / "said").read_text()


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    return Pi(tmp_path)


def test_without_a_known_network_for_a_minute_the_table_opens_its_own(pi):
    pi.look(2)
    assert (pi.folder / "run/alone").read_text() == "2\n"
    assert pi.hotspot is None
    pi.almost("alone", MINUTE)
    pi.look()
    assert pi.hotspot is not None
    assert (pi.hotspot["name"], pi.hotspot["address"]) == ("Table Companion", "10.42.0.1")
    assert len(pi.hotspot["password"]) == 10
    assert "systemctl start table-companion-portal" in pi.said
    assert (pi.folder / "names/ours.conf").read_text() == "address=/#/10.42.0.1\n"
    assert not stat.S_IMODE((pi.folder / "run/hotspot.json").stat().st_mode) & 0o007


@pytest.mark.parametrize("mode", ["auto", "on"])
def test_a_radio_that_is_blocked_is_tried_once_a_minute_and_whenever_somebody_asks(pi, mode):
    pi.configure(mode)
    (pi.folder / "blocked").touch()
    pi.almost("alone", MINUTE)
    pi.look(MINUTE)
    assert pi.said.count("connection up") == 1
    pi.wish("hotspot")
    pi.look()
    assert pi.said.count("connection up") == 2
    (pi.folder / "blocked").unlink()
    pi.almost("rest", 1)
    pi.look()
    assert pi.hotspot is not None


def test_a_known_network_keeps_the_radio_to_itself(pi):
    (pi.folder / "active").write_text(HOME)
    pi.almost("alone", MINUTE)
    pi.look()
    assert (pi.folder / "run/alone").read_text() == "0\n"
    assert pi.hotspot is None


def test_the_referee_opens_it_and_closes_it_again(pi):
    (pi.folder / "active").write_text(HOME)
    pi.wish("hotspot")
    pi.look()
    first = pi.hotspot
    assert first is not None
    pi.wish("home")
    pi.look()
    assert pi.hotspot is None
    assert "systemctl stop table-companion-portal" in pi.said
    assert not (pi.folder / "names/ours.conf").exists()
    pi.wish("hotspot")
    pi.look()
    assert pi.hotspot == first, "the password stays the same"


@pytest.mark.parametrize(
    ("near", "stations", "afterwards"),
    [
        pytest.param("Next Door\nOur House\n", "", [False, False], id="the known one is back"),
        pytest.param("Next Door\n", "", [False, True], id="only a stranger's"),
        pytest.param("Our House\n", "Station 02:00:00\n", [True, True], id="somebody is playing"),
    ],
)
def test_it_makes_room_for_the_known_network_where_nobody_plays(pi, near, stations, afterwards):
    pi.almost("alone", MINUTE)
    pi.look()
    (pi.folder / "near").write_text(near)
    (pi.folder / "stations").write_text(stations)
    pi.almost("waited", SEARCH)
    is_open = []
    for looks in (1, MINUTE // 2):
        pi.look(looks)
        is_open.append(pi.hotspot is not None)
    assert is_open == afterwards


def test_where_no_network_is_known_its_own_stays_open(pi):
    (pi.folder / "connections").write_text("table-companion:802-11-wireless\n")
    pi.almost("alone", MINUTE)
    pi.look()
    pi.almost("waited", SEARCH)
    pi.look()
    assert pi.hotspot is not None


@pytest.mark.parametrize(("mode", "opens"), [("on", True), ("off", False)])
def test_the_configuration_decides_for_good(pi, mode, opens):
    pi.configure(mode)
    pi.almost("alone", MINUTE)
    pi.look()
    assert (pi.hotspot is not None) is opens


def test_a_changed_configuration_is_followed_and_whoever_ends_the_service_closes_the_wifi(pi):
    (pi.folder / "bin" / "sleep").symlink_to("/bin/true")
    pi.configure("off")
    with pi.looked_after():
        until(lambda: (pi.folder / "run" / "alone").exists())
        pi.configure("on")
        until(lambda: pi.hotspot is not None)
        pi.configure("off")
        until(lambda: pi.hotspot is None)
        pi.configure("on")
        until(lambda: pi.hotspot is not None)
    assert pi.hotspot is None


@pytest.fixture
def portal() -> Iterator[int]:
    door = serve("127.0.0.1", 0, 8080)
    serving = threading.Thread(target=door.serve_forever, daemon=True)
    serving.start()
    yield door.server_port
    door.shutdown()
    door.server_close()
    serving.join()


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("connectivitycheck.gstatic.com", "/generate_204"),
        ("captive.apple.com", "/hotspot-detect.html"),
        ("www.msftconnecttest.com", "/connecttest.txt"),
        ("companion", "/../../etc/passwd"),
    ],
)
def test_a_phone_that_asks_for_the_internet_is_led_to_the_table(portal, name, path):
    line = http.client.HTTPConnection("127.0.0.1", portal, timeout=10)
    line.request("GET", path, headers={"Host": name})
    answer = line.getresponse()
    assert (answer.status, answer.getheader("Location")) == (302, "http://127.0.0.1:8080/")
    assert answer.read() == b""
    line.close()


def test_a_whole_party_of_phones_can_ask_at_the_same_moment():
    with ExitStack() as held:
        busy = held.enter_context(serve("127.0.0.1", 0, 8080))  # it has heard none of them yet
        for _ in range(30):
            place = ("127.0.0.1", busy.server_port)
            held.enter_context(socket.create_connection(place, timeout=5))


def test_the_portal_takes_nothing(portal):
    line = http.client.HTTPConnection("127.0.0.1", portal, timeout=10)
    line.request("POST", "/api/commands", body="{}")
    assert line.getresponse().status == 501
    line.close()
