"""The section [home]: every mistake named, no secret repeated; and the commands about it."""

from __future__ import annotations

import io
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.assembly.home import open_home
from companion.care.support import bundle
from companion.home.identity import FILE, identity
from companion.settings.configuration import examine, load
from tests.home.broker import Broker, kept
from tests.kit.command_line import companion
from tests.kit.night import Night, until
from tests.kit.served import free_port

SECRET = "swordfish-77"


def home_of(text: str):
    settings, mistakes = examine(tomllib.loads(f"[home]\n{text}"))
    return settings.home, mistakes


def test_without_the_section_there_is_no_home() -> None:
    assert examine({})[0].home is None


def test_a_host_is_all_it_takes() -> None:
    home, mistakes = home_of('host = "broker.lan"')
    assert mistakes == []
    assert home is not None
    assert (home.host, home.port, home.tls, home.names) == ("broker.lan", 1883, False, True)


@pytest.mark.parametrize("host", ["::1", "fe80::1%eth0", "192.168.1.5", "homeassistant.local"])
def test_a_host_is_a_name_or_an_address_of_either_kind(host: str) -> None:
    home, mistakes = home_of(f'host = "{host}"')
    assert mistakes == []
    assert home is not None
    assert home.host == host


def test_a_certificate_of_ones_own_means_tls_and_its_port() -> None:
    home, mistakes = home_of('host = "broker.lan"\nca_file = "/etc/ca.pem"')
    assert mistakes == []
    assert home is not None
    assert (home.tls, home.port) == (True, 8883)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        pytest.param("port = 1883", "home.host is missing", id="no broker"),
        pytest.param('hots = "b"\nhost = "b"', "Did you mean host?", id="a slip of the finger"),
        pytest.param(
            "host = 5", "home.host is a text of 1 to 128 characters, not 5", id="a host of five"
        ),
        pytest.param('host = "b"\nport = 0', "from 1 to 65535, not 0", id="port zero"),
        pytest.param('host = "b"\ntopic = "a/#"', "a topic without +, #", id="a topic for all"),
        pytest.param('host = "b"\ntopic = "/a"', "a topic without", id="a topic from a slash"),
        pytest.param('host = "b"\ndiscovery_prefix = "$SYS"', "a topic", id="the broker's own"),
        pytest.param('host = "b"\nnames = "no"', "true or false, not 'no'", id="names, perhaps"),
        pytest.param('host = "b"\nuser = "u"\npassword_file = "x"', "whole path", id="a path"),
        pytest.param('host = "b"\npassword = "p"', "home.user is missing", id="whose password"),
        pytest.param(
            'host = "b"\nuser = "u"\npassword = "p"\npassword_file = "/p"', "keep one", id="both"
        ),
        pytest.param('host = "b"\ntls = false\nca_file = "/c"', "only of use", id="no tls"),
        pytest.param(f'host = "{"b" * 200}"', "of 1 to 128 characters", id="a host without end"),
        pytest.param('host = "mqtt://b"', "a name or an address alone", id="a link"),
        pytest.param('host = "b:1883"', "the port has a setting of its own", id="with its port"),
        pytest.param('host = "b b"', "a name or an address alone", id="two words"),
        pytest.param('host = "b"\nca_file = "/a\\u0000"', "whole path", id="no path at all"),
        pytest.param('host = "b"\nca_file = "~nobody-here/a"', "whole path", id="nobody's folder"),
    ],
)
def test_a_mistake_gets_a_sentence(text: str, says: str) -> None:
    _, mistakes = home_of(text)
    assert len(mistakes) == 1
    assert says in mistakes[0]


def test_a_wrong_password_is_not_repeated() -> None:
    _, mistakes = home_of('host = "b"\nuser = 12345\npassword = 67890')
    assert mistakes == [
        f"home.{key} is a text of 1 to 128 characters." for key in ("user", "password")
    ]


def test_the_settings_never_show_the_password() -> None:
    home, _ = home_of(f'host = "b"\nuser = "u"\npassword = "{SECRET}"')
    assert SECRET not in repr(home)
    said = {"home": {"host": "b", "user": "u", "password": SECRET}}
    assert SECRET not in repr(examine(said)[0])


def test_the_identity_is_drawn_once_and_kept_for_the_table_alone(tmp_path: Path) -> None:
    first = identity(tmp_path)
    assert identity(tmp_path) == first
    assert (tmp_path / FILE).stat().st_mode & 0o777 == 0o600
    (tmp_path / FILE).write_text("../nonsense\n")
    assert identity(tmp_path) not in ("../nonsense", first)


def test_the_support_bundle_holds_nothing_of_the_broker(tmp_path: Path) -> None:
    with Night(tmp_path / "table") as night:
        night.deal()
    log = tmp_path / "table" / "companion.log"
    log.write_text(f"The broker is not reached: nobody listens at broker.lan as u-{SECRET}.\n")
    said = {"home": {"host": "broker.lan", "user": "mqtt-user", "password": SECRET, "port": 1883}}
    with zipfile.ZipFile(io.BytesIO(bundle(tmp_path / "table", said, []))) as packed:
        everything = b"\n".join(packed.read(name) for name in packed.namelist()).decode()
    for left_out in (SECRET, "broker.lan", "mqtt-user"):
        assert left_out not in everything
    assert "nobody listens at home-host" in everything


