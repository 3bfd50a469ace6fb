"""Where the table is to be found, also where nothing leads out into the world."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from companion.settings.configuration import ServerSettings
from web.access.invitations import Invitations
from web.access.knock import Knock
from web.access.network import Hotspot, NetworkWatch, hotspot, own_addresses, wish
from web.access.pairing import Pairing
from web.access.permissions import SENDER, Sender
from web.api.network import network

PROJECT = Path(__file__).parents[3]
WITHOUT_A_WAY_OUT = """
mount -t sysfs sysfs /sys
ip link add wlan0 type veth peer name phone
ip link set wlan0 up
ip address add 10.42.0.1/24 dev wlan0
exec "$@"
"""
MOVING = """
import subprocess
from web.access.network import NetworkWatch, own_addresses
print(*own_addresses())
watch = NetworkWatch(own_addresses, lambda: print(*own_addresses()))
subprocess.run("ip address flush dev wlan0".split(), check=True)
subprocess.run("ip address add 192.168.7.3/24 dev wlan0".split(), check=True)
watch.look()
"""
OWN = Hotspot("Table Companion", "abc234xyz7", "10.42.0.1")


def interfaces(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).mkdir()
    return folder


def open_hotspot(folder: Path) -> Path:
    said = '{"name": "Table Companion", "password": "abc234xyz7", "address": "10.42.0.1"}'
    (folder / "hotspot.json").write_text(said)
    return folder


def test_addresses_come_from_the_interfaces_and_not_only_from_the_way_out():
    outward = own_addresses()
    assert all(socket.inet_aton(address) for address in outward)
    assert not [address for address in outward if address.startswith("127.")]


def test_a_hotspot_without_a_way_out_has_an_address_and_a_new_one_is_followed():
    """In a network of its own, which only root can make."""
    apart = ["unshare", "--net", "--mount", "sh", "-ec", WITHOUT_A_WAY_OUT, "sh"]
    if os.geteuid() != 0 or subprocess.run([*apart, "true"], check=False).returncode != 0:
        pytest.skip("no network of its own can be made here")
    done = subprocess.run(
        [*apart, sys.executable, "-c", MOVING],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["10.42.0.1", "192.168.7.3"]


def test_an_interface_without_an_address_is_passed_over(tmp_path):
    found = own_addresses(interfaces(tmp_path, "lo", "none0", "docker0"), tmp_path)
    assert set(found) <= set(own_addresses())


def test_in_a_hotspot_its_own_address_is_the_one_to_come_to(tmp_path):
    assert own_addresses(service=open_hotspot(tmp_path))[0] == "10.42.0.1"
    assert hotspot(tmp_path) == OWN


@pytest.mark.parametrize("said", [None, "", "{}", "[1]"])
def test_without_a_hotspot_there_is_none(tmp_path, said):
    if said is not None:
        (tmp_path / "hotspot.json").write_text(said)
    assert hotspot(tmp_path) is None


def test_a_camera_reads_how_to_join():
    assert OWN.code == "WIFI:T:WPA;S:Table Companion;P:abc234xyz7;;"
    assert Hotspot('a;b"', "c:d", "").code == r"WIFI:T:WPA;S:a\;b\";P:c\:d;;"


def test_a_wish_is_left_where_the_service_finds_it(tmp_path, monkeypatch):
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    wish("home")
    assert (tmp_path / "network-wish").read_text() == "home\n"


def test_a_table_that_moved_says_so_once():
    places = ["http://192.168.1.5:8080"]
    said: list[str] = []
    watch = NetworkWatch(lambda: list(places), lambda: said.append(places[0]))
    watch.look()
    places[0] = "http://10.42.0.1:8080"
    watch.look()
    watch.look()
    assert said == ["http://10.42.0.1:8080"]


def test_a_wifi_that_can_be_joined_is_news_also_when_its_address_was_there_before():
    known: list[Hotspot | None] = [None]
    said: list[str] = []
    watch = NetworkWatch(
        lambda: ["http://10.42.0.1"], lambda: said.append("moved"), lambda: known[0]
    )
    watch.look()
    known[0] = OWN
    watch.look()
    watch.look()
    assert said == ["moved"]


def test_screens_invite_anew_once_there_is_a_wifi_to_join(monkeypatch):
    server = ServerSettings(address="http://table.example")
    invitations = Invitations(server, 8080, Pairing(), lambda: None)
    before = invitations.place()
    monkeypatch.setattr("web.access.invitations.hotspot", lambda: OWN)
    assert invitations.place() != before
    assert invitations.watch() == "http://table.example/"


def test_the_code_of_the_wifi_is_shown_while_somebody_asked_for_it(monkeypatch):
    monkeypatch.setattr("web.api.network.hotspot", lambda: OWN)
    asked = Knock()
    asked.show()
    app = Flask(__name__)
    app.register_blueprint(network(asked))
    told = app.test_client().get("/api/wifi").json
    assert told is not None
    assert told["hotspot"]["password"] == "abc234xyz7"
    assert b"<svg" in app.test_client().get("/api/wifi.svg").data


@pytest.mark.parametrize(
    ("role", "told"), [("referee", OWN.password), ("player", None), ("watcher", None)]
)
def test_otherwise_the_password_is_the_referee_s_alone(monkeypatch, role, told):
    monkeypatch.setattr("web.api.network.hotspot", lambda: OWN)
    app = Flask(__name__)
    app.register_blueprint(network(Knock()))
    client = app.test_client()
    sent = {SENDER: Sender(role)}
    answer = client.get("/api/wifi", environ_overrides=sent).json
    assert answer is not None
    assert answer["open"]
    assert (answer["hotspot"] or {}).get("password") == told
    drawn = client.get("/api/wifi.svg", environ_overrides=sent).status_code
    assert drawn == (200 if told else 403)


def test_a_table_without_that_service_cannot_open_one_and_a_guest_may_not_ask(shared):
    shared.pair()
    assert shared.get("/api/wifi").json == {"able": False, "open": False, "hotspot": None}
    refused = shared.post("/api/wifi", {"wish": "hotspot"})
    assert (refused.status, refused.json["error"]) == (409, "no_hotspot")
    assert shared.post("/api/wifi", {"wish": "moon"}).status == 400
    assert shared.post("/api/wifi", {"wish": "home"}, Cookie=None).status == 403
    assert shared.get("/api/wifi.svg", Cookie=None).status == 403
    assert shared.post("/api/wifi", {"show": True}).json["seconds"] == 60
