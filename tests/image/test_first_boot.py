"""First boot: companion.txt says what the Pi should know, however people write it."""

from __future__ import annotations

import tomllib
from configparser import RawConfigParser
from pathlib import Path
from typing import Any

import pytest

from companion.settings.configuration import examine
from image.first_boot import CHANNELS, CONFIG, CONNECTION, COUNTRY, HOTSPOT, FirstBoot, decoded

WIFI_PASSWORD = "the password of a Wi-Fi has 8 to 63 letters, none with an accent"
OWN_PASSWORD = (
    "the table's own Wi-Fi needs a password of 8 to 63 letters, "
    "none with an accent, no quotes and no backslash"
)
PROJECT = Path(__file__).parents[2]
TEMPLATE = (PROJECT / "image" / "companion.txt").read_text()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A card on which the table is installed."""
    config = tmp_path / CONFIG
    config.parent.mkdir(parents=True)
    config.write_text((PROJECT / "systemd" / "companion.toml").read_text())
    return tmp_path


class Booted:
    """What one start of the Pi did."""

    def __init__(self, root: Path, text: str) -> None:
        self.ran: list[tuple[tuple[str, ...], str]] = []
        boot = FirstBoot(root, lambda command, given: self.ran.append((tuple(command), given)))
        self.did = boot.apply(text)
        self.complaints = boot.complaints


def configuration(root: Path) -> dict[str, Any]:
    read = tomllib.loads((root / CONFIG).read_text())
    assert examine(read)[1] == []
    return read


def filled_in(**values: str) -> str:
    text = TEMPLATE
    for key, value in values.items():
        assert f"\n{key} =\n" in text
        text = text.replace(f"\n{key} =\n", f"\n{key} = {value}\n")
    return text


def test_the_file_as_it_comes_changes_nothing(root):
    before = (root / CONFIG).read_text()
    booted = Booted(root, TEMPLATE)
    assert (booted.complaints, booted.ran) == ([], [])
    assert (root / CONFIG).read_text() == before
    assert not (root / CONNECTION).exists()


def test_everything_that_can_be_said_is_done(root):
    text = filled_in(
        wifi="Café 5",
        password="open sesame",
        country="pt",
        hotspot="cards4everybody",
        seats="4",
        lamps="LED",
        name="Kitchen",
        login="secret",
    )
    booted = Booted(root, text)
    assert booted.complaints == []
    network = RawConfigParser()
    network.read(root / CONNECTION)
    name = bytes(int(byte) for byte in network["wifi"]["ssid"].rstrip(";").split(";"))
    assert name.decode() == "Café 5"
    assert network["wifi-security"]["psk"] == r"open\ssesame"
    assert (root / CONNECTION).stat().st_mode & 0o777 == 0o600
    assert (root / COUNTRY).read_text() == "options cfg80211 ieee80211_regdom=PT\n"
    assert (root / HOTSPOT).read_text() == "cards4everybody"
    assert configuration(root)["table"] == {"seats": 4}
    assert configuration(root)["hardware"] == {"lamps": "led"}
    assert configuration(root)["server"]["names"] == ["companion.local", "kitchen.local"]
    assert (root / "etc/hostname").read_text() == "kitchen\n"
    assert booted.ran == [
        (("iw", "reg", "set", "PT"), ""),
        (("hostname", "kitchen"), ""),
        (("chpasswd",), "table:secret\n"),
    ]


@pytest.mark.parametrize("letters", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_an_editor_of_windows_and_quotes_do_no_harm(root, letters):
    text = "Seats = '6'\r\nname=\"hall\"\r\nwifi = Café\r\n"
    assert Booted(root, decoded(text.encode(letters))).complaints == []
    assert configuration(root)["table"] == {"seats": 6}
    assert (root / "etc/hostname").read_text() == "hall\n"
    assert f"ssid={';'.join(map(str, 'Café'.encode()))};\n" in (root / CONNECTION).read_text()


def test_a_wifi_without_a_password_is_an_open_one(root):
    Booted(root, "wifi = Park")
    assert "psk" not in (root / CONNECTION).read_text()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("seats = 11", "there can be 2 to 10 seats, not 11"),
        ("seats = many", "there can be 2 to 10 seats, not many"),
        ("lamps = pwm", "lamps are led or none, not pwm"),
        ("country = Portugal", "a country has two letters, not Portugal"),
        ("name = our table", "a name has letters, digits and dashes, unlike our table"),
        ("wifi = Home\npassword = short", WIFI_PASSWORD),
        ("wifi = Home\npassword = geheimnisträger", WIFI_PASSWORD),
        ("hotspot = short", OWN_PASSWORD),
        ("hotspot = back\\slash", OWN_PASSWORD),
        (f"wifi = {'é' * 17}", "the name of a Wi-Fi has at most 32 letters"),
        ("password = open sesame", "there is a password, but no wifi that it belongs to"),
        ("wlan = Home", "line 1 was not understood: wlan"),
        ("hello", "line 1 was not understood: hello"),
        ("password open sesame", "line 1 was not understood: password"),
    ],
)
def test_a_mistake_is_named_and_nothing_else_is_lost(root, line, complaint):
    booted = Booted(root, f"{line}\nlogin = secret\n")
    assert booted.complaints == [complaint]
    assert booted.ran == [(("chpasswd",), "table:secret\n")]
    assert "table" not in configuration(root)
    assert not (root / CONNECTION).exists()


def test_a_country_that_the_kernel_does_not_know_is_named(root):
    channels = root / CHANNELS
    channels.parent.mkdir(parents=True)
    channels.write_bytes(b"RGDB\0\0\0\x14" + b"GB\0\x05" + b"PT\0\x07" + b"\0\0\0\0" + b"UK\1\2")
    assert Booted(root, "country = uk").complaints == [
        "UK is no country here; the United Kingdom is GB"
    ]
    assert not (root / COUNTRY).exists()
    assert Booted(root, "country = gb").complaints == []
    assert (root / COUNTRY).exists()


def test_what_was_not_understood_is_said_at_every_start_until_it_is_mended(root):
    first = Booted(root, "seats = 11\nhello\n")
    again = Booted(root, "seats = 11\nhello\n")
    assert (first.did, again.did) == (True, False)
    assert again.complaints == first.complaints != []
    assert Booted(root, "seats = 10\n").complaints == []


def test_a_wifi_that_is_taken_out_of_the_file_is_forgotten(root):
    Booted(root, "wifi = Home\npassword = open sesame")
    assert (root / CONNECTION).exists()
    Booted(root, "wifi =\npassword =\nseats = 4")
    assert not (root / CONNECTION).exists()


def test_a_configuration_that_was_written_in_another_way_is_never_broken(root):
    by_hand = "[table] # ours\nseats = 6\n"
    (root / CONFIG).write_text(by_hand)
    assert Booted(root, "seats = 4").complaints == [
        "seats could not be written into /etc/table-companion/companion.toml; change it there"
    ]
    assert (root / CONFIG).read_text() == by_hand
    (root / CONFIG).unlink()
    assert Booted(root, "seats = 3").complaints == []
    assert configuration(root) == {"table": {"seats": 3}}


def test_the_same_file_is_not_done_twice_but_a_changed_one_is(root):
    assert Booted(root, "seats = 4").did
    edited = (root / CONFIG).read_text().replace("seats = 4", "seats = 5")
    (root / CONFIG).write_text(edited)
    assert not Booted(root, "seats = 4").did
    assert configuration(root)["table"] == {"seats": 5}
    assert Booted(root, "seats = 3").did
    assert configuration(root)["table"] == {"seats": 3}