@pytest.fixture
def config(tmp_path: Path, broker: Broker) -> Path:
    file = tmp_path / "companion.toml"
    file.write_text(
        f'[server]\nhost = "127.0.0.1"\nport = {free_port()}\n[hardware]\nfactory = "simulated"\n'
        f'[home]\nhost = "127.0.0.1"\nport = {broker.port}\n'
    )
    return file


def test_the_command_shows_what_would_be_told_and_tries_the_broker(tmp_path, config, broker):
    with Night(tmp_path / "table") as night:
        night.deal()
        night.score_round()
        said = companion("home", "--config", config, "--data", tmp_path / "table")
    assert said.exit_code == 0, said.output
    assert '"phase": "between"' in said.output
    assert '"leader": "Ben"' in said.output
    assert "homeassistant/" not in said.output
    assert said.output.endswith("The broker answers.\n")
    assert kept(broker) == {}, "it only looked"
    all_of_it = companion("home", "--discovery", "--config", config, "--data", tmp_path / "table")
    assert "/binary_sensor/" in all_of_it.output


def test_the_broker_can_be_made_to_forget_the_table(tmp_path, config, broker):

    with Night(tmp_path / "table") as night:
        assert night.running is not None
        open_home(night.running, replace(load(config), data=night.settings.data))
        night.deal()
        home = night.running.home
        assert home is not None
        until(lambda: home().connected)
    assert kept(broker)["table-companion/availability"] == b"offline"
    said = companion("home", "--remove", "--config", config, "--data", tmp_path / "table")
    assert said.output == "The broker has forgotten this table.\n"
    assert kept(broker) == {}


def test_the_broker_cannot_be_made_to_forget_a_table_that_is_open(tmp_path, config, broker):
    place = ("--config", config, "--data", tmp_path / "table")
    with Night(tmp_path / "table") as night:
        assert night.running is not None
        open_home(night.running, replace(load(config), data=night.settings.data))
        until(lambda: "table-companion/state" in kept(broker))
        said = companion("home", "--remove", *place)
        assert said.exit_code == 2
        assert "table-companion/state" in kept(broker)
    assert companion("home", "--remove", *place).exit_code == 0
    assert kept(broker) == {}


def test_a_broker_that_is_not_reached_is_a_problem_for_the_command_and_a_note_for_the_doctor(
    tmp_path, config, broker
):
    broker.end()
    place = ("--config", config, "--data", tmp_path / "table")
    said = companion("home", *place)
    assert said.exit_code == 1
    assert f"nobody listens at 127.0.0.1:{broker.port}." in said.output
    doctor = companion("doctor", *place)
    (line,) = [one for one in doctor.output.splitlines() if "Home" in one]
    assert line.startswith("note")
    assert "nobody listens" in line
    assert doctor.exit_code == 0, "the game does not need it"


def test_a_password_that_everybody_can_read_is_worth_a_note(tmp_path, config):
    secret = tmp_path / "password"
    secret.write_text(SECRET)
    secret.chmod(0o644)
    config.write_text(f'{config.read_text()}user = "table"\npassword_file = "{secret}"\n')
    doctor = companion("doctor", "--config", config, "--data", tmp_path / "table")
    assert f"can read its password in {secret}" in doctor.output
    said = companion("home", "--config", config, "--data", tmp_path / "table")
    assert "chmod" in said.output
    assert SECRET not in said.output + doctor.output
    secret.chmod(0o640)
    assert "can read" not in companion("home", "--config", config, "--data", tmp_path).output


def test_nobody_is_told_to_close_a_folder_that_was_taken_for_a_password(tmp_path, config):
    tmp_path.chmod(0o755)
    config.write_text(f'{config.read_text()}user = "table"\npassword_file = "{tmp_path}"\n')
    said = companion("home", "--config", config, "--data", tmp_path / "table")
    assert f"{tmp_path} cannot be read: Is a directory." in said.output
    assert "chmod" not in said.output


def test_without_the_package_the_table_opens_and_says_what_is_missing(
    tmp_path, config, monkeypatch
):
    monkeypatch.setitem(sys.modules, "paho.mqtt", None)
    with Night(tmp_path / "table") as night:
        assert night.running is not None
        open_home(night.running, replace(load(config), data=night.settings.data))
        home = night.running.home
        assert home is not None
        until(lambda: home().reason is not None)
        assert "pip install 'table-companion[home]'" in (home().reason or "")
        night.deal()
    said = companion("home", "--config", config, "--data", tmp_path / "table")
    assert said.exit_code == 1
    assert "paho-mqtt" in said.output


def test_without_a_section_the_command_says_so(tmp_path):
    file = tmp_path / "companion.toml"
    file.write_text("")
    said = companion("home", "--config", file, "--data", tmp_path / "table")
    assert said.exit_code == 0
    assert "no section [home]" in said.output
