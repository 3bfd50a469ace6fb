"""No router: with simulated radios the table opens its Wi-Fi by itself, and a phone joins it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.appliance.emulated import play
from tests.appliance.house import House
from tests.appliance.wheels import CannotRun

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("appliance")]

PACKAGES = "network-manager wpasupplicant dnsmasq-base iw isc-dhcp-client udev"
MODULES = ("mac80211_hwsim", "ccm", "cmac", "ctr", "af_packet", "nft_masq", "nft_chain_nat")
GUEST = Path(__file__).parent / "guest" / "hotspot.py"


@pytest.fixture(scope="module")
def told(wheel: Path) -> Iterator[dict[str, Any]]:
    try:
        house = House(8080)
    except CannotRun as reason:
        pytest.skip(f"not installed anywhere: {reason}")
    try:
        fetched = f"apt-get -qq update && apt-get -qq install --no-install-recommends -y {PACKAGES}"
        said = house.run("sh", "-c", fetched)
        assert said.code == 0, said.text
        said = house.install(wheel)
        assert said.code == 0, said.text
        yield play(house.root, [{"name": "hotspot"}], 3600, GUEST, MODULES)["hotspot"]
    except CannotRun as reason:
        pytest.skip(f"not emulated: {reason}")
    finally:
        house.close()


def test_without_a_known_network_the_wifi_opens_by_itself(told):
    assert told["alone"], told["log"]
    assert told["hotspot"] == {"name": "Table Companion", "password": 10, "address": "10.42.0.1"}
    assert told["printed"], told["log"]


def test_a_phone_joins_gets_an_address_and_is_led_to_the_table(told):
    assert told["joined"], told["log"]
    assert "inet 10.42.0." in told["address"]
    assert told["named"] == "10.42.0.1"
    assert told["asked"] == [200, 302, "http://10.42.0.1:8080/"]


def test_while_a_phone_is_connected_the_wifi_stays(told):
    assert told["kept"], told["log"]


def test_the_table_goes_back_by_itself_when_the_known_wifi_has_returned(told):
    assert told["returned"], told["log"]


def test_the_referee_s_wish_opens_it_and_closes_it_again(told):
    assert told["wished"], told["log"]
    assert told["closed"], told["log"]
    assert told["portal"] in ("inactive", "failed")
    assert told["home"], told["log"]


def test_the_configuration_opens_it_for_good(told):
    assert told["configured"], told["log"]
